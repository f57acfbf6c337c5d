"""Matched nodes -> groups: agglomerative clustering on ICFG distance (Beryllium §5.2, Eq. 6).

Complete linkage: the distance of two groups is the longest shortest path between their nodes, so the height of a
merge is `distance'` of Eq. 7 for the merged group. Groups without a path between them are never merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.types import IntArray

# Paths are followed this far; nodes further apart count as unconnected. A fragment of 60 statements has a diameter
# below 60, and beyond that 1/distance' no longer tells groups apart.
MAX_DISTANCE = 60
# Distances are computed for this many sources at a time, to bound memory on large components.
SOURCES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Graph:
    """The part of an ICFG that may connect candidates: undirected or directed CSR over local node numbers."""

    offsets: IntArray
    targets: IntArray
    directed: bool = False

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that were merged, as positions in the candidate list, and the longest path between two of them."""

    members: tuple[int, ...]
    distance: float


def distances(graph: Graph, nodes: IntArray, limit: float = MAX_DISTANCE) -> NDArray[np.float64]:
    """Shortest path lengths between `nodes` (infinite where there is none within `limit`); symmetric."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    weights = np.ones(len(graph.targets), dtype=np.float64)
    matrix = csr_matrix((weights, graph.targets, graph.offsets), shape=(graph.size, graph.size))
    result = np.full((len(nodes), len(nodes)), np.inf)
    for start in range(0, len(nodes), SOURCES_AT_ONCE):
        sources = nodes[start : start + SOURCES_AT_ONCE]
        found = dijkstra(matrix, directed=graph.directed, indices=sources, unweighted=True, limit=limit)
        result[start : start + len(sources)] = found[:, nodes]
    symmetric: NDArray[np.float64] = np.minimum(result, result.T)
    return symmetric


def components(graph: Graph, nodes: IntArray) -> list[IntArray]:
    """Positions in `nodes`, split by connected component of the graph; the order is that of the first position."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    weights = np.ones(len(graph.targets), dtype=np.int8)
    matrix = csr_matrix((weights, graph.targets, graph.offsets), shape=(graph.size, graph.size))
    _, labels = connected_components(matrix, directed=False)
    of_node = labels[nodes]
    order = np.argsort(of_node, kind="stable")
    cuts = np.flatnonzero(np.diff(of_node[order])) + 1
    return sorted(np.split(order, cuts), key=lambda part: int(part[0])) if len(nodes) else []


def merge(matrix: NDArray[np.float64]) -> Iterator[Group]:
    """Every group that complete linkage makes, single nodes first, then one per merge step; never across infinity."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    count = len(matrix)
    members: list[tuple[int, ...]] = [(position,) for position in range(count)]
    for position in range(count):
        yield Group((position,), 0.0)
    if count < 2:
        return
    finite = matrix[np.isfinite(matrix)]
    beyond = float(finite.max(initial=0.0)) + 1.0
    condensed = squareform(np.where(np.isfinite(matrix), matrix, beyond), checks=False)
    for left, right, height, _ in linkage(condensed, method="complete"):
        joined = members[int(left)] + members[int(right)] if height < beyond else ()
        members.append(joined)
        if joined:
            yield Group(tuple(sorted(joined)), float(height))


def groups(graph: Graph, nodes: IntArray) -> Iterator[Group]:
    """All candidate groups over all components; members are positions in `nodes`."""
    for part in components(graph, nodes):
        for group in merge(distances(graph, nodes[part])):
            yield Group(tuple(int(part[position]) for position in group.members), group.distance)
