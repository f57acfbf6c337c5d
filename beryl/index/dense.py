"""Vectors as a column: one int8 per number, equal ones once; similarity is the cosine, below zero cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.index.bags import mix, row_sums

Array = NDArray[Any]
# Rows made floats at a time: they stay in the processor's cache, which is faster than floats on disk would be.
_BATCH = 2048


@dataclass(frozen=True, slots=True)
class VectorColumn:
    """Vectors of int8 by row; functions that have none share a row of zeros."""

    row_of: NDArray[np.int32]
    codes: NDArray[np.uint8]
    """(rows, dim), int8 at heart."""
    scale: NDArray[np.float32]
    """One over the length of each row, 0 for zeros."""

    @staticmethod
    def of(sizes: Array, codes: Array, _: Array) -> VectorColumn:
        """The column of vectors in function order; a function has `dim` codes or none."""
        dim = int(sizes.max(initial=0))
        held = np.zeros((len(sizes), dim), dtype=np.uint8)
        held[sizes > 0] = codes.reshape(-1, dim) if dim else codes.reshape(0, 0)
        place = np.tile(np.arange(dim, dtype=np.uint64) << np.uint64(8), len(sizes))
        hashes = row_sums(mix(place | held.ravel()), np.full(len(sizes), dim))
        _, chosen, row_of = np.unique(hashes, return_index=True, return_inverse=True)
        rows = held[chosen]
        lengths = np.sqrt(np.square(rows.view(np.int8).astype(np.float32)).sum(axis=1))
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        return VectorColumn(row_of.astype(np.int32), rows, scale)

    def raw(self, functions: Array) -> tuple[Array, Array, Array]:
        """Sizes and codes of some functions, as `of` takes them."""
        rows = self.row_of[functions]
        filled = self.scale[rows] > 0
        codes = self.codes[rows[filled]].ravel()
        return np.where(filled, self.codes.shape[1], 0).astype(np.int32), codes, codes

    def observation(self, function: int) -> bytes:
        """The vector of one function, empty where it has none."""
        row = int(self.row_of[function])
        return self.codes[row].tobytes() if self.scale[row] > 0 else b""

    def similarities(self, vector: bytes) -> NDArray[np.float32]:
        """The cosine of a vector and every row."""
        found = np.zeros(len(self.codes), dtype=np.float32)
        if not vector or not self.codes.shape[1]:
            return found
        query = np.frombuffer(vector, dtype=np.int8).astype(np.float32)
        query /= np.sqrt(np.square(query).sum())
        codes = self.codes.view(np.int8)
        for start in range(0, len(codes), _BATCH):
            part = codes[start : start + _BATCH].astype(np.float32)
            found[start : start + _BATCH] = part @ query
        found *= self.scale
        return np.clip(found, np.float32(0.0), np.float32(1.0), out=found)
