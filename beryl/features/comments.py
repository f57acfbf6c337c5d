"""Comments: the set of words of the comments inside and directly before the function, stop words included."""

from __future__ import annotations

from beryl.features import terms
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The set of words, in lower case."""
    return {word: 1 for comment in facts.comments for word in terms.words(comment)}


FEATURE = FeatureClass("comments", "Comments", Shape.SET, observe)
