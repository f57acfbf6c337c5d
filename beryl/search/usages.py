"""Who calls a function and whom it calls, as trees with the places of the calls (function ranking §1: usages)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl.index.store import Index
from beryl.types import EdgeKind

# More would hide the next result; the rest is counted.
MOST_SHOWN = 5
_OPEN_GRAPHS = 2


@dataclass(frozen=True, slots=True)
class CallGraph:
    """Every call edge: the node that calls, the functions on both sides; sorted by caller, with an order by callee."""

    node: NDArray[np.int64]
    caller: NDArray[np.int64]
    callee: NDArray[np.int64]
    uncertain: NDArray[np.bool_]
    by_callee: NDArray[np.int64]

    @staticmethod
    def open(index: Index) -> CallGraph:
        """The calls of an index; worked out once."""
        if index.data not in _OPENED:
            if len(_OPENED) >= _OPEN_GRAPHS:
                _OPENED.clear()
            _OPENED[index.data] = _graph(index)
        return _OPENED[index.data]

    def of_caller(self, function: int) -> NDArray[np.int64]:
        """The calls that a function makes, in order."""
        first, last = np.searchsorted(self.caller, (function, function + 1))
        return np.arange(first, last)

    def of_callee(self, function: int) -> NDArray[np.int64]:
        """The calls that reach a function."""
        first, last = np.searchsorted(self.callee, (function, function + 1), sorter=self.by_callee)
        return self.by_callee[first:last]


_OPENED: dict[Path, CallGraph] = {}


def _graph(index: Index) -> CallGraph:
    edges = index.edges
    call = np.flatnonzero(edges.kind == EdgeKind.CALL)
    node = np.searchsorted(edges.offsets, call, side="right") - 1
    caller = index.nodes.function[node].astype(np.int64)
    callee = index.nodes.function[edges.target[call]].astype(np.int64)
    return CallGraph(node, caller, callee, edges.uncertain[call], np.argsort(callee, kind="stable"))


def callers(index: Index, function: int, depth: int) -> list[dict[str, object]]:
    """The functions that call this one, each with its own callers, `depth` levels up."""
    return _tree(index, function, depth, "callers", (function,))


def callees(index: Index, function: int, depth: int) -> list[dict[str, object]]:
    """The functions that this one calls, in the order of the calls, each with its own callees, `depth` levels down."""
    return _tree(index, function, depth, "callees", (function,))


def _tree(index: Index, function: int, depth: int, side: str, above: tuple[int, ...]) -> list[dict[str, object]]:
    graph = CallGraph.open(index)
    if depth <= 0:
        return []
    if side == "callers":
        found, other = graph.of_callee(function), graph.caller
    else:
        found, other = graph.of_caller(function), graph.callee
    first: dict[int, int] = {}
    for call in found.tolist():
        first.setdefault(int(other[call]), call)
    entries = []
    for name, call in list(first.items())[:MOST_SHOWN]:
        entry = _entry(index, graph, name, call)
        if name in above:
            entry["recursive"] = True
        else:
            below = _tree(index, name, depth - 1, side, (*above, name))
            if below:
                entry[side] = below
        entries.append(entry)
    if len(first) > MOST_SHOWN:
        entries.append({"more": len(first) - MOST_SHOWN})
    return entries


def _entry(index: Index, graph: CallGraph, function: int, call: int) -> dict[str, object]:
    """A function, where it is, and the place of the call."""
    node = int(graph.node[call])
    here, there = (int(index.functions.file[f]) for f in (index.nodes.function[node], function))
    entry: dict[str, object] = {
        "function": index.functions.qualified[function],
        "call": f"{index.files.path[here]}:{int(index.nodes.line[node])}",
        "defined": f"{index.files.path[there]}:{int(index.functions.start_line[function])}",
    }
    if graph.uncertain[call]:
        entry["uncertain"] = True
    return entry
