"""`beryl train-gae` from a folder of projects and from an index to a model that `beryl index` takes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from beryl.cli.main import main
from beryl.encode.gcn import read_model
from beryl.index.build import build_index
from beryl.index.store import BuildOptions
from beryl.index.training import LazyFeatures, functions_of
from beryl.index.vectors import Vectors
from beryl.types import NodeKind

LOOP = """\
int sum_{n}(int *a{n}, int n) {{
    int total{n} = 0;
    for (int i = 0; i < n; i++) {{
        if (a{n}[i] > {n}) {{
            total{n} += a{n}[i] * {n};
        }}
    }}
    return total{n};
}}
"""


def write_tree(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def corpus(tmp_path):
    files = {
        f"p{p}/f{f}.c": "".join(LOOP.format(n=10 * p + f + k) for k in range(3)) for p in range(4) for f in range(3)
    }
    return write_tree(tmp_path / "corpus", files)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text("hidden = 16\nbatch_edges = 64\nepochs = 2\n")
    return path


def train(*words) -> int:
    return main(["train-gae", *map(str, words), "--encoder", "hashing", "--device", "cpu"])


def test_from_a_folder_to_an_index(corpus, small, tmp_path, capsys):
    out = tmp_path / "gae"
    assert train(corpus, "--out", out, "--config", small, "--language", "c") == 0
    printed = capsys.readouterr()
    assert "on 1 held-out projects" in printed.out
    assert "epoch 1: loss" in printed.err
    names = {path.name for path in out.iterdir()}
    assert names == {"model.safetensors", "config.json", "metrics.json", "learning-curve.png"}
    metrics = json.loads((out / "metrics.json").read_text())
    assert 0 <= metrics["auc"] <= 1
    assert "auc_same_function" in metrics
    assert sorted(metrics["projects"] + metrics["held_out_projects"]) == ["p0", "p1", "p2", "p3"]
    assert len(metrics["held_out_projects"]) == 1
    options = BuildOptions(encoder="hashing", model=str(out), tables=("vectors",), each=True)
    table = Vectors.open(build_index([corpus], tmp_path / "index", options))
    assert table.has_graph
    assert table.graph_of("full").model.fingerprint != ""


def test_from_an_index_and_without_counts(corpus, small, tmp_path):
    build_index([corpus], tmp_path / "index", BuildOptions(tables=(), each=True))
    assert train(tmp_path / "index", "--out", tmp_path / "gae", "--config", small, "--features", "cb") == 0
    assert read_model(tmp_path / "gae").config.features == "cb"


def test_features_of_entry_and_exit_are_the_same_everywhere(corpus, tmp_path):
    from beryl.encode.hashing import HashingEncoder

    index = build_index([corpus], tmp_path / "index", BuildOptions(tables=(), each=True))
    features = LazyFeatures(index, HashingEncoder(), tmp_path / "features", lambda *_: None)
    entries = np.flatnonzero(index.nodes.kind == NodeKind.ENTRY)
    text, counts = features.of(entries)
    assert (text == text[0]).all()
    assert not counts.any()
    loops = np.flatnonzero(index.nodes.kind == NodeKind.LOOP)
    assert features.of(loops)[1][:, 6].tolist() == [1] * len(loops)  # one `<` each


def test_functions_by_language(tree, tmp_path):
    index = build_index([tree], tmp_path / "index", BuildOptions(tables=(), each=True))
    java, other = functions_of(index, "java"), functions_of(index, "c")
    assert [index.functions.name[int(f)] for f in java] == ["gcd", "lcm"]
    assert {index.functions.name[int(f)] for f in other} == {"bubble_sort", "swap", "push", "pop"}
    assert len(functions_of(index, "mixed")) == 4


class TestBadInput:
    def refused(self, capsys, *words) -> str:
        assert train(*words) == 2
        return capsys.readouterr().err

    def test_no_such_folder(self, tmp_path, capsys):
        error = self.refused(capsys, tmp_path / "nowhere", "--out", tmp_path / "gae")
        assert "neither an index nor a folder of projects" in error
        assert not (tmp_path / "gae").exists()

    def test_an_empty_corpus(self, tmp_path, capsys):
        (tmp_path / "empty").mkdir()
        assert "no C, C++ or Java source" in self.refused(capsys, tmp_path / "empty", "--out", tmp_path / "gae")
        assert not (tmp_path / "gae").exists()

    def test_a_language_that_is_not_there(self, corpus, tmp_path, capsys):
        error = self.refused(capsys, corpus, "--out", tmp_path / "gae", "--language", "java")
        assert "no function of that language" in error
        assert not (tmp_path / "gae").exists()

    def test_a_corpus_of_one_function(self, tmp_path, capsys):
        tree = write_tree(tmp_path / "one", {"p/a.c": "int f(int x) { return x + 1; }"})
        assert "a single function" in self.refused(capsys, tree, "--out", tmp_path / "gae")

    def test_an_unknown_setting(self, corpus, tmp_path, capsys):
        (tmp_path / "bad.toml").write_text("hiden = 3\n")
        error = self.refused(capsys, corpus, "--out", tmp_path / "gae", "--config", tmp_path / "bad.toml")
        assert "unknown key 'hiden'" in error
