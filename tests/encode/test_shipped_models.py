"""What comes in models/: small, complete, made for the encoder beside it, and honest about where it was measured."""

from __future__ import annotations

import json

import pytest

from beryl import paths
from beryl.encode import open_encoder
from beryl.encode.gcn import model_folder, read_model

LARGEST = 3_000_000
# Of unseen projects, whatever the language and the encoder; see docs/vectors.md.
LEAST_AUC = 0.93
SHIPPED = [
    (encoder, language, features)
    for encoder in ("static", "granite")
    for language, features in (("java", "full"), ("c", "full"), ("mixed", "full"), ("mixed", "cb"))
]


@pytest.fixture(params=SHIPPED, ids="-".join)
def shipped(request):
    encoder, language, features = request.param
    return encoder, language, features, model_folder(language, encoder, features)


def test_a_graph_model_belongs_to_the_encoder_that_comes_with_it(shipped):
    encoder, _, features, folder = shipped
    model = read_model(folder)
    model.require_encoder(open_encoder(encoder).fingerprint, folder.name)
    assert model.config.features == features
    assert model.dim == 512


def test_a_graph_model_is_small(shipped):
    assert sum(path.stat().st_size for path in shipped[-1].iterdir()) < LARGEST


def test_a_graph_model_says_how_it_was_made_and_how_good_it_is(shipped):
    encoder, language, features, folder = shipped
    about, metrics = (json.loads((folder / name).read_text()) for name in ("config.json", "metrics.json"))
    command = about["command"].split()
    assert command[:2] == ["beryl", "train-gae"]
    for option, value in (("--encoder", encoder), ("--language", language), ("--features", features)):
        assert command[command.index(option) + 1] == value
    assert about["trained"] >= "2026"
    assert metrics["auc"] == about["auc"] > LEAST_AUC > about["auc_same_function"] > 0.5
    assert about["held_out_projects"] == metrics["held_out_projects"]
    assert metrics["projects"]
    assert set(metrics["projects"]).isdisjoint(metrics["held_out_projects"])
    assert metrics["corpus"]["nodes"] > metrics["nodes"]["train"] > metrics["nodes"]["test"] > 0
    assert [epoch["number"] for epoch in metrics["epochs"]] == list(range(1, len(metrics["epochs"]) + 1))
    assert (folder / "learning-curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("encoder", ["static", "granite"])
def test_an_encoder_comes_with_its_licence_and_a_page_about_it(encoder):
    assert {"LICENSE", "README.md"} <= {path.name for path in paths.model(encoder).iterdir()}
