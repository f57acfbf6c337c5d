"""How well edges are told from pairs without one: AUC and average precision of the decoder's inner products."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from beryl.encode.batches import Batch, without_edges
from beryl.errors import ModelError
from beryl.types import FloatArray, IntArray

# Vectors of so many nodes are kept for uniform negatives (200 MB); of more nodes, a uniform sample.
MOST_KEPT = 100_000
DIVERGED = "the loss became NaN; lower learning_rate in the configuration"


class Quality:
    """What batches gave so far. Uniform negatives are drawn from the nodes of all of them, not within each."""

    def __init__(self, nodes: int, generator: np.random.Generator) -> None:
        self._share, self._generator = MOST_KEPT / max(nodes, 1), generator
        self._positive: list[FloatArray] = []
        self._inside: list[FloatArray] = []
        self._vectors: list[FloatArray] = []
        self._edges: list[IntArray] = []
        self._kept = 0

    def add(self, batch: Batch, vectors: FloatArray, positive: IntArray, inside: IntArray) -> None:
        """Take in a batch: its vectors, the edges to predict, and pairs without an edge of the same function."""
        self._positive.append(_products(vectors, positive))
        self._inside.append(_products(vectors, inside))
        chosen = self._generator.random(len(vectors)) < self._share
        place = np.cumsum(chosen) - 1 + self._kept
        edges = batch.edges[:, chosen[batch.edges].all(axis=0)]
        self._edges.append(place[edges])
        self._vectors.append(vectors[chosen])
        self._kept += int(chosen.sum())

    def result(self) -> dict[str, tuple[float, float]]:
        """AUC and average precision, by the kind of negatives."""
        positive, inside = np.concatenate(self._positive), np.concatenate(self._inside)
        vectors, edges = np.concatenate(self._vectors), np.concatenate(self._edges, axis=1)
        pairs = self._generator.integers(0, max(len(vectors), 1), (2, 2 * len(positive) + 16 if len(vectors) else 0))
        uniform = _products(vectors, without_edges(pairs, edges, len(vectors), len(positive)))
        if not all(np.isfinite(values).all() for values in (positive, uniform, inside)):
            raise ModelError(DIVERGED)
        return {"uniform": _quality(positive, uniform), "function": _quality(positive, inside)}


def _products(vectors: FloatArray, pairs: IntArray) -> FloatArray:
    found: FloatArray = np.einsum("ij,ij->i", vectors[pairs[0]], vectors[pairs[1]])
    return found


def _quality(positive: FloatArray, negative: FloatArray) -> tuple[float, float]:
    if not len(negative):
        return float("nan"), float("nan")
    truth = np.concatenate([np.ones(len(positive)), np.zeros(len(negative))])
    scores = np.concatenate([positive, negative])
    return float(roc_auc_score(truth, scores)), float(average_precision_score(truth, scores))
