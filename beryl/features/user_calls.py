"""User-Defined Library Calls: calls of functions that the project defines elsewhere."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of functions called, as `name file`."""
    return {f"{name} {file}": 1 for name, file in facts.user_calls}


FEATURE = FeatureClass("user-calls", "User-Defined Library Calls", Shape.SET, observe)
