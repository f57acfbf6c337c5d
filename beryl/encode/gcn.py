"""The graph encoder of Beryllium §4.2 with NumPy and SciPy: two GCN layers over symmetrised edges, no torch.

Layer (Eq. 1): ReLU(D^-1/2 A D^-1/2 X W). By default A has self-loops and the last layer no ReLU, as in Kipf and
Welling's graph autoencoder; `literal` reads Eq. 1 as it is printed: ReLU on both layers, no self-loops.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from beryl import paths
from beryl.encode import operators, plain_spec
from beryl.encode.files import fingerprint, read_json, read_weights, require, write_json, write_weights
from beryl.encode.rows import normalised
from beryl.errors import ModelError
from beryl.types import FloatArray, IntArray

WEIGHTS, CONFIG = "model.safetensors", "config.json"
NO_MODEL = "none"
# Texts that stand for entry and exit, in every function alike: names of functions stay out of the graph vectors.
ENTRY_TEXT, EXIT_TEXT = "function entry", "function exit"


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What a graph model was made for."""

    encoder: str
    encoder_fingerprint: str
    text_dim: int
    features: str = "full"
    """`full`: text and operator counts; `cb`: text only (the CB+G ablation)."""
    literal: bool = False
    operators_version: int = operators.VERSION

    @property
    def dim(self) -> int:
        """Width of the features."""
        return self.text_dim + (operators.CLASSES if self.features == "full" else 0)


@dataclass(frozen=True)
class Model:
    """Weights of two GCN layers and what they were made for."""

    config: ModelConfig
    first: FloatArray
    second: FloatArray
    fingerprint: str = ""

    @property
    def dim(self) -> int:
        """Width of the graph vectors."""
        return int(self.second.shape[1])

    def features(self, text: FloatArray, counts: FloatArray) -> FloatArray:
        """X, row-normalised: text vectors and, unless the model does without, the logarithms of the counts."""
        if self.config.features == "cb":
            return normalised(text)
        return normalised(np.concatenate([text, np.log1p(counts)], axis=1, dtype=np.float32))

    def embed(self, adjacency: sparse.csr_array, features: FloatArray) -> FloatArray:
        """Z (Eq. 4) of a graph that fits in memory."""
        hidden = self.first_layer(adjacency, features)
        return self.second_layer(adjacency, hidden)

    def first_layer(self, adjacency: sparse.csr_array, features: FloatArray) -> FloatArray:
        """ReLU of the first convolution."""
        return np.maximum(adjacency @ (features @ self.first), 0)  # type: ignore[no-any-return]

    def second_layer(self, adjacency: sparse.csr_array, hidden: FloatArray) -> FloatArray:
        """The second convolution, with a ReLU only where Eq. 1 is read literally."""
        result: FloatArray = (adjacency @ hidden) @ self.second
        return np.maximum(result, 0) if self.config.literal else result

    def require_encoder(self, found: str, where: str) -> None:
        """Refuse features of another encoder than the one that the model was trained on."""
        if found != self.config.encoder_fingerprint:
            raise ModelError(
                f"{where} was trained on features of the encoder {self.config.encoder} "
                f"({self.config.encoder_fingerprint}), not {found}; name a model of the same encoder, or train one "
                "with `beryl train-gae`"
            )
        if self.config.features == "full" and self.config.operators_version != operators.VERSION:
            raise ModelError(f"{where} was trained on another version of the operator counts; train it again")


def normalised_adjacency(count: int, source: IntArray, target: IntArray, self_loops: bool = True) -> sparse.csr_array:
    """D^-1/2 A D^-1/2 of the symmetrised, simple graph on `count` nodes."""
    ends = np.concatenate([source, target]), np.concatenate([target, source])
    different = ends[0] != ends[1]
    ones = np.ones(int(different.sum()), dtype=np.float32)
    matrix = sparse.csr_array((ones, (ends[0][different], ends[1][different])), shape=(count, count))
    matrix.data[:] = 1  # two edges between the same nodes were added up
    if self_loops:
        matrix = (matrix + sparse.identity(count, dtype=np.float32, format="csr")).tocsr()
    degree = np.diff(matrix.indptr).astype(np.float32)
    scale = np.where(degree > 0, 1 / np.sqrt(np.maximum(degree, 1)), 0).astype(np.float32)
    matrix.data *= np.repeat(scale, np.diff(matrix.indptr)) * scale[matrix.indices]
    return matrix


def read_model(folder: Path) -> Model:
    """The model of a folder that `beryl train-gae` wrote."""
    if not folder.is_dir():
        raise ModelError(f"no model folder {folder}; train one with `beryl train-gae`, or use `--model none`")
    body = read_json(folder / CONFIG)
    known = {item.name for item in fields(ModelConfig)}
    try:
        config = ModelConfig(**{name: value for name, value in body.items() if name in known})
    except TypeError:
        raise ModelError(f"{folder / CONFIG} lacks what a graph model needs; train it again") from None
    weights = read_weights(folder / WEIGHTS)
    require(weights, {"first": (config.dim, -1), "second": (-1, -1)}, folder / WEIGHTS)
    first, second = (weights[name].astype(np.float32) for name in ("first", "second"))
    if first.shape[1] != second.shape[0]:
        raise ModelError(f"the two layers in {folder / WEIGHTS} do not fit together: {first.shape}, {second.shape}")
    return Model(config, first, second, fingerprint("gae", folder / WEIGHTS, folder / CONFIG))


def write_model(folder: Path, model: Model, extra: dict[str, Any]) -> None:
    """Write weights (fp16) and configuration; `extra` (data, figures) goes beside the configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {"first": model.first.astype(np.float16), "second": model.second.astype(np.float16)}
    write_weights(folder / WEIGHTS, weights)
    write_json(folder / CONFIG, asdict(model.config) | {"dim": model.dim} | extra)


def model_folder(name: str, encoder: str, features: str = "full") -> Path:
    """The folder of a model: a path, or `java`, `c` or `mixed` for a bundled one of that encoder."""
    if name not in ("java", "c", "mixed"):
        return Path(name)
    suffix = "" if features == "full" else "-cb"
    return paths.model(f"gae-{plain_spec(encoder).partition(':')[0]}-{name}{suffix}")
