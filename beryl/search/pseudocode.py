"""Pseudocode -> fragments: reads the query once, then hands it to the ranking that was asked for."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace

from beryl.errors import InputError
from beryl.index.store import Index
from beryl.lang.pseudo import frontend
from beryl.search.clock import Clock
from beryl.search.fragments import searchable
from beryl.types import Fragment, PseudocodeQuery, SearchResult, Verdict

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
PATHS = ("undirected", "directed", "intraprocedural")
# With examples, so many times as many fragments are ranked before those that fail are dropped.
_BEFORE_EXAMPLES = 20
_CHECK_SECONDS, _ALL_CHECKS_SECONDS = 1.0, 30.0


def search(index: Index, query: PseudocodeQuery) -> SearchResult:
    """Ranked fragments that implement the pseudocode."""
    if query.ranking not in RANKINGS:
        raise InputError(f"unknown ranking {query.ranking!r}; known: {', '.join(RANKINGS)}")
    if query.features not in FEATURES:
        raise InputError(f"unknown features {query.features!r}; known: {', '.join(FEATURES)}")
    if query.paths not in PATHS:
        raise InputError(f"unknown paths {query.paths!r}; known: {', '.join(PATHS)}")
    if query.k < 1:
        raise InputError(f"k is {query.k}; at least one result must be asked for")
    if query.distinct is None:
        query = replace(query, distinct=query.ranking != "paper")
    clock = Clock()
    with clock("convert"):
        pseudocode = frontend.read(query.text, query.name)
    if not searchable(pseudocode.icfg.nodes):
        raise InputError(f"{query.name or 'the query'} has no statement, condition or loop to search for")
    fragments: list[Fragment] = []
    if len(index.functions.file):
        ranking = importlib.import_module(RANKINGS[query.ranking])
        wanted = replace(query, k=query.k * _BEFORE_EXAMPLES) if query.examples else query
        fragments = ranking.search(index, pseudocode, wanted, clock)
    if query.examples:
        with clock("examples"):
            fragments = satisfying(index, fragments, query.examples)[: query.k]
    return SearchResult(query.name, "", "query", clock.total, tuple(fragments), query.text, clock.stages)


def satisfying(index: Index, fragments: Sequence[Fragment], examples: tuple[str, ...]) -> list[Fragment]:
    """The fragments whose function satisfies the examples; what cannot be decided is kept, and marked."""
    from beryl.search.examples import verdicts

    functions = [int(index.nodes.function[fragment.nodes[0]]) if fragment.nodes else -1 for fragment in fragments]
    answers = verdicts(index, functions, examples, _CHECK_SECONDS, _ALL_CHECKS_SECONDS)
    kept = []
    for fragment, answer in zip(fragments, answers, strict=True):
        if answer is not Verdict.MISMATCH and answer is not Verdict.UNSUPPORTED:
            note = "satisfies the examples" if answer is Verdict.MATCH else "the examples could not be decided in time"
            kept.append(replace(fragment, notes=(*fragment.notes, note), extra={**fragment.extra, "io": str(answer)}))
    return kept
