"""BM25 with fields (BM25F): a word counts by where it stands, and less with every repetition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

# Robertson and Zaragoza's usual values.
K1 = 1.2
B = 0.75


class FieldedPostings(Protocol):
    """Documents with fields: who holds which term how often."""

    @property
    def documents(self) -> int:
        """How many documents there are."""

    @property
    def lengths(self) -> Mapping[str, NDArray[np.int32]]:
        """Terms per document, by field."""

    def identify(self, term: str) -> int:
        """The id of a term, -1 where no document holds it."""

    def postings(self, field: str, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """The documents that hold a term in a field, ascending, and how often each does."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing that is asked for: its terms with their weights (1 for the word itself, less for other spellings)."""

    variants: tuple[tuple[str, float], ...]
    weight: float = 1.0
    label: str = ""
    fields: tuple[str, ...] = ()
    """Only these fields count; all where empty."""


def idf(documents: int, frequency: int) -> float:
    """How telling a term is that `frequency` of `documents` hold; never negative."""
    return float(np.log1p((documents - frequency + 0.5) / (frequency + 0.5)))


class Scorer:
    """BM25F over one collection with fixed field weights; length norms are worked out once."""

    def __init__(
        self, terms: FieldedPostings, field_weights: Mapping[str, float], k1: float = K1, b: float = B
    ) -> None:
        self.terms, self.k1 = terms, k1
        self.field_weights = {field: weight for field, weight in field_weights.items() if weight > 0}
        self._norms = {field: _length_norm(terms.lengths[field], b) for field in self.field_weights}

    def contributions(self, concept: Concept) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The documents that hold a concept, ascending, and what it adds to the score of each."""
        counts = np.zeros(self.terms.documents, dtype=np.float32)
        for term, discount in concept.variants:
            identifier = self.terms.identify(term)
            if identifier < 0:
                continue
            for field, weight in self.field_weights.items():
                if concept.fields and field not in concept.fields:
                    continue
                documents, occurrences = self.terms.postings(field, identifier)
                if len(documents):
                    counts[documents] += (discount * weight) * occurrences * self._norms[field][documents]
        holders = np.flatnonzero(counts).astype(np.int32)
        value = counts[holders]
        telling = concept.weight * idf(self.terms.documents, len(holders))
        return holders, (telling * (self.k1 + 1.0) * value / (self.k1 + value)).astype(np.float32)

    def scores(self, concepts: Sequence[Concept]) -> NDArray[np.float32]:
        """The sum over all concepts, for every document; 0 where none is held."""
        total = np.zeros(self.terms.documents, dtype=np.float32)
        for concept in concepts:
            documents, values = self.contributions(concept)
            total[documents] += values
        return total


def _length_norm(lengths: NDArray[np.int32], b: float) -> NDArray[np.float32]:
    filled = lengths > 0
    mean = float(lengths[filled].mean()) if filled.any() else 1.0
    return (1.0 / (1.0 - b + b * lengths / mean)).astype(np.float32)


def bm25f(
    terms: FieldedPostings,
    query_terms: Mapping[str, float] | Sequence[Concept],
    field_weights: Mapping[str, float],
    allowed: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32]:
    """BM25F scores of all documents for weighted terms (or concepts); 0 where not allowed or nothing is held."""
    if isinstance(query_terms, Mapping):
        query_terms = [Concept(((term, 1.0),), weight, term) for term, weight in query_terms.items()]
    scores = Scorer(terms, field_weights).scores(query_terms)
    if allowed is not None:
        scores[~allowed] = 0.0
    return scores


def bm25(
    terms: FieldedPostings, query_terms: Mapping[str, float], fields: Sequence[str], k1: float = K1, b: float = B
) -> NDArray[np.float32]:
    """Plain BM25 with the fields of a document read as one text; the baseline."""
    lengths = np.zeros(terms.documents)
    for field in fields:
        lengths += terms.lengths[field]
    mean = float(lengths[lengths > 0].mean()) if lengths.any() else 1.0
    penalty = k1 * (1.0 - b + b * lengths / mean)
    scores = np.zeros(terms.documents, dtype=np.float32)
    for term, weight in query_terms.items():
        identifier = terms.identify(term)
        if identifier < 0:
            continue
        counts = np.zeros(terms.documents, dtype=np.float32)
        for field in fields:
            documents, occurrences = terms.postings(field, identifier)
            counts[documents] += occurrences
        holders = np.flatnonzero(counts)
        value = counts[holders]
        telling = weight * idf(terms.documents, len(holders))
        scores[holders] += telling * (k1 + 1.0) * value / (penalty[holders] + value)
    return scores
