"""Training of the fused ranking: labelled candidates -> a weight per signal; no fold splits a family of algorithms.

A model is trained on pairs of query and candidate function, the label being whether the function implements the query.
Queries weigh the same however many labels they have. Out-of-fold scores come from models that saw no query of the
family, and with `other_projects` no code of the projects that are scored either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl.evaluate.metrics import mean, reciprocal_rank
from beryl.rank.model import MEANING, RELATIVE, Model, Read, matrix
from beryl.types import FloatArray, IntArray

FOLDS = 5
# In units of one query; of 0.1, 1, 10 and 100 this was best out of fold (C moved by up to 0.04, Java by 0.02).
REGULARISATION = 1.0
_FIRST = "score so far"
_ABSOLUTE_ONLY = ("log size", "tiny", "test code")


@dataclass(frozen=True)
class Group:
    """The candidates of one query in one language."""

    query: str
    language: str
    family: str
    columns: Mapping[str, FloatArray]
    grades: NDArray[np.int64]
    projects: NDArray[np.int64]
    read: Read | None = None
    """The meaning of some of them; None where names are hidden."""


def signal_names(group: Group) -> tuple[str, ...]:
    """All signals, plain, and relative to the best candidate where that differs between queries."""
    plain = list(group.columns)
    return tuple([*plain, MEANING] + [name + RELATIVE for name in plain if name not in _ABSOLUTE_ONLY])


def train(groups: Sequence[Group], signals: tuple[str, ...], regularisation: float = REGULARISATION) -> Model:
    """The weights that these groups ask for, and then how much meaning counts among what is best by these."""
    first = Model(_fit(groups, tuple(name for name in signals if name != MEANING), regularisation), {})
    readable = [group for group in groups if group.read is not None]
    if MEANING not in signals or not readable:
        return first
    weights = _fit([_read(group, first) for group in readable], (_FIRST, MEANING), regularisation)
    return replace(first, meaning=max(weights[MEANING] / max(weights[_FIRST], 1e-6), 0.0))


def _read(group: Group, model: Model) -> Group:
    """What is read of a group: its score so far, and its meaning."""
    best = model.best(group.columns)
    assert group.read is not None
    columns = {_FIRST: model.score(group.columns)[best].astype(np.float32), MEANING: group.read(best)}
    return replace(_part(group, best), columns=columns)


def _fit(groups: Sequence[Group], signals: tuple[str, ...], regularisation: float) -> dict[str, float]:
    """Logistic regression on standardised signals."""
    from sklearn.linear_model import LogisticRegression

    rows = np.concatenate([matrix(group.columns, signals) for group in groups]).astype(np.float64)
    grades = np.concatenate([group.grades for group in groups])
    weight = np.concatenate([_sample_weights(group) for group in groups])
    scale = np.maximum(rows.std(axis=0), 1e-6)
    keep = grades != 1
    classifier = LogisticRegression(C=1.0 / regularisation, max_iter=1_000)
    classifier.fit(((rows - rows.mean(axis=0)) / scale)[keep], grades[keep] >= 2, sample_weight=weight[keep])
    return dict(zip(signals, (classifier.coef_[0] / scale).tolist(), strict=True))


def _sample_weights(group: Group) -> NDArray[np.float64]:
    """The positives of a query weigh 1 together, and so do its negatives."""
    positive = group.grades >= 2
    return np.where(positive, 1.0 / max(int(positive.sum()), 1), 1.0 / max(int((~positive).sum()), 1))


def folds(groups: Sequence[Group], count: int = FOLDS) -> list[set[str]]:
    """Families in `count` folds of about as many queries each; always the same."""
    sizes: dict[str, int] = {}
    for group in groups:
        sizes[group.family] = sizes.get(group.family, 0) + 1
    result: list[set[str]] = [set() for _ in range(count)]
    filled = [0] * count
    for family in sorted(sizes, key=lambda name: (-sizes[name], name)):
        smallest = filled.index(min(filled))
        result[smallest].add(family)
        filled[smallest] += sizes[family]
    return result


def fold_models(groups: Sequence[Group], signals: tuple[str, ...]) -> dict[str, Model]:
    """For every family a model that saw none of its queries."""
    found: dict[str, Model] = {}
    for fold in folds(groups):
        model = train([group for group in groups if group.family not in fold], signals)
        found |= dict.fromkeys(fold, model)
    return found


def out_of_fold(groups: Sequence[Group], signals: tuple[str, ...]) -> list[NDArray[np.float64]]:
    """Scores of every group from a model that saw no query of its family."""
    models = fold_models(groups, signals)
    return [_scores(models[group.family], group) for group in groups]


def other_projects(groups: Sequence[Group], signals: tuple[str, ...]) -> list[NDArray[np.float64]]:
    """The same, but the model saw only the other half of the projects; of each group only that half is scored."""
    scores = [np.full(len(group.grades), -np.inf) for group in groups]
    for half in (0, 1):
        seen = [_part(group, np.flatnonzero(group.projects % 2 != half)) for group in groups]
        models = fold_models([group for group in seen if (group.grades >= 2).any()], signals)
        for position, group in enumerate(groups):
            here = group.projects % 2 == half
            if group.family in models and here.any():
                scores[position][here] = _scores(models[group.family], _part(group, np.flatnonzero(here)))
    return scores


def _scores(model: Model, group: Group) -> NDArray[np.float64]:
    return model.score(group.columns) if group.read is None else model.rank(group.columns, group.read).scores


def _part(group: Group, chosen: IntArray) -> Group:
    """Some of the candidates of a group."""
    read = group.read
    return replace(
        group,
        columns={name: values[chosen] for name, values in group.columns.items()},
        grades=group.grades[chosen],
        projects=group.projects[chosen],
        read=None if read is None else lambda positions: read(chosen[positions]),
    )


def mean_reciprocal_rank(groups: Sequence[Group], scores: Sequence[NDArray[np.float64]]) -> float:
    """MRR of whole functions, strict; a query whose answers no retriever brought counts 0."""
    values = []
    for group, own in zip(groups, scores, strict=True):
        order = np.argsort(-own, kind="stable")
        values.append(reciprocal_rank(group.grades[order].tolist(), 2))
    return mean(values)


def by_language(groups: Sequence[Group], scores: Sequence[NDArray[np.float64]]) -> dict[str, float]:
    """MRR for each language."""
    table = {}
    for language in dict.fromkeys(group.language for group in groups):
        own = [position for position, group in enumerate(groups) if group.language == language]
        table[language] = mean_reciprocal_rank([groups[i] for i in own], [scores[i] for i in own])
    return table


def save(model: Model, path: Path, about: Mapping[str, object]) -> None:
    """Write a model as it is shipped."""
    weights = {name: round(value, 5) for name, value in model.weights.items()}
    body = {"about": dict(about), "weights": weights, "meaning": round(model.meaning, 5)}
    path.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")


def save_folds(groups: Sequence[Group], folder: Path, prefix: str) -> None:
    """Write the model of every fold, and which family belongs to which; `beryl eval` scores a query with these."""
    signals = signal_names(groups[0])
    folder.mkdir(parents=True, exist_ok=True)
    table: dict[str, str] = {}
    for number, fold in enumerate(folds(groups)):
        model = train([group for group in groups if group.family not in fold], signals)
        save(model, folder / f"{prefix}-{number}.json", {"never saw the families": sorted(fold)})
        table |= dict.fromkeys(sorted(fold), f"{prefix}-{number}.json")
    (folder / f"{prefix}.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def ablations(groups: Sequence[Group], families: Mapping[str, Sequence[str]]) -> dict[str, tuple[float, float]]:
    """For every family of signals: out-of-fold MRR without it, and of it alone."""
    signals = signal_names(groups[0])
    table = {"all": (mean_reciprocal_rank(groups, out_of_fold(groups, signals)), 0.0)}
    for name, members in families.items():
        own = tuple(signal for signal in signals if signal.removesuffix(RELATIVE) in members)
        rest = tuple(signal for signal in signals if signal not in own)
        readable = MEANING not in own or groups[0].read is not None
        if own and rest and readable:
            without = mean_reciprocal_rank(groups, out_of_fold(groups, rest))
            alone = mean_reciprocal_rank(groups, out_of_fold(groups, own)) if MEANING not in own else 0.0
            table[name] = without, alone
    return table
