"""The paper's search (Beryllium §5): nearest nodes, agglomerative groups, coverage plus 1/distance; nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from beryl.index.store import Index
from beryl.index.vectors import Vectors
from beryl.lang.pseudo.frontend import Pseudocode
from beryl.rank.group import Graph, groups
from beryl.rank.score import Candidate, Place, Scored, distinct, ranked
from beryl.search.clock import Clock
from beryl.search.fragments import Aligned, Verdict, fragment, function_spans, searchable
from beryl.types import EdgeKind, Fragment, IntArray, Node, NodeKind, PseudocodeQuery

# "We obtained the top 100 matching blocks from the code search database for each queried p-code node" (§6.1.2).
NEIGHBOURS = 100
# A function called from more places than this connects everything with everything; no path is followed through it.
MOST_CALLERS = 32
# Merge-step groups beyond this many per wanted result cannot reach the top once overlapping ones are dropped.
_CONSIDERED_PER_RESULT = 50


def search(index: Index, pseudocode: Pseudocode, query: PseudocodeQuery, clock: Clock) -> list[Fragment]:
    """The ranked fragments of one query."""
    vectors = Vectors.open(index)
    query_nodes = searchable(pseudocode.icfg.nodes)
    with clock("encode"):
        encoded = vectors.encode_query(pseudocode.icfg, features=query.features)
        rows = encoded[[node.id for node in query_nodes]]
    with clock("search"):
        allowed = allowed_nodes(index, index.allowed_functions(query.filters), query.names)
        similarity, found = vectors.search(rows, NEIGHBOURS, allowed, features=query.features, blocks="paper")
    with clock("group"):
        candidates = _candidates(similarity, found)
        nodes = np.array([item.node for item in candidates], dtype=np.int64)
        graph, positions = neighbourhood(index, nodes, query.paths != "intraprocedural", query.paths == "directed")
        best = ranked(groups(graph, positions), candidates)
    with clock("score"):
        return _fragments(index, query, query_nodes, candidates, best)


def allowed_nodes(index: Index, functions: NDArray[np.bool_], names: bool) -> NDArray[np.bool_]:
    """Which code nodes may be retrieved: those of the allowed functions, never entries and exits.

    Without names, a call to a function of the corpus is a masked name and may not be matched either.
    """
    allowed = np.repeat(functions, np.diff(index.functions.first_node))
    allowed &= (index.nodes.kind != NodeKind.ENTRY) & (index.nodes.kind != NodeKind.EXIT)
    if not names:
        known = np.asarray(index.calls.node)[np.asarray(index.calls.resolved) != -1]
        allowed[known] = False
    return allowed


def _candidates(similarity: NDArray[np.float32], found: IntArray) -> list[Candidate]:
    by_node: dict[int, dict[int, float]] = {}
    for query_node, (scores, nodes) in enumerate(zip(similarity.tolist(), found.tolist(), strict=True)):
        for value, node in zip(scores, nodes, strict=True):
            if node >= 0:
                by_node.setdefault(node, {})[query_node] = value
    return [Candidate(node, by_node[node]) for node in sorted(by_node)]


def neighbourhood(
    index: Index, nodes: IntArray, interprocedural: bool = True, directed: bool = False
) -> tuple[Graph, IntArray]:
    """The ICFG of the functions that hold candidates, and where the candidates are in it.

    Paths run through these functions only, undirected, over call and return edges too ("between", §5.2), but not
    into or out of a function with very many callers. Directed, the distance of two nodes is that of the shorter way.
    """
    functions = np.unique(index.nodes.function[nodes])
    first, last = index.functions.first_node[functions], index.functions.first_node[functions + 1]
    members = ranges(first, last)
    local = np.full(len(index.nodes.kind), -1, dtype=np.int32)
    local[members] = np.arange(len(members), dtype=np.int32)
    degree = index.edges.offsets[members + 1] - index.edges.offsets[members]
    edges = ranges(index.edges.offsets[members], index.edges.offsets[members + 1])
    source = np.repeat(np.arange(len(members)), degree)
    target = local[index.edges.target[edges]]
    kind = index.edges.kind[edges]
    between = (kind == EdgeKind.CALL) | (kind == EdgeKind.RETURN)
    keep = (target >= 0) & ~(between & (not interprocedural))
    if interprocedural:
        callers = np.bincount(target[keep & (kind == EdgeKind.CALL)], minlength=len(members))
        busy = callers > MOST_CALLERS
        busy_exit = np.zeros(len(members), dtype=np.bool_)
        busy_exit[np.minimum(np.flatnonzero(busy) + 1, len(members) - 1)] = True
        keep &= ~((kind == EdgeKind.CALL) & busy[target]) & ~((kind == EdgeKind.RETURN) & busy_exit[source])
    return _graph(source[keep], target[keep].astype(np.int64), len(members), directed), local[nodes].astype(np.int64)


def ranges(starts: IntArray, ends: IntArray) -> IntArray:
    """All integers of start..end for every pair, concatenated."""
    lengths = np.asarray(ends - starts, dtype=np.int64)
    shift = np.repeat(np.asarray(starts, dtype=np.int64) - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
    found: IntArray = np.arange(int(lengths.sum()), dtype=np.int64) + shift
    return found


def _graph(source: IntArray, target: IntArray, size: int, directed: bool) -> Graph:
    if not directed:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
    pairs = np.unique(source * np.int64(size) + target)
    offsets = np.searchsorted(pairs, np.arange(size + 1, dtype=np.int64) * size)
    return Graph(offsets, pairs % size if size else pairs, directed)


def _fragments(
    index: Index,
    query: PseudocodeQuery,
    query_nodes: Sequence[Node],
    candidates: Sequence[Candidate],
    best: Sequence[Scored],
) -> list[Fragment]:
    if query.distinct:
        shortlist = best[: query.k * _CONSIDERED_PER_RESULT]
        best = [shortlist[position] for position in distinct(_places(index, candidates, shortlist), query.k)]
    result = []
    for item in best[: query.k]:
        nodes = np.array([candidates[member].node for member in item.members], dtype=np.int64)
        verdict = Verdict(
            item.score, {"coverage": item.coverage, "closeness": item.closeness, "similarity": item.similarity}
        )
        pairs = align(candidates, item)
        result.append(fragment(index, function_spans(index, nodes), query_nodes, pairs, verdict))
    return result


def _places(index: Index, candidates: Sequence[Candidate], items: Sequence[Scored]) -> list[list[Place]]:
    places = []
    for item in items:
        nodes = np.array([candidates[member].node for member in item.members], dtype=np.int64)
        spans = function_spans(index, nodes)
        places.append([(str(index.functions.file[function]), start, end) for function, start, end in spans])
    return places


def align(candidates: Sequence[Candidate], item: Scored) -> list[Aligned]:
    """For every covered query node the member that is most similar to it."""
    best: dict[int, Aligned] = {}
    for member in item.members:
        for query_node, value in candidates[member].similarity.items():
            if query_node not in best or value > best[query_node].similarity:
                best[query_node] = Aligned(query_node, candidates[member].node, value)
    return [best[query_node] for query_node in sorted(best)]
