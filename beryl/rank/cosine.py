"""Cosine of TF x IDF vectors, the vector space model of function ranking §3.1 and §4 (Eqs. 1 and 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class _Postings(Protocol):
    def __getitem__(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """The documents that hold a term, and how often each does."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Documents as TF x IDF vectors: postings that are added up, the idf of each term, the length of each vector.

    Counts stand for TF = n / sum(n) of Eq. 1: its denominator is the same for all terms of a document, and cancels.
    """

    postings: Sequence[_Postings]
    idf: NDArray[np.float32]
    norm: NDArray[np.float32]


def cosine(vectors: Vectors, query: Mapping[int, float]) -> NDArray[np.float32]:
    """Eq. 5 of a query (term -> count) with every document; 0 where they share nothing."""
    product = np.zeros(len(vectors.norm), dtype=np.float64)
    weights = {term: count * float(vectors.idf[term]) for term, count in query.items()}
    length = float(np.sqrt(sum(weight**2 for weight in weights.values())))
    if length == 0.0:
        return np.zeros(len(vectors.norm), dtype=np.float32)
    for term, weight in weights.items():
        for postings in vectors.postings:
            documents, counts = postings[term]
            product[documents] += weight * float(vectors.idf[term]) * counts
    filled = vectors.norm > 0
    similarity = np.zeros(len(vectors.norm), dtype=np.float32)
    similarity[filled] = product[filled] / (vectors.norm[filled] * length)
    return np.minimum(similarity, 1.0)
