"""FUNCTION PAIR -> NUMBER: one feature-class per file (Source Forager, Table I)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from beryl import registry

if TYPE_CHECKING:
    from beryl.features.feature import FeatureClass

# name -> where it is; a new feature-class is a file and a line here. The order is that of Table I.
FEATURES = {
    "type-operation-coupling": "beryl.features.type_operation_coupling:FEATURE",
    "skeleton-tree": "beryl.features.skeleton_tree:FEATURE",
    "decorated-skeleton-tree": "beryl.features.decorated_skeleton_tree:FEATURE",
    "nl-terms": "beryl.features.nl_terms:FEATURE",
    "cfg-3-bfs": "beryl.features.cfg_3_bfs:FEATURE",
    "cfg-4-bfs": "beryl.features.cfg_4_bfs:FEATURE",
    "cfg-3-dfs": "beryl.features.cfg_3_dfs:FEATURE",
    "cfg-4-dfs": "beryl.features.cfg_4_dfs:FEATURE",
    "modeled-calls": "beryl.features.modeled_calls:FEATURE",
    "unmodeled-calls": "beryl.features.unmodeled_calls:FEATURE",
    "user-calls": "beryl.features.user_calls:FEATURE",
    "type-signature": "beryl.features.type_signature:FEATURE",
    "local-types": "beryl.features.local_types:FEATURE",
    "numeric-literals": "beryl.features.numeric_literals:FEATURE",
    "string-literals": "beryl.features.string_literals:FEATURE",
    "comments": "beryl.features.comments:FEATURE",
    # Beyond the paper: words and names that its classes leave out, and what code looks like without its names.
    "function-name": "beryl.features.function_name:FEATURE",
    "mentioned-terms": "beryl.features.mentioned_terms:FEATURE",
    "name-terms": "beryl.features.name_terms:FEATURE",
    "name-runs": "beryl.features.name_runs:FEATURE",
    "function-terms": "beryl.features.function_terms:FEATURE",
    "token-runs": "beryl.features.token_runs:FEATURE",
    "operations": "beryl.features.operations:FEATURE",
    # What a trained network makes of the code.
    "shape-meaning": "beryl.features.shape_meaning:FEATURE",
    "body-meaning": "beryl.features.body_meaning:FEATURE",
    "meaning": "beryl.features.meaning:FEATURE",
}
PAPER = tuple(FEATURES)[:16]
"""The feature-classes of Table I."""


@cache
def feature_classes() -> tuple[FeatureClass, ...]:
    """Every feature-class, in the order of the table."""
    return tuple(registry.load(FEATURES, name, "feature-class") for name in FEATURES)
