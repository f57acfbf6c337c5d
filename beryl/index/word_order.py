"""Words in the order of the text, for phrases: one run of terms per function and part of the text.

A part is a CSR matrix whose row holds the terms of a function as they follow each other, unsorted and with repeats, so
that it is cut, stacked and renamed like the matrices of counts. Its data says which term continues the name of a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = Any
"""A scipy CSR matrix."""

CODE = "code"
PARTS = ("name", "scope", "comment_leading", "comment_inner", CODE, "literals")
COLUMN = "order."
"""What the columns of a part begin with."""


@dataclass(frozen=True, slots=True)
class Run:
    """One part of all functions: `terms[offsets[f]:offsets[f + 1]]` follow each other in function f."""

    offsets: NDArray[np.int64]
    terms: NDArray[np.int32]
    inside: NDArray[np.bool_]
    """Whether a term goes on with the name of a call that the term before it began."""

    def holders(self, phrase: Sequence[int], rarest: int, one_call: bool = False) -> NDArray[np.int64]:
        """The functions that hold these terms one after the other; with `one_call` in the name of one call."""
        size = len(phrase)
        starts = np.flatnonzero(self.terms == phrase[rarest]) - rarest
        starts = starts[(starts >= 0) & (starts + size <= len(self.terms))]
        for place, term in enumerate(phrase):
            if place != rarest:
                starts = starts[self.terms[starts + place] == term]
            if one_call and place:
                starts = starts[self.inside[starts + place]]
        functions = np.searchsorted(self.offsets, starts, side="right") - 1
        return np.unique(functions[starts + size <= self.offsets[functions + 1]])


@dataclass(frozen=True, slots=True)
class TokenWords:
    """The terms of each token: `terms[bounds[t]:bounds[t + 1]]`, and whether the token is a call."""

    bounds: NDArray[np.int64]
    terms: NDArray[np.int32]
    call: NDArray[np.bool_]

    @staticmethod
    def of(tokens: Sequence[Sequence[str]], calls: Sequence[bool], vocabulary: dict[str, int]) -> TokenWords:
        """From the words of every token; all of them are in the vocabulary."""
        bounds = np.concatenate([[0], np.cumsum([len(found) for found in tokens], dtype=np.int64)])
        terms = np.array([vocabulary[term] for found in tokens for term in found], dtype=np.int32)
        return TokenWords(bounds, terms, np.array(calls, dtype=np.bool_))


def spelled_out(tokens: NDArray[np.int32], bounds: NDArray[np.int64], words: TokenWords, width: int) -> Matrix:
    """Rows of tokens (`bounds` parts them) as rows of terms in order."""
    from scipy.sparse import csr_matrix

    starts = words.bounds[tokens]
    sizes = words.bounds[tokens + 1] - starts
    ends = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(int(ends[-1])) - np.repeat(ends[:-1], sizes)
    terms = words.terms[np.repeat(starts, sizes) + within]
    inside = (within > 0) & np.repeat(words.call[tokens], sizes)
    return csr_matrix((inside.astype(np.int8), terms, ends[bounds]), shape=(len(bounds) - 1, width))
