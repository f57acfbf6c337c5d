"""Similarities of statements -> evidence for functions: how surprising it is that a function holds so good a match.

A query line that matches something everywhere says nothing, a long function matches more by chance. Both are corrected
at once: where a share p of all nodes is at least as similar to the line, a function of n nodes holds such a node by
chance with probability 1 - (1-p)^n, and the evidence of the line for the function is -log of that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beryl.types import FloatArray, IntArray

LEVELS = 256
"""Similarities are compared in this many steps: one byte per node."""


def levels(similarity: FloatArray) -> NDArray[np.uint8]:
    """Similarities in [0, 1] as bytes; what is below 0 is 0."""
    return (np.clip(similarity, 0.0, 1.0) * (LEVELS - 1)).astype(np.uint8)


def tail(row: NDArray[np.uint8], occurrences: IntArray) -> NDArray[np.float64]:
    """For every level the share of nodes at or above it; `occurrences` counts the nodes of each statement."""
    histogram = np.bincount(row, weights=occurrences, minlength=LEVELS)
    return np.cumsum(histogram[::-1])[::-1] / max(float(occurrences.sum()), 1.0)


def best_levels(row: NDArray[np.uint8], text_of_node: IntArray, first_node: IntArray) -> NDArray[np.uint8]:
    """The best level of every function; its first two nodes, entry and exit, are names and do not count."""
    nodes = row[text_of_node]
    nodes[first_node[:-1]] = 0
    nodes[np.minimum(first_node[:-1] + 1, len(nodes) - 1)] = 0
    return np.maximum.reduceat(nodes, first_node[:-1])


def surprise(best: NDArray[np.uint8], shares: NDArray[np.float64], sizes: IntArray) -> FloatArray:
    """-log of the probability that a function of this size holds a match at least as good by chance."""
    share = np.minimum(shares[best], 1.0 - 1e-12)
    chance = -np.expm1(sizes * np.log1p(-share))
    return -np.log(np.maximum(chance, 1e-12)).astype(np.float32)


def evidence(similarity: FloatArray, text_of_node: IntArray, first_node: IntArray, occurrences: IntArray) -> FloatArray:
    """(query lines, functions): the evidence of every line for every function."""
    sizes = np.maximum(np.diff(first_node) - 2, 1)
    result = np.zeros((len(similarity), len(first_node) - 1), dtype=np.float32)
    for position, row in enumerate(levels(similarity)):
        best = best_levels(row, text_of_node, first_node)
        result[position] = surprise(best, tail(row, occurrences), sizes)
    return result
