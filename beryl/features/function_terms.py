"""Function Terms (not in the paper): words of every identifier in a function, its name, types and calls included."""

from __future__ import annotations

from beryl.features import terms
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """Terms, each once; IDF is multiplied in by the index."""
    found: dict[str, int] = {}
    for identifier in sorted(facts.identifiers):
        found.update(dict.fromkeys(terms.of_identifier(identifier), 1))
    return found


FEATURE = FeatureClass("function-terms", "Function Terms", Shape.TERMS, observe)
