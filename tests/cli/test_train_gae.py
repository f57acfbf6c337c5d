"""`beryl train-gae` with input that it cannot use: one sentence, exit 2, nothing left behind."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from beryl.cli.main import main

LOOP = """\
int sum_{n}(int *a, int n) {{
    int total = {n};
    for (int i = 0; i < n; i++) {{
        if (a[i] > {n}) total += a[i] * {n};
    }}
    return total;
}}
"""


def write_tree(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def corpus(tmp_path):
    files = {f"p{p}/f.c": "".join(LOOP.format(n=10 * p + k) for k in range(8)) for p in range(4)}
    return write_tree(tmp_path / "corpus", files)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text("hidden = 16\nbatch_edges = 64\nepochs = 2\n")
    return path


def refused(capsys, *words) -> str:
    assert main(["train-gae", *map(str, words), "--encoder", "hashing", "--device", "cpu"]) == 2
    error = capsys.readouterr().err
    assert "Traceback" not in error
    return error


def test_functions_without_edges(tmp_path, capsys):
    tree = write_tree(tmp_path / "bare", {f"p{n}/a.c": "void f(void) {} void g(void) {}" for n in range(2)})
    assert "no edges to learn from" in refused(capsys, tree, "--out", tmp_path / "gae")
    assert not (tmp_path / "gae").exists()


def test_a_value_without_sense(corpus, tmp_path, capsys):
    (tmp_path / "bad.toml").write_text("hidden = -3\n")
    error = refused(capsys, corpus, "--out", tmp_path / "gae", "--config", tmp_path / "bad.toml")
    assert "hidden = -3" in error
    assert not (tmp_path / "gae").exists()


def test_no_memory_left_writes_no_model(corpus, small, tmp_path, capsys, monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr("beryl.encode.train._Training._encode", fail)
    error = refused(capsys, corpus, "--out", tmp_path / "gae", "--config", small)
    assert "ran out of memory while training; lower batch_edges" in error
    assert not (tmp_path / "gae").exists()


def test_a_training_that_diverges_writes_no_model(corpus, tmp_path, capsys):
    (tmp_path / "fast.toml").write_text("hidden = 16\nbatch_edges = 64\nlearning_rate = 1e30\n")
    error = refused(capsys, corpus, "--out", tmp_path / "gae", "--config", tmp_path / "fast.toml")
    assert "lower learning_rate" in error
    assert not (tmp_path / "gae").exists()


def test_what_was_there_before_stays(corpus, tmp_path, capsys):
    out = write_tree(tmp_path / "gae", {"config.json": "{}"})
    (tmp_path / "fast.toml").write_text("hidden = 16\nbatch_edges = 64\nlearning_rate = 1e30\n")
    refused(capsys, corpus, "--out", out, "--config", tmp_path / "fast.toml")
    assert (out / "config.json").read_text() == "{}"
    assert [path.name for path in out.iterdir()] == ["config.json"]


def test_no_cuda_is_said_before_the_corpus_is_read(corpus, tmp_path, capsys, monkeypatch):
    def fail(*_):
        raise AssertionError("the corpus was read")

    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("beryl.index.training._open", fail)
    assert main(["train-gae", str(corpus), "--out", str(tmp_path / "gae"), "--device", "cuda"]) == 2
    assert "there is no CUDA device here; use --device cpu, or auto" in capsys.readouterr().err
    assert not (tmp_path / "gae").exists()


@pytest.mark.slow
def test_a_killed_training_is_resumed(corpus, tmp_path):
    """SIGKILL after the second epoch; --resume goes on with the third and ends with the same weights."""
    (tmp_path / "long.toml").write_text("hidden = 16\nbatch_edges = 64\nepochs = 12\npatience = 12\n")
    words = ["train-gae", "corpus", "--encoder", "hashing", "--device", "cpu", "--config", "long.toml", "--out"]
    command = [sys.executable, "-m", "beryl", *words]
    with subprocess.Popen([*command, "cut"], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("epoch 2:"):
                process.kill()
                break
    assert not (tmp_path / "cut/model.safetensors").exists()
    resumed = subprocess.run([*command, "cut", "--resume"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "epoch 1:" not in resumed.stderr
    subprocess.run([*command, "whole"], cwd=tmp_path, capture_output=True, check=True)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("cut", "whole")]
    assert weights[0] == weights[1]


def test_an_encoder_that_gives_nan(corpus, small, tmp_path, capsys, monkeypatch):
    from beryl.encode.hashing import HashingEncoder

    monkeypatch.setattr(HashingEncoder, "encode", lambda self, texts, prose=None: np.full((len(texts), 256), np.nan))
    error = refused(capsys, corpus, "--out", tmp_path / "gae", "--config", small)
    assert "gives NaN" in error
    assert not (tmp_path / "gae").exists()
