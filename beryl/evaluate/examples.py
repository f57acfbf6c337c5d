"""The benchmark of `beryl io`: tasks, written judgements, and the measures of the Satsy paper (§5.1)."""

from __future__ import annotations

import json
import math
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beryl import paths
from beryl.errors import BerylError, InputError
from beryl.index.store import BuildOptions, Index
from beryl.search.examples import search
from beryl.types import ExampleQuery, Fragment, SearchResult, silent

TOP = 10


@dataclass(frozen=True, slots=True)
class Task:
    """A programming task with its queries; `table3` is its number in the paper, 0 for our own."""

    id: str
    description: str
    table3: int
    queries: tuple[tuple[str, ...], ...]


Place = tuple[str, str, str, int]
"""Task, project, path and first line: what a judgement is about."""


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one query with their relevance; None where nobody has judged."""

    task: Task
    examples: tuple[str, ...]
    result: SearchResult | None
    relevance: tuple[bool | None, ...]
    seconds: float
    processor: float = 0.0
    """Seconds of processor time: what a busy machine cannot blur."""

    @property
    def gains(self) -> list[int]:
        """1 for relevant; unjudged counts as irrelevant."""
        return [int(bool(value)) for value in self.relevance]


def read_tasks(path: Path | None = None) -> tuple[Task, ...]:
    """The tasks of the benchmark."""
    body = _read(path or paths.data("benchmark", "io", "tasks.json"))
    return tuple(
        Task(item["id"], item["description"], item.get("table3", 0), tuple(map(tuple, item["queries"])))
        for item in body["tasks"]
    )


def read_judgements(path: Path | None = None) -> dict[Place, bool]:
    """Which results are relevant: the source can easily be adapted to solve the task."""
    body = _read(path or paths.data("benchmark", "io", "judgements.json"))
    found: dict[Place, bool] = {}
    for item in body["judgements"]:
        found[item["task"], item["project"], item["path"], item["line"]] = item["relevant"]
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        body: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    return body


def place_of(task: Task, fragment: Fragment) -> Place:
    """What a judgement of this result is filed under."""
    return task.id, fragment.project, fragment.path, fragment.start


def run(index: Index, tasks: Sequence[Task], judgements: dict[Place, bool], ranking: str) -> list[Run]:
    """Every query of every task."""
    runs = []
    for task in tasks:
        for examples in task.queries:
            start, used = time.perf_counter(), time.process_time()
            result: SearchResult | None
            try:
                result = search(index, ExampleQuery(examples, k=TOP, ranking=ranking))
            except BerylError:
                result = None
            seconds, processor = time.perf_counter() - start, time.process_time() - used
            found = result.results if result else ()
            relevance = tuple(judgements.get(place_of(task, fragment)) for fragment in found)
            runs.append(Run(task, examples, result, relevance, seconds, processor))
    return runs


def precision(gains: Sequence[int]) -> float:
    """P@10 over the results that were returned."""
    return sum(gains) / len(gains) if gains else 0.0


def ndcg(gains: Sequence[int]) -> float:
    """nDCG; the first rank undiscounted, the sum from k = 2 (the paper's k = 1 would divide by log 1 = 0)."""
    ideal = _dcg(sorted(gains, reverse=True))
    return _dcg(gains) / ideal if ideal else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain if rank == 1 else gain / math.log2(rank) for rank, gain in enumerate(gains, 1))


def average_precision(gains: Sequence[int]) -> float:
    """AveP over the relevant results of the list."""
    total = sum(precision(gains[:rank]) for rank, gain in enumerate(gains, 1) if gain)
    return total / sum(gains) if any(gains) else 0.0


def reciprocal_rank(gains: Sequence[int]) -> float:
    """1 / rank of the first relevant result."""
    return next((1 / rank for rank, gain in enumerate(gains, 1) if gain), 0.0)


def first_false_positive(gains: Sequence[int]) -> int:
    """f.f.p.: the rank of the first irrelevant result, n + 1 where all are relevant."""
    return next((rank for rank, gain in enumerate(gains, 1) if not gain), len(gains) + 1)


def figures(runs: Sequence[Run]) -> dict[str, float]:
    """The measures over some queries; queries without results count as 0 but for `p10_no_zeros` and f.f.p."""
    lists = [item.gains for item in runs]
    answered = [gains for gains in lists if gains]
    times = [item.seconds for item in runs]
    firsts = [item.result.stages["first_result"] / 1000 for item in runs if item.result and item.result.results]
    return {
        "queries": len(runs),
        "unanswered": len(lists) - len(answered),
        "results": sum(len(gains) for gains in lists),
        "unjudged": sum(value is None for item in runs for value in item.relevance),
        "p10": _mean([precision(gains) for gains in lists]),
        "p10_no_zeros": _mean([precision(gains) for gains in answered]),
        "ndcg": _mean([ndcg(gains) for gains in lists]),
        "map": _mean([average_precision(gains) for gains in lists]),
        "mrr": _mean([reciprocal_rank(gains) for gains in lists]),
        "ffp": _mean([first_false_positive(gains) for gains in answered]),
        "mean_seconds": _mean(times),
        "median_seconds": round(statistics.median(times), 3) if times else 0.0,
        "max_seconds": round(max(times, default=0.0), 3),
        "first_result_seconds": _mean(firsts),
        "mean_processor_seconds": _mean([item.processor for item in runs]),
    }


def by_examples(runs: Sequence[Run]) -> dict[int, dict[str, float]]:
    """P@10 by the number of examples, as Table 9."""
    table: dict[int, dict[str, float]] = {}
    for count in sorted({len(item.examples) for item in runs}):
        lists = [item.gains for item in runs if len(item.examples) == count]
        answered = [gains for gains in lists if gains]
        table[count] = {
            "with_zeros": _mean([precision(gains) for gains in lists]),
            "count": len(lists),
            "no_zeros": _mean([precision(gains) for gains in answered]),
            "answered": len(answered),
        }
    return table


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def encoding_rate(index: Index, jobs: int) -> dict[str, float]:
    """How long it takes to encode all methods of an index, and 1,000 encoded ones on average."""
    from beryl.smt import table

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        table.build(index, None, Path(folder), BuildOptions(jobs=jobs), silent)
        info = json.loads((Path(folder) / "info.json").read_text("utf-8"))
    seconds = time.perf_counter() - start
    return {
        "methods": info["methods"],
        "encoded": info["encoded"],
        "share": info["share"],
        "seconds": round(seconds, 1),
        "seconds_per_1000_encoded": round(1000 * seconds / max(1, info["encoded"]), 2),
    }
