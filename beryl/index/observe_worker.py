"""Files of an index -> raw observations of their functions, in processes of their own that map the columns."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_, InputError
from beryl.features import FEATURES, feature_classes
from beryl.features.extract import NOTHING, Place, declared_in, extract, graph_of
from beryl.features.facts import Declarations, Facts
from beryl.features.feature import Shape
from beryl.features.similarity import Tree
from beryl.index import columns as stored
from beryl.index.store import BASE, SOURCES
from beryl.index.tables import StringColumn
from beryl.index.tokens import OTHER_CALLS, label_codes, token_hash
from beryl.types import Language, Progress

Array = NDArray[Any]
# Below this a second process costs more than it saves.
_LEAST_BYTES_PER_PROCESS = 500_000
_REPORT_EVERY = 20
_MOST = int(np.iinfo(np.uint16).max)
# The parser alone may hang on hostile input; the base columns were made under the same budget.
_FILE_SECONDS = 60.0
_LANGUAGES = tuple(Language)
_SPANS = ("start_byte", "end_byte", "comment_start", "comment_end")
TREES = tuple(c.name for c in feature_classes() if c.shape is Shape.TREE)
VECTORS = tuple(c.name for c in feature_classes() if c.shape is Shape.VECTOR)
BAGS = (*(name for name in FEATURES if name not in (*TREES, *VECTORS)), OTHER_CALLS)


@dataclass(slots=True)
class BagRows:
    """Token hashes and counts of functions, one after the other."""

    sizes: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def append(self, observation: Mapping[str, int]) -> None:
        """Add the observation of one function."""
        self.sizes.append(len(observation))
        self.tokens.extend([token_hash(token) for token in observation])
        self.counts.extend(observation.values())

    def arrays(self) -> dict[str, Array]:
        """Sizes, hashes and counts as columns."""
        counts = np.minimum(np.array(self.counts, dtype=np.int64), _MOST).astype(np.uint16)
        return {
            "sizes": np.array(self.sizes, dtype=np.int32),
            "tokens": np.array(self.tokens, dtype=np.uint64),
            "counts": counts,
        }


@dataclass(slots=True)
class TreeRows:
    """Label codes of functions in pre- and post-order, one after the other."""

    sizes: list[int] = field(default_factory=list)
    pre: bytearray = field(default_factory=bytearray)
    post: bytearray = field(default_factory=bytearray)

    def append(self, tree: Tree) -> None:
        """Add the tree of one function."""
        self.sizes.append(len(tree.pre))
        self.pre += label_codes(tree.pre)
        self.post += label_codes(tree.post)

    def arrays(self) -> dict[str, Array]:
        """Sizes and codes as columns."""
        return {
            "sizes": np.array(self.sizes, dtype=np.int32),
            "pre": np.frombuffer(bytes(self.pre), dtype=np.uint8),
            "post": np.frombuffer(bytes(self.post), dtype=np.uint8),
        }


@dataclass(slots=True)
class VectorRows:
    """Vectors of functions as int8, one after the other; a function without one has none."""

    sizes: list[int] = field(default_factory=list)
    codes: bytearray = field(default_factory=bytearray)

    def append(self, vector: bytes) -> None:
        """Add the vector of one function."""
        self.sizes.append(len(vector))
        self.codes += vector

    def arrays(self) -> dict[str, Array]:
        """Sizes and codes as columns."""
        codes = np.frombuffer(bytes(self.codes), dtype=np.uint8)
        return {"sizes": np.array(self.sizes, dtype=np.int32), "codes": codes}


class Observer:
    """Appends the observations of functions to columns, one per feature-class."""

    def __init__(self) -> None:
        self.rows: dict[str, Any] = {name: BagRows() for name in BAGS} | {name: TreeRows() for name in TREES}
        self.rows |= {name: VectorRows() for name in VECTORS}

    def append(self, facts: Facts) -> None:
        """Add one function."""
        for feature in feature_classes():
            self.rows[feature.name].append(feature.observe(facts))
        self.rows[OTHER_CALLS].append(dict.fromkeys(facts.other_calls, 1))

    def arrays(self) -> dict[str, Array]:
        """Every column as `class.part`."""
        return {f"{name}.{part}": column for name, rows in self.rows.items() for part, column in rows.arrays().items()}


def columns(data: Path) -> dict[str, Array]:
    """The base columns of an index, memory-mapped."""
    return stored.read(data / BASE) | stored.read(data / SOURCES)


def source(base: Mapping[str, Array], file: int) -> bytes:
    """The text of a file."""
    start, end = (int(x) for x in base["files.source_offsets"][file : file + 2])
    return zlib.decompress(base["files.source_bytes"][start:end].data)


def places(base: Mapping[str, Array], file: int) -> Iterator[Place]:
    """Where the functions of a file are, with their CFGs."""
    first, last = (int(x) for x in base["files.first_function"][file : file + 2])
    names = StringColumn(base["functions.name.offsets"], base["functions.name.buffer"])
    for function in range(first, last):
        low, high = (int(x) for x in base["functions.first_node"][function : function + 2])
        bounds = base["edges.offsets"][low : high + 1].tolist()
        targets = base["edges.target"][bounds[0] : bounds[-1]].tolist()
        kinds = base["edges.kind"][bounds[0] : bounds[-1]].tolist()
        edges = [
            (node, targets[edge - bounds[0]], kinds[edge - bounds[0]])
            for node, (start, end) in enumerate(pairwise(bounds), low)
            for edge in range(start, end)
        ]
        start, end, comment_start, comment_end = (int(base[f"functions.{name}"][function]) for name in _SPANS)
        yield Place(names[function], start, end, comment_start, comment_end, graph_of(low, high, edges))


def observe(
    base: Mapping[str, Array], files: Sequence[int], known: Mapping[int, Declarations], report: Callable[[int], None]
) -> dict[str, Array]:
    """The observations of all functions of some files, in order; `known` is what each project's headers declare."""
    observer = Observer()
    for number, file in enumerate(files, 1):
        language = _LANGUAGES[int(base["files.language"][file])]
        found = list(places(base, file))
        project = known.get(int(base["files.project"][file]), NOTHING)
        try:
            facts = extract(source(base, file), language, found, project, _FILE_SECONDS) if found else []
        except InputError:
            facts = [Facts(place.name, graph=place.graph) for place in found]
        for each in facts:
            observer.append(each)
        if number % _REPORT_EVERY == 0 or number == len(files):
            report(number)
    return observer.arrays()


