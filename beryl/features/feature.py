"""What a feature-class is: how a function is observed, and which shape, hence which similarity, the observation has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from beryl.features import similarity
from beryl.features.facts import Facts
from beryl.features.similarity import Tree

Observation = Mapping[str, int] | Tree | bytes
"""Tokens with how often (sets: 1) or how much (terms: 1 or 5), a tree, or a vector as one int8 per number."""


class Shape(StrEnum):
    """What observations of a feature-class are, which fixes their similarity function."""

    SET = "set"
    BAG = "bag"
    TERMS = "terms"
    TREE = "tree"
    VECTOR = "vector"


class FeatureClass(NamedTuple):
    """One row of Table I, or of what was added to it."""

    name: str
    title: str
    shape: Shape
    observe: Callable[[Facts], Observation]

    def similarity(self, first: Observation, second: Observation) -> float:
        """In [0, 1], symmetric, 1 for an observation and itself; two empty ones score 0, but two empty trees 1."""
        return SIMILARITIES[self.shape](first, second)


SIMILARITIES: dict[Shape, Callable[..., float]] = {
    Shape.SET: similarity.jaccard,
    Shape.BAG: similarity.generalised_jaccard,
    Shape.TERMS: similarity.cosine,
    Shape.TREE: similarity.tree_similarity,
    Shape.VECTOR: similarity.vector_cosine,
}
