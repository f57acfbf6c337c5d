"""Measure the vectors of an index in one run: bytes per node, build time, time of a 20-node query, recall@100, memory.

python scripts/bench_vectors.py INDEX [--queries data/queries] [--encoder static] [--model mixed] [--out result.json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from beryl.index import vectors
from beryl.index.similarity import BLOCKS
from beryl.index.store import BuildOptions, Index, open_index
from beryl.index.vectors import Vectors
from beryl.lang.pseudo import frontend
from beryl.types import FloatArray, NodeKind, silent

NODES, K, REPEATS = 20, 100, 5


def resident_megabytes() -> float:
    """Memory of this process, pages of mapped files included."""
    status = Path("/proc/self/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(fields["VmRSS"].split()[0]) / 1024


def queries(table: Vectors, folder: Path) -> list[FloatArray]:
    """Rows of encoded query nodes, 20 at a time."""
    rows = []
    for path in sorted(folder.glob("*.pcode")):
        icfg = frontend.read(path.read_text(encoding="utf-8"), path.name).icfg
        encoded = table.encode_query(icfg)
        rows += [encoded[node.id] for node in icfg.nodes if node.kind > NodeKind.EXIT]
    return [np.array(rows[start : start + NODES]) for start in range(0, len(rows) - NODES + 1, NODES)]


def recall(table: Vectors, batches: list[FloatArray], blocks: str) -> float:
    """Share of the exact top 100 whose score the compact search reaches; nodes of equal score are equally right."""
    found = []
    for rows in batches:
        exact = table.exact(rows, K, table.searchable, "full", blocks)[0]
        quick = table.search(rows, K, blocks=blocks)[0]
        found.append(np.mean(quick >= exact[:, -1:] - 1e-6))
    return float(np.mean(found))


def seconds(table: Vectors, batches: list[FloatArray], blocks: str) -> dict[str, float]:
    """The first and the median later time of a 20-node query, and the processor time of the latter over all cores."""
    times, busy = [], []
    for rows in [batches[0], *batches[:REPEATS]]:
        started, worked = time.perf_counter(), time.process_time()
        table.search(rows, K, blocks=blocks)
        times.append(time.perf_counter() - started)
        busy.append(time.process_time() - worked)
    warm, processor = statistics.median(times[1:]), statistics.median(busy[1:])
    return {"first_seconds": times[0], "warm_seconds": warm, "warm_processor_seconds": processor}


def measure(index: Index, options: BuildOptions, args: argparse.Namespace) -> dict[str, object]:
    """All figures; the table is built in a temporary folder unless the index's own is to be measured."""
    if args.built:
        return search_figures(Vectors.open(index), args)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        started = time.perf_counter()
        vectors.build(index, index if args.reuse else None, directory, options, silent)
        built = {
            "build_seconds": round(time.perf_counter() - started, 1),
            "texts_encoded": 0 if args.reuse else len(index.texts.digest),
        }
        table = Vectors.read(index, directory, json.loads((directory / "info.json").read_text()))
        return built | search_figures(table, args)


def search_figures(table: Vectors, args: argparse.Namespace) -> dict[str, object]:
    """Size, times, memory and recall of an open table."""
    nodes = len(table.index.nodes.kind)
    size = sum(path.stat().st_size for path in table.directory.rglob("*") if path.is_file())
    started = time.perf_counter()
    batches = queries(table, args.queries)
    figures: dict[str, object] = {
        "nodes": nodes,
        "searchable": int(table.searchable.sum()),
        "graph_dim": table.info["graph_dim"],
        "bytes_per_node": round(size / nodes, 1),
        "encode_query_seconds": round((time.perf_counter() - started) / max(len(batches), 1), 4),
    }
    for blocks in BLOCKS:
        for name, value in seconds(table, batches, blocks).items():
            figures[f"{blocks}_{name}"] = round(value, 3)
    figures["resident_megabytes_searching"] = round(resident_megabytes())
    for blocks in BLOCKS:
        figures[f"{blocks}_recall_at_100"] = round(recall(table, batches[: args.recall_batches], blocks), 4)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("--queries", type=Path, default=Path("data/queries"))
    parser.add_argument("--encoder", default="static")
    parser.add_argument("--model", default="mixed")
    parser.add_argument("--recall-batches", type=int, default=3)
    parser.add_argument("--built", action="store_true", help="measure the table that the index has; build nothing")
    parser.add_argument("--reuse", action="store_true", help="take the text vectors that the index already has")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    options = BuildOptions(encoder=args.encoder, model=args.model)
    figures = measure(open_index(args.index), options, args)
    text = json.dumps(figures, indent=1)
    print(text)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
