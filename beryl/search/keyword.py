"""Words -> functions or files, ranked by relevance and by how much the code is used (function ranking §4).

default   BM25 with fields over functions, the similarity of the file, and PageRank, weighted (configs/find.toml)
paper     sim(document, query) + sim(subdocument, query) + PageRank, the plain sum of §4.3
bm25      plain BM25, fields read as one text: the baseline
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from beryl.errors import InputError
from beryl.index import words
from beryl.index.store import Index
from beryl.index.terms import FIELDS, SUBDOCUMENT_FIELDS, Terms
from beryl.rank.bm25 import Concept, bm25, idf
from beryl.rank.concepts import concepts
from beryl.rank.cosine import Vectors, cosine
from beryl.search import phrases
from beryl.search.clock import Clock
from beryl.search.find_results import Hit, file_fragments, function_fragments, unknown_words, why_nothing
from beryl.search.find_settings import Prepared, Settings, prepare, settings_of
from beryl.search.question import Clause, Question, parse
from beryl.types import KeywordQuery, SearchResult

Scores = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Signals:
    """The parts of the score of every function, and which functions are found at all."""

    file: Scores
    function: Scores
    pagerank: Scores
    weights: tuple[float, float, float]
    found: Mask

    @property
    def total(self) -> Scores:
        """The weighted sum, before support libraries are damped."""
        file, function, pagerank = (np.float32(weight) for weight in self.weights)
        total: Scores = file * self.file + function * self.function + pagerank * self.pagerank
        return total


def search(index: Index, query: KeywordQuery) -> SearchResult:
    """The functions or files that a question asks for, best first."""
    clock = Clock()
    if query.ranking not in RANKINGS:
        raise InputError(f"unknown ranking {query.ranking!r}; known: {', '.join(RANKINGS)}")
    if query.kind not in KINDS:
        raise InputError(f"unknown kind {query.kind!r}; known: {', '.join(KINDS)}")
    question = parse(query.words)
    settings = settings_of(query)
    with clock("open"):
        ready = prepare(index, settings)
    with clock("score"):
        signals = RANKINGS[query.ranking](ready, question)
        scores = signals.total * ready.support
    with clock("filter"):
        keep = signals.found & index.allowed_functions(query.filters)
        keep &= _required(index, ready.terms, question, keep)
        scores[~keep] = 0.0
    with clock("show"):
        choose, show = KINDS[query.kind]
        fragments = show(index, choose(ready, scores, signals, query.k), question, query)
        notes = unknown_words(index, ready.terms, question)
        if not fragments and not notes:
            notes.append(why_nothing(question))
    text = " ".join(query.words)
    return SearchResult(text, "", "find", clock.total, tuple(fragments), text, clock.stages, tuple(notes))


def query_terms(question: Question) -> Counter[str]:
    """The terms of a question and how often it has each."""
    return Counter(term for clause in question.wanted for term in words.stems(clause.words))


def question_concepts(question: Question, terms: Terms, settings: Settings) -> list[Concept]:
    """What a question asks for, with other spellings; a clause with a prefix asks for its words in its fields only."""
    plain = [word for clause in question.wanted if not clause.fields for word in clause.words]
    found = concepts(plain, terms.vocabulary, settings.spellings)
    for clause in question.wanted:
        if clause.fields:
            found += [Concept(((words.stem(word), 1.0),), 1.0, word, clause.fields) for word in clause.words]
    return found


def _default(ready: Prepared, question: Question) -> Signals:
    """BM25F as a share of the most that the question can get, so in [0, 1]; plus file similarity and PageRank."""
    terms, settings = ready.terms, ready.settings
    asked = question_concepts(question, terms, settings)
    total = np.zeros(terms.documents, dtype=np.float32)
    most = 0.0
    for concept in asked:
        documents, values = ready.scorer.contributions(concept)
        total[documents] += values
        if len(documents):
            most += concept.weight * idf(terms.documents, len(documents)) * (ready.scorer.k1 + 1.0)
    function = total / np.float32(most or 1.0)
    file = _file_similarity(ready, question) if settings.signals.file else np.zeros_like(function)
    weights = (settings.signals.file, 1.0, settings.signals.pagerank)
    return Signals(file, function, ready.pagerank, weights, total > 0)


def _paper(ready: Prepared, question: Question) -> Signals:
    """The three of §4.3, each in [0, 1]; every function of a file that holds a word of the query is ranked."""
    terms = ready.terms
    file = _file_similarity(ready, question)
    postings = [terms.fields[field] for field in SUBDOCUMENT_FIELDS]
    function = cosine(Vectors(postings, terms.file_idf, terms.function_norm), _identified(terms, question))
    return Signals(file, function, ready.popularity, (1.0, 1.0, 1.0), file > 0)


def _bm25(ready: Prepared, question: Question) -> Signals:
    asked = {term: float(count) for term, count in query_terms(question).items()}
    function = bm25(ready.terms, asked, FIELDS)
    nothing = np.zeros_like(function)
    return Signals(nothing, function, ready.pagerank, (0.0, 1.0, 0.0), function > 0)


RANKINGS: Mapping[str, Callable[[Prepared, Question], Signals]] = {"default": _default, "paper": _paper, "bm25": _bm25}


def _identified(terms: Terms, question: Question) -> dict[int, float]:
    found = {terms.identify(term): float(count) for term, count in query_terms(question).items()}
    return {term: count for term, count in found.items() if term >= 0}


def _file_similarity(ready: Prepared, question: Question) -> Scores:
    """Cosine of the query with the file of each function."""
    terms = ready.terms
    similarity = cosine(Vectors([terms.files], terms.file_idf, terms.file_norm), _identified(terms, question))
    return similarity[ready.file_of]


def _required(index: Index, terms: Terms, question: Question, candidates: Mask) -> Mask:
    """Functions that hold every phrase and prefixed word of the question, and nothing that it excludes."""
    keep = np.ones(terms.documents, dtype=np.bool_)
    for clause in question.clauses:
        if not clause.words or not (clause.required or clause.excluded):
            continue
        held = _holders(terms, clause)
        if clause.phrase and len(clause.words) > 1:
            held = phrases.holders(index, terms, clause, held & keep & candidates)
        keep &= ~held if clause.excluded else held
    return keep


def _holders(terms: Terms, clause: Clause) -> Mask:
    """Functions that hold every word of a clause."""
    held = np.ones(terms.documents, dtype=np.bool_)
    for word in clause.words:
        term = terms.identify(words.stem(word))
        one = np.zeros(terms.documents, dtype=np.bool_)
        for field in (clause.fields or FIELDS) if term >= 0 else ():
            one[terms.postings(field, term)[0]] = True
        held &= one
    return held


def _function_hits(ready: Prepared, scores: Scores, signals: Signals, k: int) -> list[Hit]:
    """The best k functions; ties in index order."""
    chosen: list[int] = _best(scores, k).tolist()
    return [Hit(function, float(scores[function]), _parts(ready, signals, function)) for function in chosen]


def _file_hits(ready: Prepared, scores: Scores, signals: Signals, k: int) -> list[Hit]:
    """The best k files: similarity of the file and of its best function, damped; no PageRank, which is of functions."""
    order = _order(scores)
    files, first = np.unique(ready.file_of[order], return_index=True)
    best = order[first]
    totals = ready.support[best] * (signals.file[best] + signals.function[best])
    hits = []
    for chosen in np.lexsort((first, -totals))[:k].tolist():
        functions: list[int] = order[ready.file_of[order] == files[chosen]].tolist()
        parts = {**_parts(ready, signals, functions[0]), "pagerank": 0.0}
        hits.append(Hit(functions[0], float(totals[chosen]), parts, tuple(functions[1:])))
    return hits


def _order(scores: Scores) -> NDArray[np.int64]:
    found = np.flatnonzero(scores > 0)
    return found[np.argsort(-scores[found], kind="stable")]


def _best(scores: Scores, k: int) -> NDArray[np.int64]:
    """The first k of the order, without sorting the rest."""
    found = np.flatnonzero(scores > 0)
    if k < len(found):
        least = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= least]
    return found[np.argsort(-scores[found], kind="stable")][:k]


def _parts(ready: Prepared, signals: Signals, function: int) -> dict[str, float]:
    return {
        "file": float(signals.file[function]),
        "function": float(signals.function[function]),
        "pagerank": float(signals.pagerank[function]),
        "damping": float(ready.support[function]),
    }


KINDS = {"function": (_function_hits, function_fragments), "file": (_file_hits, file_fragments)}
"""What is ranked -> how it is chosen and shown."""


def without_pagerank(settings: Settings) -> Settings:
    """The same settings, but how much the code is used does not count."""
    return replace(settings, signals=replace(settings.signals, pagerank=0.0))
