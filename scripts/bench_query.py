"""Latency of `beryl query` on an index of about a million nodes: warm by stage, cold, memory."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import resource
from pathlib import Path

# As the command does, and as early: numpy reads it once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import beryl
from beryl import paths
from beryl.cli import render
from beryl.cli.main import command_parser
from beryl.errors import BerylError
from beryl.evaluate import latency
from beryl.types import SearchResult


def rendered(result: SearchResult) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        render.show([result], command_parser("query").parse_args([result.query]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("index", nargs="?", type=Path, default=paths.data("indexes", "debian-java"), help="to search")
    parser.add_argument("--rankings", default="fused,paper", help="separated by commas")
    parser.add_argument("--queries", type=int, default=latency.QUERIES, help="how many of the shipped queries")
    args = parser.parse_args()
    query = paths.data("queries", "dijkstra.txt")
    try:
        start = latency.cold(args.index, query)
    except BerylError as error:
        raise SystemExit(f"{error}; scripts/fetch_corpus.py and `beryl index` make the index") from None
    engine = beryl.open(args.index)
    counts = engine.index.manifest.counts
    print(f"{args.index.name}: {counts['nodes']:,} nodes, {counts['functions']:,} functions, {counts['lines']:,} lines")
    print(f"cold start: {start.wall:.2f} s, {start.processor:.2f} s of processor time, {start.megabytes:,.0f} MB\n")
    queries = latency.shipped_queries(args.queries)
    for ranking in args.rankings.split(","):
        try:
            print(latency.report(latency.warm(engine, ranking, queries, rendered)), flush=True)
        except BerylError as error:
            print(f"{ranking}: {error}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        print(f"{len(queries)} queries; peak memory {peak:,.0f} MB\n", flush=True)


if __name__ == "__main__":
    main()
