"""Eq. 1, 2 and 4 on a path of four nodes, worked out by hand, and the model folder."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.encode import operators
from beryl.encode.files import write_json, write_weights
from beryl.encode.gcn import CONFIG, WEIGHTS, Model, ModelConfig, normalised_adjacency, read_model, write_model
from beryl.errors import ModelError

# 0 - 1 - 2 - 3, given once in each direction and twice for one of them.
SOURCE, TARGET = np.array([0, 2, 2, 1]), np.array([1, 1, 3, 2])
ROOT2, ROOT6 = 2**0.5, 6**0.5


def model(first, second, **config):
    dim = len(first)
    settings = ModelConfig("hashing", "h", dim, features="cb", **config)
    return Model(settings, np.array(first, np.float32), np.array(second, np.float32))


def test_adjacency_as_eq_1_prints_it():
    # Degrees are 1, 2, 2, 1.
    expected = [[0, 1 / ROOT2, 0, 0], [1 / ROOT2, 0, 1 / 2, 0], [0, 1 / 2, 0, 1 / ROOT2], [0, 0, 1 / ROOT2, 0]]
    found = normalised_adjacency(4, SOURCE, TARGET, self_loops=False)
    assert np.allclose(found.toarray(), expected)


def test_adjacency_with_self_loops():
    # Degrees are 2, 3, 3, 2 with the loop.
    expected = [
        [1 / 2, 1 / ROOT6, 0, 0],
        [1 / ROOT6, 1 / 3, 1 / 3, 0],
        [0, 1 / 3, 1 / 3, 1 / ROOT6],
        [0, 0, 1 / ROOT6, 1 / 2],
    ]
    assert np.allclose(normalised_adjacency(4, SOURCE, TARGET).toarray(), expected)


def test_one_layer_of_eq_1():
    # X W = [2, -4, 2, 0]; A X W = [-4/√2, 2/√2 + 1, -2, 2/√2]; ReLU.
    adjacency = normalised_adjacency(4, SOURCE, TARGET, self_loops=False)
    features = np.array([[1, 0], [0, 2], [1, 0], [2, 2]], np.float32)
    found = model([[2], [-2]], [[1]], literal=True).first_layer(adjacency, features)
    assert np.allclose(found[:, 0], [0, ROOT2 + 1, 0, ROOT2])


def test_two_layers_literal_and_not():
    # Hidden [0, √2 + 1, 0, √2] from above; A hidden = [(√2 + 1)/√2, 0, (√2 + 1)/2 + 1, 0]; times W = -1 or 1.
    adjacency = normalised_adjacency(4, SOURCE, TARGET, self_loops=False)
    features = np.array([[1, 0], [0, 2], [1, 0], [2, 2]], np.float32)
    z = np.array([(ROOT2 + 1) / ROOT2, 0, (ROOT2 + 1) / 2 + 1, 0])
    assert np.allclose(model([[2], [-2]], [[-1]], literal=True).embed(adjacency, features)[:, 0], 0)
    assert np.allclose(model([[2], [-2]], [[-1]]).embed(adjacency, features)[:, 0], -z)


def test_a_node_without_edges_has_no_neighbours_to_divide_by():
    assert normalised_adjacency(2, np.array([], int), np.array([], int), self_loops=False).toarray().tolist() == [
        [0, 0],
        [0, 0],
    ]


def test_features_are_row_normalised():
    full = Model(ModelConfig("hashing", "h", 1), np.zeros((8, 1), np.float32), np.zeros((1, 1), np.float32))
    counts = np.zeros((1, operators.CLASSES), np.float32)
    counts[0, 0] = np.e - 1  # log1p = 1
    found = full.features(np.ones((1, 1), np.float32), counts)
    assert np.allclose(found[0, :2], [1 / ROOT2, 1 / ROOT2])


def test_a_model_survives_the_disk_in_half_precision(tmp_path):
    written = model([[0.5, -1], [2, 0]], [[1], [0.25]])
    write_model(tmp_path, written, {"auc": 0.9})
    found = read_model(tmp_path)
    assert found.config == written.config
    assert np.array_equal(found.first, written.first)
    assert np.array_equal(found.second, written.second)
    assert found.fingerprint != ""


def test_another_encoders_features_are_refused():
    with pytest.raises(ModelError, match=r"trained on features of the encoder hashing \(h\), not static-1"):
        model([[1]], [[1]]).require_encoder("static-1", "the model 'x'")


class TestBadWeights:
    @pytest.fixture
    def folder(self, tmp_path):
        write_model(tmp_path, model([[0.5, -1], [2, 0]], [[1], [0.25]]), {})
        return tmp_path

    def test_cut_short(self, folder):
        data = (folder / WEIGHTS).read_bytes()
        (folder / WEIGHTS).write_bytes(data[: len(data) // 2])
        with pytest.raises(ModelError, match="damaged or cut short"):
            read_model(folder)

    def test_of_another_dimension(self, folder):
        weights = {"first": np.zeros((3, 2), np.float16), "second": np.zeros((2, 1), np.float16)}
        write_weights(folder / WEIGHTS, weights)
        with pytest.raises(ModelError, match=r"has the shape \(3, 2\) where \(2, -1\) is needed"):
            read_model(folder)

    def test_with_nan(self, folder):
        weights = {"first": np.full((2, 2), np.nan, np.float16), "second": np.zeros((2, 1), np.float16)}
        write_weights(folder / WEIGHTS, weights)
        with pytest.raises(ModelError, match="NaN"):
            read_model(folder)

    def test_layers_that_do_not_fit(self, folder):
        weights = {"first": np.zeros((2, 2), np.float16), "second": np.zeros((3, 1), np.float16)}
        write_weights(folder / WEIGHTS, weights)
        with pytest.raises(ModelError, match="do not fit together"):
            read_model(folder)

    def test_absent(self, folder):
        (folder / WEIGHTS).unlink()
        with pytest.raises(ModelError, match="no weights at"):
            read_model(folder)
        with pytest.raises(ModelError, match="no model folder"):
            read_model(folder / "nowhere")

    def test_a_configuration_that_is_not_one(self, folder):
        write_json(folder / CONFIG, {"encoder": "static"})
        with pytest.raises(ModelError, match="lacks what a graph model needs"):
            read_model(folder)
        (folder / CONFIG).write_text("{")
        with pytest.raises(ModelError, match="not readable JSON"):
            read_model(folder)
