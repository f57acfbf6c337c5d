"""Eq. 2 and 3 by hand, PyG against NumPy, and trainings on a small made-up corpus."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch_geometric.nn import GAE

from beryl.encode import batches as data
from beryl.encode import train as training
from beryl.encode.batches import Corpus
from beryl.encode.gcn import Model, ModelConfig, normalised_adjacency
from beryl.encode.quality import Quality
from beryl.encode.train import GraphEncoder, Run, TrainOptions, edge_loss, train
from beryl.errors import InputError, ModelError
from beryl.types import silent

DIM = 16
OPTIONS = TrainOptions(hidden=32, batch_edges=64, epochs=3, most_nodes=0, device="cpu")
CONFIG = ModelConfig("hashing", "h", DIM, features="cb")


def chains(functions: int, length: int = 8, nan: bool = False) -> Corpus:
    """Functions that are chains; the statements of one resemble each other. Four projects."""
    generator = np.random.default_rng(0)
    topics = generator.normal(size=(functions, 1, DIM))
    features = (topics + 0.5 * generator.normal(size=(functions, length, DIM))).reshape(-1, DIM).astype(np.float32)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    if nan:
        features[5] = np.nan
    inside = (np.arange(functions * length) + 1) % length != 0
    offsets = np.concatenate([[0], np.cumsum(inside)])
    target = (np.arange(functions * length) + 1)[inside].astype(np.int32)
    first = np.arange(functions + 1) * length
    project = (np.arange(functions) % 4).astype(np.int32)
    return Corpus(first, project, ("a", "b", "c", "d"), offsets, target, lambda nodes: features[nodes])


def run(tmp_path, **changes):
    return Run(tmp_path / "run", changes.get("resume", False), silent, changes.get("report", lambda epoch: None))


def test_eq_2_is_the_sigmoid_of_the_inner_product():
    vectors = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.0, 0.0], [np.log(3.0), 0.0]], dtype=torch.float32)
    decoded = GAE(torch.nn.Identity()).decode(vectors, torch.tensor([[0, 0, 0], [1, 2, 3]]))
    # 1*3 - 2*1 = 1; 0; log 3, and sigmoid(log 3) = 3/4
    assert torch.allclose(decoded, torch.tensor([1 / (1 + np.exp(-1)), 0.5, 0.75], dtype=torch.float32))


def test_eq_3_on_four_nodes():
    # Edge (0, 1) with z.z = log 3: -log 3/4; non-edge (2, 3) with z.z = -log 3: -log(1 - 1/4) = -log 3/4.
    root = float(np.sqrt(np.log(3)))
    vectors = torch.tensor([[root], [root], [root], [-root]])
    positive, negative = torch.tensor([[0], [1]]), torch.tensor([[2], [3]])
    loss = edge_loss(GAE(torch.nn.Identity()), vectors, positive, negative)
    assert float(loss) == pytest.approx(-np.log(3 / 4))


def test_a_shift_comes_off_every_logit():
    # z.z = 2 log 3 for the edge and 0 for the non-edge; log 3 less each is what Eq. 3 has above.
    vectors = torch.tensor([[2.0], [float(np.log(3))], [0.0], [1.0]])
    positive, negative = torch.tensor([[0], [1]]), torch.tensor([[2], [3]])
    loss = edge_loss(GAE(torch.nn.Identity()), vectors, positive, negative, shift=float(np.log(3)))
    assert float(loss) == pytest.approx(-np.log(3 / 4))


def test_the_loss_still_has_a_gradient_where_recon_loss_saturates():
    vectors = torch.tensor([[40.0], [40.0]], requires_grad=True)
    positive, negative = torch.zeros((2, 0), dtype=torch.long), torch.tensor([[0], [1]])
    edge_loss(GAE(torch.nn.Identity()), vectors, positive, negative).backward()
    assert vectors.grad is not None
    assert vectors.grad.abs().min() > 1


@pytest.mark.parametrize("literal", [False, True])
def test_torch_and_numpy_give_the_same_vectors(literal):
    torch.manual_seed(1)
    encoder = GraphEncoder(DIM, 8, literal)
    features = np.random.default_rng(2).normal(size=(5, DIM)).astype(np.float32)
    edges = np.array([[0, 1, 2], [1, 2, 4]])
    both = torch.from_numpy(np.concatenate([edges, edges[::-1]], axis=1))
    first, second = (layer.lin.weight.detach().numpy().T for layer in (encoder.first, encoder.second))
    ours = Model(replace(CONFIG, literal=literal), first, second)
    adjacency = normalised_adjacency(5, edges[0], edges[1], self_loops=not literal)
    expected = encoder(torch.from_numpy(features), both).detach().numpy()
    assert np.allclose(ours.embed(adjacency, features), expected, atol=1e-5)


def test_supervision_edges_carry_no_messages():
    batch = data.batch_of(chains(10), np.arange(10))
    messages, supervised = data.supervise(batch, np.random.default_rng(0))
    pairs = [set(map(tuple, part.T.tolist())) for part in (messages, supervised)]
    assert pairs[0].isdisjoint(pairs[1])
    assert pairs[0] | pairs[1] == set(map(tuple, batch.edges.T.tolist()))
    assert len(pairs[1]) == 14  # a fifth of 70


def test_negatives_are_no_edges_and_stay_in_their_function_where_asked():
    batch = data.batch_of(chains(6), np.arange(6))
    edges = set(map(tuple, batch.edges.T.tolist()))
    generator = np.random.default_rng(0)
    uniform, same = data.uniform_negatives(batch, 30, generator), data.function_negatives(batch, 30, generator)
    assert edges.isdisjoint(map(tuple, uniform.T.tolist()))
    assert edges.isdisjoint(map(tuple, same.T.tolist()))
    assert (batch.function[same[0]] == batch.function[same[1]]).all()
    assert (batch.function[uniform[0]] != batch.function[uniform[1]]).any()


def test_measuring_draws_uniform_negatives_from_all_batches():
    # Two batches of one chain 0-1-2 each; the vectors of a batch are alike, those of two batches opposite. Edges score
    # 1; of the pairs without an edge, (0, 2) of either batch scores 1 and all between the batches -1.
    batch = data.batch_of(chains(1, length=3), np.arange(1))
    found = Quality(6, np.random.default_rng(0))
    for sign in (1.0, -1.0):
        vectors = np.tile([sign, 0.0], (3, 1)).astype(np.float32)
        found.add(batch, vectors, batch.edges, np.array([[0], [2]]))
    result = found.result()
    assert result["function"][0] == 0.5
    assert 0.5 < result["uniform"][0] <= 1.0


def test_of_many_nodes_a_sample_is_kept(monkeypatch):
    monkeypatch.setattr("beryl.encode.quality.MOST_KEPT", 40)
    corpus = chains(50)
    batch = data.batch_of(corpus, np.arange(50))
    found = Quality(400, np.random.default_rng(0))
    found.add(batch, corpus.features(batch.nodes), batch.edges, np.zeros((2, 0), np.int64))
    assert 20 < len(found._vectors[0]) < 60
    assert found.result()["uniform"][0] > 0.6


def test_blocks_of_one_project_follow_each_other():
    corpus = chains(40)
    order = data.shuffled(corpus, np.arange(40), 5, np.random.default_rng(0))
    assert sorted(order.tolist()) == list(range(40))
    assert all(len(set(corpus.project[order[start : start + 5]].tolist())) == 1 for start in range(0, 40, 5))
    mixed = data.shuffled(corpus, np.arange(40), 1, np.random.default_rng(0))
    assert sorted(mixed.tolist()) == list(range(40))
    assert any(len(set(corpus.project[mixed[start : start + 5]].tolist())) > 1 for start in range(0, 40, 5))


def test_samples_of_other_functions_share_what_they_can():
    corpus = chains(200)
    whole = data.sample(corpus, np.arange(200), 400, seed=0)
    part = data.sample(corpus, np.arange(0, 200, 2), 200, seed=0)
    assert set(part.tolist()) & set(whole.tolist()) == {f for f in whole.tolist() if f % 2 == 0} & set(part.tolist())
    assert len(set(part.tolist()) & set(whole.tolist())) > 15


def test_batches_are_whole_functions_of_about_the_size_asked_for():
    found = list(data.batches(chains(20), np.arange(20), 30))
    assert [batch.edges.shape[1] for batch in found] == [28] * 5
    assert all(len(batch.nodes) == 32 for batch in found)


def test_calls_between_functions_of_a_batch_are_edges():
    corpus = Corpus(
        np.array([0, 2, 4]), np.zeros(2, np.int32), ("a",), np.array([0, 1, 2, 3, 3]), np.array([1, 2, 3]), lambda n: n
    )
    assert data.batch_of(corpus, np.array([0, 1])).edges.T.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert data.batch_of(corpus, np.array([1])).edges.T.tolist() == [[0, 1]]


def test_whole_projects_are_held_out():
    corpus = chains(40)
    parts = data.split(corpus, np.arange(40), 0, seed=0)
    assert len(parts.test_projects) == 1
    assert {corpus.projects[corpus.project[f]] for f in parts.test.tolist()} == set(parts.test_projects)
    assert parts.test_projects[0] not in {corpus.projects[corpus.project[f]] for f in parts.train.tolist()}
    assert len(parts.validation) == round(0.2 * 30)


@pytest.mark.parametrize(("initial", "shift"), [("spectral", 5.0), ("spectral", 0.0), ("random", 0.0)])
def test_training_learns(tmp_path, initial, shift):
    seen = []
    options = replace(OPTIONS, initial=initial, shift=shift, learning_rate=0.01, epochs=8, patience=8)
    _, metrics = train(chains(120), np.arange(120), CONFIG, options, run(tmp_path, report=seen.append))
    assert min(epoch.loss for epoch in seen[1:]) < seen[0].loss
    assert metrics["auc"] > 0.75 > metrics["auc_same_function"]
    assert len(metrics["epochs"]) == len(seen)


def test_same_seed_same_weights_and_another_seed_others(tmp_path):
    def weights(name, seed):
        options = replace(OPTIONS, epochs=1, seed=seed, initial="random")
        return train(chains(40), np.arange(40), CONFIG, options, run(tmp_path / name))[0].first

    assert np.array_equal(weights("a", 0), weights("b", 0))
    assert not np.array_equal(weights("a", 0), weights("c", 1))


def test_a_killed_training_goes_on_to_the_same_weights(tmp_path):
    corpus, everything = chains(60), np.arange(60)
    whole, _ = train(corpus, everything, CONFIG, OPTIONS, run(tmp_path / "whole"))

    def stop(epoch):
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(corpus, everything, CONFIG, OPTIONS, run(tmp_path / "cut", report=stop))
    resumed, metrics = train(corpus, everything, CONFIG, OPTIONS, run(tmp_path / "cut", resume=True))
    assert [epoch["number"] for epoch in metrics["epochs"]] == [1, 2, 3]
    assert np.allclose(resumed.first, whole.first, atol=1e-6)
    assert np.allclose(resumed.second, whole.second, atol=1e-6)


def test_resuming_with_other_settings_is_refused(tmp_path):
    train(chains(40), np.arange(40), CONFIG, replace(OPTIONS, epochs=1), run(tmp_path))
    with pytest.raises(InputError, match="other settings"):
        train(chains(40), np.arange(40), CONFIG, replace(OPTIONS, hidden=16), run(tmp_path, resume=True))


class TestBadInput:
    def refusal(self, tmp_path, corpus, functions, kind=InputError, options=OPTIONS):
        with pytest.raises(kind) as caught:
            train(corpus, functions, CONFIG, options, run(tmp_path))
        assert not (tmp_path / "run").exists()
        return str(caught.value)

    def test_an_empty_corpus(self, tmp_path):
        assert "no function" in self.refusal(tmp_path, chains(4), np.arange(0))

    def test_a_single_function(self, tmp_path):
        assert "a single function" in self.refusal(tmp_path, chains(4), np.arange(1))

    def test_no_edges(self, tmp_path):
        corpus = chains(8)
        bare = replace(corpus, edge_offsets=np.zeros_like(corpus.edge_offsets), edge_target=np.zeros(0, np.int32))
        assert "no edges" in self.refusal(tmp_path, bare, np.arange(8))

    def test_nan_in_features(self, tmp_path):
        assert "NaN" in self.refusal(tmp_path, chains(8, nan=True), np.arange(8), ModelError)

    def test_an_unknown_device_or_start(self, tmp_path):
        options = replace(OPTIONS, device="tpu")
        assert "unknown device 'tpu'" in self.refusal(tmp_path, chains(8), np.arange(8), options=options)
        options = replace(OPTIONS, initial="zero")
        assert "unknown initial weights" in self.refusal(tmp_path, chains(8), np.arange(8), options=options)

    @pytest.mark.parametrize(
        ("settings", "complaint"),
        [
            ({"hidden": -3}, "hidden = -3 in the configuration: it must be 2 or more"),
            ({"learning_rate": "fast"}, "learning_rate = 'fast' in the configuration: it must be like 0.003"),
            ({"learning_rate": float("nan")}, "learning_rate must be above 0"),
            ({"epochs": True}, "epochs = True in the configuration"),
            ({"seed": -1}, "seed = -1 in the configuration: it must be 0 or more"),
        ],
    )
    def test_values_without_sense(self, tmp_path, settings, complaint):
        options = replace(OPTIONS, **settings)
        assert complaint in self.refusal(tmp_path, chains(8), np.arange(8), options=options)

    def test_a_training_that_diverges(self, tmp_path):
        options = replace(OPTIONS, learning_rate=1e30)
        assert "the loss became NaN" in self.refusal(tmp_path, chains(40), np.arange(40), ModelError, options)

    @pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: not enough memory")])
    def test_out_of_memory(self, tmp_path, monkeypatch, error):
        def fail(*_):
            raise error

        monkeypatch.setattr(training._Training, "_encode", fail)
        assert "ran out of memory" in self.refusal(tmp_path, chains(20), np.arange(20), ModelError)


@pytest.mark.cuda
def test_training_on_cuda(tmp_path):
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    options = replace(OPTIONS, device="cuda", epochs=2)
    _, metrics = train(chains(120), np.arange(120), CONFIG, options, run(tmp_path))
    assert metrics["auc"] > 0.6
