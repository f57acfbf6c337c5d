"""Body Meaning (not in the paper): what a network that was trained on other projects takes the body to be called."""

from __future__ import annotations

from beryl.features import network
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> bytes:
    """The vector of the body, its own name hidden."""
    return network.coded(network.read(facts).vector)


FEATURE = FeatureClass("body-meaning", "Body Meaning", Shape.VECTOR, observe)
