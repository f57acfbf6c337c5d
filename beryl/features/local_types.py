"""Local Types: the set of types of the local variables."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of types."""
    return {kind or "?": 1 for kind in facts.local_types}


FEATURE = FeatureClass("local-types", "Local Types", Shape.SET, observe)
