"""Mentioned Terms (not in the paper): words of functions, fields, types, globals and macros that it uses."""

from __future__ import annotations

from beryl.features import terms
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """Terms, each once; IDF is multiplied in by the index."""
    found: dict[str, int] = {}
    for name in sorted(facts.mentioned):
        found.update(dict.fromkeys(terms.of_identifier(name), 1))
    return found


FEATURE = FeatureClass("mentioned-terms", "Mentioned Terms", Shape.TERMS, observe)
