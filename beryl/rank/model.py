"""The learned part of the fused ranking: a weight for every named signal, read from JSON; small and inspectable.

Boosted trees were tried on the same folds and were no better (see docs/ranking.md), so the mix is linear.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl import paths
from beryl.errors import ModelError
from beryl.types import FloatArray, IntArray

RELATIVE = " (relative)"
"""A signal divided by its best value among the candidates of the query."""
MEANING = "meaning"
"""The signal that only the best candidates have, which are read; see search/reading.py."""
# Of 10, 15, 20, 30 and 40 the last three were equally good, and reading takes some milliseconds each.
READ = 24

Read = Callable[[IntArray], FloatArray]
"""Positions of candidates -> their meaning."""


@dataclass(frozen=True)
class Model:
    """Signals and their weights; the score is the weighted sum."""

    weights: Mapping[str, float]
    about: Mapping[str, object]
    meaning: float = 0.0
    """The weight of meaning; nothing is read where it is 0."""

    def score(self, columns: Mapping[str, FloatArray]) -> NDArray[np.float64]:
        """Scores of candidates from their signals."""
        signals = tuple(self.weights)
        total: NDArray[np.float64] = matrix(columns, signals) @ np.array([self.weights[name] for name in signals])
        return total

    def parts(self, columns: Mapping[str, FloatArray]) -> dict[str, NDArray[np.float64]]:
        """What each signal adds to the score, its plain and its relative form together."""
        found: dict[str, NDArray[np.float64]] = {}
        for name, weight in self.weights.items():
            value = weight * matrix(columns, (name,))[:, 0].astype(np.float64)
            plain = name.removesuffix(RELATIVE)
            found[plain] = found[plain] + value if plain in found else value
        return found

    def best(self, columns: Mapping[str, FloatArray]) -> IntArray:
        """The positions of the candidates that are read, best first."""
        return np.argsort(-self.score(columns), kind="stable")[:READ].astype(np.int64)

    def rank(self, columns: Mapping[str, FloatArray], read: Read) -> Scored:
        """All candidates; meaning counts from the worst that was read, and what was not read stays behind with 0."""
        scores, parts = self.score(columns), self.parts(columns)
        if self.meaning > 0 and len(scores):
            best = self.best(columns)
            near = read(best)
            meaning = np.zeros(len(scores))
            meaning[best] = near - near.min()
            parts[MEANING] = self.meaning * meaning
            scores = scores + parts[MEANING]
        return Scored(scores, parts)


@dataclass(frozen=True)
class Scored:
    """Scores of candidates, and what each signal adds to them."""

    scores: NDArray[np.float64]
    parts: Mapping[str, NDArray[np.float64]]


def matrix(columns: Mapping[str, FloatArray], signals: tuple[str, ...]) -> FloatArray:
    """(candidates, signals); relative signals are worked out here."""
    rows = []
    for name in signals:
        if name.removesuffix(RELATIVE) not in columns:
            raise ModelError(f"the ranking model weighs {name!r}, a signal unknown to this beryl; train it again")
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
        weights = {str(name): float(weight) for name, weight in body["weights"].items()}
        return Model(weights, body["about"], float(body["meaning"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"the ranking model {path} cannot be read ({error!r}); fetch it again") from None


def bundled(names: bool) -> Model:
    """The shipped model: one trained with names, one trained with names hidden."""
    return load(paths.model("ranking") / ("names.json" if names else "no_names.json"))
