"""Which feature-classes count how much for a query: the weights of Eq. 2 (Source Forager §III-B, §III-C, §IV-B)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T_UNIQ = 0.15
"""A class is selected when less than this part of the sample looks like the query (§III-B)."""

IDENTICAL = 1.0
"""Where most functions observe nothing, mean plus deviation exceeds 1; equal observations are similar even then."""

LEAST_DEVIATION = 0.02
"""Added to a deviation, so that a class in which the sample shows no similarity at all does not decide alone."""

Weights = dict[str, float]


def equal_all(names: Sequence[str]) -> Weights:
    """Every class alike."""
    return dict.fromkeys(names, 1.0)


def solo(names: Sequence[str], chosen: str) -> Weights:
    """One class alone."""
    return {name: float(name == chosen) for name in names}


def dyn_select(sampled: Mapping[str, NDArray[np.float32]], thresholds: Mapping[str, float]) -> Weights:
    """1 for every class in which the query is distinctive, 0 for the others; all where it is in none.

    `sampled` holds the similarities of the query and the functions of the sample.
    """
    weights = {}
    for name, values in sampled.items():
        similar = int(((values > thresholds[name]) | (values >= IDENTICAL)).sum())
        weights[name] = float(similar < T_UNIQ * max(len(values), 1))
    return weights if any(weights.values()) else equal_all(list(sampled))


def dyn_weights(sampled: Mapping[str, NDArray[np.float32]]) -> Weights:
    """Beyond the paper: the less a class varies over the sample, the more a high similarity in it says.

    With 1 / deviation as weights, Eq. 2 adds up how many deviations a function is above the others in each class.
    """
    return {name: 1.0 / (float(values.std()) + LEAST_DEVIATION) for name, values in sampled.items()}


def rand_select(names: Sequence[str], seed: int) -> Weights:
    """A random subset of the classes, never empty."""
    import numpy as np

    generator = np.random.default_rng(seed)
    while True:
        chosen = generator.random(len(names)) < 0.5
        if chosen.any():
            return {name: float(value) for name, value in zip(names, chosen, strict=True)}


def normalised(names: Sequence[str], coefficients: Sequence[float]) -> Weights:
    """Weights of a linear classifier: negative ones cut off, divided by the sum of all magnitudes (§III-C)."""
    total = sum(abs(value) for value in coefficients) or 1.0
    return {name: max(0.0, float(value)) / total for name, value in zip(names, coefficients, strict=True)}


def train(names: Sequence[str], vectors: Any, labels: Any) -> tuple[Weights, float]:  # noqa: ANN401 - arrays
    """Weights from similarity vectors of like (1) and unlike (0) pairs, by a linear SVM; and its accuracy on them."""
    machine = _machine().fit(vectors, labels)
    return normalised(names, machine.coef_[0].tolist()), float(machine.score(vectors, labels))


def accuracy(vectors: Any, labels: Any, unseen: Any, truth: Any) -> float:  # noqa: ANN401 - arrays
    """How many unseen pairs the SVM tells apart that was trained on others."""
    return float(_machine().fit(vectors, labels).score(unseen, truth))


def _machine() -> Any:  # noqa: ANN401 - scikit-learn has no types
    """LIBLINEAR; like and unlike pairs weigh the same in total, for unlike ones are a thousand times as many."""
    from sklearn.svm import LinearSVC

    return LinearSVC(class_weight="balanced", random_state=0, max_iter=20_000)


def combined(similarities: Mapping[str, NDArray[Any]], weights: Weights) -> NDArray[np.float64]:
    """Eq. 2: the weighted mean of the similarities of all classes, added up in the order of the weights."""
    import numpy as np

    total = sum(weights.values())
    parts = [(name, weight) for name, weight in weights.items() if weight > 0]
    first = similarities[parts[0][0]] if parts else next(iter(similarities.values()))
    found = np.zeros(first.shape, dtype=np.float64)
    for name, weight in parts:
        found += similarities[name] * np.float64(weight)
    return found / total if total > 0 else found
