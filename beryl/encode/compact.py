"""Make the `static` encoder's table from a larger one: fewer tokens, fewer dimensions, int8.

Tokens that share a hashed row are dropped from the tokenizer, so that rare words fall apart into known pieces; rows are
projected on the principal directions of whole statements, scaled so that the strong directions do not drown the others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beryl.encode.files import write_json, write_weights
from beryl.encode.static import TABLE, TOKENIZER, StaticEncoder
from beryl.errors import ModelError
from beryl.types import FloatArray


@dataclass(frozen=True, slots=True)
class CompactOptions:
    """How far to reduce the table."""

    dim: int = 256
    whitening: float = 0.5
    """Directions are divided by variance ** (whitening / 2): 0 is plain PCA, 1 full whitening."""


def compact(table: Path, statements: Sequence[str], out: Path, options: CompactOptions) -> None:
    """Write the folder of a StaticEncoder made from `table` (an .npz with lut, A, A_scale, B and tokenizer)."""
    try:
        with np.load(table, allow_pickle=False) as arrays:
            source = {name: arrays[name] for name in ("lut", "A", "A_scale", "B", "tokenizer")}
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{table} is not a static table ({error})") from None
    tokenizer, kept = pruned_tokenizer(json.loads(source["tokenizer"].tobytes()), source["lut"])
    used, rows = np.unique(source["lut"][kept], return_inverse=True)
    vectors = (source["A"][used].astype(np.float32) * source["A_scale"][used][:, None]) @ source["B"]
    out.mkdir(parents=True, exist_ok=True)
    (out / TOKENIZER).write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    write_table(out, vectors, rows)
    write_table(out, vectors @ directions(StaticEncoder(out).encode(statements), options), rows)
    write_json(out / "config.json", {"dim": options.dim, "whitening": options.whitening, "rows": len(used)})


def pruned_tokenizer(tokenizer: dict[str, Any], lut: np.ndarray[Any, Any]) -> tuple[dict[str, Any], list[int]]:
    """The BPE tokenizer without tokens that share a row, and the old ids of those that are left, in order."""
    vocabulary: dict[str, int] = tokenizer["model"]["vocab"]
    merges = tokenizer["model"]["merges"]
    pairs = [tuple(merge) if isinstance(merge, list) else tuple(merge.split(" ")) for merge in merges]
    shared = np.bincount(lut) > 1
    parts = {first + second: (first, second) for first, second in reversed(pairs)}
    needed: set[str] = {token for token in vocabulary if len(token) == 1}
    waiting = [token for token, position in vocabulary.items() if not shared[lut[position]]]
    while waiting:  # a token can only be reached through the pieces that it is merged from
        token = waiting.pop()
        if token not in needed:
            needed.add(token)
            waiting.extend(parts.get(token, ()))
    kept = sorted(needed, key=vocabulary.__getitem__)
    merges = [list(pair) for pair in pairs if pair[0] in needed and pair[1] in needed and "".join(pair) in needed]
    model = {**tokenizer["model"], "vocab": {token: i for i, token in enumerate(kept)}, "merges": merges}
    return {**tokenizer, "model": model, "added_tokens": [], "post_processor": None}, [vocabulary[t] for t in kept]


def directions(vectors: FloatArray, options: CompactOptions) -> FloatArray:
    """Principal directions of the vectors as columns, strongest first, partly whitened."""
    variances, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors / max(len(vectors), 1))
    order = np.argsort(variances)[::-1][: options.dim]
    scale = np.maximum(variances[order], 1e-12) ** (-options.whitening / 2)
    result: FloatArray = (axes[:, order] * scale).astype(np.float32)
    return result


def write_table(out: Path, vectors: FloatArray, rows: np.ndarray[Any, Any]) -> None:
    """Write token vectors as int8 with a scale per row."""
    scale = np.maximum(np.abs(vectors).max(axis=1), 1e-12) / 127
    codes = np.rint(vectors / scale[:, None]).astype(np.int8)
    weights = {"codes": codes, "scale": scale.astype(np.float32), "rows": rows.astype(np.int32)}
    write_weights(out / TABLE, weights)
