"""Model folders: weights as NumPy arrays, JSON, hashes; what is wrong with a file is said in one sentence."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import ModelError

Weights = dict[str, NDArray[Any]]


def read_weights(path: Path) -> Weights:
    """The arrays of a safetensors file."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return dict(load_file(path))
    except FileNotFoundError:
        raise ModelError(f"no weights at {path}; name a folder that holds them") from None
    except (SafetensorError, OSError, ValueError, KeyError) as error:
        raise ModelError(f"the weights {path} are damaged or cut short ({error}); fetch or train them again") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object of a JSON file."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"no file {path}; name a model folder that is complete") from None
    except (OSError, ValueError):
        raise ModelError(f"{path} is not readable JSON; fetch or train the model again") from None
    if not isinstance(value, dict):
        raise ModelError(f"{path} does not hold a JSON object; fetch or train the model again")
    return value


def write_weights(path: Path, weights: Weights) -> None:
    """Write a safetensors file in one step: a reader sees all of it or none."""
    from safetensors.numpy import save_file

    ready = {name: np.ascontiguousarray(value) for name, value in weights.items()}
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    save_file(ready, temporary)
    temporary.chmod(0o644)  # safetensors writes for the owner only
    os.replace(temporary, path)


def write_json(path: Path, value: object) -> None:
    """Write a JSON file in one step."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, path)


def fingerprint(name: str, *paths: Path) -> str:
    """A short hash of the files' bytes, with the encoder's name before it."""
    digest = hashlib.blake2b(digest_size=8)
    for path in paths:
        try:
            digest.update(path.read_bytes())
        except OSError:
            raise ModelError(f"no readable file {path}; name a model folder that is complete") from None
    return f"{name}-{digest.hexdigest()}"


def require(weights: Weights, shapes: dict[str, tuple[int, ...]], path: Path) -> None:
    """Refuse weights that lack an array or have one of another shape or with NaN; -1 stands for any length."""
    for name, shape in shapes.items():
        if name not in weights:
            raise ModelError(f"the weights {path} lack {name!r}; they belong to another kind of model")
        found = weights[name].shape
        if len(found) != len(shape) or any(want not in (-1, have) for want, have in zip(shape, found, strict=True)):
            raise ModelError(f"{name!r} in {path} has the shape {found} where {shape} is needed (-1: any)")
        if weights[name].dtype.kind == "f" and not np.isfinite(weights[name]).all():
            raise ModelError(f"{name!r} in {path} holds NaN or infinity; train or fetch the model again")
