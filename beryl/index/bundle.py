"""Columns of some files, each file standing alone: what a worker hands over, and what an old index is cut into.

Ids are local to their file and calls are not yet resolved, so files can be put together in any order by
concatenating slices. A text is known by its 64-bit hash here and gets its id when the index is assembled.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beryl.index.tables import StringColumn
from beryl.types import EdgeKind, FileUnit

if TYPE_CHECKING:
    from beryl.index.store import Index

Array = NDArray[Any]
_Kind = type[np.integer[Any]]

SUFFIX = ".safetensors"
# Fast and within a tenth of the best ratio on source text.
_ZLIB_LEVEL = 4
_JOINED_KINDS = (EdgeKind.CALL, EdgeKind.RETURN)
# Columns with one row per function, node, edge or call, and strings with one item per function or call.
FUNCTION_COLUMNS: dict[str, _Kind] = {
    "parameters": np.int32,
    "start_line": np.int32,
    "end_line": np.int32,
    "start_byte": np.int64,
    "end_byte": np.int64,
    "comment_start": np.int64,
    "comment_end": np.int64,
    "flags": np.uint16,
}
FUNCTION_STRINGS = ("name", "qualified", "signature")
NODE_COLUMNS: dict[str, _Kind] = {"kind": np.uint8, "line": np.int32, "end_line": np.int32, "depth": np.uint8}
EDGE_COLUMNS: dict[str, _Kind] = {"source": np.int32, "target": np.int32, "kind": np.uint8}


@dataclass(frozen=True, slots=True)
class Bundle:
    """Columns of n files by name.

    Per file: digest, language, lines, parse_errors, and n + 1 boundaries of its rows elsewhere: source.offsets,
    function.bounds, node.bounds, edge.bounds, call.bounds. Per function: FUNCTION_COLUMNS, FUNCTION_STRINGS and how
    many nodes it has. Per node: NODE_COLUMNS and the hash of its text. Edges are sorted by source, calls by node.
    A string column has `.offsets` and `.buffer`.
    """

    columns: dict[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["lines"])


@dataclass(frozen=True, slots=True)
class Analysed:
    """One file as a worker has read it."""

    digest: bytes
    text: bytes
    unit: FileUnit


def text_digest(text: str) -> int:
    """The 64-bit content hash of a statement text."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def of_units(files: Sequence[Analysed]) -> Bundle:
    """The bundle of analysed files, in their order."""
    units = [file.unit for file in files]
    sources = [zlib.compress(file.text, _ZLIB_LEVEL) for file in files]
    columns: dict[str, Array] = {
        "digest": np.frombuffer(b"".join(file.digest for file in files), dtype="<u8").reshape(-1, 2),
        "language": np.array([unit.language.code for unit in units], dtype=np.uint8),
        "lines": np.array([line_count(file.text) for file in files], dtype=np.int32),
        "parse_errors": np.array([unit.parse_errors for unit in units], dtype=np.int32),
        "source.offsets": _bounds([len(source) for source in sources]),
        "source.buffer": np.frombuffer(b"".join(sources), dtype=np.uint8),
    }
    return Bundle(columns | _functions(units) | _nodes(units) | _edges(units) | _calls(units))


def line_count(text: bytes) -> int:
    """Lines of a text; the last one counts whether or not a line end closes it."""
    return text.count(b"\n") + (not text.endswith(b"\n") and len(text) > 0)


def _functions(units: Sequence[FileUnit]) -> dict[str, Array]:
    rows = [row for unit in units for row in unit.functions]
    columns: dict[str, Array] = {
        "function.bounds": _bounds([len(unit.functions) for unit in units]),
        "function.nodes": np.array([row.last_node - row.first_node for row in rows], dtype=np.int32),
    }
    for name, kind in FUNCTION_COLUMNS.items():
        columns[f"function.{name}"] = np.array([getattr(row, name) for row in rows], dtype=kind)
    for name in FUNCTION_STRINGS:
        columns |= _strings(f"function.{name}", [getattr(row, name) for row in rows])
    return columns


def _nodes(units: Sequence[FileUnit]) -> dict[str, Array]:
    texts = list(chain.from_iterable(unit.node_text for unit in units))
    unique = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    digests = np.array([text_digest(text) for text in unique], dtype=np.uint64)
    ids = np.fromiter(map(unique.__getitem__, texts), dtype=np.int64, count=len(texts))
    ordered, first = np.unique(digests, return_index=True)
    known = list(unique)
    columns: dict[str, Array] = {
        "node.bounds": _bounds([len(unit.node_kind) for unit in units]),
        "node.text": digests[ids],
        "text.digest": ordered,
        **_strings("text", [known[number] for number in first.tolist()]),
    }
    for name, kind in NODE_COLUMNS.items():
        values = list(chain.from_iterable(getattr(unit, f"node_{name}") for unit in units))
        columns[f"node.{name}"] = np.minimum(np.array(values, dtype=np.int64), np.iinfo(kind).max).astype(kind)
    return columns


