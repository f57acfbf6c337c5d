"""Type-Operation Coupling: which operations are performed on which types, `int <=`, `Bar .foo`."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of (type, operation) pairs; an unknown type is `?`."""
    return {f"{kind or '?'} {operation}": 1 for kind, operation in facts.type_operations}


FEATURE = FeatureClass("type-operation-coupling", "Type-Operation Coupling", Shape.SET, observe)
