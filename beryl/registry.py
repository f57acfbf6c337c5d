"""Names of the open sets (languages, encoders, feature-classes, ...) and where each is, imported on first use."""

from __future__ import annotations

import importlib
from typing import Any

from beryl.errors import InputError, MissingDependency

LANGUAGES = {
    "c": "beryl.lang.c:SPEC",
    "cpp": "beryl.lang.cpp:SPEC",
    "java": "beryl.lang.java:SPEC",
}

ENCODERS = {
    "static": "beryl.encode.static:load",
    "granite": "beryl.encode.granite:load",
    "codebert": "beryl.encode.codebert:load",
    "hashing": "beryl.encode.hashing:load",
}

VECTOR_INDEXES = {
    "flat": "beryl.index.flat:FlatIndex",
    "faiss": "beryl.index.faiss:FaissIndex",
}

# Tables computed from an index's base columns, in build order; see CONTRIBUTING.md "The index".
DERIVED_TABLES = {
    "terms": "beryl.index.terms:build",
    "shapes": "beryl.index.shapes:build",
    "vectors": "beryl.index.vectors:build",
    "ablation": "beryl.index.vectors:build_ablation",
    "observations": "beryl.index.observations:build",
    "paths": "beryl.smt.table:build",
}

# Numbers per function that the terms table stores: (functions, caller, callee, weight of the call) -> array.
FUNCTION_PRIORS = {
    "pagerank": "beryl.rank.pagerank:of_calls",
}

# Packages that only some names need, and the extra that brings them.
_EXTRAS = {
    "torch": "neural",
    "torch_geometric": "neural",
    "transformers": "neural",
    "z3": "solver",
    "matplotlib": "notebook",
}


def load(table: dict[str, str], name: str, what: str) -> Any:  # noqa: ANN401 - one function serves every table
    """The object registered as `name`; says what is known, or what to install."""
    if name not in table:
        raise InputError(f"unknown {what} {name!r}; known: {', '.join(sorted(table))}")
    module, attribute = table[name].split(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package in _EXTRAS:
            raise MissingDependency(f"{what} {name!r}", package, _EXTRAS[package]) from None
        raise
