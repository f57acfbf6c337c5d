"""Name Terms (not in the paper): words of the function's name; a prefix that the whole project has counts little."""

from __future__ import annotations

from beryl.features import terms
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """Terms, each once; IDF is multiplied in by the index."""
    return dict.fromkeys(terms.of_identifier(facts.name), 1)


FEATURE = FeatureClass("name-terms", "Name Terms", Shape.TERMS, observe)
