"""Which feature-classes count how much for a query: the weights of Eq. 2 (Source Forager §III-B, §III-C, §IV-B)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T_UNIQ = 0.15
"""A class is selected when less than this part of the sample looks like the query (§III-B)."""

Weights = dict[str, float]


def equal_all(names: Sequence[str]) -> Weights:
    """Every class alike."""
    return dict.fromkeys(names, 1.0)


def solo(names: Sequence[str], chosen: str) -> Weights:
    """One class alone."""
    return {name: float(name == chosen) for name in names}


def observed(weights: Weights, empty: Collection[str]) -> Weights:
    """Without the classes that see nothing in the query; the others alike where none is left.

    No function can be similar to the query in these, so the order stays, and the query itself scores 1.
    """
    left = {name: 0.0 if name in empty else weight for name, weight in weights.items()}
    return left if any(left.values()) else {name: float(name not in empty) for name in weights}


def dyn_select(
    sampled: Mapping[str, NDArray[np.float32]], thresholds: Mapping[str, float], empty: Collection[str] = ()
) -> Weights:
    """1 for every class in which the query is distinctive, 0 for the others; all where it is in none.

    `sampled` holds the similarities of the query and the functions of the sample, `empty` the classes that see
    nothing in the query.
    """
    weights = {}
    for name, values in sampled.items():
        similar = int((values > thresholds[name]).sum())
        weights[name] = float(similar < T_UNIQ * max(len(values), 1))
    return observed(weights, empty)


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
    """LIBLINEAR as it comes: every pair weighs the same."""
    from sklearn.svm import LinearSVC

    return LinearSVC(random_state=0, max_iter=20_000)


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
