"""Where the paper's search loses an implementation: at the nearest nodes, or after them? Prints a row per query.

python scripts/analyse_paper.py debian-c debian-java
"""

from __future__ import annotations

import argparse

import numpy as np

from beryl import paths
from beryl.evaluate import benchmark, labels
from beryl.index.store import Index, open_index
from beryl.index.vectors import Vectors
from beryl.lang.pseudo import frontend
from beryl.search.clock import Clock
from beryl.search.fragments import searchable
from beryl.search.paper import NEIGHBOURS, allowed_nodes, search
from beryl.types import IntArray, PseudocodeQuery


def labelled(index: Index, wanted: tuple[labels.Label, ...]) -> list[int]:
    """The functions of the index that share lines with clear implementations."""
    places: dict[tuple[str, str], list[labels.Label]] = {}
    for label in wanted:
        if label.grade == benchmark.STRICT:
            places.setdefault((label.project, label.path), []).append(label)
    found = []
    for file, path in enumerate(index.files.path):
        for label in places.get((index.projects[int(index.files.project[file])], path), []):
            first, last = (int(x) for x in index.files.first_function[file : file + 2])
            starts = np.asarray(index.functions.start_line[first:last])
            ends = np.asarray(index.functions.end_line[first:last])
            found += (first + np.flatnonzero((starts <= label.end) & (ends >= label.start))).tolist()
    return found


def covered(index: Index, nearest: IntArray, functions: list[int]) -> float:
    """The largest share of query nodes that have one of these functions among their nearest nodes."""
    of_node = np.asarray(index.nodes.function)[np.maximum(nearest, 0)]
    shares = [float(((of_node == function) & (nearest >= 0)).any(axis=1).mean()) for function in functions]
    return max(shares, default=0.0)


def main() -> None:
    """One table per bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benches", nargs="*", default=["debian-c", "debian-java"])
    for name in parser.parse_args().benches:
        index = open_index(paths.data("indexes", name))
        vectors = Vectors.open(index)
        print(f"{name}: rank; query nodes; share of them near the best implementation; first result: share, functions")
        near: list[float] = []
        far: list[float] = []
        for task in benchmark.tasks(benchmark.bench(name)):
            implementations = labelled(index, task.labels)
            if not implementations:
                continue
            read = frontend.read(task.text, task.name)
            nodes = searchable(read.icfg.nodes)
            rows = vectors.encode_query(read.icfg, features="full")[[node.id for node in nodes]]
            allowed = allowed_nodes(index, np.ones(len(index.functions.file), dtype=np.bool_), names=True)
            _, nearest = vectors.search(rows, NEIGHBOURS, allowed, features="full", blocks="paper")
            share = covered(index, nearest, implementations)
            query = PseudocodeQuery(task.text, k=100, ranking="paper", distinct=False)
            results = search(index, read, query, Clock())
            gains = labels.judge(results, task.labels).gains
            rank = next((at for at, gain in enumerate(gains, 1) if gain == benchmark.STRICT), 0)
            (near if rank else far).append(share)
            first = results[0]
            matched = len({match.query_line for match in first.matches}) / len({node.span.start_line for node in nodes})
            where = f"{matched:.2f}, {first.path}: {', '.join(first.functions[:4])}"
            print(f"{task.name:32} {rank or '>100':>5} {len(nodes):3} {share:.2f}   {where}", flush=True)
        print(f"mean share: {np.mean(near):.2f} where it was found, {np.mean(far):.2f} where not ({len(far)} queries)")


if __name__ == "__main__":
    main()
