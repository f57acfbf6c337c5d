"""The vectors table: what is stored, what is found, what an update takes over."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from beryl.encode import open_encoder, operators
from beryl.encode.gcn import Model, ModelConfig, normalised_adjacency, write_model
from beryl.encode.hashing import HashingEncoder
from beryl.errors import IndexError_, InputError, ModelError
from beryl.index import embedding, encoding, similarity, vectors
from beryl.index.build import build_index
from beryl.index.encoding import Rows
from beryl.index.store import BuildOptions
from beryl.index.vectors import Vectors
from beryl.types import Edge, EdgeKind, Icfg, Node, NodeKind, Span


@pytest.fixture
def graph_model(tmp_path) -> Path:
    """A graph model with random weights over the hashing encoder."""
    generator = np.random.default_rng(0)
    encoder = HashingEncoder()
    config = ModelConfig("hashing", encoder.fingerprint, encoder.dim)
    shapes = (config.dim, 24), (24, 12)
    first, second = (generator.normal(0, 0.3, shape).astype(np.float32) for shape in shapes)
    write_model(tmp_path / "gae", Model(config, first, second), {})
    return tmp_path / "gae"


def build(tree, out, model="none", encoder="hashing", **options):
    settings = BuildOptions(encoder=encoder, model=str(model), tables=("vectors",), each=True)
    return build_index([tree], out, settings, **options)


@pytest.fixture
def plain(tree, tmp_path) -> Vectors:
    return Vectors.open(build(tree, tmp_path / "index"))


@pytest.fixture
def full(tree, tmp_path, graph_model) -> Vectors:
    return Vectors.open(build(tree, tmp_path / "index", graph_model))


def query(*texts: tuple[NodeKind, str, bool | None]) -> Icfg:
    """A chain from entry over some nodes to exit."""
    kinds = [(NodeKind.ENTRY, "QUERY", None), (NodeKind.EXIT, "", None), *texts]
    nodes = tuple(Node(i, kind, text, Span("q", i, i), 0, math) for i, (kind, text, math) in enumerate(kinds))
    order = [0, *range(2, len(nodes)), 1]
    edges = tuple(Edge(a, b, EdgeKind.FLOW) for a, b in pairwise(order))
    return Icfg((), nodes, edges)


SWAP = query((NodeKind.CONDITION, "a[j] > a[j + 1]", True), (NodeKind.STATEMENT, "swap them", False))


def text_of(table: Vectors, node: int) -> str:
    return table.index.texts.text[int(table.index.nodes.text[node])]


@pytest.mark.parametrize("blocks", similarity.BLOCKS)
def test_the_same_statement_is_found_first(full, blocks):
    found = full.search(full.encode_query(SWAP)[2:], 3, blocks=blocks)[1]
    assert "a[j] > a[j + 1]" in text_of(full, found[0, 0])


def test_without_a_model_there_is_no_graph_block(plain):
    assert not plain.has_graph
    encoded = plain.encode_query(SWAP)
    assert encoded.shape == (4, plain.encoder.dim + operators.CLASSES)
    found = plain.search(encoded[2:], 1)[1]
    assert "a[j] > a[j + 1]" in text_of(plain, found[0, 0])
    with pytest.raises(InputError, match="no block 'graph'"):
        plain.node_vectors(np.array([0]), "graph")


def test_entries_and_exits_are_never_found(full):
    total = len(full.index.nodes.kind)
    found = full.search(full.encode_query(SWAP)[2:3], total)[1][0]
    kinds = full.index.nodes.kind
    assert sorted(found[found >= 0].tolist()) == np.flatnonzero(kinds > NodeKind.EXIT).tolist()


def test_only_what_is_allowed_is_found(full):
    allowed = np.zeros(len(full.index.nodes.kind), np.bool_)
    allowed[np.flatnonzero(full.searchable)[:2]] = True
    found = full.search(full.encode_query(SWAP)[2:], 5, allowed)[1]
    assert set(found.ravel().tolist()) == {-1, *np.flatnonzero(allowed).tolist()}


def test_the_weighted_score_is_the_sum_of_the_blocks_cosines(full):
    matrix = full.encode_query(SWAP)[2:3]
    scores, ids = full.search(matrix, 1)
    node = ids[0]
    parts = similarity.Query.of(matrix, 12)

    def cosine(a, b):
        return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))

    expected = (
        similarity.WEIGHTS["text"] * cosine(parts.text[0], full.node_vectors(node, "text")[0])
        + similarity.WEIGHTS["counts"]
        * cosine(np.log1p(parts.counts[0]), np.log1p(full.node_vectors(node, "counts")[0]))
        + similarity.WEIGHTS["graph"] * cosine(parts.graph[0], full.node_vectors(node, "graph")[0])
    )
    assert scores[0, 0] == pytest.approx(expected, abs=1e-3)


def test_the_papers_score_is_the_cosine_of_the_plain_concatenation(full):
    matrix = full.encode_query(SWAP)[2:3]
    scores, ids = full.search(matrix, 1, blocks="paper")
    blocks = [full.node_vectors(ids[0], name)[0] for name in ("graph", "text", "counts")]
    node, mine = np.concatenate(blocks), matrix[0]
    assert scores[0, 0] == pytest.approx(float(node @ mine / np.linalg.norm(node) / np.linalg.norm(mine)), abs=1e-3)


def test_text_alone_ignores_counts_and_graph(full, plain):
    matrix = full.encode_query(SWAP, "cb")
    scores, ids = full.search(matrix[2:3], 1, features="cb")
    text = matrix[2, 12 : 12 + full.encoder.dim]
    assert scores[0, 0] == pytest.approx(float(text @ full.node_vectors(ids[0], "text")[0]), abs=1e-3)


def test_prose_entry_and_exit_have_no_operators():
    icfg = query(
        (NodeKind.STATEMENT, "a + b", False), (NodeKind.STATEMENT, "a + b", True), (NodeKind.CONDITION, "x = y", True)
    )
    assert vectors.query_counts(icfg, pseudocode=True).sum(axis=1).tolist() == [0, 0, 0, 1, 1]


def test_math_can_be_left_to_counts_and_graph_alone(tree, tmp_path, graph_model, full):
    zero = Vectors.open(build(tree, tmp_path / "zero", graph_model, "hashing+zero"))
    text = zero.encode_query(SWAP)[:, 12 : 12 + zero.encoder.dim]
    assert not text[2].any()
    assert text[3].any()
    assert full.encode_query(SWAP)[2, 12 : 12 + full.encoder.dim].any()
    assert np.array_equal(zero.text.codes, full.text.codes)  # only queries have such nodes


def test_graph_vectors_are_those_of_the_whole_graph_at_once(full, monkeypatch):
    index = full.index
    graph = full.graph_of("full")
    nodes = np.arange(len(index.nodes.kind))
    source = np.repeat(nodes, np.diff(index.edges.offsets))
    adjacency = normalised_adjacency(len(nodes), source, index.edges.target.astype(np.int64))
    features = graph.model.features(full.text[full.row.astype(np.int64)], full.node_vectors(nodes, "counts"))
    expected = graph.model.embed(adjacency, features)
    monkeypatch.setattr(embedding, "BLOCK", 7)
    parts = embedding.NodeFeatures(full.row, full.text, full.counts)
    found = embedding.embed_index(index, graph.model, parts, index.directory, lambda *_: None)
    scale = np.abs(expected).max()
    assert np.allclose(found[slice(None)], expected, atol=0.02 * scale)
    assert np.allclose(graph.rows[slice(None)], expected, atol=0.02 * scale)


def test_a_query_equal_to_a_function_has_its_graph_vectors(full):
    """The chain of a function, encoded as a query, lands on the function's own nodes."""
    index = full.index
    function = index.functions.name[:].index("swap")
    first, last = (int(index.functions.first_node[function + i]) for i in (0, 1))
    text = [(NodeKind(int(index.nodes.kind[i])), text_of(full, i), None) for i in range(first + 2, last)]
    matrix = full.encode_query(query(*text))
    found = full.search(matrix[2:], 1)[1][:, 0]
    assert found.tolist() == list(range(first + 2, last))


