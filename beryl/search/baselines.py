"""Simple searches that every ranking is measured against; their unit is the whole function.

name        the paper's naive search (Beryllium §6.1.4): the algorithm's name in function names, then in comments
bm25        the words of the pseudocode, its header and comments, in all words of a function
bm25-body   the same with header, comments and names hidden on both sides
random      functions in an order drawn from the text of the query
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.index import words
from beryl.index.store import Index
from beryl.index.terms import FIELDS, Terms
from beryl.lang.pseudo.frontend import Pseudocode
from beryl.rank.bm25 import bm25f
from beryl.search.clock import Clock
from beryl.search.fragments import Verdict, fragment, searchable
from beryl.types import Fragment, PseudocodeQuery

# What `--no-names` leaves of a function; calls go too, for most of them name a function of the corpus.
BODY_FIELDS = ("identifiers", "literals")
_TEXT = "text"
# Matches in names stand before all matches in leading comments, and these before matches in other comments.
_TIERS = (("name", 3.0), ("comment_leading", 2.0), ("comment_inner", 1.0))

Scores = NDArray[np.float32]


def search(index: Index, pseudocode: Pseudocode, query: PseudocodeQuery, clock: Clock) -> list[Fragment]:
    """The ranked functions of one query; nothing that scores zero."""
    with clock("search"):
        if query.ranking == "random":
            scores = _random(len(index.functions.file), query.text)
        elif query.ranking == "name":
            scores = _by_name(Terms.open(index), query.name.strip("-") or pseudocode.title, query.names)
        else:
            scores = _by_words(Terms.open(index), pseudocode, query.names and query.ranking == "bm25")
        scores[~index.allowed_functions(query.filters)] = 0.0
    with clock("score"):
        chosen = _best(index, scores, query.k, bool(query.distinct))
        return [_function(index, function, float(scores[function]), query.ranking) for function in chosen]


def query_words(pseudocode: Pseudocode, names: bool) -> Counter[str]:
    """The terms of a query and how often it has each; without names those of its statements only."""
    texts = [node.text for node in searchable(pseudocode.icfg.nodes)]
    own = {function.name.lower() for function in pseudocode.icfg.functions}
    found: Counter[str] = Counter()
    if names:
        found.update(term for function in pseudocode.icfg.functions for term in words.name_terms(function.name))
        texts += [comment.text for comment in pseudocode.comments]
    for text in texts:
        found.update(words.stems(words.prose_words(text if names else _without(text, own))))
    return found


def _without(text: str, names: Iterable[str]) -> str:
    """A statement with the names of the query's own functions taken out, as in a recursive call."""
    return " ".join(word for word in text.replace("(", " ( ").split() if word.lower() not in names)


@dataclass(frozen=True, slots=True)
class _Joined:
    """Several fields read as one text."""

    terms: Terms
    fields: tuple[str, ...]

    @property
    def documents(self) -> int:
        """How many functions there are."""
        return self.terms.documents

    @property
    def lengths(self) -> Mapping[str, NDArray[np.int32]]:
        """Words per function."""
        return {_TEXT: np.sum([self.terms.lengths[field] for field in self.fields], axis=0, dtype=np.int32)}

    def identify(self, term: str) -> int:
        """The id of a term, -1 where no function holds it."""
        return self.terms.identify(term)

    def postings(self, field: str, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """The functions that hold a term in any of the fields."""
        counts = np.zeros(self.documents, dtype=np.uint16)
        for name in self.fields:
            documents, occurrences = self.terms.postings(name, term)
            counts[documents] += occurrences
        holders = np.flatnonzero(counts).astype(np.int32)
        return holders, counts[holders]


def _by_words(terms: Terms, pseudocode: Pseudocode, names: bool) -> Scores:
    text = _Joined(terms, FIELDS if names else BODY_FIELDS)
    wanted = {term: float(count) for term, count in query_words(pseudocode, names).items()}
    return bm25f(text, wanted, {_TEXT: 1.0})


def _by_name(terms: Terms, name: str, names: bool) -> Scores:
    """Functions that hold every word of the name (or the words written as one), shorter names first."""
    scores = np.zeros(terms.documents, dtype=np.float32)
    pieces = words.stems(words.prose_words(name))
    if not pieces or not names:
        return scores
    joined = words.stem("".join(words.prose_words(name)))
    for field, tier in _TIERS:
        every = _holders(terms, field, pieces) | _holders(terms, field, [joined])
        length = np.maximum(terms.lengths[field], 1)
        value = tier + (len(pieces) / (len(pieces) + length)).astype(np.float32)
        scores = np.where(every & (scores == 0), value, scores)
    return scores


def _holders(terms: Terms, field: str, pieces: Iterable[str]) -> NDArray[np.bool_]:
    found = np.ones(terms.documents, dtype=np.bool_)
    for piece in pieces:
        holds = np.zeros(terms.documents, dtype=np.bool_)
        term = terms.identify(piece)
        if term >= 0:
            holds[terms.postings(field, term)[0]] = True
        found &= holds
    return found


def _random(size: int, text: str) -> Scores:
    seed = zlib.crc32(text.encode("utf-8", "surrogatepass"))
    return 1.0 - np.random.default_rng(seed).random(size, dtype=np.float32)


def _best(index: Index, scores: Scores, k: int, distinct: bool) -> Iterator[int]:
    """The k best functions with a score; of equals the first in the index, of nested ones only the better."""
    taken: dict[int, list[tuple[int, int]]] = {}
    left = k
    for function in np.argsort(-scores, kind="stable").tolist():
        if left == 0 or scores[function] <= 0:
            return
        start, end = int(index.functions.start_line[function]), int(index.functions.end_line[function])
        here = taken.setdefault(int(index.functions.file[function]), [])
        if distinct and any(start <= other_end and end >= other_start for other_start, other_end in here):
            continue
        here.append((start, end))
        left -= 1
        yield function


def _function(index: Index, function: int, score: float, ranking: str) -> Fragment:
    span = (function, int(index.functions.start_line[function]), int(index.functions.end_line[function]))
    return fragment(index, [span], (), (), Verdict(score, {ranking: score}))
