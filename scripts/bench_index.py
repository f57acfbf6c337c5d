"""Speed and size of indexing on the public Java and C corpora (scripts/fetch_corpus.py brings them), in one run.

A sample of whole files, chosen by a hash of their path, so that every size has the same mix of languages and projects.
No derived table is built: this measures parsing, graphs, calls and the index on disk.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from beryl import paths
from beryl.index import assemble, bundle, joining, pool, reading, store
from beryl.index.scan import Candidate
from beryl.lang.parsing import parse
from beryl.lang.treesitter import analyse, language_of
from beryl.types import Language, silent

CORPORA = ("debian-java", "debian-c")
# Runs in a process of its own, so that peak memory is of this build alone: VmHWM, because ru_maxrss starts with the
# peak of whoever started the process. For the workers, ru_maxrss of the largest one is a bound.
BUILD = """
import json, resource, sys, time
from pathlib import Path
from beryl.index.build import build_index
from beryl.index.store import BuildOptions
source, out, jobs, update = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "update"
begin = time.perf_counter()
index = build_index([source], out, BuildOptions(tables=(), each=True, jobs=jobs), update)
seconds = time.perf_counter() - begin
own, worker = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
peak = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
print(json.dumps({"seconds": seconds, "megabytes": (peak + jobs * worker.ru_maxrss) / 1000,
                  "processor": own.ru_utime + own.ru_stime + worker.ru_utime + worker.ru_stime,
                  "bytes": index.manifest.bytes, **index.manifest.counts}))