def test_compact_and_exact_search_agree(tree, tmp_path, graph_model, monkeypatch):
    monkeypatch.setattr(vectors, "COMPACT_FROM", 1)
    monkeypatch.setattr(vectors, "EXACT_BELOW", 0)
    table = Vectors.open(build(tree, tmp_path / "index", graph_model))
    assert table.info["compact"]
    matrix = table.encode_query(SWAP)[2:]
    for blocks in similarity.BLOCKS:
        for allowed in (None, np.arange(len(table.row)) % 2 == 0):
            mask = table.searchable if allowed is None else table.searchable & allowed
            exact = table.exact(matrix, 5, mask, "full", blocks)
            found = table.search(matrix, 5, allowed, blocks=blocks)
            assert np.array_equal(exact[1], found[1])
            assert np.allclose(exact[0], found[0], atol=1e-5)


def watched_encoder(monkeypatch):
    """The texts that are encoded from now on."""
    seen: list[str] = []
    encode = HashingEncoder.encode

    def watched(self, texts, prose=None):
        seen.extend(texts)
        return encode(self, texts, prose)

    monkeypatch.setattr(HashingEncoder, "encode", watched)
    return seen


def test_an_update_encodes_only_new_texts_and_gives_the_same_bytes(tree, tmp_path, graph_model, monkeypatch):
    build(tree, tmp_path / "index", graph_model)
    (tree / "jay/maths/More.java").write_text("class More { int twice(int x) { return x + x; } }")
    seen = watched_encoder(monkeypatch)
    updated = build(tree, tmp_path / "index", graph_model, update=True)
    assert [text for text in seen if not text.startswith("function ")] in (
        ["twice", "return x + x"],
        ["return x + x", "twice"],
    )
    fresh = build(tree, tmp_path / "fresh", graph_model)
    assert updated.manifest.content == fresh.manifest.content


