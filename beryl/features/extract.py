"""A file -> the facts of each of its functions: one parse, one walk per function."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from beryl.features import declarations
from beryl.features.facts import Declarations, Facts, Graph
from beryl.features.handlers import handlers
from beryl.features.walk import Scene, Walk
from beryl.lang.parsing import parse
from beryl.types import EdgeKind, Language

# Real files nest expressions thousands of levels deep; Python frames cost no C stack.
_DEEPEST = 100_000
NOTHING = Declarations()
INSIDE = frozenset(EdgeKind) - {EdgeKind.CALL, EdgeKind.RETURN}
"""Edges that stay in a function: its CFG."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a function is in its file, its comment included, and its CFG."""

    name: str
    start: int
    end: int
    comment_start: int
    comment_end: int
    graph: Graph = ()


def extract(
    text: bytes, language: Language, places: Sequence[Place], project: Declarations = NOTHING, timeout: float = 0.0
) -> list[Facts]:
    """The facts of the functions at these places; `project` is what the project's headers declare."""
    root = parse(text, language, timeout).root_node
    scene = Scene(text, language, declarations.collect(root, text), project)
    walk = Walk(scene, handlers(language))
    found = []
    with _deep_recursion():
        for place in places:
            node = root.descendant_for_byte_range(place.start, place.end)
            comment = text[place.comment_start : place.comment_end].decode("utf-8", "replace")
            if node is None:
                found.append(Facts(place.name, graph=place.graph))
                continue
            found.append(replace(walk.facts(node, place.name, comment), graph=place.graph))
    return found


def declared_in(text: bytes, language: Language, timeout: float = 0.0) -> Declarations:
    """What one header declares."""
    return declarations.collect(parse(text, language, timeout).root_node, text)


def graph_of(first: int, last: int, edges: Sequence[tuple[int, int, int]]) -> Graph:
    """The CFG of nodes first..last (excluded) from (source, target, kind); the true branch comes first."""
    successors: list[list[int]] = [[] for _ in range(last - first)]
    for source, target, kind in sorted(edges, key=lambda edge: (edge[0], edge[2], edge[1])):
        if kind in INSIDE and first <= target < last:
            successors[source - first].append(target - first)
    return tuple(tuple(dict.fromkeys(each)) for each in successors)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
