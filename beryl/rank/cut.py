"""Which statements of a function the query speaks of: a run of neighbours at one level, with all that is inside them.

Of all such runs the one is taken that holds most of the evidence, nests loops as deep as the query does, and is about
as long as the query. The weights were chosen on the line marks of `data/benchmark/lines.jsonl`, see docs/ranking.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from beryl.types import FloatArray, IntArray

# Code says the same in a few more statements than pseudocode does, and terse pseudocode leaves most of them out.
STATEMENTS_PER_LINE = 1.2
LEAST_STATEMENTS = 8
# A long function that is the algorithm spends more statements on each of its steps.
SHARE = 0.4
# Worth of evidence (all of what the function offers: 1), of a nest as deep as the query's, and of the log of a misfit.
NEST, MISFIT = 1.0, 0.8


def nests(depths: NDArray[np.uint8], loops: NDArray[np.bool_]) -> IntArray:
    """How many loops every statement is in; a loop is in itself."""
    found = np.zeros(len(depths), dtype=np.int64)
    open_: list[int] = []
    for position, (depth, loop) in enumerate(zip(depths.tolist(), loops.tolist(), strict=True)):
        while open_ and open_[-1] >= depth:
            open_.pop()
        if loop:
            open_.append(depth)
        found[position] = len(open_)
    return found


def window(
    evidence: FloatArray, depths: NDArray[np.uint8], loops: NDArray[np.bool_], wanted_nest: int
) -> tuple[int, int]:
    """The first and last statement of the best run; `evidence` is (query lines, statements), at least one of each."""
    lines, statements = evidence.shape
    nest = nests(depths, loops)
    offered = max(float(evidence.max(axis=1).sum()), 1e-6)
    wanted = max(STATEMENTS_PER_LINE * lines, LEAST_STATEMENTS, SHARE * statements)
    best, chosen = -math.inf, (0, statements - 1)
    for first in range(statements):
        outside = np.flatnonzero(depths[first:] < depths[first])
        end = first + int(outside[0]) if len(outside) else statements
        level = depths[first:end] == depths[first]
        lasts = np.append(np.flatnonzero(level)[1:] - 1, end - first - 1)  # where a run may end: before a neighbour
        held = np.maximum.accumulate(evidence[:, first:end], axis=1)[:, lasts].sum(axis=0) / offered
        deepest = np.maximum.accumulate(nest[first:end])[lasts] - (nest[first] - loops[first])
        fit = np.minimum(deepest, wanted_nest) / max(wanted_nest, 1)
        scores = held + NEST * fit - MISFIT * np.abs(np.log((lasts + 1) / wanted))
        place = int(scores.argmax())
        if scores[place] > best:
            best, chosen = float(scores[place]), (first, first + int(lasts[place]))
    return chosen
