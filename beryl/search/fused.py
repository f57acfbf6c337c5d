"""The default ranking: recall by several retrievers, then a learned mix of all signals; fragments cut to the lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl.index.shapes import ShapeTable
from beryl.index.store import Index
from beryl.index.terms import Terms
from beryl.index.vectors import Vectors
from beryl.lang.pseudo.frontend import Pseudocode
from beryl.rank import align, evidence, model
from beryl.rank.cut import window
from beryl.rank.score import distinct
from beryl.search import lexical, reading, signals
from beryl.search.clock import Clock
from beryl.search.explain import NEAREST, notes
from beryl.search.fragments import Aligned, Verdict, fragment
from beryl.search.paper import allowed_nodes
from beryl.search.signals import Candidates, Question, Tables
from beryl.types import FloatArray, Fragment, IntArray, NodeKind, PseudocodeQuery

# Every retriever brings this many functions, all of them together bring more; the learned mix sees them all.
RECALL = 80
RECALL_TOGETHER = 300
RETRIEVERS = (
    *("shape recall", "text recall", "idiom recall", "words in code"),
    *("all words", "title in name", "title in comments"),
)
TOGETHER = "together"
# Nearest nodes of every query line that count for `text recall`.
NEIGHBOURS = 300
# A function that is at most this much longer than the cut, and has a header and braces around it, is shown whole.
WHOLE_FUNCTION, AROUND = 1.3, 3
# Their end line is that of the whole loop or branch.
_HEADERS = (NodeKind.LOOP, NodeKind.CONDITION)


@dataclass(frozen=True)
class Ranked:
    """Candidates with their signals and scores."""

    question: Question
    candidates: Candidates
    pairs: FloatArray
    """(query lines, nodes of the candidates): evidence."""
    columns: dict[str, FloatArray]
    parts: dict[str, NDArray[np.float64]]
    """By family of signals; they add up to the score."""
    scores: NDArray[np.float64]


def search(index: Index, pseudocode: Pseudocode, query: PseudocodeQuery, clock: Clock) -> list[Fragment]:
    """The ranked fragments of one query."""
    ranked = rank(index, pseudocode, query, clock)
    if ranked is None:
        return []
    with clock("score"):
        order = np.argsort(-ranked.scores, kind="stable")
        if query.distinct:
            places = [[_place(index, int(ranked.candidates.functions[i]))] for i in order]
            order = order[distinct(places, query.k)]
        return [_fragment(index, ranked, int(position)) for position in order[: query.k]]


def rank(index: Index, pseudocode: Pseudocode, query: PseudocodeQuery, clock: Clock) -> Ranked | None:
    """All candidates of a query, scored; None where the filters leave nothing."""
    question = Question(pseudocode, query.names)
    found = candidates(index, question, index.allowed_functions(query.filters), clock)
    if found is None:
        return None
    chosen, compared, columns = found
    with clock("read"):
        mix = model.load(Path(query.weights)) if query.weights else model.bundled(query.names)
        scored = mix.rank(columns, lambda best: reading.meaning(index, question, chosen, best))
        parts = {
            family: np.sum([scored.parts[name] for name in members if name in scored.parts], axis=0)
            for family, members in signals.FAMILIES.items()
            if any(name in scored.parts for name in members)
        }
    return Ranked(question, chosen, compared, columns, parts, scored.scores)


def candidates(
    index: Index, question: Question, allowed: NDArray[np.bool_], clock: Clock
) -> tuple[Candidates, FloatArray, dict[str, FloatArray]] | None:
    """The functions that any retriever brings, with all their signals; also what the model is trained on."""
    allowed = allowed & (np.diff(index.functions.first_node) > 2)  # entry and exit alone implement nothing
    with clock("search"):
        tables = _tables(index, question)
        shape_rows = tables.shapes.similarity(question.shapes)
        recall(index, question, tables, shape_rows, allowed)
        functions = _recalled(tables.words, allowed)
    if not len(functions):
        return None
    with clock("encode"):
        chosen = Candidates.of(index, functions)
        compared = signals.pairs(index, question, chosen, shape_rows, tables)
    with clock("align"):
        return chosen, compared, signals.columns(index, question, chosen, compared, tables)


def _tables(index: Index, question: Question) -> Tables:
    terms = Terms.open(index)
    words = lexical.scores(terms, question.pseudocode, question.names)
    return Tables(terms, ShapeTable.open(index), Vectors.open(index), words)


def recall(
    index: Index, question: Question, tables: Tables, shape_rows: FloatArray, allowed: NDArray[np.bool_]
) -> None:
    """Add what statements say to what words say: a column over all functions for each retriever."""
    text_of, first = np.asarray(index.nodes.text), np.asarray(index.functions.first_node)
    idioms = np.asarray(tables.shapes.idioms)
    if not question.names:
        hidden = text_of[np.asarray(index.calls.node)[np.asarray(index.calls.resolved) != -1]]
        shape_rows, idioms = shape_rows.copy(), idioms.copy()
        shape_rows[:, hidden], idioms[hidden] = 0.0, 0
    occurrences = np.bincount(text_of, minlength=shape_rows.shape[1])
    found = tables.words
    found["shape recall"] = evidence.evidence(shape_rows, text_of, first, occurrences)
    found["text recall"] = _text_recall(index, question, tables.vectors, allowed)
    of_function = np.bitwise_or.reduceat(idioms[text_of], first[:-1])
    found["idiom recall"] = signals.idiom_likeness(question, of_function, tables.shapes)
    used = [np.where(allowed, found[name], 0.0) for name in RETRIEVERS if name in found]
    found[TOGETHER] = sum((scores / max(float(scores.max()), 1e-6) for scores in used), np.zeros(1)).astype(np.float32)


def _text_recall(index: Index, question: Question, vectors: Vectors, allowed: NDArray[np.bool_]) -> FloatArray:
    """The nearest nodes of every line; a near node counts its similarity times how rare so near a node is."""
    rows = vectors.encode_query(question.pseudocode.icfg, features="cb")[[node.id for node in question.nodes]]
    nodes_allowed = allowed_nodes(index, allowed, question.names)
    similarity, nodes = vectors.search(rows, NEIGHBOURS, nodes_allowed, features="cb")
    sizes = np.log(np.maximum(np.diff(index.functions.first_node) - 2, 1))
    rarity = np.log(len(index.nodes.kind) / np.arange(1.0, NEIGHBOURS + 1))
    total = np.zeros(len(sizes), dtype=np.float32)
    for scores, found in zip(similarity, nodes, strict=True):
        functions = np.asarray(index.nodes.function)[found[found >= 0]]
        worth = scores[found >= 0] * np.maximum(rarity[found >= 0] - evidence.CHANCE * sizes[functions], 0.0)
        best = np.zeros_like(total)
        np.maximum.at(best, functions, worth.astype(np.float32))
        total += best
    return total


def _recalled(words: dict[str, FloatArray], allowed: NDArray[np.bool_]) -> IntArray:
    """The best functions of every retriever and of all together, in index order."""
    found: set[int] = set()
    for name in (*RETRIEVERS, TOGETHER):
        if name in words:
            wanted = RECALL_TOGETHER if name == TOGETHER else RECALL
            scores = np.where(allowed, words[name], 0.0)
            best = np.argpartition(-scores, min(wanted, len(scores) - 1))[:wanted]
            found.update(best[scores[best] > 0].tolist())
    return np.array(sorted(found), dtype=np.int64)


def _place(index: Index, function: int) -> tuple[str, int, int]:
    functions = index.functions
    return str(functions.file[function]), int(functions.start_line[function]), int(functions.end_line[function])


def _fragment(index: Index, ranked: Ranked, position: int) -> Fragment:
    """One candidate cut to the lines that the query is aligned with."""
    begin, end = int(ranked.candidates.offsets[position]), int(ranked.candidates.offsets[position + 1])
    nodes = ranked.candidates.nodes[begin:end]
    joint = ranked.pairs[:, begin:end]
    function = int(ranked.candidates.functions[position])
    lines = cut(index, function, nodes, joint, ranked.question.structure.nest)
    inside = (index.nodes.line[nodes] >= lines[0]) & (index.nodes.line[nodes] <= lines[1])
    matched = _matched(joint, nodes, inside)
    columns = {name: float(values[position]) for name, values in ranked.columns.items()}
    parts = {family: float(values[position]) for family, values in ranked.parts.items()}
    meaning = ranked.parts.get("meaning")
    columns[NEAREST] = float(meaning is not None and len(meaning) > 1 and position == int(meaning.argmax()))
    verdict = Verdict(float(ranked.scores[position]), parts, notes(index, ranked.question, columns, matched))
    return fragment(index, [(function, *lines)], ranked.question.nodes, matched, verdict)


def cut(index: Index, function: int, nodes: IntArray, joint: FloatArray, wanted_nest: int) -> tuple[int, int]:
    """First and last line of what the query speaks of; a function that is not much longer is taken whole."""
    start, end = int(index.functions.start_line[function]), int(index.functions.end_line[function])
    evidence = np.maximum(joint - align.LEAST_EVIDENCE, 0.0)
    if not evidence.any():
        return start, end
    kinds = np.asarray(index.nodes.kind)[nodes]
    first, last = window(evidence, np.asarray(index.nodes.depth)[nodes], kinds == NodeKind.LOOP, wanted_nest)
    plain = [node for node in nodes[first : last + 1] if index.nodes.kind[node] not in _HEADERS]
    low = int(index.nodes.line[nodes[first : last + 1]].min())
    high = max((int(index.nodes.end_line[node]) for node in plain), default=int(index.nodes.line[nodes[last]]))
    if end - start + 1 <= WHOLE_FUNCTION * (high - low + 1) + AROUND:
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