def _edges(units: Sequence[FileUnit]) -> dict[str, Array]:
    orders = [np.argsort(np.array(unit.edge_source, dtype=np.int32), kind="stable") for unit in units]
    columns: dict[str, Array] = {"edge.bounds": _bounds([len(unit.edge_source) for unit in units])}
    for name, kind in EDGE_COLUMNS.items():
        parts = [np.array(getattr(unit, f"edge_{name}"), dtype=kind) for unit in units]
        ordered = [part[order] for part, order in zip(parts, orders, strict=True)]
        columns[f"edge.{name}"] = np.concatenate([np.zeros(0, dtype=kind), *ordered])
    return columns


def _calls(units: Sequence[FileUnit]) -> dict[str, Array]:
    rows = [row for unit in units for row in sorted(unit.calls, key=lambda call: call.node)]
    return {
        "call.bounds": _bounds([len(unit.calls) for unit in units]),
        "call.node": np.array([row.node for row in rows], dtype=np.int32),
        "call.arguments": np.array([row.arguments for row in rows], dtype=np.int32),
        **_strings("call.name", [row.name for row in rows]),
        **_strings("call.receiver", [row.receiver for row in rows]),
    }


def of_index(index: Index) -> Bundle:
    """All files of an index, taken apart again; large columns are views, not copies."""
    files, functions, nodes, calls, edges = index.files, index.functions, index.nodes, index.calls, index.edges
    node_bounds = functions.first_node[files.first_function]
    own = ~np.isin(edges.kind, _JOINED_KINDS)
    before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(own)])
    edge_bounds = before[edges.offsets[node_bounds]]
    call_bounds = np.searchsorted(calls.node, node_bounds).astype(np.int64)
    sources = np.repeat(np.arange(len(nodes.kind), dtype=np.int32), np.diff(edges.offsets))
    first = np.repeat(node_bounds[:-1], np.diff(edge_bounds)).astype(np.int32)
    columns: dict[str, Array] = {
        "digest": files.digest,
        "language": files.language,
        "lines": files.lines,
        "parse_errors": files.parse_errors,
        "source.offsets": files.source_offsets,
        "source.buffer": files.source_bytes,
        "function.bounds": files.first_function,
        "function.nodes": np.diff(functions.first_node).astype(np.int32),
        "node.bounds": node_bounds,
        "node.text": index.texts.digest[nodes.text],
        "edge.bounds": edge_bounds,
        "edge.source": sources[own] - first,
        "edge.target": edges.target[own] - first,
        "edge.kind": edges.kind[own],
        "call.bounds": call_bounds,
        "call.node": calls.node - np.repeat(node_bounds[:-1], np.diff(call_bounds)).astype(np.int32),
        "call.arguments": calls.arguments,
        "text.digest": index.texts.digest,
    }
    columns |= {f"function.{name}": getattr(functions, name) for name in FUNCTION_COLUMNS}
    columns |= {f"node.{name}": getattr(nodes, name) for name in NODE_COLUMNS}
    strings = {f"function.{name}": getattr(functions, name) for name in FUNCTION_STRINGS}
    strings |= {"call.name": calls.name, "call.receiver": calls.receiver, "text": index.texts.text}
    for name, column in strings.items():
        columns |= {f"{name}.offsets": column.offsets, f"{name}.buffer": column.buffer}
    return Bundle(columns)


def save(bundle: Bundle, folder: Path) -> str:
    """Write a bundle to one file, named by the hash of its bytes; the name."""
    from safetensors.numpy import save as packed

    data = packed({name: np.ascontiguousarray(column) for name, column in bundle.columns.items()})
    path = folder / f"{_name(data)}{SUFFIX}"
    part = path.with_suffix(f".{os.getpid()}")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    return path.name


def read(path: Path) -> Bundle:
    """The bundle that `save` wrote; ValueError where it is not one, or not whole."""
    from safetensors.numpy import load

    data = path.read_bytes()
    if _name(data) != path.stem:
        raise ValueError(f"{path} is not a whole bundle")
    return Bundle(load(data))


def _name(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _strings(name: str, values: Sequence[str]) -> dict[str, Array]:
    column = StringColumn.of(values)
    return {f"{name}.offsets": column.offsets, f"{name}.buffer": column.buffer}


def _bounds(counts: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.array(counts, dtype=np.int64))])