"""


def sample(lines: int, target: Path) -> list[Path]:
    """Copy whole files of the corpora, about `lines` lines in all; the copies."""
    found = [path for name in CORPORA for path in paths.data("corpora", name).rglob("*") if language_of(path.name)]
    if not found:
        sys.exit("no corpora in data/corpora; bring them with: python scripts/fetch_corpus.py")
    root = paths.data("corpora")
    found.sort(key=lambda path: hashlib.sha256(str(path.relative_to(root)).encode()).digest())
    copies, total = [], 0
    for path in found:
        if total >= lines:
            break
        data = path.read_bytes()
        if reading.unsuitable(data) is None:
            copy = target.joinpath(*path.relative_to(root).parts[1:])
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(data)
            copies.append(copy)
            total += data.count(b"\n")
    if total < lines:
        print(f"(the corpora hold {total:,} lines only, not {lines:,})")
    return sorted(copies)


def build(source: Path, out: Path, jobs: int, mode: str = "build") -> dict[str, float]:
    """Index a tree in a fresh process; seconds, memory and counts."""
    command = [sys.executable, "-c", BUILD, str(source), str(out), str(jobs), mode]
    answer: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer


def parse_and_graphs(files: Sequence[Path], root: Path) -> tuple[float, float, float, int]:
    """Processor seconds of tree-sitter alone, of our analysis with it, of joining calls; and the lines.

    In a worker's batches; parse and graphs take turns, so that what else the machine does falls on both.
    """
    texts: list[tuple[bytes, Language]] = []
    candidates: list[Candidate] = []
    for path in files:
        data = path.read_bytes()
        language = language_of(path.name, data)
        assert language is not None
        texts.append((reading.text_of(data), language))
        candidates.append(Candidate("", str(path), str(path), language, len(data)))
    gc.freeze()
    gc.disable()  # as a worker does
    parsed, graphs = 0.0, 0.0
    bundles: list[bundle.Bundle] = []
    rows: list[tuple[int, int]] = []
    ends = list(accumulate(len(batch) for batch in pool.batches(candidates)))
    for first, end in pairwise([0, *ends]):
        batch = texts[first:end]
        begin = time.process_time()
        for text, language in batch:
            parse(text, language)
        between = time.process_time()
        units = [analyse(text, language, timeout=0.0) for text, language in batch]  # as a worker does
        parsed, graphs = parsed + between - begin, graphs + time.process_time() - between
        rows += [(len(bundles), row) for row in range(len(batch))]
        analysed = [bundle.Analysed(bytes(16), text, unit) for (text, _), unit in zip(batch, units, strict=True)]
        bundles.append(bundle.of_units(analysed))
        del units, analysed  # nothing of a batch is left when a worker begins the next
    placed = [
        assemble.Placed(path.relative_to(root).parts[0], str(path), *place)
        for path, place in zip(files, rows, strict=True)
    ]
    base = assemble.assemble(placed, bundles)
    begin = time.process_time()
    joining.join_calls(base, None, silent)
    joined = time.process_time() - begin
    gc.enable()
    return parsed, graphs, joined, sum(text.count(b"\n") for text, _ in texts)


def show_parsing(files: Sequence[Path], root: Path) -> None:
    """tree-sitter against tree-sitter, graphs and calls."""
    parsed, graphs, joined, lines = parse_and_graphs(files, root)
    print(f"{'one process, processor time':<34} {'seconds':>8} {'lines/s':>10}")
    print(f"{'tree-sitter parse alone':<34} {parsed:>8.2f} {lines / parsed:>10,.0f}")
    print(f"{'parse + ICFG':<34} {graphs:>8.2f} {lines / graphs:>10,.0f}")
    print(f"{'parse + ICFG + calls joined':<34} {graphs + joined:>8.2f} {lines / (graphs + joined):>10,.0f}")
    print(f"ratio to the parse alone: {(graphs + joined) / parsed:.2f} (target at most 2.5)\n")


def show_building(source: Path, files: Sequence[Path], work: Path) -> None:
    """The whole index on 1 and 2 processes, its size, and an update."""
    heads = f"{'seconds':>8} {'cpu s':>8} {'lines/s':>10} {'memory MB':>10} {'bytes/line':>10}"
    print(f"{'whole index, no derived tables':<34} {heads}")
    for jobs in (1, 2):
        shutil.rmtree(work / "index", ignore_errors=True)
        facts = build(source, work / "index", jobs)
        lines = facts["lines"]
        print(
            f"{f'{jobs} process' + ('es' if jobs > 1 else ''):<34} {facts['seconds']:>8.2f} {facts['processor']:>8.2f} "
            f"{lines / facts['seconds']:>10,.0f} {facts['megabytes']:>10,.0f} {facts['bytes'] / lines:>10.1f}"
        )
    begin, processor = time.perf_counter(), time.process_time()
    store.open_index(work / "index")
    seconds = f"{time.perf_counter() - begin:>8.2f} {time.process_time() - processor:>8.2f}"
    print(f"{'open and check it':<34} {seconds}")
    facts = touched(files[len(files) // 2], source, work / "index")
    print(f"{'update after touching one file':<34} {facts['seconds']:>8.2f} {facts['processor']:>8.2f}\n")


def touched(file: Path, source: Path, out: Path) -> dict[str, float]:
    """Seconds of an update after one file was edited."""
    with file.open("ab") as stream:
        stream.write(b"\n/* touched */\n")
    return build(source, out, 2, "update")


def show_growth(sizes: Sequence[int], work: Path) -> None:
    """Seconds and memory by size, on two processes."""
    heads = f"{'seconds':>8} {'cpu s':>8} {'cpu s/M':>10} {'memory MB':>10} {'update s':>10}"
    print(f"{'growth, 2 processes: lines':<34} {heads}")
    for size in sizes:
        shutil.rmtree(work, ignore_errors=True)
        files = sample(size, work / "source")
        facts = build(work / "source", work / "index", 2)
        update = touched(files[0], work / "source", work / "index")
        each = facts["processor"] / facts["lines"] * 1e6
        print(
            f"{facts['lines']:>34,} {facts['seconds']:>8.2f} {facts['processor']:>8.2f} "
            f"{each:>10.1f} {facts['megabytes']:>10,.0f} {update['seconds']:>10.2f}",
            flush=True,
        )


def main() -> None:
    """Parse arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=1_000_000, help="lines of the first two tables")
    parser.add_argument("--sizes", default="100000,300000,1000000,3000000", help="of the growth table; '' for none")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = sample(args.lines, Path(folder) / "source")
        print(f"{len(files):,} files of {', '.join(CORPORA)}\n")
        show_parsing(files, Path(folder) / "source")
        show_building(Path(folder) / "source", files, Path(folder))
        show_growth([int(size) for size in args.sizes.split(",") if size], Path(folder) / "growth")


if __name__ == "__main__":
    main()
