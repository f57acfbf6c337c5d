"""The `hashing` encoder: character 3-grams thrown into buckets. No model; the readable oracle of the unit tests."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from beryl.encode.rows import normalised
from beryl.types import FloatArray

DIM = 256
GRAM = 3
# The last bit of the hash is the sign, so that two grams in one bucket cancel as often as they add.
_SIGN_BIT = 1


class HashingEncoder:
    """Counts of hashed 3-grams of the lower-case text, signed, row-normalised."""

    name = "hashing"
    dim = DIM
    fingerprint = f"hashing-{GRAM}-{DIM}-1"

    def encode(self, texts: Sequence[str], prose: Sequence[bool] | None = None) -> FloatArray:
        """One row per text; prose and code are treated alike."""
        vectors = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            padded = f" {' '.join(text.lower().split())} ".encode("utf-8", "surrogatepass")
            for start in range(len(padded) - GRAM + 1):
                code = zlib.crc32(padded[start : start + GRAM])
                row[(code >> 1) % DIM] += 1 if code & _SIGN_BIT else -1
        return normalised(vectors)


def load(argument: str = "", device: str = "auto") -> HashingEncoder:
    """The encoder; it needs no weights and no device."""
    return HashingEncoder()
