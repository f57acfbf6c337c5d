"""Segments, pooling and advice of the CodeBERT encoder, on a tiny checkpoint."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from beryl.encode import open_encoder
from beryl.encode.codebert import load
from beryl.errors import InputError, ModelError


@pytest.fixture(scope="module")
def encoder(tiny_checkpoint):
    return open_encoder(f"codebert:{tiny_checkpoint}", "cpu")


def test_prose_and_code_go_to_their_segments(encoder):
    assert encoder._segments([7, 8], prose=True) == [0, 7, 8, 2, 2]
    assert encoder._segments([7, 8], prose=False) == [0, 2, 7, 8, 2]


def test_the_segment_changes_the_vector(encoder):
    prose, code = (encoder.encode(["swap the two elements"], [flag])[0] for flag in (True, False))
    assert not np.allclose(prose, code, atol=1e-3)
    assert np.array_equal(encoder.encode(["swap the two elements"])[0], code)


def test_the_same_checkpoint_has_the_same_fingerprint(encoder, tiny_checkpoint):
    """It has no pooler, and transformers makes a random one at every start."""
    assert load(str(tiny_checkpoint), "cpu").fingerprint == encoder.fingerprint


def test_another_vocabulary_is_another_encoder(encoder, tiny_checkpoint, tmp_path):
    shutil.copytree(tiny_checkpoint, tmp_path / "other")
    path = tmp_path / "other" / "tokenizer.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"swap"', '"swop"'), encoding="utf-8")
    assert load(str(tmp_path / "other"), "cpu").fingerprint != encoder.fingerprint


def test_what_becomes_of_math_is_no_other_encoder(encoder, tiny_checkpoint):
    assert open_encoder(f"codebert:{tiny_checkpoint}+zero", "cpu").fingerprint == encoder.fingerprint


def test_a_vector_is_the_mean_of_the_texts_own_states(encoder):
    import torch

    with torch.no_grad():
        states = encoder._model(input_ids=torch.tensor([[0, 2, 8, 9, 2]])).last_hidden_state[0].numpy()
    mean = states[2:4].mean(axis=0)
    assert np.allclose(encoder.encode(["swap the"])[0], mean / np.linalg.norm(mean), atol=1e-5)


def test_weights_that_cannot_be_had_come_with_advice(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match=r"copy the checkpoint to this machine .* --encoder codebert:FOLDER"):
        open_encoder("codebert:nobody/no-such-checkpoint")


def test_a_folder_that_is_no_checkpoint(tmp_path):
    with pytest.raises(ModelError, match="not a usable checkpoint"):
        open_encoder(f"codebert:{tmp_path}")


def test_cuda_where_there_is_none(tiny_checkpoint):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(InputError, match="no CUDA device"):
        open_encoder(f"codebert:{tiny_checkpoint}", "cuda")


@pytest.mark.cuda
def test_the_same_vectors_on_cuda(encoder, tiny_checkpoint):
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    found = open_encoder(f"codebert:{tiny_checkpoint}", "cuda").encode(["swap the two elements"])
    assert np.allclose(found, encoder.encode(["swap the two elements"]), atol=1e-4)


def test_a_device_without_memory_is_one_sentence(tiny_checkpoint, monkeypatch):
    import torch

    def fail(*_, **__):
        raise torch.cuda.OutOfMemoryError

    full = load(str(tiny_checkpoint), "cpu")
    monkeypatch.setattr(full, "_model", fail)
    with pytest.raises(ModelError, match="ran out of memory while encoding; use the CPU"):
        full.encode(["swap the two elements"])
