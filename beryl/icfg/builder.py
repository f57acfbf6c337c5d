"""Building one ICFG: nodes, loose ends that wait for the next node, frames for jumps, and the joining of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from beryl.types import Edge, EdgeKind, Function, Icfg, Node, NodeKind, Span

End = tuple[int, EdgeKind]
"""A node that control leaves, and why; it waits for the node where control goes on."""

_CALL = re.compile(r"([^\W\d](?:[\w'′’]|[-.](?=\w))*)\s*\(")


@dataclass(slots=True)
class Frame:
    """A loop that `break` and `continue` look up: ends that leave it, and ends that go to its test."""

    breaks: list[End] = field(default_factory=list)
    continues: list[End] = field(default_factory=list)


@dataclass(slots=True)
class Builder:
    """An ICFG in the making. Visitors take the loose ends before a statement and return those after it."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    depth: int = 0
    exit: int = -1

    def add(self, kind: NodeKind, text: str, span: Span, math: bool | None, ends: Sequence[End] = ()) -> int:
        """A node of the current function, reached from `ends`."""
        node = Node(len(self.nodes), kind, text, span, len(self.functions), math, self.depth)
        self.nodes.append(node)
        self.connect(ends, node.id)
        return node.id

    def connect(self, ends: Sequence[End], target: int, back: bool = False) -> None:
        """Edges from loose ends to `target`; what closes a loop is a back edge, whatever its reason."""
        for source, kind in dict.fromkeys((source, EdgeKind.BACK if back else kind) for source, kind in ends):
            self.edges.append(Edge(source, target, kind))

    @contextmanager
    def function(self, name: str, signature: str, span: Span) -> Iterator[list[End]]:
        """A function: gives the end after its entry; the caller leaves in that list the ends that fall off its body."""
        first = len(self.nodes)
        entry = self.add(NodeKind.ENTRY, name, Span(span.path, span.start_line, span.start_line), None)
        self.exit = self.add(NodeKind.EXIT, "", Span(span.path, span.end_line, span.end_line), None)
        ends: list[End] = [(entry, EdgeKind.FLOW)]
        yield ends
        self.connect(ends, self.exit)
        self.functions.append(Function(name, name, signature, span, first, len(self.nodes)))

    @contextmanager
    def loop(self) -> Iterator[Frame]:
        """The inside of a loop, one level deeper."""
        frame = Frame()
        self.frames.append(frame)
        self.depth += 1
        yield frame
        self.depth -= 1
        self.frames.pop()

    @contextmanager
    def branch(self) -> Iterator[None]:
        """The inside of a branch, one level deeper."""
        self.depth += 1
        yield
        self.depth -= 1

    def finish(self) -> Icfg:
        """The graph, with calls between its own functions joined."""
        return join_calls(Icfg(tuple(self.functions), tuple(self.nodes), tuple(self.edges)))


def called(text: str) -> list[str]:
    """Names that are followed by an argument list, in order."""
    return _CALL.findall(text)


def join_calls(icfg: Icfg) -> Icfg:
    """Add, for every call of a function of the same graph, an edge to its entry, and one from its exit to what follows.

    The call site keeps its own flow edges; a statement that holds such a call becomes a call node.
    """
    by_name = {function.name: function for function in reversed(icfg.functions)}
    successors: dict[int, list[int]] = {}
    for edge in icfg.edges:
        successors.setdefault(edge.source, []).append(edge.target)
    nodes = list(icfg.nodes)
    edges = dict.fromkeys(icfg.edges)
    for node in icfg.nodes:
        callees = [by_name[name] for name in dict.fromkeys(called(node.text)) if name in by_name]
        if node.kind is NodeKind.ENTRY or not callees:
            continue
        if node.kind is NodeKind.STATEMENT:
            nodes[node.id] = Node(node.id, NodeKind.CALL, node.text, node.span, node.function, node.math, node.depth)
        for callee in callees:
            edges[Edge(node.id, callee.first_node, EdgeKind.CALL)] = None
            for target in dict.fromkeys(successors.get(node.id, ())):
                edges[Edge(callee.first_node + 1, target, EdgeKind.RETURN)] = None
    return Icfg(icfg.functions, tuple(nodes), tuple(edges))
