"""NODES -> VECTORS. Text encoders, operator counts, the graph autoencoder and its training.

`open_encoder("static")` gives a TextEncoder; with `+zero` behind its name (`codebert+zero`) the same encoder, and `$`
nodes of queries are left to counts and graph; `operators.counts` the seven counts; `gcn.Model` embeds graphs with
NumPy and SciPy; `train` (torch, PyTorch Geometric) makes such models.
"""

from __future__ import annotations

from functools import lru_cache

from beryl import registry
from beryl.types import TextEncoder

# The paper says which segment prose and source go to, and nothing of `$` lines: code is the default.
ZERO = "+zero"


def plain_spec(spec: str) -> str:
    """An encoder's name and argument, without what it says of `$` nodes."""
    return spec.removesuffix(ZERO)


@lru_cache(maxsize=4)
def open_encoder(spec: str, device: str = "auto") -> TextEncoder:
    """The encoder `NAME` or `NAME:ARGUMENT`, such as `codebert:./my-checkpoint`; `+zero` behind it is the reader's."""
    name, _, argument = plain_spec(spec).partition(":")
    encoder: TextEncoder = registry.load(registry.ENCODERS, name, "encoder")(argument, device)
    return encoder
