"""Name Runs (not in the paper): the runs of Function Name weighed by how rare they are in the project."""

from __future__ import annotations

from beryl.features import function_name
from beryl.features.feature import FeatureClass, Shape

FEATURE = FeatureClass("name-runs", "Name Runs", Shape.TERMS, function_name.observe)
