"""NODES -> VECTORS. Text encoders, operator counts, the graph autoencoder and its training.

`open_encoder("static")` gives a TextEncoder; `operators.counts` the seven counts; `gcn.Model` embeds graphs with
NumPy and SciPy; `train` (torch, PyTorch Geometric) makes such models.
"""

from __future__ import annotations

from functools import lru_cache

from beryl import registry
from beryl.types import TextEncoder


@lru_cache(maxsize=4)
def open_encoder(spec: str, device: str = "auto") -> TextEncoder:
    """The encoder `NAME` or `NAME:ARGUMENT`, such as `codebert:./my-checkpoint`."""
    name, _, argument = spec.partition(":")
    encoder: TextEncoder = registry.load(registry.ENCODERS, name, "encoder")(argument, device)
    return encoder
