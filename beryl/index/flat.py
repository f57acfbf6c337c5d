"""Exact nearest vectors by inner product: the readable oracle for every faster index."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beryl.types import FloatArray, IntArray


class FlatIndex:
    """All vectors in memory, compared one by one."""

    def __init__(self, vectors: FloatArray) -> None:
        self._vectors = vectors

    def search(
        self, queries: FloatArray, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[FloatArray, IntArray]:
        """Scores and ids, best first, (len(queries), k); ids are -1 where there are fewer than k."""
        return best(queries @ self._vectors.T, k, allowed)


def best(scores: FloatArray, k: int, allowed: NDArray[np.bool_] | None = None) -> tuple[FloatArray, IntArray]:
    """The k largest of each row with their columns, best first; equal scores by column."""
    rows, columns = scores.shape
    if allowed is not None:
        scores = np.where(allowed[None, :], scores, -np.inf)
    kept = np.full((rows, k), -np.inf, dtype=np.float32)
    ids = np.full((rows, k), -1, dtype=np.int64)
    width = min(k, columns)
    for row in range(rows if width else 0):
        found = _largest(scores[row], width)
        kept[row, :width], ids[row, :width] = scores[row, found], found
    ids[np.isneginf(kept)] = -1
    return kept, ids


def _largest(scores: FloatArray, width: int) -> IntArray:
    """Positions of the largest scores, best first; among equal ones the earlier position, also at the cut."""
    if width < len(scores):
        cut = np.partition(scores, len(scores) - width)[len(scores) - width]
        above = np.flatnonzero(scores > cut)
        candidates = np.concatenate([above, np.flatnonzero(scores == cut)[: width - len(above)]])
    else:
        candidates = np.arange(len(scores))
    return candidates[np.lexsort((candidates, -scores[candidates]))]
