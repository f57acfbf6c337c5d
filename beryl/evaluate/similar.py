"""`beryl eval similar`: MAP of every feature-class and configuration on libc-qs and two algo-qs (Source Forager §IV).

Every function of a set is a query, the others of its category are relevant. They are ranked among 10,000 distractors,
which is how §IV-B reads; in a "whole set" the functions of its other categories are in the way too. Ties are broken by
a fixed random order.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl import paths
from beryl.errors import InputError
from beryl.evaluate import pairs
from beryl.evaluate.metrics import mean
from beryl.evaluate.pairs import TABLE_2, QuerySet
from beryl.features import FEATURES, feature_classes
from beryl.features import PAPER as TABLE_1
from beryl.index.observations import Observations, restricted
from beryl.index.store import Index, exists, open_index
from beryl.rank import select
from beryl.search.comparison import Comparison, of_index
from beryl.types import Progress, silent

DISTRACTORS = 10_000
CURVE = (10, 100, 1_000, 10_000, 100_000)
FOLDS = 5
RANDOM_ROUNDS = 10
"""rand-select is the mean over this many random subsets (§IV-B)."""
_SEED = 2017
_SAMPLE = 500
_LEAST_LINES = 5
CONFIGURATIONS = ("equal-all", "rand-select", "dyn-select", "svm-weights", "both-weights", "cross-weights")
LIBC, LONG, ALGO, WHOLE = "libc-qs", "libc-qs > 4 lines", "algo-qs", ", whole set"
FOREIGN = {
    **dict.fromkeys((LIBC, LONG, LIBC + WHOLE), ALGO),
    **dict.fromkeys((ALGO, ALGO + WHOLE, TABLE_2, TABLE_2 + WHOLE), LIBC),
}
"""Where cross-weights learned; the set itself has no part in them."""
COMPANION = {ALGO: TABLE_2, TABLE_2: ALGO, ALGO + WHOLE: TABLE_2, TABLE_2 + WHOLE: ALGO}
"""Whose tasks both-weights learned from too; those of the fold itself left out."""
EXTENDED = " +"
"""Marks a configuration over all classes, those beyond Table I included."""
# Fig. 6, as (algo-qs, libc-qs); the text gives figures for these only.
PAPER = {
    "nl-terms": (0.70, 0.86),
    "equal-all": (0.67, 0.73),
    "rand-select": (0.57, 0.63),
    "dyn-select": (0.84, 0.89),
    "svm-weights": (0.86, 0.95),
    "cross-weights": (0.74, 0.85),
}

CURVES = ("dyn-select", "svm-weights", *(f"{name}{EXTENDED}" for name in CONFIGURATIONS[2:]))

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Compared:
    """A query set against itself and its distractors: similarities by (query, class, function), set first."""

    queries: QuerySet
    similarities: NDArray[np.float32]
    selected: NDArray[np.float64]
    """dyn-select's weights by (query, class)."""
    ties: NDArray[np.int64]
    apart: bool = True
    """Whether functions of other categories are left out, so that only the distractors are in the way."""

    @property
    def limit(self) -> int:
        """How many distractors the figures of Fig. 6 have."""
        return min(len(self.ties) - len(self.queries.functions), DISTRACTORS)

    @property
    def steps(self) -> list[int]:
        """How many distractors the points of Fig. 7 have."""
        available = len(self.ties) - len(self.queries.functions)
        return [step for step in CURVE if step < available] + [min(available, max(CURVE))]


@dataclass(frozen=True, slots=True)
class Figures:
    """MAP by configuration and set, MAP by number of distractors, and weights."""

    maps: dict[str, dict[str, float]]
    curves: dict[str, dict[str, dict[int, float]]]
    weights: dict[str, dict[str, float]]
    queries: dict[str, int]
    missing: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    """Sets that the index cannot be measured on, and why."""


