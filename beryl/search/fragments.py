"""Index nodes -> Fragment: spans, the code itself, and which query line each line matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from beryl.index.store import Index
from beryl.types import EdgeKind, Fragment, FunctionSpan, IntArray, Language, Match, Node, NodeKind, QueryLine

LANGUAGES = list(Language)


@dataclass(frozen=True, slots=True)
class Aligned:
    """A query node, the code node that matches it best, and how well."""

    query_node: int
    code_node: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the ranking says of one fragment."""

    score: float
    parts: Mapping[str, float]
    notes: tuple[str, ...] = ()


def searchable(nodes: Sequence[Node]) -> list[Node]:
    """The query nodes that can match code: all but entries and exits, and none without text."""
    return [node for node in nodes if node.kind not in (NodeKind.ENTRY, NodeKind.EXIT) and node.text.strip()]


def function_spans(index: Index, nodes: IntArray) -> list[tuple[int, int, int]]:
    """(function, first line, last line) of the nodes, in index order."""
    functions = index.nodes.function[nodes]
    spans = []
    for function in np.unique(functions):
        own = nodes[functions == function]
        lines, ends = index.nodes.line[own], index.nodes.end_line[own]
        spans.append((int(function), int(lines.min()), int(max(ends.min(), lines.max()))))
    return spans


def fragment(
    index: Index,
    spans: Sequence[tuple[int, int, int]],
    query: Sequence[Node],
    aligned: Sequence[Aligned],
    verdict: Verdict,
) -> Fragment:
    """The fragment made of line spans in functions; the main file is that of the span that holds most matches."""
    weight = {function: 0 for function, _, _ in spans}
    for pair in aligned:
        function = int(index.nodes.function[pair.code_node])
        weight[function] = weight.get(function, 0) + 1
    main = max(spans, key=lambda span: (weight[span[0]], span[2] - span[1], -span[0]))
    file = int(index.functions.file[main[0]])
    here = [span for span in spans if int(index.functions.file[span[0]]) == file]
    start, end = (main[1], main[2]) if _scattered(here) else (min(s[1] for s in here), max(s[2] for s in here))
    covered = {pair.query_node for pair in aligned}
    sources: dict[int, list[str]] = {}
    return Fragment(
        score=verdict.score,
        parts=dict(verdict.parts),
        project=index.projects[int(index.files.project[file])],
        language=LANGUAGES[int(index.files.language[file])],
        path=index.files.path[file],
        start=start,
        end=end,
        functions=tuple(dict.fromkeys(index.functions.qualified[function] for function, _, _ in (main, *spans))),
        spans=tuple(_span(index, span) for span in spans),
        matches=tuple(_match(index, query, pair, sources) for pair in aligned),
        uncovered=tuple(
            QueryLine(node.span.start_line, node.text) for position, node in enumerate(query) if position not in covered
        ),
        nodes=tuple(sorted({pair.code_node for pair in aligned})),
        notes=verdict.notes,
        code="\n".join(index.lines(file, start, end)),
        extra={"call_path": calls} if (calls := call_path(index, [span[0] for span in spans])) else {},
    )


def call_path(index: Index, functions: Sequence[int]) -> list[dict[str, object]]:
    """Which of the functions calls which, and where."""
    found: list[dict[str, object]] = []
    known = set(functions)
    for function in functions if len(known) > 1 else ():
        first, last = int(index.functions.first_node[function]), int(index.functions.first_node[function + 1])
        start, end = int(index.edges.offsets[first]), int(index.edges.offsets[last])
        for edge in np.flatnonzero(index.edges.kind[start:end] == EdgeKind.CALL) + start:
            callee = int(index.nodes.function[index.edges.target[edge]])
            if callee in known and callee != function:
                node = int(np.searchsorted(index.edges.offsets, edge, side="right")) - 1
                place = f"{index.files.path[int(index.functions.file[function])]}:{int(index.nodes.line[node])}"
                names = index.functions.qualified
                found.append({"caller": names[function], "callee": names[callee], "at": place})
    return found


def _scattered(spans: Sequence[tuple[int, int, int]]) -> bool:
    """Whether the spans of one file lie so far apart that showing everything between them would hide them."""
    lines = sum(end - start + 1 for _, start, end in spans)
    return max(span[2] for span in spans) - min(span[1] for span in spans) + 1 > 2 * lines


def _span(index: Index, span: tuple[int, int, int]) -> FunctionSpan:
    function, start, end = span
    return FunctionSpan(
        index.files.path[int(index.functions.file[function])], index.functions.qualified[function], start, end
    )


def _match(index: Index, query: Sequence[Node], pair: Aligned, sources: dict[int, list[str]]) -> Match:
    file = int(index.functions.file[index.nodes.function[pair.code_node]])
    if file not in sources:
        sources[file] = index.source(file).split("\n")
    line = int(index.nodes.line[pair.code_node])
    node = query[pair.query_node]
    text = sources[file][line - 1].strip() if line <= len(sources[file]) else ""
    return Match(node.span.start_line, node.text, index.files.path[file], line, text, pair.similarity)
