"""Rows of a matrix: normalising them."""

from __future__ import annotations

import numpy as np

from beryl.types import FloatArray


def normalised(vectors: FloatArray) -> FloatArray:
    """Every row divided by its length; a row of zeros stays one."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32))
    return vectors / np.where(lengths > 0, lengths, 1).astype(np.float32)[:, None]
