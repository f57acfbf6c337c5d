"""Skeleton Tree: loops and conditionals, nested as in the code; what stands in sequence is below a `seq`."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape
from beryl.features.similarity import Tree


def observe(facts: Facts) -> Tree:
    """The tree of loops and conditionals."""
    return facts.skeleton


FEATURE = FeatureClass("skeleton-tree", "Skeleton Tree", Shape.TREE, observe)
