"""What every encoder promises: shape, dtype, unit rows, determinism, batch = one by one; and what bad folders say."""

from __future__ import annotations

import numpy as np
import pytest

from beryl import paths
from beryl.encode import open_encoder
from beryl.encode.files import write_weights
from beryl.encode.granite import GraniteEncoder, dequantised, quantise
from beryl.encode.hashing import HashingEncoder
from beryl.encode.static import TABLE, StaticEncoder
from beryl.errors import InputError, ModelError

TEXTS = ["for (int i = 0; i < n; i++)", "swap the two elements", "x", "", "d[v] = d[u] + w", "x = 1; // ∞ ≤ \ud800"]


@pytest.fixture(scope="module", params=["hashing", "static", "granite", "codebert"])
def encoder(request, tiny_checkpoint):
    if request.param == "codebert":
        return open_encoder(f"codebert:{tiny_checkpoint}", "cpu")
    return open_encoder(request.param)


def test_one_unit_row_per_text(encoder):
    found = encoder.encode(TEXTS)
    assert found.shape == (len(TEXTS), encoder.dim)
    assert found.dtype == np.float32
    lengths = np.linalg.norm(found, axis=1)
    assert np.allclose(lengths[lengths > 0], 1, atol=1e-5)
    assert (lengths[[0, 1, 4]] > 0).all()


def test_same_text_same_vector(encoder):
    assert np.array_equal(encoder.encode(TEXTS), encoder.encode(TEXTS))


def test_batch_equals_one_by_one(encoder):
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert np.allclose(encoder.encode(TEXTS), alone, atol=1e-5)


def test_no_texts_no_rows(encoder):
    assert encoder.encode([]).shape == (0, encoder.dim)


def test_the_fingerprint_names_the_encoder(encoder):
    assert encoder.fingerprint.startswith(f"{encoder.name}-")


def test_an_unknown_encoder_is_named_with_those_known():
    with pytest.raises(InputError, match="unknown encoder 'word2vec'; known: codebert, granite, hashing, static"):
        open_encoder("word2vec")


def test_hashing_puts_like_texts_together():
    found = HashingEncoder().encode(["dist[u] + w < dist[v]", "dist[u] + cost < dist[v]", "return result"])
    assert found[0] @ found[1] > 0.4 > found[0] @ found[2]


def test_static_knows_that_a_loop_over_vertices_is_like_one():
    encoder = open_encoder("static")
    found = encoder.encode(["for each vertex v in the graph", "for (Vertex v : graph.vertices())", "fclose(file)"])
    assert found[0] @ found[1] > 0.3 > found[0] @ found[2]


def test_a_table_cut_short_is_refused(tmp_path):
    for path in paths.model("static").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[: 1000 if path.name == TABLE else None])
    with pytest.raises(ModelError, match="damaged or cut short"):
        StaticEncoder(tmp_path)


def test_a_damaged_tokenizer_is_refused(tmp_path):
    table = {"codes": np.zeros((2, 4), np.int8), "scale": np.ones(2, np.float32), "rows": np.zeros(2, np.int32)}
    write_weights(tmp_path / TABLE, table)
    with pytest.raises(ModelError, match="no tokenizer"):
        StaticEncoder(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{]")
    with pytest.raises(ModelError, match=r"tokenizer .* is damaged"):
        StaticEncoder(tmp_path)


def test_granite_in_numpy_gives_the_states_of_transformers(tiny_checkpoint):
    import torch
    from transformers import AutoModel

    ours = GraniteEncoder(tiny_checkpoint)
    tokens = ours._tokenizer.encode("for each vertex v").ids
    theirs = AutoModel.from_pretrained(tiny_checkpoint).eval()
    with torch.no_grad():
        expected = theirs(input_ids=torch.tensor([tokens])).last_hidden_state.numpy()
    assert np.allclose(ours._roberta.states(np.array([tokens])), expected, atol=2e-3)


def test_eight_bits_keep_the_vectors(tmp_path):
    values = np.random.default_rng(0).normal(size=(3, 128)).astype(np.float16)
    write_weights(tmp_path / "a", {"weight": values, "bias": values[0]})
    quantise(tmp_path / "a", tmp_path / "b")
    from beryl.encode.files import read_weights

    found = dequantised(read_weights(tmp_path / "b"))
    assert set(found) == {"weight", "bias"}
    assert np.abs(found["weight"] - values.astype(np.float32)).max() < 0.02
    assert (tmp_path / "b").stat().st_size < (tmp_path / "a").stat().st_size


def test_granite_refuses_weights_of_another_shape(tiny_checkpoint, tmp_path):
    for path in tiny_checkpoint.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = (tmp_path / "config.json").read_text().replace('"num_hidden_layers": 2', '"num_hidden_layers": 3')
    (tmp_path / "config.json").write_text(config)
    with pytest.raises(ModelError, match=r"lack 'encoder.layer.2"):
        GraniteEncoder(tmp_path)
