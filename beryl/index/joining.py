"""Calls resolved project by project; a project in which no file changed keeps the edges it had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beryl.icfg.calls import EXTERNAL, Callables, CallSites, FlowEdges, join
from beryl.index.assemble import Base
from beryl.index.tables import EdgeTable
from beryl.types import EdgeKind, Progress

if TYPE_CHECKING:
    from beryl.index.store import Index

_HEADER_SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".inl")


@dataclass(frozen=True, slots=True)
class _Joined:
    """Call and return edges, and what each call resolved to; ids of the new index."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    kind: NDArray[np.uint8]
    uncertain: NDArray[np.bool_]
    resolved: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Part:
    """Where the rows of one project are in the tables, as slices."""

    files: slice
    functions: slice
    nodes: slice
    calls: slice

    def edges(self, table: EdgeTable) -> slice:
        """The project's rows in a table of edges."""
        return slice(int(table.offsets[self.nodes.start]), int(table.offsets[self.nodes.stop]))


def join_calls(base: Base, previous: Index | None, progress: Progress) -> Base:
    """The tables with calls resolved and call and return edges put behind each node's own edges."""
    old = {name: number for number, name in enumerate(previous.projects)} if previous else {}
    parts: list[_Joined] = []
    for number, name in enumerate(base.projects):
        part = _part(base, number)
        kept = None
        if previous is not None and name in old:
            kept = _kept(base, part, previous, _part(previous, old[name]))
        parts.append(kept or _resolved(base, part))
        progress("joining calls", number + 1, len(base.projects))
    return _with_calls(base, parts)


def _part(tables: Base | Index, project: int) -> _Part:
    first, last = (int(i) for i in np.searchsorted(tables.files.project, [project, project + 1]))
    functions = slice(int(tables.files.first_function[first]), int(tables.files.first_function[last]))
    bounds = tables.functions.first_node
    nodes = slice(int(bounds[functions.start]), int(bounds[functions.stop]))
    calls = slice(*(int(i) for i in np.searchsorted(tables.calls.node, [nodes.start, nodes.stop])))
    return _Part(slice(first, last), functions, nodes, calls)


def _kept(base: Base, part: _Part, previous: Index, old: _Part) -> _Joined | None:
    """What the old index has, where the project's files are all as they were."""
    same = (
        np.array_equal(base.files.digest[part.files], previous.files.digest[old.files])
        and np.array_equal(base.files.language[part.files], previous.files.language[old.files])
        and base.files.path[part.files] == previous.files.path[old.files]
    )
    if not same:
        return None
    rows = old.edges(previous.edges)
    joined = previous.edges.kind[rows] >= EdgeKind.CALL
    joined &= previous.edges.kind[rows] <= EdgeKind.RETURN
    counts = np.diff(previous.edges.offsets[old.nodes.start : old.nodes.stop + 1])
    source = np.repeat(np.arange(part.nodes.start, part.nodes.stop, dtype=np.int64), counts)[joined]
    target = previous.edges.target[rows][joined].astype(np.int64) + (part.nodes.start - old.nodes.start)
    resolved = previous.calls.resolved[old.calls]
    moved = np.where(resolved >= 0, resolved + (part.functions.start - old.functions.start), resolved)
    kind, uncertain = previous.edges.kind[rows][joined], previous.edges.uncertain[rows][joined]
    return _Joined(source, target, kind, uncertain, moved.astype(np.int32))


def _resolved(base: Base, part: _Part) -> _Joined:
    """Resolve the calls whose name some function of the project has; the others are external."""
    functions, calls, files = base.functions, base.calls, base.files
    owners = functions.file[part.functions]
    header = np.array([path.lower().endswith(_HEADER_SUFFIXES) for path in files.path[part.files]], dtype=np.bool_)
    callables = Callables(
        functions.name[part.functions],
        functions.qualified[part.functions],
        functions.parameters[part.functions].tolist(),
        functions.flags[part.functions].tolist(),
        owners.tolist(),
        files.language[owners].tolist(),
        functions.first_node[part.functions].tolist(),
        header[owners - part.files.start].tolist(),
    )
    names, defined = calls.name[part.calls], frozenset(callables.name)
    inside = np.fromiter(map(defined.__contains__, names), dtype=np.bool_, count=len(names))
    nodes = calls.node[part.calls][inside]
    callers = np.searchsorted(functions.first_node, nodes, side="right") - 1 - part.functions.start
    sites = CallSites(
        nodes.tolist(),
        list(compress(names, inside.tolist())),
        calls.arguments[part.calls][inside].tolist(),
        calls.receiver.part(part.calls).where(inside),
        callers.tolist(),
    )
    rows = part.edges(base.edges)
    counts = np.diff(base.edges.offsets[part.nodes.start : part.nodes.stop + 1])
    source = np.repeat(np.arange(part.nodes.start, part.nodes.stop, dtype=np.int64), counts)
    flow = FlowEdges(source, base.edges.target[rows].astype(np.int64), base.edges.kind[rows])
    found = join(callables, sites, flow)
    resolved = np.full(len(names), EXTERNAL, dtype=np.int32)
    resolved[inside] = np.where(found.resolved >= 0, found.resolved + part.functions.start, found.resolved)
    return _Joined(found.source, found.target, found.kind, found.uncertain, resolved)


def _with_calls(base: Base, parts: Sequence[_Joined]) -> Base:
    own = base.edges
    nodes = np.arange(len(base.nodes.kind), dtype=np.int64)
    source = np.concatenate([part.source for part in parts])
    target = np.concatenate([part.target for part in parts])
    kind = np.concatenate([part.kind for part in parts])
    uncertain = np.concatenate([part.uncertain for part in parts])
    fixed = np.lexsort((target, kind, source))
    sources = np.concatenate([np.repeat(nodes, np.diff(own.offsets)), source[fixed]])
    order = np.argsort(sources, kind="stable")
    edges = EdgeTable(
        offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.bincount(sources, minlength=len(nodes)))]),
        target=np.concatenate([own.target, target[fixed].astype(np.int32)])[order],
        kind=np.concatenate([own.kind, kind[fixed]])[order],
        uncertain=np.concatenate([own.uncertain, uncertain[fixed]])[order],
    )
    resolved = np.concatenate([part.resolved for part in parts])
    return replace(base, edges=edges, calls=replace(base.calls, resolved=resolved))
