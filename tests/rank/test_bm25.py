"""BM25F on three documents small enough to score by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from beryl.rank.bm25 import Concept, Scorer, bm25, bm25f, idf


class Shelf:
    """Documents as {field: words}; a term is its own spelling."""

    def __init__(self, *documents: dict[str, str]) -> None:
        self._counts = [{field: text.split() for field, text in document.items()} for document in documents]
        self.documents = len(documents)
        fields = {field for document in documents for field in document}
        self.lengths = {
            field: np.array([len(document.get(field, ())) for document in self._counts], dtype=np.int32)
            for field in fields
        }
        self._terms = sorted({word for document in self._counts for text in document.values() for word in text})

    def identify(self, term):
        return self._terms.index(term) if term in self._terms else -1

    def postings(self, field, term):
        counts = np.array([document.get(field, []).count(self._terms[term]) for document in self._counts])
        holders = np.flatnonzero(counts)
        return holders.astype(np.int32), counts[holders].astype(np.uint16)


SHELF = Shelf(
    {"name": "quick sort", "body": "swap pivot pivot"},
    {"name": "sort", "body": "heap swap swap sift sift"},
    {"name": "hash", "body": "table"},
)
# idf: `sort` is in 2 of 3 documents, `pivot` in 1.
IDF_SORT = math.log(1 + 1.5 / 2.5)
IDF_PIVOT = math.log(1 + 2.5 / 1.5)


def test_idf_is_never_negative_and_falls_with_frequency():
    assert idf(3, 2) == pytest.approx(IDF_SORT)
    assert idf(3, 1) == pytest.approx(IDF_PIVOT)
    assert idf(3, 3) > 0


def test_one_word_in_one_field_by_hand():
    # Lengths of `name` are 2, 1, 1: mean 4/3. Document 0: 1 / (1 - 0.75 + 0.75 * 2 / (4/3)) = 1 / 1.375.
    scores = bm25f(SHELF, {"sort": 1.0}, {"name": 1.0})
    first, second = 1 / 1.375, 1 / (0.25 + 0.75 * 0.75)
    assert scores[0] == pytest.approx(IDF_SORT * 2.2 * first / (1.2 + first), rel=1e-5)
    assert scores[1] == pytest.approx(IDF_SORT * 2.2 * second / (1.2 + second), rel=1e-5)
    assert scores[2] == 0


def test_fields_are_added_before_the_count_saturates():
    both = Shelf({"name": "sort", "body": "sort"}, {"name": "sort", "body": "list"}, {"name": "list", "body": "list"})
    weights = {"name": 2.0, "body": 1.0}
    scores = bm25f(both, {"sort": 1.0}, weights)
    telling = math.log(1 + 1.5 / 2.5) * 2.2
    assert scores[0] == pytest.approx(telling * 3 / (1.2 + 3), rel=1e-5)
    assert scores[1] == pytest.approx(telling * 2 / (1.2 + 2), rel=1e-5)


def test_a_field_without_weight_and_a_document_that_is_not_allowed_score_nothing():
    assert not bm25f(SHELF, {"pivot": 1.0}, {"name": 1.0, "body": 0.0}).any()
    allowed = np.array([False, True, True])
    scores = bm25f(SHELF, {"sort": 1.0}, {"name": 1.0}, allowed)
    assert scores[0] == 0
    assert scores[1] > 0


def test_spellings_of_one_concept_saturate_together():
    texts = ("dist distance", "distance distance", "dist dist", "other word")
    shelf = Shelf(*({"body": text} for text in texts))
    concept = Concept((("distance", 1.0), ("dist", 0.5)))
    holders, values = Scorer(shelf, {"body": 1.0}).contributions(concept)
    telling = math.log(1 + 1.5 / 3.5) * 2.2
    assert holders.tolist() == [0, 1, 2]
    assert values == pytest.approx([telling * n / (1.2 + n) for n in (1.5, 2.0, 1.0)], rel=1e-5)


def test_a_concept_may_ask_for_one_field_only():
    holders, _ = Scorer(SHELF, {"name": 1.0, "body": 1.0}).contributions(Concept((("swap", 1.0),), fields=("name",)))
    assert holders.tolist() == []


def test_an_unknown_word_scores_nothing():
    assert not bm25f(SHELF, {"zebra": 1.0}, {"name": 1.0}).any()


def test_plain_bm25_reads_all_fields_as_one_text():
    # Lengths 5, 6, 2: mean 13/3. `sort` once in documents 0 and 1.
    scores = bm25(SHELF, {"sort": 1.0}, ("name", "body"))
    penalty = 1.2 * (0.25 + 0.75 * 5 / (13 / 3))
    assert scores[0] == pytest.approx(IDF_SORT * 2.2 / (penalty + 1), rel=1e-5)
    assert scores[0] > scores[1] > scores[2] == 0
