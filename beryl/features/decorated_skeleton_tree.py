"""Decorated Skeleton Tree: loops, conditionals and operations; without assignment and address-of, which bloat it."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape
from beryl.features.similarity import Tree


def observe(facts: Facts) -> Tree:
    """The skeleton tree with its operations in place."""
    return facts.decorated


FEATURE = FeatureClass("decorated-skeleton-tree", "Decorated Skeleton Tree", Shape.TREE, observe)
