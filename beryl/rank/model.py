"""The learned part of the fused ranking: boosted trees over named signals, read from JSON; small and inspectable."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl import paths
from beryl.errors import ModelError
from beryl.types import FloatArray

RELATIVE = " (relative)"
"""A signal divided by its best value among the candidates of the query."""


@dataclass(frozen=True)
class Tree:
    """A binary tree in columns; a leaf has feature -1."""

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float64]

    def __call__(self, rows: FloatArray) -> NDArray[np.float64]:
        """The value of the leaf that each row falls into."""
        at = np.zeros(len(rows), dtype=np.int32)
        while True:
            feature = self.feature[at]
            inner = np.flatnonzero(feature >= 0)
            if not len(inner):
                return self.value[at]
            here = at[inner]
            smaller = rows[inner, feature[inner]] <= self.threshold[here]
            at[inner] = np.where(smaller, self.left[here], self.right[here])


@dataclass(frozen=True)
class Model:
    """Signals in order, and what adds up to the score: a linear part and trees."""

    signals: tuple[str, ...]
    weights: NDArray[np.float64]
    trees: tuple[Tree, ...]
    about: Mapping[str, object]

    def score(self, columns: Mapping[str, FloatArray]) -> NDArray[np.float64]:
        """Scores of candidates from their signals."""
        rows = matrix(columns, self.signals)
        total: NDArray[np.float64] = rows @ self.weights
        for tree in self.trees:
            total += tree(rows)
        return total


def matrix(columns: Mapping[str, FloatArray], signals: tuple[str, ...]) -> FloatArray:
    """(candidates, signals); relative signals are worked out here."""
    rows = []
    for name in signals:
        plain = columns[name.removesuffix(RELATIVE)].astype(np.float32)
        if name.endswith(RELATIVE):
            plain = plain / max(float(plain.max(initial=0.0)), 1e-6)
        rows.append(plain)
    return np.stack(rows, axis=1)


@cache
def load(path: Path) -> Model:
    """The model of a JSON file."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        trees = tuple(_tree(tree) for tree in body["trees"])
        weights = np.array(body["weights"], dtype=np.float64)
        return Model(tuple(body["signals"]), weights, trees, body["about"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"the ranking model {path} cannot be read ({error!r}); fetch it again") from None


def _tree(body: Mapping[str, list[float]]) -> Tree:
    return Tree(
        feature=np.array(body["feature"], dtype=np.int32),
        threshold=np.array(body["threshold"], dtype=np.float64),
        left=np.array(body["left"], dtype=np.int32),
        right=np.array(body["right"], dtype=np.int32),
        value=np.array(body["value"], dtype=np.float64),
    )


def bundled(names: bool) -> Model:
    """The shipped model: one trained with names, one trained with names hidden."""
    return load(paths.model("ranking") / ("names.json" if names else "no_names.json"))
