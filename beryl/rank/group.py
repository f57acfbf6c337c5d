"""Matched nodes -> groups: agglomerative clustering on ICFG distance (Beryllium §5.2, Eq. 6).

Complete linkage: the distance of two groups is the longest shortest path between their nodes, so the height of a
merge is `distance'` of Eq. 7 for the merged group. Groups without a path between them are never merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beryl.types import IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

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
    from scipy.sparse.csgraph import dijkstra

    matrix = _matrix(graph)
    result = np.full((len(nodes), len(nodes)), np.inf)
    for start in range(0, len(nodes), SOURCES_AT_ONCE):
        sources = nodes[start : start + SOURCES_AT_ONCE]
        # An undirected graph holds both directions of every edge, so it need not be turned round again.
        found = dijkstra(matrix, directed=True, indices=sources, unweighted=True, limit=limit)
        result[start : start + len(sources)] = found[:, nodes]
    symmetric: NDArray[np.float64] = np.minimum(result, result.T)
    return symmetric


def components(graph: Graph, nodes: IntArray) -> Iterator[tuple[IntArray, Graph, IntArray]]:
    """Connected components that hold some of `nodes`: positions in `nodes`, the subgraph, where they are in it.

    The order is that of the first position.
    """
    from scipy.sparse.csgraph import connected_components

    if not len(nodes):
        return
    matrix = _matrix(graph)
    count, labels = connected_components(matrix, directed=False)
    order = np.argsort(labels, kind="stable")
    place = np.empty(graph.size, dtype=np.int64)
    place[order] = np.arange(graph.size)
    starts = np.searchsorted(labels[order], np.arange(count + 1))
    sorted_matrix = matrix[order][:, order]
    by_label = np.argsort(labels[nodes], kind="stable")
    cuts = np.flatnonzero(np.diff(labels[nodes][by_label])) + 1
    for part in sorted(np.split(by_label, cuts), key=lambda part: int(part[0])):
        label = labels[nodes[part[0]]]
        first, last = starts[label], starts[label + 1]
        offsets = sorted_matrix.indptr[first : last + 1]
        targets = sorted_matrix.indices[offsets[0] : offsets[-1]] - first
        yield part, Graph(offsets - offsets[0], targets, graph.directed), place[nodes[part]] - first


def _matrix(graph: Graph) -> csr_matrix:
    from scipy.sparse import csr_matrix

    weights = np.ones(len(graph.targets), dtype=np.float64)
    return csr_matrix((weights, graph.targets, graph.offsets), shape=(graph.size, graph.size))


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
    for part, inside, places in components(graph, nodes):
        matrix = distances(inside, places) if len(part) > 1 else np.zeros((1, 1))
        for group in merge(matrix):
            yield Group(tuple(int(part[position]) for position in group.members), group.distance)
