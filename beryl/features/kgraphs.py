"""K-subgraphs of a CFG as k*k-bit integers (§III-A, Fig. 5): adjacency rows in traversal order, first entry highest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from beryl.features.facts import Graph

# Graphs repeat: half of all functions share one of some thousand small graphs.
_REMEMBERED_GRAPHS = 20_000

Traversal = Callable[[Graph, int, int], list[int]]


def breadth_first(graph: Graph, start: int, k: int) -> list[int]:
    """The first k nodes of a breadth-first traversal, fewer where fewer are reachable."""
    order = [start]
    for node in order:
        for successor in graph[node]:
            if successor not in order:
                order.append(successor)
                if len(order) == k:
                    return order
    return order


def depth_first(graph: Graph, start: int, k: int) -> list[int]:
    """The first k nodes of a depth-first (pre-order) traversal, fewer where fewer are reachable."""
    order: list[int] = []
    stack = [start]
    while stack and len(order) < k:
        node = stack.pop()
        if node not in order:
            order.append(node)
            stack.extend(reversed(graph[node]))
    return order


def shape(graph: Graph, nodes: list[int]) -> int:
    """The subgraph on these nodes as an integer: row by row, the first entry is the highest bit."""
    bits = 0
    for node in nodes:
        successors = graph[node]
        for other in nodes:
            bits = bits << 1 | (other in successors)
    return bits


@lru_cache(maxsize=_REMEMBERED_GRAPHS)
def _shapes(graph: Graph, k: int, traversal: Traversal) -> tuple[tuple[str, int], ...]:
    counts: dict[int, int] = {}
    for bits in _each(graph, k, traversal):
        counts[bits] = counts.get(bits, 0) + 1
    return tuple((str(bits), count) for bits, count in sorted(counts.items()))


def _each(graph: Graph, k: int, traversal: Traversal) -> Iterator[int]:
    for start in range(len(graph)):
        nodes = traversal(graph, start, k)
        if len(nodes) == k:
            yield shape(graph, nodes)


def shapes(graph: Graph, k: int, traversal: Traversal) -> dict[str, int]:
    """The multiset of shapes of k nodes, from every node from which k are reachable."""
    return dict(_shapes(graph, k, traversal))
