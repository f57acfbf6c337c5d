"""PageRank on call graphs small enough to solve by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beryl.rank.pagerank import CallGraph, pagerank, prior


def graph(functions: int, *calls: tuple[int, int], weight: float = 1.0) -> CallGraph:
    caller, callee = (np.array([call[side] for call in calls], dtype=np.int64) for side in (0, 1))
    return CallGraph.of(functions, caller, callee, np.full(len(calls), weight))


def test_a_cycle_shares_evenly():
    assert pagerank(graph(3, (0, 1), (1, 2), (2, 0))) == pytest.approx([1 / 3] * 3)


def test_two_callers_of_one_function_by_hand():
    # 0 -> 2, 1 -> 2; 2 calls nothing. With d = 0.85: r0 = r1 = x, r2 = x + 2 * 0.85 * x, 2x + r2 = 1, so x = 1 / 4.7.
    assert pagerank(graph(3, (0, 2), (1, 2))) == pytest.approx([1 / 4.7, 1 / 4.7, 2.7 / 4.7], rel=1e-6)


def test_a_caller_divides_its_rank_among_its_callees():
    # 0 -> 1, 0 -> 2, 1 -> 0, 2 -> 0 with d = 0.85: r0 = 0.05 + 0.85 (r1 + r2) = 0.05 + 0.85 (1 - r0) = 0.9 / 1.85.
    rank = pagerank(graph(3, (0, 1), (0, 2), (1, 0), (2, 0)))
    assert rank == pytest.approx([0.9 / 1.85, 0.475 / 1.85, 0.475 / 1.85], rel=1e-6)


def test_without_damping_it_stops_though_it_never_converges():
    assert pagerank(graph(2, (0, 1), (1, 0)), damping=1.0) == pytest.approx([0.5, 0.5])


def test_calling_twice_or_calling_oneself_adds_nothing():
    once = pagerank(graph(3, (0, 2), (1, 2)))
    assert pagerank(graph(3, (0, 2), (0, 2), (1, 2), (2, 2), (0, 0))) == pytest.approx(once)


def test_the_surest_of_several_calls_counts():
    calls = np.array([0, 0, 0]), np.array([1, 1, 2])
    made = CallGraph.of(3, *calls, np.array([0.5, 1.0, 0.5]))
    assert made.callee.tolist() == [1, 2]
    assert made.weight.tolist() == [1.0, 0.5]
    assert pagerank(made)[1] > pagerank(made)[2]


def test_nothing_has_no_rank():
    assert len(pagerank(graph(0))) == 0
    assert len(prior(np.zeros(0))) == 0


def test_the_prior_keeps_the_order_and_ends_at_one():
    values = prior(np.array([0.7, 0.2, 0.1]))
    assert values[0] == 1
    # log(1 + 3 * 0.2) / log(1 + 3 * 0.7)
    assert values[1] == pytest.approx(0.470004 / 1.131402, rel=1e-4)
    assert values[1] > values[2] > 0


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=30), st.floats(0.0, 0.99))
def test_ranks_are_a_distribution(calls, damping):
    rank = pagerank(graph(8, *calls), damping)
    assert rank.sum() == pytest.approx(1)
    assert (rank >= 0).all()
