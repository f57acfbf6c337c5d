"""String Literals: the set of strings written in the function."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of strings, as written between the quotes."""
    return dict.fromkeys(facts.strings, 1)


FEATURE = FeatureClass("string-literals", "String Literals", Shape.SET, observe)
