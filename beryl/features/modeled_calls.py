"""Modeled Library Calls: calls of the standard libraries listed in data/words, as name and header."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of functions called, as `name file`."""
    return {f"{name} {file}": 1 for name, file in facts.modeled_calls}


FEATURE = FeatureClass("modeled-calls", "Modeled Library Calls", Shape.SET, observe)
