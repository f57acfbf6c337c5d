"""Numeric Literals: the set of numbers written in the function, by value; a sign before a number belongs to it."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of numbers."""
    return dict.fromkeys(facts.numbers, 1)


FEATURE = FeatureClass("numeric-literals", "Numeric Literals", Shape.SET, observe)
