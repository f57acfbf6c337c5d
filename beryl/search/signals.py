"""The signals of the fused ranking for a few hundred candidate functions; each is a named column of numbers.

words      BM25 by field                                  search/lexical.py
order      shapes and text vectors of statements, line by line and aligned: encode/shape.py, rank/{evidence,align}.py
structure  loop nests, branches, operators                rank/structure.py
priors     size, test code, how much it is used
meaning    of name and comment, of the best only          search/reading.py

Idioms, shapes and text vectors of statements also bring candidates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from beryl.encode import operators, shape
from beryl.index.shapes import ShapeTable
from beryl.index.store import Index
from beryl.index.terms import Terms
from beryl.index.vectors import Vectors
from beryl.lang.pseudo.frontend import Pseudocode
from beryl.rank import align
from beryl.rank.model import MEANING
from beryl.rank.structure import Step, Structure, compare, structure
from beryl.search.fragments import searchable
from beryl.search.paper import ranges
from beryl.types import EdgeKind, FloatArray, IntArray, Node, NodeKind

# Functions longer than this are aligned by their first so many nodes: a table of the rest costs more than it tells.
MOST_NODES = 400
# Text similarities are judged against this many statements drawn from the whole index.
_SAMPLE = 20_000
_TEST_PATH = re.compile(
    r"(?i)(?:^|/)(?:tests?|testing|examples?|demos?|samples?|benchmarks?)(?:/|$)|[a-z_]tests?\.\w+$|^test"
)
_KINDS = {int(kind): kind for kind in NodeKind}
_CALL_NAME = re.compile(r"\b([A-Za-z_]\w*)(?=\s*\()")

# Shapes, text vectors and idioms bring candidates, the first two also make the order of lines. As signals of their own
# shapes made no difference (0.787 both; names hidden 0.373 without, 0.377 with), nor did idioms (0.723 both), and text
# vectors lowered MRR on unseen families (0.715 with, 0.728 without): docs/ranking.md.
RETRIEVAL_ONLY = ("shape recall", "text recall", "idiom recall")

FAMILIES: dict[str, tuple[str, ...]] = {
    "names": ("title in name", "title in class and file", "title in comments", "title in code", "words in name"),
    "words": ("words in class and file", "words in comments", "words in calls", "words in code", "all words"),
    "order": ("line", "telling lines found", "order"),
    "structure": (
        *("skeleton", "skeleton held", "operators", "operators held", "loops", "nest", "branches", "size"),
        "recursion",
    ),
    "together": ("together",),
    "priors": ("log size", "tiny", "test code", "used"),
    "meaning": (MEANING,),
}
"""Signals that say the same kind of thing; the parts of a score, and what an ablation leaves out."""


@dataclass(frozen=True)
class Question:
    """The query side of all signals."""

    pseudocode: Pseudocode
    names: bool

    @cached_property
    def nodes(self) -> list[Node]:
        """The nodes that can match code."""
        return searchable(self.pseudocode.icfg.nodes)

    @cached_property
    def texts(self) -> list[str]:
        """Their texts; without names, calls of the query's own functions are masked."""
        if self.names:
            return [node.text for node in self.nodes]
        hidden = {function.name for function in self.pseudocode.icfg.functions}
        return [mask(node.text, hidden) for node in self.nodes]

    @cached_property
    def shapes(self) -> shape.Shapes:
        """The shapes of its lines."""
        return shape.shapes(self.texts)

    @cached_property
    def structure(self) -> Structure:
        """Its loop nests, branches and operators."""
        graph = self.pseudocode.icfg
        counts = [operators.count(node.text, pseudocode=True) for node in self.nodes]
        steps = [Step(node.kind, node.depth, row) for node, row in zip(self.nodes, counts, strict=True)]
        own = {(graph.nodes[edge.source].function, graph.nodes[edge.target].function) for edge in graph.edges
               if edge.kind is EdgeKind.CALL}  # fmt: skip
        return structure(steps, any(caller == callee for caller, callee in own))


def mask(text: str, hidden: set[str]) -> str:
    """A statement in which calls of hidden functions have lost their names."""
    return _CALL_NAME.sub(lambda match: "f" if match[1] in hidden else match[1], text)


