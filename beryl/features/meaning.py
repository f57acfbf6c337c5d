"""Meaning (not in the paper): the vector of the body and that of the name, which are in one space, together."""

from __future__ import annotations

from beryl.features import network
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> bytes:
    """The sum of both: a telling name finds the body of one that is not, and the other way round."""
    return network.coded(network.read(facts).vector + network.name_vector(facts))


FEATURE = FeatureClass("meaning", "Meaning", Shape.VECTOR, observe)
