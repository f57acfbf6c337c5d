"""Type Signature: the multiset of the argument types and the return type."""

from __future__ import annotations

from collections import Counter

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """Each type with how often it occurs."""
    return dict(Counter(kind or "?" for kind in facts.signature))


FEATURE = FeatureClass("type-signature", "Type Signature", Shape.BAG, observe)
