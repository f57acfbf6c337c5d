"""Token Runs (not in the paper): three tokens of the body in a row, all names alike: the shape of expressions."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape

LENGTH = 3
"""Longer runs find less: 5 and 7 were tried."""


def observe(facts: Facts) -> dict[str, int]:
    """Runs, each once; IDF is multiplied in by the index."""
    body = facts.tokens
    return {" ".join(body[start : start + LENGTH]): 1 for start in range(len(body) - LENGTH + 1)}


FEATURE = FeatureClass("token-runs", "Token Runs", Shape.TERMS, observe)
