"""A compact index of vectors with FAISS: principal directions, 8 bits a number; candidates for exact re-ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_
from beryl.types import FloatArray, IntArray

INDEX, PROJECTION = "compact.faiss", "compact.projection.npy"
# Directions kept; scalar quantisers want a multiple of 16.
DIM = 128
# Vectors from which the directions and the quantiser's ranges are learnt.
SAMPLE = 50_000
BLOCK = 16384
# The projection scales its results to whole numbers up to this: FAISS then compares bytes as they are.
_LARGEST = 127


class FaissIndex:
    """Vectors projected and quantised; inner products are close to those of the full vectors."""

    def __init__(self, inner: Any, projection: FloatArray) -> None:  # noqa: ANN401 - FAISS has no types
        self._inner, self._projection = inner, projection

    @staticmethod
    def of(count: int, vectors: Callable[[IntArray], FloatArray], dim: int = DIM) -> FaissIndex:
        """The index of `count` vectors, asked for in blocks."""
        chosen = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(np.int64)) if count else np.arange(0)
        projection = principal_directions(vectors(chosen), dim)
        width = -(-projection.shape[1] // 16) * 16
        projection = np.pad(projection, ((0, 0), (0, width - projection.shape[1])))
        if count:
            projection *= _LARGEST / max(float(np.abs(vectors(chosen) @ projection).max()), 1e-12)
        inner = faiss.IndexScalarQuantizer(
            width, faiss.ScalarQuantizer.QT_8bit_direct_signed, faiss.METRIC_INNER_PRODUCT
        )
        for block in _blocks(count):
            inner.add(np.clip(np.rint(vectors(block) @ projection), -_LARGEST, _LARGEST))
        return FaissIndex(inner, projection)

    def write(self, directory: Path) -> None:
        """Write the index in FAISS's own format and the projection beside it."""
        faiss.write_index(self._inner, str(directory / INDEX))
        np.save(directory / PROJECTION, self._projection)

    @staticmethod
    def open(directory: Path) -> FaissIndex:
        """Open what `write` wrote, memory-mapped."""
        try:
            inner = faiss.read_index(str(directory / INDEX), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
        except RuntimeError:
            raise IndexError_(f"{directory / INDEX} is damaged; build the index again with `beryl index`") from None
        return FaissIndex(inner, np.load(directory / PROJECTION, allow_pickle=False))

    def __len__(self) -> int:
        return int(self._inner.ntotal)

    def search(
        self, queries: FloatArray, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[FloatArray, IntArray]:
        """Approximate scores and ids, best first, (len(queries), k); ids are -1 where there are fewer than k."""
        ready = np.ascontiguousarray(queries @ self._projection, dtype=np.float32)
        if not len(self) or not len(ready):
            return np.full((len(ready), k), -np.inf, np.float32), np.full((len(ready), k), -1, np.int64)
        if allowed is None:
            scores, ids = self._inner.search(ready, k)
        else:
            bits = np.packbits(allowed, bitorder="little")
            selector = faiss.IDSelectorBitmap(len(allowed), faiss.swig_ptr(bits))
            scores, ids = self._inner.search(ready, k, params=faiss.SearchParameters(sel=selector))  # type: ignore[call-arg]
        return np.where(ids >= 0, scores, -np.inf).astype(np.float32), ids


def principal_directions(vectors: FloatArray, dim: int) -> FloatArray:
    """The strongest directions as columns, about the origin: inner products are what must be kept."""
    if not len(vectors):
        return np.eye(vectors.shape[1], min(dim, vectors.shape[1]), dtype=np.float32)
    variances, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    order = np.argsort(variances)[::-1][:dim]
    result: FloatArray = np.ascontiguousarray(axes[:, order], dtype=np.float32)
    return result


def _blocks(count: int) -> Iterator[IntArray]:
    for start in range(0, count, BLOCK):
        yield np.arange(start, min(start + BLOCK, count))
