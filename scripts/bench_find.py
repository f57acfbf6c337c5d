"""Warm latency of `beryl find` by kind of question, and what the words cost of the time of indexing."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

# As the command does, and as early: numpy reads it once.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from beryl import paths
from beryl.evaluate.known_items import ITEMS, read_items
from beryl.index import terms
from beryl.index.store import BuildOptions, Index, open_index
from beryl.search.keyword import search
from beryl.types import KeywordQuery, silent

QUESTIONS = {
    "rare word": "quicksort",
    "common word": "get",
    "sentence": "returns the index of the first element that is greater than the given key",
    "phrase": '"out of memory"',
    "phrase of common words": '"get value"',
    "phrase found nowhere": '"list size value name"',
    "phrase in comments": 'comment:"look up"',
    "phrase in one call": 'calls:"get value"',
    "phrase and prefix": '"get value" name:sort',
    "prefix": "calls:get",
    "excluded words": "value -get -set",
    "excluded phrase": 'value -"get value"',
    "ten misspelt words": "quicksrot compresion algoritm memroy conection recieve seperate lenght widht heigth",
}
RUNS = 7


def asked(index: Index, text: str, kind: str) -> tuple[float, float]:
    """Median milliseconds, wall and processor; the first run warms up."""
    wall, processor = [], []
    for _ in range(RUNS + 1):
        start, used = time.perf_counter(), time.process_time()
        search(index, KeywordQuery((text,), kind=kind))
        wall.append(1000 * (time.perf_counter() - start))
        processor.append(1000 * (time.process_time() - used))
    return statistics.median(wall[1:]), statistics.median(processor[1:])


def words_of_known_items(count: int) -> str:
    """The words of the known items up to a number: a question as long as is allowed."""
    items = read_items(paths.data("benchmark", "find", ITEMS))
    plain = [word for item in items for word in item.query.split() if word.isalpha()]
    return " ".join(plain[:count])


def processor_seconds() -> float:
    """Of this process and the ended ones it started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("index", nargs="?", type=Path, default=paths.data("indexes", "debian-java"), help="to search")
    parser.add_argument("--build", action="store_true", help="also build the table of words once more and time it")
    args = parser.parse_args()
    index = open_index(args.index)
    print(f"{args.index.name}: {index.manifest.counts['functions']:,} functions; milliseconds, wall and processor")
    for kind in ("function", "file"):
        for name, text in {**QUESTIONS, "500 words": words_of_known_items(500)}.items():
            wall, processor = asked(index, text, kind)
            print(f"{kind:<9} {name:<24} {wall:8.1f} {processor:8.1f}", flush=True)
    if args.build:
        start, used = time.perf_counter(), processor_seconds()
        with tempfile.TemporaryDirectory() as folder:
            terms.build(index, None, Path(folder), BuildOptions(), silent)
        wall, processor = time.perf_counter() - start, processor_seconds() - used
        print(f"table of words: {wall:.1f} s wall, {processor:.1f} s of processor time")


if __name__ == "__main__":
    main()
