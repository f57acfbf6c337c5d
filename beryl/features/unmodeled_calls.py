"""Unmodeled Library Calls: calls of functions neither modeled nor defined in the project."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of functions called, as `name file`."""
    return {f"{name} {file}": 1 for name, file in facts.unmodeled_calls}


FEATURE = FeatureClass("unmodeled-calls", "Unmodeled Library Calls", Shape.SET, observe)