def compare(
    table: Observations, queries: QuerySet, distractors: Sequence[int], progress: Progress = silent
) -> Compared:
    """Every function of a set against the set and the distractors."""
    functions = np.array([*queries.functions, *distractors], dtype=np.int64)
    generator = np.random.default_rng(_SEED)
    searched = min(len(functions), len(queries.functions) + DISTRACTORS)  # Fig. 6's database, C without Java
    sample = np.sort(generator.permutation(searched)[:_SAMPLE])
    small = restricted(table, functions, sample)
    everything = np.arange(len(functions))
    similarities = np.zeros((len(queries.functions), len(FEATURES), len(functions)), dtype=np.float32)
    selected = np.zeros((len(queries.functions), len(FEATURES)))
    for position in range(len(queries.functions)):
        progress(queries.name, position, len(queries.functions))
        comparison = Comparison(small, of_index(small, position))
        for number, name in enumerate(FEATURES):
            similarities[position, number] = comparison.exact(name, everything)
        found = select.dyn_select(comparison.sampled(), small.thresholds, comparison.empty())
        selected[position] = list(found.values())
    progress(queries.name, len(queries.functions), len(queries.functions))
    return Compared(queries, similarities, selected, generator.permutation(len(functions)))


def longer(index: Index, compared: Compared) -> Compared:
    """The complete categories whose functions all have more than 4 lines, among themselves and the distractors."""
    queries = compared.queries
    lines = index.functions.end_line - index.functions.start_line + 1
    short = {c for f, c in zip(queries.functions, queries.categories, strict=True) if lines[f] < _LEAST_LINES}
    counts = Counter(queries.categories)
    complete = {category for category, count in counts.items() if count == max(counts.values())} - short
    kept = [i for i, category in enumerate(queries.categories) if category in complete]
    chosen = QuerySet(
        LONG,
        tuple(queries.functions[i] for i in kept),
        tuple(queries.categories[i] for i in kept),
    )
    end = len(queries.functions)
    columns = np.array([*kept, *range(end, min(end + DISTRACTORS, len(compared.ties)))])
    similarities = compared.similarities[np.array(kept)][:, :, columns]
    return Compared(chosen, similarities, compared.selected[kept], compared.ties[columns])


def whole_set(compared: Compared) -> Compared:
    """Every query among all functions of the set and the distractors: the other way to read §IV-B."""
    return replace(compared, queries=replace(compared.queries, name=compared.queries.name + WHOLE), apart=False)


def average_precision(compared: Compared, position: int, weights: Array, limit: int) -> float:
    """AP of one query among its set and the first `limit` distractors."""
    end = len(compared.queries.functions) + limit
    scores = (weights @ compared.similarities[position, :, :end].astype(np.float64)) / max(weights.sum(), 1e-12)
    relevant = np.array(compared.queries.relevant(position))
    if compared.apart:
        scores[np.setdiff1d(np.arange(len(compared.queries.functions)), relevant)] = -1.0
    scores[position] = -1.0
    ties = compared.ties[:end]
    ranks = [
        1 + int(np.count_nonzero((scores > scores[r]) | ((scores == scores[r]) & (ties < ties[r])))) for r in relevant
    ]
    return mean([(found + 1) / rank for found, rank in enumerate(sorted(ranks))])


def mean_precision(compared: Compared, weights: Array, limit: int = DISTRACTORS) -> float:
    """MAP over all queries; `weights` is one row for all or one row per query."""
    rows = np.broadcast_to(weights, (len(compared.queries.functions), len(FEATURES)))
    return mean([average_precision(compared, i, rows[i], limit) for i in range(len(rows))])


def vectors(compared: Compared, chosen: Sequence[int]) -> tuple[Array, Array]:
    """Similarity vectors of all pairs of some queries of a set, and whether each pair is of one category."""
    first, second = np.triu_indices(len(chosen), 1)
    picked = np.array(chosen)
    rows = compared.similarities[picked[first], :, picked[second]]
    names = np.array([compared.queries.categories[i] for i in chosen])
    return rows, (names[first] == names[second]).astype(np.int64)


