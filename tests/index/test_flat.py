"""The exact search, and FAISS against it."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.errors import IndexError_
from beryl.index.faiss import INDEX, FaissIndex
from beryl.index.flat import FlatIndex, best


@pytest.fixture(scope="module")
def vectors():
    """2,000 unit vectors that lie near a space of 24 dimensions."""
    generator = np.random.default_rng(0)
    found = generator.normal(size=(2000, 24)) @ generator.normal(size=(24, 80))
    found += 0.01 * generator.normal(size=found.shape)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_best_first_and_equal_scores_by_id():
    scores, ids = best(np.array([[1, 3, 3, 2, 3]], np.float32), 2)
    assert ids.tolist() == [[1, 2]]
    assert scores.tolist() == [[3, 3]]


def test_fewer_than_k_end_in_minus_one():
    scores, ids = best(np.array([[1, 5, 2]], np.float32), 3, np.array([True, False, True]))
    assert ids.tolist() == [[2, 0, -1]]
    assert scores[0, 2] == -np.inf
    assert best(np.zeros((2, 0), np.float32), 2)[1].tolist() == [[-1, -1], [-1, -1]]


def test_flat_finds_by_inner_product():
    index = FlatIndex(np.array([[1, 0], [0, 1], [1, 1]], np.float32))
    scores, ids = index.search(np.array([[2, 1]], np.float32), 2)
    assert ids.tolist() == [[2, 0]]
    assert scores.tolist() == [[3, 2]]


@pytest.mark.parametrize("dim", [32, 40])
def test_faiss_finds_what_flat_finds(vectors, dim, tmp_path):
    FaissIndex.of(len(vectors), lambda ids: vectors[ids], dim).write(tmp_path)
    index = FaissIndex.open(tmp_path)
    assert len(index) == 2000
    queries = vectors[::100]
    exact, found = FlatIndex(vectors).search(queries, 50)[1], index.search(queries, 50)[1]
    recall = np.mean([len(set(a) & set(b)) / 50 for a, b in zip(exact.tolist(), found.tolist(), strict=True)])
    assert recall > 0.9


def test_faiss_keeps_to_what_is_allowed(vectors):
    index = FaissIndex.of(len(vectors), lambda ids: vectors[ids], 32)
    allowed = np.zeros(2000, np.bool_)
    allowed[[3, 700, 1999]] = True
    scores, ids = index.search(vectors[:2], 5, allowed)
    assert {frozenset(row) for row in ids.tolist()} == {frozenset((3, 700, 1999, -1))}
    assert np.isneginf(scores[:, 3:]).all()


def test_faiss_without_vectors_finds_nothing():
    index = FaissIndex.of(0, lambda ids: np.zeros((len(ids), 8), np.float32))
    assert index.search(np.ones((1, 8), np.float32), 2)[1].tolist() == [[-1, -1]]


def test_a_damaged_file_is_refused(vectors, tmp_path):
    FaissIndex.of(100, lambda ids: vectors[ids], 16).write(tmp_path)
    (tmp_path / INDEX).write_bytes((tmp_path / INDEX).read_bytes()[:40])
    with pytest.raises(IndexError_, match="damaged"):
        FaissIndex.open(tmp_path)
