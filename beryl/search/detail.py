"""A result with all that a picture of it needs: the lines of every span and the ICFG that they make."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from beryl.index.store import Index
from beryl.types import Edge, EdgeKind, Fragment, Function, FunctionSpan, Icfg, Node, NodeKind, SearchResult, Span

# An ICFG of more nodes than this is no picture any more.
MOST_NODES = 600


def detailed(index: Index, result: SearchResult) -> SearchResult:
    """The same answer; every fragment has its snippets and its graph."""
    return replace(result, results=tuple(_detailed(index, fragment) for fragment in result.results))


def _detailed(index: Index, fragment: Fragment) -> Fragment:
    functions = [_function(index, fragment.project, span) for span in fragment.spans]
    snippets = tuple(
        "\n".join(index.lines(int(index.functions.file[function]), span.start, span.end)) if function >= 0 else ""
        for function, span in zip(functions, fragment.spans, strict=True)
    )
    known = [(function, span) for function, span in zip(functions, fragment.spans, strict=True) if function >= 0]
    return replace(fragment, snippets=snippets, graph=_graph(index, known))


def _function(index: Index, project: str, span: FunctionSpan) -> int:
    """The function of a span; -1 where the index has none by that name and place."""
    files = index.files
    for file, path in enumerate(files.path):
        if path == span.path and index.projects[int(files.project[file])] == project:
            for function in range(int(files.first_function[file]), int(files.first_function[file + 1])):
                first, last = int(index.functions.start_line[function]), int(index.functions.end_line[function])
                if index.functions.qualified[function] == span.function and first <= span.start and span.end <= last:
                    return function
    return -1


def _graph(index: Index, spans: list[tuple[int, FunctionSpan]]) -> Icfg | None:
    """The nodes on the lines of the spans, renumbered, and the edges among them."""
    place: dict[int, int] = {}
    nodes: list[Node] = []
    functions: list[Function] = []
    for number, (function, span) in enumerate(spans):
        first, last = int(index.functions.first_node[function]), int(index.functions.first_node[function + 1])
        lines = np.asarray(index.nodes.line[first:last])
        whole = span.start <= int(index.functions.start_line[function])
        inside = (lines >= span.start) & (lines <= span.end)
        inside[:2] = whole
        begin = len(nodes)
        for node in (first + np.flatnonzero(inside)).tolist():
            place[node] = len(nodes)
            nodes.append(_node(index, node, (len(nodes), number, span.path)))
        name, lines_of = index.functions.name[function], Span(span.path, span.start, span.end)
        signature = index.functions.signature[function]
        functions.append(Function(name, span.function, signature, lines_of, begin, len(nodes)))
    if not nodes or len(nodes) > MOST_NODES:
        return None
    return Icfg(tuple(functions), tuple(nodes), tuple(_edges(index, place)))


def _node(index: Index, node: int, where: tuple[int, int, str]) -> Node:
    """One node of the index as part of a small graph: its new id, function and path."""
    table, (position, function, path) = index.nodes, where
    span = Span(path, int(table.line[node]), int(table.end_line[node]))
    text = index.texts.text[int(table.text[node])]
    return Node(position, NodeKind(int(table.kind[node])), text, span, function, depth=int(table.depth[node]))


def _edges(index: Index, place: dict[int, int]) -> list[Edge]:
    """The edges whose two ends are in `place`."""
    table, edges = index.edges, []
    for node, position in place.items():
        for row in range(int(table.offsets[node]), int(table.offsets[node + 1])):
            target = place.get(int(table.target[row]))
            if target is not None:
                edges.append(Edge(position, target, EdgeKind(int(table.kind[row])), bool(table.uncertain[row])))
    return edges
