"""Pseudocode -> fragments: reads the query once, then hands it to the ranking that was asked for."""

from __future__ import annotations

import importlib
from dataclasses import replace

from beryl.errors import InputError
from beryl.index.store import Index
from beryl.lang.pseudo import frontend
from beryl.search.clock import Clock
from beryl.search.fragments import searchable
from beryl.types import PseudocodeQuery, SearchResult

# Each module has search(index, pseudocode, query, clock) -> list[Fragment].
RANKINGS = {
    "fused": "beryl.search.fused",
    "paper": "beryl.search.paper",
    "bm25": "beryl.search.baselines",
    "bm25-body": "beryl.search.baselines",
    "name": "beryl.search.baselines",
    "random": "beryl.search.baselines",
}
FEATURES = ("cb", "cb+g", "full")


def search(index: Index, query: PseudocodeQuery) -> SearchResult:
    """Ranked fragments that implement the pseudocode."""
    if query.ranking not in RANKINGS:
        raise InputError(f"unknown ranking {query.ranking!r}; known: {', '.join(RANKINGS)}")
    if query.features not in FEATURES:
        raise InputError(f"unknown features {query.features!r}; known: {', '.join(FEATURES)}")
    if query.k < 1:
        raise InputError(f"k is {query.k}; at least one result must be asked for")
    if query.distinct is None:
        query = replace(query, distinct=query.ranking != "paper")
    clock = Clock()
    with clock("convert"):
        pseudocode = frontend.read(query.text, query.name)
    if not searchable(pseudocode.icfg.nodes):
        raise InputError(f"{query.name or 'the query'} has no statement, condition or loop to search for")
    fragments = []
    if len(index.functions.file):
        ranking = importlib.import_module(RANKINGS[query.ranking])
        fragments = ranking.search(index, pseudocode, query, clock)
    return SearchResult(query.name, "", "query", clock.total, tuple(fragments), query.text, clock.stages)
