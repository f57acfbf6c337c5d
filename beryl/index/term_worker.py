"""Files of an index -> rows of terms, here or in processes of their own that read the columns from disk."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_
from beryl.index.lexing import DOCUMENTS, TEXT_FIELDS, FileSpans, Lexer, Matrix
from beryl.index.store import Index
from beryl.index.tables import StringColumn
from beryl.index.word_order import COLUMN, PARTS
from beryl.types import Progress

Array = NDArray[Any]
# Below this a second process costs more than it saves: starting one takes as long as reading about 3 MB.
_LEAST_BYTES_PER_PROCESS = 2_000_000
_REPORT_EVERY = 50
# The arrays of a CSR matrix.
_PARTS = ("data", "indices", "indptr")
_SPANS = ("start_byte", "end_byte", "comment_start", "comment_end")


@dataclass(frozen=True, slots=True)
class Lexed:
    """Matrices of some files: functions x terms by field, files x terms under `documents`, and the word order."""

    vocabulary: list[str]
    matrices: dict[str, Matrix]


def needed(index: Index) -> dict[str, Array]:
    """The base columns that lexing needs."""
    files, functions = index.files, index.functions
    spans = {name: getattr(functions, name) for name in _SPANS}
    return spans | {
        "first_function": files.first_function,
        "source.offsets": files.source_offsets,
        "source.buffer": files.source_bytes,
        "name.offsets": functions.name.offsets,
        "name.buffer": functions.name.buffer,
        "qualified.offsets": functions.qualified.offsets,
        "qualified.buffer": functions.qualified.buffer,
    }


def lex(base: dict[str, Array], files: Sequence[int], report: Callable[[int], None]) -> Lexed:
    """Read some files in order; `report` is told how many are done."""
    lexer = Lexer()
    names, qualified = (StringColumn(base[f"{n}.offsets"], base[f"{n}.buffer"]) for n in ("name", "qualified"))
    for number, file in enumerate(files, 1):
        start, end = (int(x) for x in base["source.offsets"][file : file + 2])
        first, last = (int(x) for x in base["first_function"][file : file + 2])
        spans = [base[name][first:last].tolist() for name in _SPANS]
        text = zlib.decompress(base["source.buffer"][start:end].data)
        lexer.read(text, FileSpans(names[first:last], qualified[first:last], *spans))
        if number % _REPORT_EVERY == 0 or number == len(files):
            report(number)
    return Lexed(*lexer.finish())


def lex_all(index: Index, files: Sequence[int], jobs: int, progress: Progress) -> list[tuple[list[int], Lexed]]:
    """Read files in at most `jobs` processes; parts of the list, in order, each with its rows."""
    base = needed(index)
    offsets = base["source.offsets"]
    sizes = (offsets[1:] - offsets[:-1])[np.array(files, dtype=np.int64)] if files else np.zeros(0, np.int64)
    processes = min(jobs, 1 + int(sizes.sum()) // _LEAST_BYTES_PER_PROCESS)
    if processes <= 1:
        return [(list(files), lex(base, files, lambda done: progress("reading words", done, len(files))))]
    share = np.cumsum(sizes) * processes // (sizes.sum() + 1)
    cuts = np.searchsorted(share, range(processes + 1)).tolist()
    parts = [list(files[first:last]) for first, last in pairwise(cuts)]
    with tempfile.TemporaryDirectory(prefix="beryl-terms-") as folder:
        for name, column in base.items():
            np.save(Path(folder) / f"{name}.npy", column)
        _run(parts, Path(folder), progress)
        return [(part, _read(Path(folder) / f"{number}.safetensors")) for number, part in enumerate(parts)]


def _run(parts: Sequence[Sequence[int]], folder: Path, progress: Progress) -> None:
    """Start one process per part and wait for all."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    workers: list[subprocess.Popen[bytes]] = []
    try:
        for number, part in enumerate(parts):
            request = folder / f"{number}.json"
            request.write_text(json.dumps(list(part)), encoding="ascii")
            command = [sys.executable, "-m", "beryl.index.term_worker", str(request)]
            workers.append(subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, start_new_session=True))
        _follow(workers, sum(len(part) for part in parts), progress)
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.kill()
            worker.wait()
            assert worker.stdout is not None
            worker.stdout.close()


def _follow(workers: Sequence[subprocess.Popen[bytes]], total: int, progress: Progress) -> None:
    done = [0] * len(workers)
    with selectors.DefaultSelector() as selector:
        for number, worker in enumerate(workers):
            assert worker.stdout is not None
            selector.register(worker.stdout, selectors.EVENT_READ, number)
        while selector.get_map():
            for key, _ in selector.select():
                lines = os.read(key.fd, 1 << 16).split()
                if lines:
                    done[key.data] = int(lines[-1])
                    progress("reading words", sum(done), total)
                    continue
                selector.unregister(key.fileobj)
                if workers[key.data].wait() != 0:
                    raise IndexError_("a process that reads words ended early; run the same command again")


def _write(lexed: Lexed, path: Path) -> None:
    from safetensors.numpy import save_file

    strings = StringColumn.of(lexed.vocabulary)
    arrays: dict[str, Array] = {"vocabulary.offsets": strings.offsets, "vocabulary.buffer": strings.buffer}
    for name, matrix in lexed.matrices.items():
        arrays |= {f"{name}.{part}": getattr(matrix, part) for part in _PARTS}
    save_file(arrays, path)


def _read(path: Path) -> Lexed:
    from safetensors.numpy import load_file
    from scipy.sparse import csr_matrix

    arrays = load_file(path)
    vocabulary = list(StringColumn(arrays["vocabulary.offsets"], arrays["vocabulary.buffer"]))
    matrices = {}
    for name in (*TEXT_FIELDS, DOCUMENTS, *(COLUMN + part for part in PARTS)):
        data, indices, bounds = (arrays[f"{name}.{part}"] for part in _PARTS)
        matrices[name] = csr_matrix((data, indices, bounds), shape=(len(bounds) - 1, len(vocabulary)))
    return Lexed(vocabulary, matrices)


def main() -> None:
    """One process: a JSON list of files, with the columns beside it; the rows go there as well."""
    request = Path(sys.argv[1])
    files = json.loads(request.read_text(encoding="ascii"))
    base = {path.stem: np.asarray(np.load(path, mmap_mode="r")) for path in request.parent.glob("*.npy")}

    def report(done: int) -> None:
        sys.stdout.write(f"{done}\n")
        sys.stdout.flush()

    _write(lex(base, files, report), request.with_suffix(".safetensors"))


if __name__ == "__main__":
    main()
