"""A RoBERTa encoder in NumPy, for inference on a CPU without torch.

Texts of equal length are computed together, so there is no padding and no mask, and a text's vector does not depend on
its neighbours in the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beryl.encode.files import Weights, require
from beryl.types import FloatArray, IntArray

# Most tokens of a text, and tokens that are computed together; larger batches were no faster on two cores.
MOST_TOKENS = 128
BATCH_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class RobertaConfig:
    """The parts of a checkpoint's config.json that inference needs."""

    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    vocab_size: int
    layer_norm_eps: float
    pad_token_id: int = 1


class Roberta:
    """Weights of a RobertaModel; `states` gives the last hidden states of equally long token sequences."""

    def __init__(self, config: RobertaConfig, weights: Weights, path: Path) -> None:
        require(weights, _shapes(config), path)
        self._config = config
        self._weights: dict[str, FloatArray] = {name: value.astype(np.float32) for name, value in weights.items()}

    def states(self, tokens: IntArray) -> FloatArray:
        """(batch, length, hidden) of (batch, length) token ids."""
        offset = self._config.pad_token_id + 1  # RoBERTa's positions begin after the padding id
        positions = np.arange(tokens.shape[1]) + offset
        found = (
            self._weights["embeddings.word_embeddings.weight"][tokens]
            + self._weights["embeddings.position_embeddings.weight"][positions]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        found = self._normal(found, "embeddings.LayerNorm")
        for layer in range(self._config.num_hidden_layers):
            name = f"encoder.layer.{layer}"
            mixed = self._linear(self._attention(found, f"{name}.attention.self"), f"{name}.attention.output.dense")
            found = self._normal(found + mixed, f"{name}.attention.output.LayerNorm")
            wide = _gelu(self._linear(found, f"{name}.intermediate.dense"))
            found = self._normal(found + self._linear(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        return found

    def _attention(self, states: FloatArray, name: str) -> FloatArray:
        batch, length, hidden = states.shape
        heads = self._config.num_attention_heads
        query, key, value = (
            self._linear(states, f"{name}.{part}").reshape(batch, length, heads, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(hidden // heads))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed: FloatArray = (shares @ value).transpose(0, 2, 1, 3).reshape(batch, length, hidden)
        return mixed

    def _linear(self, values: FloatArray, name: str) -> FloatArray:
        flat = values.reshape(-1, values.shape[-1]) @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return flat.reshape(*values.shape[:-1], -1)

    def _normal(self, values: FloatArray, name: str) -> FloatArray:
        centred = values - values.mean(axis=-1, keepdims=True)
        variance = np.mean(centred * centred, axis=-1, keepdims=True)
        scaled = centred / np.sqrt(variance + np.float32(self._config.layer_norm_eps))
        result: FloatArray = scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result


def by_length(tokens: Sequence[Sequence[int]]) -> list[IntArray]:
    """Positions of the sequences in batches of equal length, short ones first."""
    order = sorted(range(len(tokens)), key=lambda position: len(tokens[position]))
    found: list[list[int]] = []
    for position in order:
        length = max(len(tokens[position]), 1)
        if not found or len(tokens[found[-1][0]]) != len(tokens[position]) or len(found[-1]) * length >= BATCH_TOKENS:
            found.append([])
        found[-1].append(position)
    return [np.array(group, dtype=np.int64) for group in found]


def _gelu(values: FloatArray) -> FloatArray:
    """The tanh form: within 0.0005 of the exact one and three times as fast in NumPy."""
    inside = np.float32(np.sqrt(2 / np.pi)) * (values + np.float32(0.044715) * values * values * values)
    result: FloatArray = np.float32(0.5) * values * (1 + np.tanh(inside))
    return result


def _shapes(config: RobertaConfig) -> dict[str, tuple[int, ...]]:
    hidden, wide = config.hidden_size, config.intermediate_size
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (config.vocab_size, hidden),
        "embeddings.position_embeddings.weight": (-1, hidden),
        "embeddings.token_type_embeddings.weight": (-1, hidden),
        "embeddings.LayerNorm.weight": (hidden,),
        "embeddings.LayerNorm.bias": (hidden,),
    }
    square = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
    for layer in range(config.num_hidden_layers):
        dense = dict.fromkeys(square, (hidden, hidden))
        dense |= {"intermediate.dense": (wide, hidden), "output.dense": (hidden, wide)}
        for name, shape in dense.items():
            shapes[f"encoder.layer.{layer}.{name}.weight"] = shape
            shapes[f"encoder.layer.{layer}.{name}.bias"] = shape[:1]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"encoder.layer.{layer}.{name}.weight"] = shapes[f"encoder.layer.{layer}.{name}.bias"] = (hidden,)
    return shapes
