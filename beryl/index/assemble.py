"""Bundles -> the base tables of an index, by concatenating slices; the same tables however the files were obtained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.index.bundle import FUNCTION_COLUMNS, FUNCTION_STRINGS, NODE_COLUMNS, Bundle
from beryl.index.tables import CallTable, EdgeTable, FileTable, FunctionTable, NodeTable, StringColumn, TextTable

Array = NDArray[Any]

# Bytes of text gathered at once: the index array of a gather is eight times as large.
_GATHER_BYTES = 1 << 24
# Where ranges that follow each other come in runs of this many, whole runs are copied.
_FEW = 16


@dataclass(frozen=True, slots=True)
class Placed:
    """One file of the index to be: whose it is and where its columns are."""

    project: str
    path: str
    bundle: int
    row: int


@dataclass(frozen=True, slots=True)
class Base:
    """The base tables of an index; `edges` has no call and return edges yet and `calls` none resolved."""

    projects: StringColumn
    files: FileTable
    functions: FunctionTable
    nodes: NodeTable
    edges: EdgeTable
    calls: CallTable
    texts: TextTable

    @property
    def tables(self) -> dict[str, Any]:
        """The tables by the name that their columns have on disk."""
        names = ("files", "functions", "nodes", "edges", "calls", "texts")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class _Run:
    """Files `first..last` (excluded) of a bundle, adjacent in the index as well."""

    bundle: Bundle
    first: int
    last: int


def assemble(placed: Sequence[Placed], bundles: Sequence[Bundle]) -> Base:
    """The base tables of files that are already in index order."""
    runs = list(_runs(placed, bundles))
    projects = sorted({file.project for file in placed})
    numbers = {name: number for number, name in enumerate(projects)}
    node_bounds = _bounds(runs, "node.bounds")
    files = FileTable(
        project=np.array([numbers[file.project] for file in placed], dtype=np.int32),
        path=StringColumn.of([file.path for file in placed]),
        language=_files(runs, "language", np.uint8),
        digest=_files(runs, "digest", np.uint64).reshape(-1, 2),
        lines=_files(runs, "lines", np.int32),
        parse_errors=_files(runs, "parse_errors", np.int32),
        first_function=_bounds(runs, "function.bounds"),
        source_offsets=_bounds(runs, "source.offsets"),
        source_bytes=_rows(runs, "source.buffer", "source.offsets", np.uint8),
    )
    functions = _functions(runs, files.first_function)
    texts, ids = _texts(_rows(runs, "node.text", "node.bounds", np.uint64), bundles)
    owners = np.repeat(np.arange(len(functions.file), dtype=np.int32), np.diff(functions.first_node))
    columns = {name: _rows(runs, f"node.{name}", "node.bounds", kind) for name, kind in NODE_COLUMNS.items()}
    nodes = NodeTable(text=ids, function=owners, **columns)
    edges, calls = _edges(runs, node_bounds), _calls(runs, node_bounds)
    return Base(StringColumn.of(projects), files, functions, nodes, edges, calls, texts)


def _runs(placed: Sequence[Placed], bundles: Sequence[Bundle]) -> Iterator[_Run]:
    positions = enumerate(placed)
    for _, group in groupby(positions, key=lambda item: (item[1].bundle, item[1].row - item[0])):
        members = [file for _, file in group]
        yield _Run(bundles[members[0].bundle], members[0].row, members[-1].row + 1)


def _functions(runs: Sequence[_Run], bounds: NDArray[np.int64]) -> FunctionTable:
    columns: dict[str, Any] = {
        name: _rows(runs, f"function.{name}", "function.bounds", kind) for name, kind in FUNCTION_COLUMNS.items()
    }
    columns |= {name: _strings(runs, f"function.{name}", "function.bounds") for name in FUNCTION_STRINGS}
    counts = _rows(runs, "function.nodes", "function.bounds", np.int32)
    owners = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
    return FunctionTable(file=owners, first_node=_cumulated(counts), **columns)


def _edges(runs: Sequence[_Run], node_bounds: NDArray[np.int64]) -> EdgeTable:
    per_file = np.diff(_bounds(runs, "edge.bounds"))
    first = np.repeat(node_bounds[:-1], per_file).astype(np.int32)
    source = _rows(runs, "edge.source", "edge.bounds", np.int32) + first
    target = _rows(runs, "edge.target", "edge.bounds", np.int32) + first
    counts = np.bincount(source, minlength=int(node_bounds[-1]))
    kind = _rows(runs, "edge.kind", "edge.bounds", np.uint8)
    return EdgeTable(_cumulated(counts), target, kind, np.zeros(len(kind), dtype=np.bool_))


def _calls(runs: Sequence[_Run], node_bounds: NDArray[np.int64]) -> CallTable:
    per_file = np.diff(_bounds(runs, "call.bounds"))
    first = np.repeat(node_bounds[:-1], per_file).astype(np.int32)
    node = _rows(runs, "call.node", "call.bounds", np.int32) + first
    return CallTable(
        node=node,
        name=_strings(runs, "call.name", "call.bounds"),
        arguments=_rows(runs, "call.arguments", "call.bounds", np.int32),
        receiver=_strings(runs, "call.receiver", "call.bounds"),
        resolved=np.full(len(node), -1, dtype=np.int32),
    )


def _texts(digests: NDArray[np.uint64], bundles: Sequence[Bundle]) -> tuple[TextTable, NDArray[np.int32]]:
    """The unique texts that the nodes use, sorted by hash, and each node's position among them."""
    wanted, ids = np.unique(digests, return_inverse=True)
    known = np.concatenate([np.zeros(0, dtype=np.uint64), *(bundle["text.digest"] for bundle in bundles)])
    order = np.argsort(known, kind="stable")
    chosen = order[np.searchsorted(known, wanted, sorter=order)]
    lengths = np.concatenate([np.zeros(0, dtype=np.int64), *(np.diff(bundle["text.offsets"]) for bundle in bundles)])
    starts = np.cumsum(lengths) - lengths
    buffer = np.concatenate([np.zeros(0, dtype=np.uint8), *(bundle["text.buffer"] for bundle in bundles)])
    column = StringColumn(_cumulated(lengths[chosen]), gather(buffer, starts[chosen], lengths[chosen]))
    return TextTable(wanted, column), ids.astype(np.int32)