def declare(base: Mapping[str, Array], files: Sequence[int], report: Callable[[int], None]) -> list[dict[str, Any]]:
    """What each of these headers declares, as JSON."""
    found = []
    for number, file in enumerate(files, 1):
        language = _LANGUAGES[int(base["files.language"][file])]
        try:
            found.append(asdict(declared_in(source(base, file), language, _FILE_SECONDS)))
        except InputError:
            found.append(asdict(NOTHING))
        if number % _REPORT_EVERY == 0 or number == len(files):
            report(number)
    return found


@dataclass(frozen=True, slots=True)
class Crew:
    """Processes to share the work among, and whom to tell."""

    data: Path
    jobs: int
    progress: Progress


def observe_all(
    crew: Crew, files: Sequence[int], known: Mapping[int, Declarations]
) -> list[tuple[list[int], dict[str, Array]]]:
    """Parts of the list, in order, each with the observations of its functions."""
    base = columns(crew.data)
    parts = _shares(base, files, crew.jobs)
    if len(parts) <= 1:
        done = observe(base, files, known, lambda n: crew.progress("observing functions", n, len(files)))
        return [(list(files), done)]
    with tempfile.TemporaryDirectory(prefix="beryl-observations-") as name:
        folder = Path(name)
        declared = {str(project): asdict(value) for project, value in known.items()}
        (folder / "declarations.json").write_text(json.dumps(declared), encoding="ascii")
        _run(crew, "observe", parts, folder)
        return [(part, stored.read(folder / f"{number}.safetensors")) for number, part in enumerate(parts)]


