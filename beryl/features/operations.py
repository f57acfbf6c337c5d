"""Operations (not in the paper): Type-Operation Coupling without the types, which no two projects share, TF-IDF."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """Operations and fields accessed, each once; IDF is multiplied in by the index."""
    return {operation: 1 for _, operation in sorted(facts.type_operations)}


FEATURE = FeatureClass("operations", "Operations", Shape.TERMS, observe)
