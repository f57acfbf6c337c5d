"""The `granite` encoder: the bundled granite-embedding-30m-english, a small RoBERTa, int8 on disk, NumPy at work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from beryl import paths
from beryl.encode.files import Weights, fingerprint, read_json, read_weights, write_weights
from beryl.encode.roberta import MOST_TOKENS, Roberta, RobertaConfig, by_length
from beryl.encode.rows import normalised
from beryl.encode.static import TOKENIZER, read_tokenizer
from beryl.errors import ModelError
from beryl.types import FloatArray

WEIGHTS, CONFIG = "model.safetensors", "config.json"
_SCALE = ".scale"
# Numbers that share a scale; divides both widths of the model.
GROUP = 64
# Keeps scales of all-zero groups above zero in fp16.
_LEAST = 1e-4


class GraniteEncoder:
    """The state of the first token (CLS) of the last layer, row-normalised; prose and code are treated alike."""

    name = "granite"

    def __init__(self, folder: Path) -> None:
        body = read_json(folder / CONFIG)
        try:
            config = RobertaConfig(**{item.name: body[item.name] for item in fields(RobertaConfig)})
        except KeyError as error:
            raise ModelError(f"{folder / CONFIG} lacks {error}; it is no RoBERTa checkpoint") from None
        self._roberta = Roberta(config, dequantised(read_weights(folder / WEIGHTS)), folder / WEIGHTS)
        self._tokenizer = read_tokenizer(folder / TOKENIZER)
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self.dim = config.hidden_size
        self.fingerprint = fingerprint(self.name, folder / WEIGHTS, folder / TOKENIZER)

    def encode(self, texts: Sequence[str], prose: Sequence[bool] | None = None) -> FloatArray:
        """One row per text."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(clean)]
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for group in by_length(tokens):
            vectors[group] = self._roberta.states(np.array([tokens[i] for i in group.tolist()]))[:, 0]
        return normalised(vectors)


def load(argument: str = "", device: str = "auto") -> GraniteEncoder:
    """The encoder from a folder, by default the bundled one."""
    return GraniteEncoder(Path(argument) if argument else paths.model("granite"))


def quantise(source: Path, target: Path) -> None:
    """Write a checkpoint's matrices as int8 with one scale per group, its vectors as fp16."""
    ready: Weights = {}
    for name, value in read_weights(source).items():
        if value.ndim < 2:
            ready[name] = value.astype(np.float16)
            continue
        groups = value.astype(np.float32).reshape(len(value), -1, GROUP)
        scale = (np.maximum(np.abs(groups).max(axis=2), _LEAST) / 127).astype(np.float16).astype(np.float32)
        codes = np.clip(np.rint(groups / scale[:, :, None]), -127, 127)
        ready[name], ready[name + _SCALE] = codes.reshape(value.shape).astype(np.int8), scale.astype(np.float16)
    write_weights(target, ready)


def dequantised(weights: Weights) -> Weights:
    """Weights as `quantise` found them; a checkpoint that is not quantised stays as it is."""
    found: Weights = {}
    for name, value in weights.items():
        if name + _SCALE in weights:
            scale = weights[name + _SCALE].astype(np.float32)
            groups = value.astype(np.float32).reshape(*scale.shape, -1) * scale[:, :, None]
            found[name] = groups.reshape(value.shape)
        elif not name.endswith(_SCALE):
            found[name] = value
    return found
