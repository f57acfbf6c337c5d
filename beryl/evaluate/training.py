"""Labelled functions -> weights of the feature-classes (Source Forager §III-C)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import InputError
from beryl.evaluate.metrics import mean
from beryl.evaluate.pairs import QuerySet
from beryl.features import FEATURES
from beryl.index.observations import Observations
from beryl.index.store import Index
from beryl.rank import select
from beryl.search.comparison import Comparison, of_index
from beryl.types import Progress, silent

FOLDS = 10
"""The paper reports its accuracy under ten-fold cross-validation (§IV-B)."""
_LEAST_CATEGORIES = 2
_SEED = 10

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Trained:
    """Weights, and the part of pairs that the classifier tells apart on folds it has not seen."""

    weights: select.Weights
    accuracy: float


def similarity_vectors(index: Index, queries: QuerySet, progress: Progress = silent) -> tuple[Array, Array]:
    """The similarities of all pairs of the functions, by class, and whether each pair is of one category."""
    table = Observations.open(index)
    functions = np.array(queries.functions, dtype=np.int64)
    names = np.array(queries.categories)
    rows, labels = [], []
    for position in range(len(functions) - 1):
        progress("comparing functions", position + 1, len(functions))
        comparison = Comparison(table, of_index(table, int(functions[position])))
        others = functions[position + 1 :]
        rows.append(np.stack([comparison.exact(name, others) for name in FEATURES], axis=1))
        labels.append((names[position + 1 :] == names[position]).astype(np.int64))
    return np.concatenate(rows), np.concatenate(labels)


def train(index: Index, queries: QuerySet, progress: Progress = silent) -> Trained:
    """Weights from all pairs of a set."""
    if len(set(queries.categories)) < _LEAST_CATEGORIES:
        raise InputError(f"{queries.name} has functions of one category only; at least two are needed to tell apart")
    vectors, labels = similarity_vectors(index, queries, progress)
    weights, _ = select.train(list(FEATURES), vectors, labels)
    return Trained(weights, cross_validated(vectors, labels))


def cross_validated(vectors: Array, labels: Array) -> float:
    """Accuracy on held-out folds of the pairs."""
    fold = np.random.default_rng(_SEED).permutation(len(labels)) % FOLDS
    scores = []
    for number in range(FOLDS):
        held = fold == number
        if len(set(labels[~held].tolist())) > 1 and held.any():
            scores.append(select.accuracy(vectors[~held], labels[~held], vectors[held], labels[held]))
    return mean(scores)
