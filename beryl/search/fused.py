"""The default ranking: recall by several retrievers, then a learned mix of all signals; fragments cut to the lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.index.shapes import ShapeTable
from beryl.index.store import Index
from beryl.index.terms import Terms
from beryl.index.vectors import Vectors
from beryl.lang.pseudo.frontend import Pseudocode
from beryl.rank import align, evidence, model
from beryl.rank.score import distinct
from beryl.search import lexical, signals
from beryl.search.clock import Clock
from beryl.search.explain import notes
from beryl.search.fragments import Aligned, Verdict, fragment
from beryl.search.signals import Candidates, Pairs, Question, Tables
from beryl.types import FloatArray, Fragment, IntArray, NodeKind, PseudocodeQuery

# Every retriever brings this many functions; the mix sees them all.
RECALL = 150
RETRIEVERS = ("shape recall", "words in code", "all words", "title in name", "title in comments")
# A function that is at most this much longer than the aligned lines is shown whole.
WHOLE_FUNCTION = 1.8
# Their end line is that of the whole loop or branch.
_HEADERS = (NodeKind.LOOP, NodeKind.CONDITION)


@dataclass(frozen=True)
class Ranked:
    """Candidates with their signals and scores."""

    question: Question
    candidates: Candidates
    pairs: Pairs
    columns: dict[str, FloatArray]
    scores: NDArray[np.float64]


def search(index: Index, pseudocode: Pseudocode, query: PseudocodeQuery, clock: Clock) -> list[Fragment]:
    """The ranked fragments of one query."""
    ranked = rank(index, pseudocode, query, clock)
    if ranked is None:
        return []
    with clock("score"):
        order = np.argsort(-ranked.scores, kind="stable")
        if query.distinct:
            places = [_place(index, int(ranked.candidates.functions[i])) for i in order]
            order = order[distinct(places, query.k)]
        return [_fragment(index, ranked, int(position)) for position in order[: query.k]]


def rank(index: Index, pseudocode: Pseudocode, query: PseudocodeQuery, clock: Clock) -> Ranked | None:
    """All candidates of a query, scored; None where the filters leave nothing."""
    question = Question(pseudocode, query.names)
    found = candidates(index, question, index.allowed_functions(query.filters), clock)
    if found is None:
        return None
    chosen, compared, columns = found
    with clock("score"):
        scores = model.bundled(query.names).score(columns)
    return Ranked(question, chosen, compared, columns, scores)


def candidates(
    index: Index, question: Question, allowed: NDArray[np.bool_], clock: Clock
) -> tuple[Candidates, Pairs, dict[str, FloatArray]] | None:
    """The functions that any retriever brings, with all their signals; also what the model is trained on."""
    with clock("search"):
        terms, shapes = Terms.open(index), ShapeTable.open(index)
        words = lexical.scores(terms, question.pseudocode, question.names)
        shape_rows = shapes.similarity(question.shapes)
        words["shape recall"] = _shape_recall(index, question, shape_rows)
        functions = _recalled(words, allowed)
    if not len(functions):
        return None
    with clock("encode"):
        tables = Tables(terms, shapes, Vectors.open(index), words)
        chosen = Candidates.of(index, functions)
        compared = signals.pairs(index, question, chosen, shape_rows, tables)
    with clock("align"):
        return chosen, compared, signals.columns(index, question, chosen, compared, tables)


def _shape_recall(index: Index, question: Question, rows: FloatArray) -> FloatArray:
    text_of = np.asarray(index.nodes.text)
    occurrences = np.bincount(text_of, minlength=rows.shape[1])
    if not question.names:
        calls = np.asarray(index.calls.node)[np.asarray(index.calls.resolved) != -1]
        rows = rows.copy()
        rows[:, text_of[calls]] = 0.0
    return evidence.evidence(rows, text_of, np.asarray(index.functions.first_node), occurrences)


def _recalled(words: dict[str, FloatArray], allowed: NDArray[np.bool_]) -> IntArray:
    """The best functions of every retriever, in index order."""
    found: set[int] = set()
    for name in RETRIEVERS:
        if name in words:
            scores = np.where(allowed, words[name], 0.0)
            best = np.argpartition(-scores, min(RECALL, len(scores) - 1))[:RECALL]
            found.update(best[scores[best] > 0].tolist())
    return np.array(sorted(found), dtype=np.int64)


def _place(index: Index, function: int) -> tuple[str, int, int]:
    functions = index.functions
    return str(functions.file[function]), int(functions.start_line[function]), int(functions.end_line[function])


def _fragment(index: Index, ranked: Ranked, position: int) -> Fragment:
    """One candidate cut to the lines that the query is aligned with."""
    begin, end = int(ranked.candidates.offsets[position]), int(ranked.candidates.offsets[position + 1])
    nodes = ranked.candidates.nodes[begin:end]
    joint = ranked.pairs.joint[:, begin:end]
    function = int(ranked.candidates.functions[position])
    lines = cut(index, function, nodes, align.align(joint).pairs)
    inside = (index.nodes.line[nodes] >= lines[0]) & (index.nodes.line[nodes] <= lines[1])
    matched = _matched(joint, nodes, inside)
    columns = {name: float(values[position]) for name, values in ranked.columns.items()}
    verdict = Verdict(float(ranked.scores[position]), columns, notes(index, ranked.question, columns, matched))
    return fragment(index, [(function, *lines)], ranked.question.nodes, matched, verdict)


def cut(index: Index, function: int, nodes: IntArray, pairs: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """First and last line of the aligned part, or of the whole function where that is not much more."""
    start, end = int(index.functions.start_line[function]), int(index.functions.end_line[function])
    if not pairs:
        return start, end
    statements = [statement for _, statement in pairs]
    first, last = min(statements), max(statements)
    low = int(index.nodes.line[nodes[first]])
    depth = int(index.nodes.depth[nodes[first : last + 1]].min())
    while last + 1 < len(nodes) and int(index.nodes.depth[nodes[last + 1]]) > depth:
        last += 1  # to the end of the loop or branch that the alignment is in
    plain = [node for node in nodes[first : last + 1] if index.nodes.kind[node] not in _HEADERS]
    high = max((int(index.nodes.end_line[node]) for node in plain), default=int(index.nodes.line[nodes[last]]))
    if end - start + 1 <= WHOLE_FUNCTION * (high - low + 1):
        return start, end
    return low, max(high, low)


def _matched(joint: FloatArray, nodes: IntArray, inside: NDArray[np.bool_]) -> list[Aligned]:
    """For every query line the node within the cut that speaks most for it, where any does."""
    found = []
    for line, row in enumerate(joint):
        values = np.where(inside, row, 0.0)
        if len(values) and values.max() >= align.LEAST_EVIDENCE:
            best = int(values.argmax())
            found.append(Aligned(line, int(nodes[best]), min(float(values[best]) / 10.0, 1.0)))
    return found
