"""Function Name (not in the paper): the name's runs of three characters, so that `strchr` is close to `__strchr`."""

from __future__ import annotations

from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape

LENGTH = 3
"""Characters of a run; shorter ones are in every name, longer ones break at every affix."""


def observe(facts: Facts) -> dict[str, int]:
    """The set of runs of the name in lower case, without underscores, its ends marked."""
    name = f"^{facts.name.lower().replace('_', '')}$"
    return {name[start : start + LENGTH]: 1 for start in range(max(1, len(name) - LENGTH + 1))}


FEATURE = FeatureClass("function-name", "Function Name", Shape.SET, observe)
