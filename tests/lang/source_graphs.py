"""How the golden tests speak: nodes by their text, edges by what they join."""

from __future__ import annotations

from beryl.lang.treesitter import icfg_of_source
from beryl.types import EdgeKind, Icfg, Language, NodeKind, Source


def c(text: str, function: str = "") -> Icfg:
    return icfg_of_source(Source(text, Language.C), function)


def cpp(text: str, function: str = "") -> Icfg:
    return icfg_of_source(Source(text, Language.CPP), function)


def java(text: str, function: str = "") -> Icfg:
    return icfg_of_source(Source(text, Language.JAVA), function)


def method(body: str) -> Icfg:
    """The graph of a Java method with this body."""
    return java(f"class A {{ int f(int x, int y) {{ {body} }} }}")


def body_of(text: str) -> Icfg:
    """The graph of a C function with this body."""
    return c(f"int f(int x, int y) {{ {text} }}")


def node(graph: Icfg, text: str) -> int:
    """The one node of this text; `entry` and `exit` are those of the first function."""
    if text in ("entry", "exit"):
        return ("entry", "exit").index(text)
    found = [each.id for each in graph.nodes if each.text == text and each.kind > NodeKind.EXIT]
    assert len(found) == 1, f"{text!r} is {len(found)} nodes of {[each.text for each in graph.nodes]}"
    return found[0]


def exits(graph: Icfg, text: str) -> set[tuple[str, str]]:
    """(kind, text of the target) of all edges that leave a node; the exit of a function is 'exit'."""
    source = node(graph, text)
    return {(edge.kind.label, said(graph, edge.target)) for edge in graph.edges if edge.source == source}


def said(graph: Icfg, position: int) -> str:
    """The text of a node, or what it is where it has none of its own."""
    each = graph.nodes[position]
    return each.kind.label if each.kind in (NodeKind.ENTRY, NodeKind.EXIT) else each.text


def assert_exits_to(graph: Icfg, source: str, target: str, kind: EdgeKind | None = None) -> None:
    """Control may pass directly from one statement to the other."""
    leaving = exits(graph, source)
    wanted = [(label, text) for label, text in leaving if text == target and (kind is None or label == kind.label)]
    assert wanted, f"{source!r} leads to {sorted(leaving)}"


def assert_exits_only_to(graph: Icfg, source: str, *targets: str) -> None:
    """Control passes from a statement to these and no others."""
    assert {text for _, text in exits(graph, source)} == set(targets)


def assert_kind(graph: Icfg, text: str, kind: NodeKind) -> None:
    """A node is of this kind."""
    assert graph.nodes[node(graph, text)].kind is kind


def reachable(graph: Icfg, function: int = 0) -> set[int]:
    """Nodes that the entry of a function reaches without passing call and return edges."""
    following: dict[int, list[int]] = {}
    for edge in graph.edges:
        if edge.kind not in (EdgeKind.CALL, EdgeKind.RETURN):
            following.setdefault(edge.source, []).append(edge.target)
    seen, waiting = set(), [graph.functions[function].first_node]
    while waiting:
        position = waiting.pop()
        if position not in seen:
            seen.add(position)
            waiting += following.get(position, [])
    return seen
