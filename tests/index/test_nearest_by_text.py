"""Without graph vectors every text is compared once; the nodes found are those of comparing every node."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.encode import operators
from beryl.encode.rows import normalised
from beryl.index import similarity
from beryl.index.encoding import Rows
from beryl.index.flat import best
from beryl.index.similarity import BLOCKS, Blocks, Query, Scorer, nearest_by_text

DIM, TEXTS, NODES, LINES = 16, 60, 300, 7


def scorer(kind: str) -> Scorer:
    """Sixty texts, many of them of several nodes, so that there are ties."""
    generator = np.random.default_rng(3)
    text = Rows.of_units(normalised(generator.normal(size=(TEXTS, DIM)).astype(np.float32)))
    counts = generator.integers(0, 4, (TEXTS, operators.CLASSES)).astype(np.uint8)
    row = generator.integers(0, TEXTS, NODES).astype(np.int32)
    asked = generator.normal(size=(LINES, DIM)).astype(np.float32)
    asked_counts = generator.integers(0, 3, (LINES, operators.CLASSES)).astype(np.float32)
    query = Query(np.zeros((LINES, 0), np.float32), asked, asked_counts)
    return Scorer(Blocks(row, text, counts, None, True), query, kind)


@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize("k", [1, 9, 40, 250, 400])
@pytest.mark.parametrize("every", [1, 2, 37])
def test_it_finds_what_comparing_every_node_finds(kind, k, every):
    asked = scorer(kind)
    nodes = np.arange(0, NODES, every)
    expected, places = best(asked.scores(nodes), k)
    scores, ids = nearest_by_text(asked, nodes, k)
    np.testing.assert_array_equal(ids, np.where(places >= 0, nodes[places], -1))
    np.testing.assert_allclose(scores, expected, rtol=1e-6)


def test_a_long_query_is_compared_in_parts(monkeypatch):
    whole = nearest_by_text(scorer("weighted"), np.arange(NODES), 20)
    monkeypatch.setattr(similarity, "_CELLS", 2 * TEXTS)
    parts = nearest_by_text(scorer("weighted"), np.arange(NODES), 20)
    np.testing.assert_array_equal(parts[1], whole[1])
    np.testing.assert_allclose(parts[0], whole[0], rtol=1e-6)


def test_no_node_gives_no_match():
    scores, ids = nearest_by_text(scorer("weighted"), np.arange(0), 5)
    assert (ids == -1).all()
    assert np.isneginf(scores).all()