def trained(parts: Sequence[tuple[Compared, Sequence[int]]], classes: Sequence[str]) -> Array:
    """Weights of some classes, the first of the table, learned from some queries of one set or several."""
    found = [vectors(compared, chosen) for compared, chosen in parts]
    rows, labels = (np.concatenate(each) for each in zip(*found, strict=True))
    weights, _ = select.train(list(classes), rows[:, : len(classes)], labels)
    return np.array([weights.get(name, 0.0) for name in FEATURES])


def fold_weights(compared: Compared, classes: Sequence[str], companion: Compared | None = None) -> Array:
    """One row of weights per query, learned from the other folds; a category is never split (§IV-B).

    With a companion also from those of its categories that are not in the fold.
    """
    categories = sorted(set(compared.queries.categories))
    order = np.random.default_rng(_SEED).permutation(len(categories))
    fold = {categories[c]: number % FOLDS for number, c in enumerate(order.tolist())}
    rows = np.zeros((len(compared.queries.functions), len(FEATURES)))
    owners = np.array([fold[category] for category in compared.queries.categories])
    for number in range(FOLDS):
        parts = [(compared, np.flatnonzero(owners != number).tolist())]
        if companion is not None:
            known = enumerate(companion.queries.categories)
            parts.append((companion, [place for place, category in known if fold.get(category) != number]))
        rows[owners == number] = trained(parts, classes)
    return rows


def random_precision(compared: Compared, classes: Sequence[str], limit: int) -> float:
    """rand-select: the mean over rounds, a new subset for every query."""
    rounds = []
    for number in range(RANDOM_ROUNDS):
        subsets = [select.rand_select(classes, 10_000 * number + i) for i in range(len(compared.queries.functions))]
        weights = np.array([[subset.get(name, 0.0) for name in FEATURES] for subset in subsets])
        rounds.append(mean_precision(compared, weights, limit))
    return mean(rounds)


def evaluate(index: Index, sets: Sequence[str], most: int = DISTRACTORS, progress: Progress = silent) -> Figures:
    """All figures on the shipped sets; a set that the index lacks a corpus for is left out."""
    table = Observations.open(index)
    left_out = {name: reason for name in sets if (reason := pairs.left_out(index, name))}
    queries = [pairs.shipped(index, name) for name in sets if name not in left_out]
    others = pairs.distractors(index, queries, _SEED)[:most]
    compared = [compare(table, each, others, progress) for each in queries]
    compared += [longer(index, each) for each in compared if each.queries.name == LIBC]
    compared += [whole_set(each) for each in compared if each.queries.name in pairs.SETS]
    return replace(figures(compared), left_out=left_out)


def figures(compared: Sequence[Compared]) -> Figures:
    """MAP of every class and configuration, over the classes of Table I and over all; and the curves of Fig. 7."""
    maps: dict[str, dict[str, float]] = {each.queries.name: {} for each in compared}
    curves: dict[str, dict[str, dict[int, float]]] = {each.queries.name: {} for each in compared}
    weights: dict[str, dict[str, float]] = {}
    for each in compared:
        for number, feature in enumerate(FEATURES):
            maps[each.queries.name][feature] = mean_precision(each, np.eye(len(FEATURES))[number], each.limit)
    for classes, mark in ((TABLE_1, ""), (tuple(FEATURES), EXTENDED)):
        whole = {each.queries.name: trained([(each, range(len(each.queries.functions)))], classes) for each in compared}
        by_name = {each.queries.name: each for each in compared}
        for each in compared:
            name = each.queries.name
            rows = _rows(each, classes, whole.get(FOREIGN[name]), by_name.get(COMPANION.get(name, "")))
            maps[name] |= {f"{key}{mark}": mean_precision(each, row, each.limit) for key, row in rows.items()}
            maps[name][f"rand-select{mark}"] = random_precision(each, classes, each.limit)
            curves[name] |= {
                key + mark: {step: mean_precision(each, row, step) for step in each.steps}
                for key, row in rows.items()
                if key + mark in CURVES
            }
        weights = {name: dict(zip(FEATURES, row.tolist(), strict=True)) for name, row in whole.items()}
    counts = {each.queries.name: len(each.queries.functions) for each in compared}
    return Figures(maps, curves, weights, counts, {each.queries.name: each.queries.missing for each in compared})