def declare_all(crew: Crew, files: Sequence[int]) -> list[Declarations]:
    """What each of these headers declares."""
    base = columns(crew.data)
    parts = _shares(base, files, crew.jobs)
    if len(parts) <= 1:
        found = declare(base, files, lambda n: crew.progress("reading headers", n, len(files)))
        return [Declarations(**each) for each in found]
    with tempfile.TemporaryDirectory(prefix="beryl-headers-") as name:
        folder = Path(name)
        _run(crew, "declare", parts, folder)
        texts = [(folder / f"{number}.out.json").read_text(encoding="ascii") for number in range(len(parts))]
        return [Declarations(**each) for text in texts for each in json.loads(text)]


def _shares(base: Mapping[str, Array], files: Sequence[int], jobs: int) -> list[list[int]]:
    """The files cut into one part per process, of about equal size."""
    sizes = np.diff(base["files.source_offsets"])[np.array(files, dtype=np.int64)]
    processes = min(jobs, 1 + int(sizes.sum()) // _LEAST_BYTES_PER_PROCESS, max(len(files), 1))
    share = np.cumsum(sizes) * processes // (sizes.sum() + 1)
    cuts = np.searchsorted(share, range(processes + 1)).tolist()
    return [list(files[first:last]) for first, last in pairwise(cuts)]


def _run(crew: Crew, task: str, parts: Sequence[Sequence[int]], folder: Path) -> None:
    """Start one process per part and wait for all."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    workers: list[subprocess.Popen[bytes]] = []
    try:
        for number, part in enumerate(parts):
            request = folder / f"{number}.json"
            request.write_text(json.dumps(list(part)), encoding="ascii")
            command = [sys.executable, "-m", "beryl.index.observe_worker", task, str(crew.data), str(request)]
            workers.append(subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, start_new_session=True))
        _follow(workers, task, sum(len(part) for part in parts), crew.progress)
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.kill()
            worker.wait()
            assert worker.stdout is not None
            worker.stdout.close()


def _follow(workers: Sequence[subprocess.Popen[bytes]], task: str, total: int, progress: Progress) -> None:
    what = "observing functions" if task == "observe" else "reading headers"
    done = [0] * len(workers)
    with selectors.DefaultSelector() as selector:
        for number, worker in enumerate(workers):
            assert worker.stdout is not None
            selector.register(worker.stdout, selectors.EVENT_READ, number)
        while selector.get_map():
            for key, _ in selector.select():
                lines = os.read(key.fd, 1 << 16).split()
                if lines:
                    done[key.data] = max(done[key.data], int(lines[-1]))
                    progress(what, sum(done), total)
                    continue
                selector.unregister(key.fileobj)
                if workers[key.data].wait() != 0:
                    raise IndexError_("a process that observes functions ended early; run the same command again")


def main() -> None:
    """One process: a task, the folder of the columns and a JSON list of files; the result goes beside that list."""
    task, data, request = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    files = json.loads(request.read_text(encoding="ascii"))

    def report(done: int) -> None:
        sys.stdout.write(f"{done}\n")
        sys.stdout.flush()

    if task == "declare":
        found = declare(columns(data), files, report)
        request.with_suffix(".out.json").write_text(json.dumps(found), encoding="ascii")
        return
    declared = json.loads((request.parent / "declarations.json").read_text(encoding="ascii"))
    known = {int(project): Declarations(**value) for project, value in declared.items()}
    stored.write(request.with_suffix(".safetensors"), observe(columns(data), files, known, report))


if __name__ == "__main__":
    main()
