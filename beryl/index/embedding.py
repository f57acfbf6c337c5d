"""Graph vectors of a whole index, a block of nodes at a time, so that memory does not grow with the index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from beryl.encode.gcn import Model, normalised_adjacency
from beryl.index.encoding import Rows
from beryl.index.store import Index
from beryl.types import FloatArray, NodeKind, Progress

# Nodes at a time; features, hidden and result of a block take about 100 MB.
BLOCK = 16384
_SCRATCH = "hidden.tmp"


@dataclass(frozen=True)
class NodeFeatures:
    """What the nodes of an index are described by: rows of text vectors and operator counts."""

    row: NDArray[np.int32]
    """By node, into the other two."""
    text: Rows
    counts: NDArray[np.uint8]

    def of(self, nodes: NDArray[np.int64], model: Model) -> FloatArray:
        """X of some nodes."""
        rows = self.row[nodes].astype(np.int64)
        return model.features(self.text[rows], self.counts[rows].astype(np.float32))


def feature_rows(index: Index) -> NDArray[np.int32]:
    """By node, the row of its features: its text's; after all texts come one for entries and one for exits."""
    kind, texts = np.asarray(index.nodes.kind), len(index.texts.digest)
    row = np.array(index.nodes.text, dtype=np.int32)
    row[kind == NodeKind.ENTRY] = texts
    row[kind == NodeKind.EXIT] = texts + 1
    return row


def adjacency(index: Index, self_loops: bool) -> sparse.csr_array:
    """The normalised adjacency of all nodes, symmetrised, call and return edges included."""
    source = np.repeat(np.arange(len(index.nodes.kind), dtype=np.int64), np.diff(index.edges.offsets))
    return normalised_adjacency(len(index.nodes.kind), source, index.edges.target.astype(np.int64), self_loops)


def embed_index(index: Index, model: Model, features: NodeFeatures, directory: Path, progress: Progress) -> Rows:
    """Z of every node; the hidden layer lies in a scratch file in `directory` meanwhile."""
    count = len(index.nodes.kind)
    rows = Rows(np.zeros((count, model.dim), np.int8), np.zeros(count, np.float32))
    if not count:
        return rows
    matrix = adjacency(index, not model.config.literal)
    scratch = directory / _SCRATCH
    hidden = np.memmap(scratch, dtype=np.float16, mode="w+", shape=(count, model.first.shape[1]))
    try:
        for start in range(0, count, BLOCK):
            progress("embedding graphs", start // 2, count)
            part, columns = _block(matrix, start)
            hidden[start : start + BLOCK] = model.first_layer(part, features.of(columns, model))
        for start in range(0, count, BLOCK):
            progress("embedding graphs", (count + start) // 2, count)
            part, columns = _block(matrix, start)
            found = Rows.of(model.second_layer(part, hidden[columns].astype(np.float32)))
            rows.codes[start : start + BLOCK], rows.scale[start : start + BLOCK] = found.codes, found.scale
    finally:
        del hidden
        scratch.unlink()
    progress("embedding graphs", count, count)
    return rows


def _block(matrix: sparse.csr_array, start: int) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Some rows of the adjacency with only the columns that they need."""
    part = matrix[start : start + BLOCK]
    columns, local = np.unique(part.indices, return_inverse=True)
    shape = (part.shape[0], len(columns))
    return sparse.csr_array((part.data, local.astype(np.int32), part.indptr), shape=shape), columns.astype(np.int64)