def _rows(
    compared: Compared, classes: Sequence[str], foreign: Array | None, companion: Compared | None
) -> dict[str, Array]:
    """The weights of every configuration but rand-select."""
    used = np.array([name in classes for name in FEATURES], dtype=np.float64)
    rows = {
        "equal-all": used,
        "dyn-select": compared.selected * used,
        "svm-weights": fold_weights(compared, classes),
    }
    if companion is not None:
        rows["both-weights"] = fold_weights(compared, classes, companion)
    return rows if foreign is None else rows | {"cross-weights": foreign}


def report(found: Figures) -> str:
    """The tables of Figs. 6 and 7."""
    from beryl.evaluate.report import table

    titles = {feature.name: feature.title for feature in feature_classes()}
    sets = list(found.maps)
    head = ["MAP", *(f"{name} ({found.queries[name]} queries)" for name in sets), "paper (algo / libc)"]
    rows = [
        [titles.get(name, name), *(_show(found.maps[each].get(name)) for each in sets), _paper(name)]
        for name in (*FEATURES, *CONFIGURATIONS, *(f"{name}{EXTENDED}" for name in CONFIGURATIONS))
    ]
    parts = [table(head, rows), f"`{EXTENDED.strip()}`: over all {len(FEATURES)} classes, not only those of Table I."]
    parts += [f"{name} is left out: {reason}." for name, reason in found.left_out.items()]
    for each in sets:
        steps = list(next(iter(found.curves[each].values())))
        body = [[str(step), *(_show(curve[step]) for curve in found.curves[each].values())] for step in steps]
        parts.append(table([f"{each}: distractors", *found.curves[each]], body))
    return "\n\n".join(parts)


def _show(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _paper(name: str) -> str:
    return " / ".join(f"{value:.2f}" for value in PAPER[name]) if name in PAPER else ""


def picture(found: Figures, path: Path) -> None:
    """Fig. 7 as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = [name for name in found.curves if name in pairs.SETS]
    rankings = dict.fromkeys(ranking for name in names for ranking in found.curves[name])
    colours = {ranking: f"C{number}" for number, ranking in enumerate(rankings)}
    figure, panels = pyplot.subplots(1, len(names), figsize=(4.5 * len(names), 3.8), sharey=True, squeeze=False)
    for axes, name in zip(panels[0], names, strict=True):
        for ranking, curve in found.curves[name].items():
            style = "-" if EXTENDED in ranking else "--"
            values = list(curve.values())
            axes.plot(list(curve), values, style, color=colours[ranking], marker="o", markersize=4, label=ranking)
        axes.set(xscale="log", xlabel="distractors", ylim=(0, 1.02), title=f"{name} ({found.queries[name]} queries)")
        axes.grid(alpha=0.3)
    panels[0][0].set_ylabel("MAP")
    panels[0][-1].legend(fontsize=8)
    figure.savefig(path, bbox_inches="tight", dpi=120)
    pyplot.close(figure)


def run(args: argparse.Namespace) -> int:
    """`beryl eval similar`."""
    directory = Path(args.index) if args.index else paths.data("indexes", "similar")
    if not exists(directory):
        raise InputError(f"there is no index {directory}; {pairs.advice(directory)}")
    found = evaluate(open_index(directory), list(pairs.SETS), max(CURVE))
    if args.out:
        folder = Path(args.out)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "similar.json").write_text(json.dumps(plain(found), indent=1) + "\n", encoding="ascii")
        (folder / "similar.md").write_text(report(found) + "\n", encoding="utf-8")
        picture(found, folder / "similar.png")
    sys.stdout.write((json.dumps(plain(found), indent=1) if args.json else report(found)) + "\n")
    return 0


def plain(found: Figures) -> dict[str, Any]:
    """The figures as JSON."""
    body = {"map": found.maps, "curves": found.curves, "weights": found.weights, "queries": found.queries}
    return body | {"left_out": found.left_out}
