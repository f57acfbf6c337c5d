"""How long `beryl query` takes: warm by stage, cold as a command, and its memory; wall and processor time.

Processor time is what a busy machine cannot blur: on an idle one wall time is at most as long.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beryl import paths
from beryl.engine import Engine
from beryl.errors import InputError
from beryl.types import Progress, PseudocodeQuery, SearchResult, silent

QUERIES = 50
COLD_RUNS = 3
WALL, PROCESSOR, RENDER = "all, wall", "all, processor", "render"


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of warm queries: for every stage, then for all of them, one number per query."""

    ranking: str
    stages: dict[str, tuple[float, ...]]

    def percentile(self, stage: str, share: float) -> float:
        """Milliseconds within which this share of the queries was done."""
        return float(np.percentile(self.stages[stage], 100 * share))


@dataclass(frozen=True, slots=True)
class Cold:
    """One run of the command in a process of its own; the best of several."""

    wall: float
    processor: float
    megabytes: float


def shipped_queries(count: int = QUERIES) -> list[tuple[str, str]]:
    """Name and text of the first so many shipped queries."""
    files = sorted(paths.data("queries").glob("*.txt"), key=lambda file: file.stem)[:count]
    return [(file.stem, file.read_text(encoding="utf-8")) for file in files]


def warm(
    engine: Engine,
    ranking: str,
    queries: Sequence[tuple[str, str]],
    render: Callable[[SearchResult], None],
    progress: Progress = silent,
) -> Latency:
    """Ask every query once, after one that is not counted."""
    rows: list[dict[str, float]] = []
    for position, (name, text) in enumerate([queries[0], *queries]):
        progress(ranking, position, len(queries) + 1)
        query = PseudocodeQuery(text, name=name, ranking=ranking)
        start, processor = time.perf_counter(), time.process_time()
        result = engine.search(query)
        found = time.perf_counter()
        render(result)
        end = time.perf_counter()
        own = {RENDER: 1000 * (end - found), WALL: 1000 * (end - start)}
        rows.append({**result.stages, **own, PROCESSOR: 1000 * (time.process_time() - processor)})
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Latency(ranking, {name: tuple(row.get(name, 0.0) for row in rows[1:]) for name in names})


def cold(index: Path, query: Path, runs: int = COLD_RUNS) -> Cold:
    """The command `beryl query` from start to end, in seconds; call it before this process grows.

    A child's peak memory begins with that of the process that started it.
    """
    command = [sys.executable, "-m", "beryl", "query", str(query), "--index", str(index), "--json"]
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise InputError(f"`{' '.join(command[1:])}` ends with exit code {process.returncode}")
        seconds = time.perf_counter() - start
        found.append((seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000))
    return Cold(*(min(column) for column in zip(*found, strict=True)))


def report(latency: Latency) -> str:
    """p50 and p95 of every stage as a table."""
    lines = [f"{f'{latency.ranking}: milliseconds':<30} {'p50':>8} {'p95':>8}"]
    lines += [
        f"{stage:<30} {latency.percentile(stage, 0.5):>8.1f} {latency.percentile(stage, 0.95):>8.1f}"
        for stage in latency.stages
    ]
    return "\n".join(lines)
