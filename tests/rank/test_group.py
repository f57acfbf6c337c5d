"""Grouping and scoring on a graph small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.rank.group import Graph, Group, components, distances, groups, merge
from beryl.rank.score import Candidate, distinct, ranked, score


def graph_of(size: int, edges: list[tuple[int, int]]) -> Graph:
    both = sorted({*edges, *((b, a) for a, b in edges)})
    offsets = np.zeros(size + 1, dtype=np.int64)
    for a, _ in both:
        offsets[a + 1] += 1
    return Graph(np.cumsum(offsets), np.array([b for _, b in both], dtype=np.int64))


# A path 0-1-2-3-4 and, apart from it, an edge 5-6:
#
#     0 --- 1 --- 2 --- 3 --- 4        5 --- 6
#
# Candidates 0, 1, 4, 5. Distances: d(0,1)=1, d(0,4)=4, d(1,4)=3, everything to 5 infinite.
# Complete linkage: {0,1} at height 1; then {0,1,4} at max(4, 3) = 4; {5} stays alone.
PATH = graph_of(7, [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)])
CANDIDATES = np.array([0, 1, 4, 5])


def test_distances_are_shortest_paths_and_infinite_where_there_is_none():
    matrix = distances(PATH, CANDIDATES)
    assert matrix[0].tolist() == [0, 1, 4, np.inf]
    assert matrix[1].tolist() == [1, 0, 3, np.inf]


def test_a_path_longer_than_the_limit_is_no_path():
    assert np.isinf(distances(PATH, CANDIDATES, limit=3)[0, 2])


def test_components_split_the_candidates():
    found = list(components(PATH, CANDIDATES))
    assert [part.tolist() for part, _, _ in found] == [[0, 1, 2], [3]]
    assert [inside.size for _, inside, _ in found] == [5, 2]


def test_distances_are_the_same_inside_the_component():
    part, inside, places = next(components(PATH, CANDIDATES))
    assert np.array_equal(distances(inside, places), distances(PATH, CANDIDATES[part]))


def test_every_merge_step_is_a_group_and_none_crosses_infinity():
    found = list(groups(PATH, CANDIDATES))
    assert found == [
        Group((0,), 0.0),
        Group((1,), 0.0),
        Group((2,), 0.0),
        Group((0, 1), 1.0),
        Group((0, 1, 2), 4.0),
        Group((3,), 0.0),
    ]


def test_no_candidates_no_groups():
    assert list(groups(PATH, np.array([], dtype=np.int64))) == []


def test_merge_inside_one_component_stops_at_infinity():
    apart = np.array([[0.0, 1.0, np.inf], [1.0, 0.0, np.inf], [np.inf, np.inf, 0.0]])
    assert [group.members for group in merge(apart)] == [(0,), (1,), (2,), (0, 1)]


# Query nodes q0, q1, q2. Node 0 was retrieved by q0 (0.9), node 1 by q0 (0.5) and q1 (0.8), node 4 by q2 (0.7).
#   {1}      covers q0, q1:     γ = 2 + 0   (a single node has no distance)
#   {0,1}    covers q0, q1:     γ = 2 + 1/1 = 3,    mean of best = (0.9 + 0.8) / 2
#   {0,1,4}  covers all three:  γ = 3 + 1/4 = 3.25, mean of best = (0.9 + 0.8 + 0.7) / 3
MATCHED = [Candidate(0, {0: 0.9}), Candidate(1, {0: 0.5, 1: 0.8}), Candidate(4, {2: 0.7}), Candidate(5, {1: 0.99})]


def test_score_is_coverage_plus_one_over_distance():
    three = score(Group((0, 1, 2), 4.0), MATCHED)
    assert three.score == 3.25
    assert three.similarity == pytest.approx(0.8)
    assert score(Group((0, 1), 1.0), MATCHED).score == 3.0
    assert score(Group((1,), 0.0), MATCHED).score == 2.0


def test_ranking_is_by_score_then_similarity():
    order = [item.members for item in ranked(groups(PATH, CANDIDATES), MATCHED)]
    assert order == [(0, 1, 2), (0, 1), (1,), (3,), (0,), (2,)]


def test_distinct_keeps_the_best_of_overlapping_places():
    places = [
        [("a.c", 10, 20)],
        [("a.c", 15, 30)],
        [("b.c", 15, 30)],
        [("a.c", 21, 25)],
        [("c.c", 1, 2), ("a.c", 1, 10)],
    ]
    assert distinct(places, limit=10) == [0, 2, 3]
    assert distinct(places, limit=2) == [0, 2]


def test_a_chain_of_two_thousand_candidates_is_grouped_without_blow_up():
    size = 2_000
    chain = graph_of(size, [(i, i + 1) for i in range(size - 1)])
    found = list(groups(chain, np.arange(size)))
    assert max(group.distance for group in found) <= 60
