"""Shape Meaning (not in the paper): the same from the body's tokens alone, all names and comments hidden."""

from __future__ import annotations

from beryl.features import network
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> bytes:
    """The vector of what the code looks like."""
    _, shape, _ = network.read(facts).groups
    return network.coded(network.bundled().of_body([shape]))


FEATURE = FeatureClass("shape-meaning", "Shape Meaning", Shape.VECTOR, observe)