def gather(buffer: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The bytes of many ranges, one after the other; where they follow each other, as in an update, by whole runs."""
    broken = (starts[1:] != starts[:-1] + lengths[:-1]).nonzero()[0] + 1
    if len(broken) < len(starts) // _FEW:
        first_of, end_of = [0, *broken.tolist()], [*broken.tolist(), len(starts)]
        ranges = ((int(starts[a]), int(starts[b - 1] + lengths[b - 1])) for a, b in zip(first_of, end_of, strict=True))
        return np.concatenate([buffer[begin:end] for begin, end in ranges])
    ends = np.cumsum(lengths)
    result = np.empty(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    first = 0
    while first < len(starts):
        done = int(ends[first] - lengths[first])
        last = max(int(np.searchsorted(ends, done + _GATHER_BYTES, side="right")), first + 1)
        shift = starts[first:last] - (ends[first:last] - lengths[first:last])
        stop = int(ends[last - 1])
        result[done:stop] = buffer[np.repeat(shift, lengths[first:last]) + np.arange(done, stop)]
        first = last
    return result


def _span(run: _Run, bounds: str) -> tuple[int, int]:
    offsets = run.bundle[bounds]
    return int(offsets[run.first]), int(offsets[run.last])


def _files(runs: Sequence[_Run], name: str, kind: type) -> Array:
    parts = [run.bundle[name][run.first : run.last] for run in runs]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)


def _rows(runs: Sequence[_Run], name: str, bounds: str, kind: type) -> Array:
    parts = [run.bundle[name][slice(*_span(run, bounds))] for run in runs]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)


def _strings(runs: Sequence[_Run], name: str, bounds: str) -> StringColumn:
    lengths, buffers = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint8)]
    for run in runs:
        first, last = _span(run, bounds)
        offsets = run.bundle[f"{name}.offsets"]
        lengths.append(np.diff(offsets[first : last + 1]))
        buffers.append(run.bundle[f"{name}.buffer"][int(offsets[first]) : int(offsets[last])])
    return StringColumn(_cumulated(np.concatenate(lengths)), np.concatenate(buffers))


def _bounds(runs: Sequence[_Run], name: str) -> NDArray[np.int64]:
    parts = [np.diff(run.bundle[name][run.first : run.last + 1]) for run in runs]
    return _cumulated(np.concatenate([np.zeros(0, dtype=np.int64), *parts]))


def _cumulated(counts: Array) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])
