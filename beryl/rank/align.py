"""Query lines against the statements of a candidate, in order: the best local alignment, and where it lies.

Smith-Waterman over source order: a matched pair earns its evidence, a skipped query line or statement costs a little,
and the alignment may begin and end anywhere, so a fragment inside a long function is found as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.types import FloatArray

# A pair that is no better than what one node in e offers by chance is not worth matching.
LEAST_EVIDENCE = 1.0
# Cost of passing over a statement or a query line, in the same unit; code has many statements that no line mentions.
SKIP_STATEMENT = 0.25
SKIP_LINE = 0.5


@dataclass(frozen=True, slots=True)
class Alignment:
    """Matched (query line, statement) positions in order, and the score."""

    score: float
    pairs: tuple[tuple[int, int], ...]


def scores(evidence: FloatArray, lengths: Sequence[int]) -> FloatArray:
    """The best score of many candidates at once; `evidence` is (candidates, lines, statements), padded."""
    count, lines, width = evidence.shape
    outside = np.arange(width)[None, :] >= np.asarray(lengths)[:, None]
    slope = SKIP_STATEMENT * np.arange(width, dtype=np.float32)
    row = np.zeros((count, width), dtype=np.float32)
    best = np.zeros(count, dtype=np.float32)
    for line in range(lines):
        row = _next_row(row, evidence[:, line], slope)
        row[outside] = 0.0
        np.maximum(best, row.max(axis=1, initial=0.0), out=best)
    return best


def _next_row(row: FloatArray, gain: FloatArray, slope: FloatArray) -> FloatArray:
    diagonal = np.zeros_like(row)
    diagonal[:, 1:] = row[:, :-1]
    base = np.maximum(np.maximum(diagonal + gain - LEAST_EVIDENCE, row - SKIP_LINE), 0.0)
    carried = np.maximum.accumulate(base + slope, axis=1) - slope
    result: FloatArray = np.maximum(base, carried)
    return result


def align(evidence: FloatArray) -> Alignment:
    """The best alignment of one candidate, (lines, statements), with its pairs."""
    lines, width = evidence.shape
    slope = SKIP_STATEMENT * np.arange(width, dtype=np.float32)
    table = np.zeros((lines + 1, width), dtype=np.float32)
    for line in range(lines):
        table[line + 1] = _next_row(table[line : line + 1], evidence[line : line + 1], slope)[0]
    if not table.size or table.max() <= 0:
        return Alignment(0.0, ())
    line, statement = (int(part) for part in np.unravel_index(int(table.argmax()), table.shape))
    return Alignment(float(table.max()), tuple(_trace(table, evidence, line, statement)))


def _trace(table: NDArray[np.float32], evidence: FloatArray, line: int, statement: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    while line > 0 and statement >= 0 and table[line, statement] > 0:
        here = float(table[line, statement])
        before = float(table[line - 1, statement - 1]) if statement else 0.0
        gain = float(evidence[line - 1, statement]) - LEAST_EVIDENCE
        if gain > 0 and np.isclose(here, before + gain, atol=1e-4):
            pairs.append((line - 1, statement))
            line, statement = line - 1, statement - 1
        elif np.isclose(here, float(table[line - 1, statement]) - SKIP_LINE, atol=1e-4):
            line -= 1
        else:
            statement -= 1
    return pairs[::-1]
