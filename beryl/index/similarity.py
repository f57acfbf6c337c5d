"""How similar query nodes are to index nodes: cosines by block, weighted, or of the plain concatenation (Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.encode import operators
from beryl.encode.rows import normalised
from beryl.errors import InputError
from beryl.index.encoding import Rows
from beryl.index.flat import best
from beryl.types import FloatArray, IntArray

# Share of each block's cosine in the similarity of two nodes: text leads, counts and graph decide among similar texts.
WEIGHTS = {"text": 0.6, "counts": 0.15, "graph": 0.25}
PAPER, WEIGHTED = "paper", "weighted"
BLOCKS = (PAPER, WEIGHTED)
# Rows at a time: int8 becomes float32 in blocks that stay in the processor's cache.
_ROWS = 2048
# Scores by query node and text that are in memory at once, so that a query of thousands of lines is no matter.
_CELLS = 1 << 25
# Reading this many times as many rows as are wanted costs less than picking them one by one.
_SPARSE = 2


@dataclass(frozen=True)
class Graph:
    """Graph vectors of all nodes with their lengths."""

    rows: Rows
    lengths: FloatArray


@dataclass(frozen=True)
class Blocks:
    """What the nodes are described by: text and counts by row, graph by node."""

    row: NDArray[np.int32]
    text: Rows
    counts: NDArray[np.uint8]
    graph: Graph | None
    with_counts: bool


@dataclass(frozen=True)
class Query:
    """Query nodes cut into blocks; zero rows where a node has nothing in a block."""

    graph: FloatArray
    text: FloatArray
    counts: FloatArray

    @staticmethod
    def of(matrix: FloatArray, graph_dim: int) -> Query:
        """Cut [Z | text | counts]."""
        cut = matrix.shape[1] - operators.CLASSES
        return Query(matrix[:, :graph_dim], matrix[:, graph_dim:cut], matrix[:, cut:])


def count_vectors(counts: NDArray[np.uint8] | FloatArray) -> FloatArray:
    """Unit vectors of the logarithms of operator counts: the second `+` says less than the first."""
    return normalised(np.log1p(counts.astype(np.float32)))


def block_weights(blocks: Blocks) -> dict[str, float]:
    """The shares of the blocks that are there, adding up to 1."""
    there = {"text": True, "counts": blocks.with_counts, "graph": blocks.graph is not None}
    total = sum(weight for name, weight in WEIGHTS.items() if there[name])
    return {name: weight / total if there[name] else 0.0 for name, weight in WEIGHTS.items()}


def joined(blocks: Blocks, query: Query, kind: str = WEIGHTED) -> FloatArray:
    """One vector per node whose inner products are the similarity.

    Weighted: each block's unit vector times the root of its share. Paper: the unit vector of the plain concatenation.
    """
    if kind == PAPER:
        parts = (
            [normalised(query.text)] + [query.counts] * blocks.with_counts + [query.graph] * (blocks.graph is not None)
        )
        return normalised(np.concatenate(parts, axis=1, dtype=np.float32))
    share = {name: np.float32(np.sqrt(value)) for name, value in block_weights(blocks).items()}
    parts = [share["text"] * normalised(query.text)]
    if blocks.with_counts:
        parts.append(share["counts"] * count_vectors(query.counts))
    if blocks.graph is not None:
        parts.append(share["graph"] * normalised(query.graph))
    return np.concatenate(parts, axis=1)


def rows_of(blocks: Blocks, nodes: NDArray[np.int64]) -> Query:
    """The blocks of index nodes."""
    rows = blocks.row[nodes].astype(np.int64)
    graph = blocks.graph.rows[nodes] if blocks.graph is not None else np.zeros((len(nodes), 0), np.float32)
    return Query(graph, blocks.text[rows], blocks.counts[rows].astype(np.float32))


class Scorer:
    """Scores of index nodes for the nodes of one query."""

    def __init__(self, blocks: Blocks, query: Query, kind: str = WEIGHTED) -> None:
        if kind not in BLOCKS:
            raise InputError(f"unknown blocks {kind!r}; known: {', '.join(BLOCKS)}")
        self._blocks, self._paper = blocks, kind == PAPER
        self._text: FloatArray
        self._counts: FloatArray
        self._graph: FloatArray
        if self._paper:
            parts = [query.text] + [query.counts] * blocks.with_counts + [query.graph] * (blocks.graph is not None)
            length = np.sqrt(sum(np.einsum("ij,ij->i", part, part) for part in parts))
            scale: FloatArray = (1 / np.where(length > 0, length, 1)[:, None]).astype(np.float32)
            self._text, self._counts, self._graph = query.text * scale, query.counts * scale, query.graph * scale
        else:
            share = {name: np.float32(value) for name, value in block_weights(blocks).items()}
            self._text = share["text"] * normalised(query.text)
            self._counts = share["counts"] * count_vectors(query.counts)
            self._graph = share["graph"] * normalised(query.graph)

    def scores(self, nodes: NDArray[np.int64]) -> FloatArray:
        """(query nodes, nodes) similarities."""
        rows, place = np.unique(self._blocks.row[nodes], return_inverse=True)
        if self._blocks.graph is None:
            return self.row_scores(rows.astype(np.int64))[:, place]
        by_row, squares = self._by_row(rows.astype(np.int64))
        result = by_row[:, place]
        graph = self._blocks.graph
        lengths = np.asarray(graph.lengths[nodes])
        found = _products(self._graph, graph.rows, nodes)
        result += found if self._paper else found / np.where(lengths > 0, lengths, 1)
        return result / np.sqrt(np.maximum(squares[place] + lengths**2, 1e-12)) if self._paper else result

    def lines(self) -> int:
        """How many query nodes there are."""
        return len(self._text)

    def row_of(self, nodes: NDArray[np.int64]) -> NDArray[np.int32]:
        """The row of text and counts that describes each node."""
        return self._blocks.row[nodes]

    def row_scores(self, rows: NDArray[np.int64], lines: slice = slice(None)) -> FloatArray:
        """(query nodes, rows) similarities where there are no graph vectors: nodes of one text score alike."""
        by_row, squares = self._by_row(rows, lines)
        if self._paper:
            by_row /= np.sqrt(np.maximum(squares, np.float32(1e-12)))
        return by_row

    def _by_row(self, rows: NDArray[np.int64], lines: slice = slice(None)) -> tuple[FloatArray, FloatArray]:
        """Text and counts part by row; for the plain concatenation also the squared lengths of the rows."""
        result = _products(self._text[lines], self._blocks.text, rows)
        squares = np.ones(len(rows), dtype=np.float32)  # text vectors are unit vectors
        if self._blocks.with_counts:
            counts = self._blocks.counts[rows].astype(np.float32)
            squares += np.einsum("ij,ij->i", counts, counts)
            result += self._counts[lines] @ (counts if self._paper else count_vectors(counts)).T
        return result, squares


def nearest_by_text(scorer: Scorer, nodes: NDArray[np.int64], k: int) -> tuple[FloatArray, IntArray]:
    """Scores and ids of the k best of some nodes without graph vectors: every text is compared once, not every node."""
    scores = np.full((scorer.lines(), k), -np.inf, dtype=np.float32)
    ids = np.full((scorer.lines(), k), -1, dtype=np.int64)
    row_of = scorer.row_of(nodes)
    used = np.zeros(int(row_of.max(initial=-1)) + 1, dtype=np.bool_)
    used[row_of] = True
    rows, place = np.flatnonzero(used), (np.cumsum(used) - 1)[row_of]
    step = max(_CELLS // max(len(rows), 1), 1)
    for start in range(0, len(scores), step):
        lines = slice(start, start + step)
        found = scorer.row_scores(rows, lines)
        close = np.zeros(len(rows), dtype=np.bool_)
        for line in found:
            close |= line >= (np.partition(line, len(line) - k)[len(line) - k] if k < len(line) else -np.inf)
        chosen = np.flatnonzero(close[place])
        scores[lines], places = best(found[:, place[chosen]], k)
        ids[lines] = np.where(places >= 0, nodes[chosen][places] if len(chosen) else -1, -1)
    return scores, ids


def _products(queries: FloatArray, vectors: Rows, rows: NDArray[np.int64]) -> FloatArray:
    """Inner products with some sorted rows; rows that lie close together are read as one slice."""
    result = np.empty((len(queries), len(rows)), dtype=np.float32)
    columns = np.ascontiguousarray(queries.T, dtype=np.float32)
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS]
        span = int(part[-1]) - int(part[0]) + 1
        chosen = slice(int(part[0]), int(part[-1]) + 1) if span <= _SPARSE * len(part) else part
        codes = vectors.codes[chosen].astype(np.float32)
        found = (codes @ columns).T * vectors.scale[chosen]
        result[:, start : start + len(part)] = found if len(codes) == len(part) else found[:, part - part[0]]
    return result
