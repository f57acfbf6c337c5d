"""How much a function is used: PageRank over the call graph (function ranking §3.3, Eq. 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Eq. 4 has no damping (1.0), which need not converge on a graph with cycles; Brin and Page's 0.85 always does.
DAMPING = 0.85
TOLERANCE = 1e-10
MOST_ITERATIONS = 500


@dataclass(frozen=True, slots=True)
class CallGraph:
    """Who calls whom, each pair once, ascending; a function that calls itself does not vouch for itself."""

    functions: int
    caller: NDArray[np.int64]
    callee: NDArray[np.int64]
    weight: NDArray[np.float64]
    """1, or 1 / candidates where the callee is only one of several that a call may mean."""

    @staticmethod
    def of(functions: int, caller: NDArray[Any], callee: NDArray[Any], weight: NDArray[np.float64]) -> CallGraph:
        """The graph of these calls; the surest of several calls between the same two counts."""
        other = caller != callee
        code = caller[other].astype(np.int64) * functions + callee[other]
        order = np.lexsort((-weight[other], code))
        pairs, first = np.unique(code[order], return_index=True)
        return CallGraph(functions, pairs // functions, pairs % functions, weight[other][order][first])


def pagerank(graph: CallGraph, damping: float = DAMPING, tolerance: float = TOLERANCE) -> NDArray[np.float64]:
    """Eq. 4 by power iteration from 1/n; the rank of functions that call nothing is spread over all. Sums to 1."""
    from scipy.sparse import csr_matrix

    count = graph.functions
    if count == 0:
        return np.zeros(0)
    calls = np.bincount(graph.caller, weights=graph.weight, minlength=count)
    share = graph.weight / calls[graph.caller]
    transition = csr_matrix((share, (graph.callee, graph.caller)), shape=(count, count))
    dangling = calls == 0
    rank = np.full(count, 1.0 / count)
    for _ in range(MOST_ITERATIONS):
        spread = damping * float(rank[dangling].sum()) + (1.0 - damping)
        new: NDArray[np.float64] = damping * np.asarray(transition @ rank) + spread / count
        moved = float(np.abs(new - rank).sum())
        rank = new / new.sum()
        if moved < tolerance:
            break
    return rank


def prior(rank: NDArray[np.float64]) -> NDArray[np.float32]:
    """PageRank on a scale that can be added to a cosine: log(1 + n r), divided by the largest, so in [0, 1].

    PageRank is a power law: divided by its maximum, all but a few functions would have 0.
    """
    if len(rank) == 0:
        return np.zeros(0, dtype=np.float32)
    raised = np.log1p(rank * len(rank))
    return np.asarray(raised / raised.max(), dtype=np.float32)


def of_calls(
    functions: int, caller: NDArray[Any], callee: NDArray[Any], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """PageRank with the default damping, straight from calls; what an index stores."""
    return pagerank(CallGraph.of(functions, caller, callee, weight))
