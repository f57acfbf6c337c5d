"""Cosine of TF x IDF vectors, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.rank.cosine import Vectors, cosine

# Documents: 0 = (a a b), 1 = (b), 2 = (c). idf: a 1, b 0.5, c 2.
IDF = np.array([1.0, 0.5, 2.0], dtype=np.float32)
POSTINGS = [
    (np.array([0]), np.array([2])),
    (np.array([0, 1]), np.array([1, 1])),
    (np.array([2]), np.array([1])),
]
NORM = np.sqrt(np.array([2**2 + 0.5**2, 0.5**2, 2.0**2])).astype(np.float32)
VECTORS = Vectors([POSTINGS], IDF, NORM)


def test_by_hand():
    # Query (a b): (1, 0.5, 0). Document 0: (2, 0.5, 0), product 2.25.
    expected = 2.25 / (np.sqrt(4.25) * np.sqrt(1.25))
    assert cosine(VECTORS, {0: 1.0, 1: 1.0}) == pytest.approx([expected, 0.5 / np.sqrt(1.25), 0.0], rel=1e-5)


def test_a_document_is_like_itself():
    assert cosine(VECTORS, {0: 2.0, 1: 1.0})[0] == pytest.approx(1)


def test_the_length_of_a_document_does_not_matter():
    assert cosine(VECTORS, {1: 1.0})[1] == pytest.approx(1)
    assert cosine(VECTORS, {1: 7.0})[1] == pytest.approx(1)


def test_nothing_in_common_is_zero():
    assert not cosine(VECTORS, {}).any()
    assert cosine(VECTORS, {2: 1.0})[:2].tolist() == [0, 0]
