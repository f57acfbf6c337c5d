"""Eqs. 1, 3 and 4 and the cosine, worked out by hand."""

from __future__ import annotations

import pytest

from beryl.features.similarity import Tree, cosine, edit_distance, generalised_jaccard, jaccard, tree_similarity


def chain(*labels: str) -> Tree:
    """A tree in which every node has one child."""
    return Tree(labels, labels[::-1])


def test_jaccard_is_common_over_either() -> None:
    assert jaccard({"a": 1, "b": 1}, {"b": 7, "c": 1}) == pytest.approx(1 / 3)


def test_generalised_jaccard_is_minima_over_maxima() -> None:
    # minima 1 + 2 + 0, maxima 3 + 2 + 4
    assert generalised_jaccard({"a": 3, "b": 2}, {"a": 1, "b": 2, "c": 4}) == pytest.approx(3 / 9)


def test_cosine() -> None:
    assert cosine({"a": 3.0, "b": 4.0}, {"a": 1.0}) == pytest.approx(3 / 5)


def test_edit_distance_counts_words() -> None:
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance([], ["if", "for"]) == 2


def test_trees_half_as_large_are_compared_by_size_alone() -> None:
    assert tree_similarity(chain("seq", "if"), chain("for", "do", "for", "do")) == pytest.approx(0.5)


def test_trees_of_like_size_are_compared_by_the_larger_of_both_edit_distances() -> None:
    # if(a, b) and if(a(b)): the same pre-order; the post-orders a b if and b a if are two replacements apart.
    first = Tree(("if", "a", "b"), ("a", "b", "if"))
    second = Tree(("if", "a", "b"), ("b", "a", "if"))
    assert tree_similarity(first, second) == pytest.approx(1 - 2 / 3)


def test_a_third_more_nodes_are_below_the_threshold_of_size() -> None:
    assert tree_similarity(chain("seq", "for", "if"), chain("seq", "for", "for", "if")) == pytest.approx(1 - 1 / 4)
