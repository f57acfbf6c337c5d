"""How much a function is used: PageRank over the call graph (function ranking §3.3, Eq. 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Eq. 4 has no damping (1.0), which need not converge on a graph with cycles; Brin and Page's 0.85 always does.
DAMPING = 0.85
TOLERANCE = 1e-10
MOST_ITERATIONS = 500


@dataclass(frozen=True, slots=True)
class CallGraph:
    """Who calls whom, each pair once; a function that calls itself does not vouch for itself."""

    functions: int
    caller: NDArray[np.int32]
    callee: NDArray[np.int32]

    @staticmethod
    def of(functions: int, caller: NDArray[np.int32], callee: NDArray[np.int32]) -> CallGraph:
        """The graph of these calls, sorted by caller then callee, duplicates and self-calls dropped."""
        other = caller != callee
        code = np.unique(caller[other].astype(np.int64) * functions + callee[other])
        return CallGraph(functions, (code // functions).astype(np.int32), (code % functions).astype(np.int32))


def pagerank(graph: CallGraph, damping: float = DAMPING, tolerance: float = TOLERANCE) -> NDArray[np.float64]:
    """Eq. 4 by power iteration from 1/n; rank of functions that call nothing is spread over all. Sums to 1."""
    from scipy.sparse import csr_matrix

    count = graph.functions
    if count == 0:
        return np.zeros(0)
    calls = np.bincount(graph.caller, minlength=count)
    share = 1.0 / calls[graph.caller]
    transition = csr_matrix((share, (graph.callee, graph.caller)), shape=(count, count))
    dangling = calls == 0
    rank = np.full(count, 1.0 / count)
    for _ in range(MOST_ITERATIONS):
        spread = damping * rank[dangling].sum() + (1.0 - damping)
        new = damping * (transition @ rank) + spread / count
        moved = float(np.abs(new - rank).sum())
        rank = new
        if moved < tolerance:
            break
    return rank / rank.sum()


def prior(rank: NDArray[np.float64]) -> NDArray[np.float32]:
    """PageRank on a scale that can be added to a cosine: log(1 + n r), divided by the largest, so in [0, 1].

    PageRank is a power law: divided by its maximum, all but a few functions would have 0.
    """
    if len(rank) == 0:
        return np.zeros(0, dtype=np.float32)
    raised = np.log1p(rank * len(rank))
    return (raised / raised.max()).astype(np.float32)
