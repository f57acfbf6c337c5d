"""How similar query nodes are to index nodes: cosines by block, weighted, or of the plain concatenation (Eq. 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.encode import operators
from beryl.encode.rows import normalised
from beryl.errors import InputError
from beryl.index.encoding import Rows
from beryl.types import FloatArray

# Share of each block's cosine in the similarity of two nodes: text leads, counts and graph decide among similar texts.
WEIGHTS = {"text": 0.6, "counts": 0.15, "graph": 0.25}
PAPER, WEIGHTED = "paper", "weighted"
BLOCKS = (PAPER, WEIGHTED)
# Rows at a time: int8 becomes float32 in blocks that stay in the processor's cache.
_ROWS = 8192


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
        by_row, squares = self._by_row(rows.astype(np.int64))
        result = by_row[:, place]
        graph = self._blocks.graph
        if graph is not None:
            lengths = np.asarray(graph.lengths[nodes])
            found = _products(self._graph, graph.rows, nodes)
            result += found if self._paper else found / np.where(lengths > 0, lengths, 1)
            squares_of_nodes = squares[place] + lengths**2
        else:
            squares_of_nodes = squares[place]
        return result / np.sqrt(np.maximum(squares_of_nodes, 1e-12)) if self._paper else result

    def _by_row(self, rows: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Text and counts part by row; for the plain concatenation also the squared lengths of the rows."""
        result = _products(self._text, self._blocks.text, rows)
        squares = np.ones(len(rows), dtype=np.float32)  # text vectors are unit vectors
        if self._blocks.with_counts:
            counts = self._blocks.counts[rows].astype(np.float32)
            squares += np.einsum("ij,ij->i", counts, counts)
            result += self._counts @ (counts if self._paper else count_vectors(counts)).T
        return result, squares


def _products(queries: FloatArray, vectors: Rows, rows: NDArray[np.int64]) -> FloatArray:
    """Inner products with some rows; consecutive rows are read as one slice."""
    result = np.empty((len(queries), len(rows)), dtype=np.float32)
    queries = np.ascontiguousarray(queries, dtype=np.float32)
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS]
        whole = int(part[-1]) - int(part[0]) + 1 == len(part)
        chosen = slice(int(part[0]), int(part[-1]) + 1) if whole else part
        codes = vectors.codes[chosen].astype(np.float32)
        result[:, start : start + len(part)] = (queries @ codes.T) * vectors.scale[chosen]
    return result