def test_building_again_encodes_nothing_twice(tree, tmp_path, graph_model, monkeypatch):
    first = np.array(Vectors.open(build(tree, tmp_path / "index", graph_model)).text.codes)
    seen = watched_encoder(monkeypatch)
    again = build(tree, tmp_path / "index")  # another model; the texts are the same
    assert seen == ["function entry", "function exit"]
    assert np.array_equal(Vectors.open(again).text.codes, first)


def test_a_damaged_index_is_no_source_of_vectors(tree, tmp_path):
    index = build(tree, tmp_path / "index")
    content = index.manifest.content
    (tmp_path / "index/manifest.json").write_text("{")
    assert build(tree, tmp_path / "index").manifest.content == content


def test_a_killed_encoding_loses_at_most_one_batch(tree, tmp_path, monkeypatch):
    monkeypatch.setitem(encoding.BATCH, "hashing", 5)
    encode = HashingEncoder.encode
    seen: list[str] = []

    def dying(self, texts, prose=None):
        if len(seen) >= 10:
            raise KeyboardInterrupt
        seen.extend(texts)
        return encode(self, texts, prose)

    monkeypatch.setattr(HashingEncoder, "encode", dying)
    with pytest.raises(KeyboardInterrupt):
        build(tree, tmp_path / "index")
    again: list[str] = []

    def watched(self, texts, prose=None):
        again.extend(texts)
        return encode(self, texts, prose)

    monkeypatch.setattr(HashingEncoder, "encode", watched)
    table = Vectors.open(build(tree, tmp_path / "index"))
    assert len(seen) == 10
    assert not set(seen) & set(again)
    assert not (tmp_path / "index/work").exists()
    assert np.allclose(np.linalg.norm(table.text[slice(0, 3)], axis=1), 1, atol=0.02)


def test_eight_bit_rows_keep_the_cosine():
    values = np.random.default_rng(0).normal(size=(20, 64)).astype(np.float32)
    values[3] = 0
    rows = Rows.of(values)
    found = rows[slice(None)]
    norms = np.linalg.norm(values, axis=1)
    cosines = np.einsum("ij,ij->i", values, found)[norms > 0] / (norms * rows.lengths())[norms > 0]
    assert (cosines > 0.9995).all()
    assert not found[3].any()


class TestBadInput:
    def test_a_model_of_another_encoder(self, tree, tmp_path, graph_model):
        settings = BuildOptions(encoder="static", model=str(graph_model), tables=("vectors",), each=True)
        with pytest.raises(ModelError, match="was trained on features of the encoder hashing"):
            build_index([tree], tmp_path / "index", settings)
        assert not list((tmp_path / "index").glob("draft-*"))

    def test_no_bundled_model_for_the_encoder(self, tree, tmp_path):
        with pytest.raises(ModelError, match="`--model none`"):
            build(tree, tmp_path / "index", "mixed")

    def test_an_encoder_that_gives_nan(self, tree, tmp_path, monkeypatch):
        monkeypatch.setattr(
            HashingEncoder, "encode", lambda self, texts, prose=None: np.full((len(texts), 256), np.nan)
        )
        with pytest.raises(ModelError, match="gives NaN"):
            build(tree, tmp_path / "index")

    def test_an_index_of_other_weights(self, plain, monkeypatch):
        monkeypatch.setattr(type(open_encoder("hashing")), "fingerprint", "other")
        with pytest.raises(IndexError_, match="other weights of the encoder 'hashing'"):
            plain.encode_query(SWAP)

    def test_unknown_features_and_blocks(self, plain):
        with pytest.raises(InputError, match="unknown features 'all'; known: full, cb, cb"):
            plain.search(plain.encode_query(SWAP), 1, features="all")
        with pytest.raises(InputError, match="unknown blocks 'sum'; known: paper, weighted"):
            plain.search(plain.encode_query(SWAP), 1, blocks="sum")

    def test_an_index_without_the_table(self, tree, tmp_path):
        bare = build_index([tree], tmp_path / "index", BuildOptions(tables=(), each=True))
        with pytest.raises(IndexError_, match="has no table 'vectors'"):
            Vectors.open(bare)

    def test_cb_g_needs_its_own_table(self, full):
        with pytest.raises(IndexError_, match="has no table 'ablation'"):
            full.encode_query(SWAP, "cb+g")
