"""How long `beryl similar` takes on an index of any size: functions of a real one, replicated with changes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.features import FEATURES
from beryl.index.bags import BagColumn, TermColumn
from beryl.index.dense import VectorColumn
from beryl.index.observations import Column, Observations
from beryl.index.store import open_index
from beryl.index.tokens import LABEL_COUNT
from beryl.index.trees import TreeColumn
from beryl.rank import select
from beryl.search.code import DEFAULT_WEIGHTS, read_weights
from beryl.search.comparison import Comparison, of_index

_SEED = 500_000
# Copies differ from their originals in this part of their tokens and labels.
_CHANGED = 0.15
_WARM_UP = 3
_CHANGED_BITS = np.uint64(0x5DEECE66D)

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds per query by ranking, and whether the answers are those of comparing everything."""

    functions: int
    rows: dict[str, int]
    """Different observations by class."""
    milliseconds: dict[str, list[tuple[float, float]]]
    """(elapsed, processor time) of each query."""
    checked: int
    identical: bool
    plain: dict[str, list[tuple[float, float]]]
    """Processor time of the short list and of comparing everything, for the queries that were checked."""


def replicated(table: Observations, functions: int) -> Observations:
    """A table of so many functions: the real ones, then copies in which some tokens and labels are others."""
    generator = np.random.default_rng(_SEED)
    own = table.functions
    chosen = np.concatenate([np.arange(own), generator.integers(0, own, max(functions - own, 0))])[:functions]
    copies = np.arange(len(chosen)) >= own
    columns = {name: _replicated(table.columns[name], chosen, copies, generator) for name in FEATURES}
    sample = np.sort(generator.permutation(len(chosen))[: len(table.sample)])
    return Observations(columns, sample, table.thresholds, table.defined, table.definition)


def _replicated(column: Column, chosen: Array, copies: Array, generator: np.random.Generator) -> Column:
    sizes, first, second = (np.array(array) for array in column.raw(chosen))
    changed = (generator.random(len(first)) < _CHANGED) & np.repeat(copies, sizes)
    if isinstance(column, VectorColumn):
        first[changed] = generator.integers(0, 256, int(changed.sum()))
        return VectorColumn.of(sizes, first, first)
    if isinstance(column, TreeColumn):
        first[changed] = generator.integers(0, LABEL_COUNT, int(changed.sum()))
        return TreeColumn.of(sizes, first, second)
    first[changed] = _other_tokens(column.vocabulary, int(changed.sum()), generator)
    sizes, first, second = _without_doubles(sizes, first, second)
    if isinstance(column, TermColumn):
        return TermColumn.of(sizes, first, second, np.zeros(len(sizes), dtype=np.int32))
    return BagColumn.of(sizes, first, second)


def _other_tokens(vocabulary: Array, count: int, generator: np.random.Generator) -> Array:
    """Half of them known, half new."""
    picked = vocabulary[generator.integers(0, max(len(vocabulary), 1), count)] if len(vocabulary) else vocabulary
    found: Array = np.where(generator.random(len(picked)) < 0.5, picked, picked ^ _CHANGED_BITS)
    return found


def _without_doubles(sizes: Array, tokens: Array, counts: Array) -> tuple[Array, Array, Array]:
    """A token once per row."""
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((tokens, owners))
    owners, tokens, counts = owners[order], tokens[order], counts[order]
    kept = np.ones(len(tokens), dtype=np.bool_)
    kept[1:] = (owners[1:] != owners[:-1]) | (tokens[1:] != tokens[:-1])
    return np.bincount(owners[kept], minlength=len(sizes)).astype(np.int32), tokens[kept], counts[kept]


def run(directory: Path, functions: int, queries: int, k: int, check: int) -> Timing:
    """Time queries drawn from the functions themselves; the first few warm up and do not count."""
    table = replicated(Observations.open(open_index(directory)), functions)
    chosen = np.random.default_rng(1).integers(0, table.functions, queries + _WARM_UP).tolist()
    allowed = np.ones(table.functions, dtype=np.bool_)
    times: dict[str, list[tuple[float, float]]] = {"equal-all": [], "dyn-select": [], "svm-weights": []}
    identical = True
    exhaustive: dict[str, list[tuple[float, float]]] = {ranking: [] for ranking in times}
    for number, function in enumerate(chosen):
        for ranking, taken in times.items():
            start, busy = time.perf_counter(), time.process_time()
            comparison = Comparison(table, of_index(table, function))
            weights = _weights(ranking, comparison)
            found = comparison.best(weights, k, allowed)
            spent = 1000 * (time.perf_counter() - start), 1000 * (time.process_time() - busy)
            if number < _WARM_UP:
                continue
            taken.append(spent)
            if number < _WARM_UP + check:
                busy = time.process_time()
                plain = Comparison(table, of_index(table, function)).plain_best(weights, k, allowed)
                exhaustive[ranking].append((spent[1], 1000 * (time.process_time() - busy)))
                identical &= found[0].tolist() == plain[0].tolist() and found[1].tolist() == plain[1].tolist()
    rows = {name: _different(column) for name, column in table.columns.items()}
    return Timing(table.functions, rows, times, min(check, queries), identical, exhaustive)


def _weights(ranking: str, comparison: Comparison) -> select.Weights:
    if ranking == "equal-all":
        return select.observed(select.equal_all(list(FEATURES)), comparison.empty())
    if ranking == "svm-weights":
        return select.observed(read_weights(DEFAULT_WEIGHTS), comparison.empty())
    return select.dyn_select(comparison.sampled(), comparison.table.thresholds, comparison.empty())


def _different(column: Column) -> int:
    return len(column.codes) if isinstance(column, VectorColumn) else len(column.offsets) - 1


def report(timing: Timing) -> str:
    """Median, 95th percentile and worst, by ranking."""
    lines = [f"{timing.functions:,} functions, all classes, warm; milliseconds per query (median, 95%, worst)"]
    for ranking, values in timing.milliseconds.items():
        for what, column in (("elapsed", 0), ("processor", 1)):
            one = [value[column] for value in values]
            middle, high = np.percentile(one, [50, 95])
            lines.append(f"  {ranking:<12} {what:<10} {middle:7.0f} {high:7.0f} {max(one):7.0f}")
        if timing.plain[ranking]:
            short, whole = np.sum(timing.plain[ranking], axis=0).tolist()
            lines.append(f"  {ranking:<12} comparing everything takes {whole / short:.1f} times the processor")
    answer = "identical to" if timing.identical else "DIFFERENT from"
    lines.append(f"  {len(timing.milliseconds) * timing.checked} answers {answer} comparing everything")
    most = sorted(timing.rows.items(), key=lambda item: -item[1])[:4]
    lines.append("  different observations: " + ", ".join(f"{name} {count:,}" for name, count in most))
    return "\n".join(lines)
