"""MAP of code-to-code search, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from beryl import paths
from beryl.evaluate import pairs, similar
from beryl.evaluate.pairs import QuerySet
from beryl.features import FEATURES

SETS = QuerySet("toy", (10, 11, 12, 13), ("sort", "sort", "find", "find"))


def compared(first_class: list[list[float]]) -> similar.Compared:
    """Four queries against themselves and two distractors; only the first class says anything."""
    values = np.zeros((4, len(FEATURES), 6), dtype=np.float32)
    values[:, 0, :] = first_class
    weights = np.ones((4, len(FEATURES)))
    return similar.Compared(SETS, values, weights, weights, np.arange(6))


ROWS = [
    [1.0, 0.9, 0.1, 0.2, 0.3, 0.0],  # sort finds sort first: AP 1
    [0.5, 1.0, 0.1, 0.2, 0.6, 0.7],  # two distractors are before it: AP 1/3
    [0.0, 0.0, 1.0, 0.4, 0.4, 0.1],  # tied with a distractor that comes later in the order of ties: AP 1
    [0.9, 0.0, 0.3, 1.0, 0.4, 0.1],  # one of the set and one distractor are before it: AP 1/3
]
FIRST = np.eye(len(FEATURES))[0]


def test_map_is_the_mean_over_queries_and_leaves_the_query_out() -> None:
    assert similar.mean_precision(compared(ROWS), FIRST, 2) == pytest.approx((1 + 1 / 3 + 1 + 1 / 3) / 4)


def test_fewer_distractors_can_only_help() -> None:
    assert similar.mean_precision(compared(ROWS), FIRST, 0) == pytest.approx((1 + 1 + 1 + 1 / 2) / 4)


def test_pairs_of_one_category_are_alike() -> None:
    rows, labels = similar.vectors(compared(ROWS), [0, 1, 2])
    assert rows[:, 0].tolist() == pytest.approx([0.9, 0.1, 0.1])
    assert labels.tolist() == [1, 0, 0]


def test_relevant_are_the_others_of_the_category() -> None:
    assert SETS.relevant(2) == [3]


def test_algo_qs_has_at_least_seven_tasks_of_five_implementations_by_reference() -> None:
    tasks = pairs.read(paths.data("benchmark", pairs.SETS["algo-qs"]))
    assert len(tasks) >= 7
    assert all(len(rows) >= 5 for rows in tasks.values())
    assert all(set(row) >= {"package", "path", "start", "end"} for rows in tasks.values() for row in rows)


def test_the_curve_is_drawn() -> None:
    picture = similar.drawn({"dyn-select": {10: 0.9, 100: 0.5}, "svm-weights": {10: 0.9, 100: 0.8}})
    assert "*" in picture
    assert "100" in picture
