"""Similarities of statements -> evidence for functions.

A query line that matches something everywhere says nothing, and a long function matches more by chance. So a match
counts its similarity times -log of the share of all nodes that match as well, less half the log of the function's size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from beryl.types import FloatArray, IntArray

LEVELS = 256
"""Similarities are compared in this many steps: one byte per node."""
CHANCE = 0.5
"""A function of n nodes finds n times as many matches by chance; with half of it MRR was better than with none."""


def levels(similarity: FloatArray) -> NDArray[np.uint8]:
    """Similarities in [0, 1] as bytes; what is below 0 is 0."""
    return (np.clip(similarity, 0.0, 1.0) * (LEVELS - 1)).astype(np.uint8)


def tail(row: NDArray[np.uint8], occurrences: IntArray | NDArray[np.float64]) -> NDArray[np.float64]:
    """For every level the share of nodes at or above it; `occurrences` counts the nodes of each statement."""
    histogram = np.bincount(row, weights=occurrences, minlength=LEVELS)
    return np.cumsum(histogram[::-1])[::-1] / max(float(occurrences.sum()), 1.0)


def best_levels(row: NDArray[np.uint8], text_of_node: NDArray[np.int32], first_node: IntArray) -> NDArray[np.uint8]:
    """The best level of every function; its first two nodes, entry and exit, are names and do not count."""
    nodes = row[text_of_node]
    nodes[first_node[:-1]] = 0
    nodes[np.minimum(first_node[:-1] + 1, len(nodes) - 1)] = 0
    return np.maximum.reduceat(nodes, first_node[:-1])


def worth(best: NDArray[np.uint8], shares: NDArray[np.float64], sizes: IntArray) -> FloatArray:
    """Similarity times how rare a match as good is, less what a function of this size finds by chance."""
    rarity = (-np.log(np.maximum(shares, 1e-12)))[best] - CHANCE * np.log(sizes)
    value: FloatArray = (best / np.float32(LEVELS - 1) * np.maximum(rarity, 0.0)).astype(np.float32)
    return value


def evidence(
    similarity: FloatArray, text_of_node: NDArray[np.int32], first_node: IntArray, occurrences: IntArray
) -> FloatArray:
    """(functions): the evidence of all query lines together for every function."""
    sizes = np.maximum(np.diff(first_node) - 2, 1)
    counts = occurrences.astype(np.float64)  # once, not for every line
    total = np.zeros(len(first_node) - 1, dtype=np.float32)
    for row in levels(similarity):
        best = best_levels(row, text_of_node, first_node)
        total += worth(best, tail(row, counts), sizes)
    return total
