"""Weighted NL Terms: words of the function's name (x5), parameters, local variables and comments; cosine of TF-IDF.

A term counts once however often it stands in a function: in the paper's example `match` is in two comments and weighs
as much as `found`. The IDF of the function's project is multiplied in where there is a project: in the index.
"""

from __future__ import annotations

from beryl.features import terms
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape

NAME_WEIGHT = 5
"""Function-name terms score this much more than others (§III-A)."""


def observe(facts: Facts) -> dict[str, int]:
    """Terms with their weight before IDF."""
    weights: dict[str, int] = {}
    for comment in facts.comments:
        weights.update(dict.fromkeys(terms.of_prose(comment), 1))
    for variable in facts.variables:
        weights.update(dict.fromkeys(terms.of_identifier(variable), 1))
    weights.update(dict.fromkeys(terms.of_identifier(facts.name), NAME_WEIGHT))
    return weights


FEATURE = FeatureClass("nl-terms", "Weighted NL Terms", Shape.TERMS, observe)
