"""Training of the fused ranking: labelled candidates -> boosted trees; no fold splits a family of algorithms.

A model is trained on pairs of query and candidate function, the label being whether the function implements the query.
Queries weigh the same however many labels they have. Out-of-fold figures come from models that saw no query of the
family; with `split_projects` they saw no code of the project either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.rank.model import RELATIVE, Model, Tree, matrix
from beryl.types import FloatArray

# Few and shallow: some fifty queries do not pay for more. Chosen on folds of the Java half, then left alone.
TREES, LEAVES, LEAST_LEAF, RATE = 120, 6, 40, 0.08
FOLDS = 5


@dataclass(frozen=True)
class Group:
    """The candidates of one query in one language."""

    query: str
    family: str
    columns: Mapping[str, FloatArray]
    grades: NDArray[np.int64]
    projects: NDArray[np.int64]
    labelled: int
    """How many labelled functions of grade 2 there are, found by recall or not."""


def signal_names(groups: Sequence[Group]) -> tuple[str, ...]:
    """All signals, plain, and relative to the best candidate where that differs between queries."""
    plain = list(groups[0].columns)
    return tuple(plain + [name + RELATIVE for name in plain if name not in ("log size", "tiny", "test code")])


def train(groups: Sequence[Group], signals: tuple[str, ...], seed: int = 0) -> Model:
    """A model of these groups."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows = np.concatenate([matrix(group.columns, signals) for group in groups])
    target = np.concatenate([group.grades >= 2 for group in groups])
    weight = np.concatenate([_weights(group) for group in groups])
    keep = np.concatenate([group.grades != 1 for group in groups])
    classifier = HistGradientBoostingClassifier(
        max_iter=TREES, max_leaf_nodes=LEAVES, min_samples_leaf=LEAST_LEAF, learning_rate=RATE, random_state=seed
    )
    classifier.fit(rows[keep], target[keep], sample_weight=weight[keep])
    trees = tuple(_tree(predictors[0].nodes) for predictors in classifier._predictors)
    return Model(signals, np.zeros(len(signals)), trees, {})


def _weights(group: Group) -> NDArray[np.float64]:
    """The positives of a query weigh 1 together, and so do its negatives."""
    positive = group.grades >= 2
    weights = np.where(positive, 1.0 / max(int(positive.sum()), 1), 1.0 / max(int((~positive).sum()), 1))
    return weights * 1_000.0


def _tree(nodes: NDArray[np.void]) -> Tree:
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        feature=np.where(leaf, -1, nodes["feature_idx"]).astype(np.int32),
        threshold=nodes["num_threshold"].astype(np.float64),
        left=nodes["left"].astype(np.int32),
        right=nodes["right"].astype(np.int32),
        value=nodes["value"].astype(np.float64),
    )


def folds(groups: Sequence[Group], count: int = FOLDS) -> list[list[str]]:
    """Families in `count` folds of about as many queries each; always the same."""
    sizes: dict[str, int] = {}
    for group in groups:
        sizes[group.family] = sizes.get(group.family, 0) + 1
    result: list[list[str]] = [[] for _ in range(count)]
    filled = [0] * count
    for family in sorted(sizes, key=lambda name: (-sizes[name], name)):
        smallest = filled.index(min(filled))
        result[smallest].append(family)
        filled[smallest] += sizes[family]
    return result


def out_of_fold(groups: Sequence[Group], signals: tuple[str, ...]) -> dict[tuple[str, int], NDArray[np.float64]]:
    """Scores of every group from a model that saw no query of its family; by query and position."""
    scores: dict[tuple[str, int], NDArray[np.float64]] = {}
    for fold in folds(groups):
        model = train([group for group in groups if group.family not in fold], signals)
        for position, group in enumerate(groups):
            if group.family in fold:
                scores[group.query, position] = model.score(group.columns)
    return scores


def as_json(model: Model, about: Mapping[str, object]) -> dict[str, object]:
    """The model as it is shipped."""
    return {
        "about": dict(about),
        "signals": list(model.signals),
        "weights": [round(float(weight), 6) for weight in model.weights],
        "trees": [
            {
                "feature": tree.feature.tolist(),
                "threshold": [round(float(value), 6) for value in tree.threshold],
                "left": tree.left.tolist(),
                "right": tree.right.tolist(),
                "value": [round(float(value), 6) for value in tree.value],
            }
            for tree in model.trees
        ],
    }