@dataclass(frozen=True)
class Candidates:
    """Functions under consideration with their nodes (entry and exit left out), statement by statement."""

    functions: IntArray
    nodes: IntArray
    offsets: IntArray
    """Where the nodes of each function begin."""

    @staticmethod
    def of(index: Index, functions: IntArray) -> Candidates:
        """The candidates and their nodes."""
        first, last = index.functions.first_node[functions] + 2, index.functions.first_node[functions + 1]
        last = np.minimum(last, first + MOST_NODES)
        lengths = np.maximum(last - first, 0)
        nodes = ranges(first, first + lengths)
        return Candidates(functions, nodes, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


@dataclass(frozen=True)
class Tables:
    """What the index holds, and the words of the query looked up in it: a column over all functions per signal."""

    terms: Terms
    shapes: ShapeTable
    vectors: Vectors
    words: dict[str, FloatArray]


def pairs(index: Index, question: Question, chosen: Candidates, shape_rows: FloatArray, tables: Tables) -> FloatArray:
    """(query lines, nodes of the candidates): what each pair is worth as evidence."""
    text_of = np.asarray(index.nodes.text)[chosen.nodes]
    known, where = np.unique(text_of.astype(np.int64), return_inverse=True)
    masked = {} if question.names else _masked_texts(index, chosen)
    shapes = shape_rows[:, known]
    rows = tables.vectors.text_vectors(known)
    if masked:
        places = np.searchsorted(known, np.fromiter(masked, np.int64, len(masked)))
        fresh = shape.shapes(list(masked.values()))
        shapes[:, places] = tables.shapes.between(question.shapes, fresh)
        rows[places] = tables.vectors.encoder.encode(list(masked.values()))
    prose = [node.math is False for node in question.nodes]
    asked = tables.vectors.encoder.encode(question.texts, prose)
    sample = _sample(len(index.texts.digest))
    text = np.clip(asked @ rows.T, 0.0, 1.0)
    background = np.clip(asked @ tables.vectors.text_vectors(sample).T, 0.0, 1.0)
    evidence = 0.5 * (_worth(shapes, shape_rows[:, sample]) + _worth(text, background))
    found: FloatArray = evidence[:, where]
    return found


def _worth(similarity: FloatArray, background: FloatArray) -> FloatArray:
    """Similarity times the -log of how many statements are as similar: the worth of a match."""
    worth = np.zeros_like(similarity)
    for position, row in enumerate(background):
        ordered = np.sort(row)
        above = len(ordered) - np.searchsorted(ordered, similarity[position], side="left")
        worth[position] = similarity[position] * -np.log((above + 0.5) / (len(ordered) + 1.0))
    return np.maximum(worth, 0.0)


@lru_cache(maxsize=4)
def _sample(count: int) -> IntArray:
    if count <= _SAMPLE:
        return np.arange(count, dtype=np.int64)
    return np.sort(np.random.default_rng(0).choice(count, _SAMPLE, replace=False)).astype(np.int64)


def _masked_texts(index: Index, chosen: Candidates) -> dict[int, str]:
    """Statements of the candidates that call functions of the corpus, by text id, with those names taken out."""
    calls = np.asarray(index.calls.node)
    hits = np.flatnonzero(np.isin(calls, chosen.nodes) & (np.asarray(index.calls.resolved) != -1))
    hidden: dict[int, set[str]] = {}
    for call in hits.tolist():
        hidden.setdefault(int(index.nodes.text[calls[call]]), set()).add(index.calls.name[call])
    return {text: mask(index.texts.text[text], names) for text, names in sorted(hidden.items())}


def columns(
    index: Index, question: Question, chosen: Candidates, compared: FloatArray, tables: Tables
) -> dict[str, FloatArray]:
    """Every signal of every candidate."""
    used = {name: values for name, values in tables.words.items() if name not in RETRIEVAL_ONLY}
    found = {name: values[chosen.functions].astype(np.float32) for name, values in used.items()}
    found |= _late(question, chosen, compared)
    found |= _structures(index, question, chosen, tables.vectors)
    found |= _priors(index, chosen, tables.terms, question.names)
    return found


def _late(question: Question, chosen: Candidates, compared: FloatArray) -> dict[str, FloatArray]:
    lines = len(question.nodes)
    sizes = np.diff(chosen.offsets)
    found: dict[str, FloatArray] = {}
    best = _best_per_line(compared, chosen)
    found["line"] = best.mean(axis=0)
    found["telling lines found"] = (best > 2 * align.LEAST_EVIDENCE).mean(axis=0).astype(np.float32)
    found["order"] = _aligned(compared, chosen, sizes) / np.float32(max(lines, 1))
    return found


def _best_per_line(values: FloatArray, chosen: Candidates) -> FloatArray:
    """(lines, candidates): the best node of each candidate for each line."""
    filled = np.flatnonzero(np.diff(chosen.offsets))
    best = np.zeros((len(values), len(chosen.functions)), dtype=np.float32)
    if len(filled):
        best[:, filled] = np.maximum.reduceat(values, chosen.offsets[filled], axis=1)
    return best


def _aligned(values: FloatArray, chosen: Candidates, sizes: IntArray) -> FloatArray:
    """Alignment scores; candidates of like length are worked on together."""
    result = np.zeros(len(sizes), dtype=np.float32)
    order = np.argsort(sizes, kind="stable")
    for start in range(0, len(order), 128):
        batch = order[start : start + 128]
        width = int(sizes[batch].max(initial=0))
        if width == 0:
            continue
        padded = np.zeros((len(batch), len(values), width), dtype=np.float32)
        for row, candidate in enumerate(batch.tolist()):
            begin, end = chosen.offsets[candidate], chosen.offsets[candidate + 1]
            padded[row, :, : end - begin] = values[:, begin:end]
        result[batch] = align.scores(padded, sizes[batch].tolist())
    return result


def _structures(index: Index, question: Question, chosen: Candidates, vectors: Vectors) -> dict[str, FloatArray]:
    kinds = np.asarray(index.nodes.kind)[chosen.nodes].tolist()
    depths = np.asarray(index.nodes.depth)[chosen.nodes].tolist()
    text_of = np.asarray(index.nodes.text)[chosen.nodes]
    known, where = np.unique(text_of, return_inverse=True)
    counts = [tuple(row) for row in vectors.counts[known].tolist()]
    steps = [
        Step(_KINDS[kind], depth, counts[row]) for kind, depth, row in zip(kinds, depths, where.tolist(), strict=True)
    ]
    recursive = _recursive(index, chosen.functions)
    rows = []
    for position in range(len(chosen.functions)):
        own = steps[chosen.offsets[position] : chosen.offsets[position + 1]]
        rows.append(compare(question.structure, structure(own, bool(recursive[position]))))
    return {name: np.array([row[name] for row in rows], dtype=np.float32) for name in (rows[0] if rows else ())}


def _recursive(index: Index, functions: IntArray) -> NDArray[np.bool_]:
    """Which functions call themselves."""
    resolved = np.asarray(index.calls.resolved)
    callers = np.asarray(index.nodes.function)[np.asarray(index.calls.node)]
    return np.isin(functions, resolved[(resolved >= 0) & (resolved == callers)])


def idiom_likeness(question: Question, found: NDArray[np.uint32], table: ShapeTable) -> FloatArray:
    """What query and functions do alike over what either does; rare idioms weigh more."""
    bits = np.arange(len(shape.IDIOMS), dtype=np.uint32)
    weight = table.idiom_weights
    own = np.bitwise_or.reduce(question.shapes.idioms) if len(question.shapes.idioms) else np.uint32(0)
    asked = ((own >> bits) & 1).astype(np.float32) * weight
    has = ((found[:, None] >> bits) & 1).astype(np.float32)
    both = has @ asked
    either = has @ weight + asked.sum() - both
    alike: FloatArray = (both / np.maximum(either, 1e-6)).astype(np.float32)
    return alike


def _priors(index: Index, chosen: Candidates, terms: Terms, names: bool) -> dict[str, FloatArray]:
    sizes = np.diff(chosen.offsets).astype(np.float32)
    found = {"log size": np.log1p(sizes), "tiny": (sizes < 4).astype(np.float32)}
    if names:
        files = np.asarray(index.functions.file)[chosen.functions]
        tests = {int(file): bool(_TEST_PATH.search(index.files.path[int(file)])) for file in np.unique(files)}
        found["test code"] = np.array([tests[file] for file in files.tolist()], dtype=np.float32)
    rank = np.asarray(terms.pagerank)[chosen.functions] * len(index.functions.file)
    found["used"] = np.log1p(rank).astype(np.float32)
    return found
