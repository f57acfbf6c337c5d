"""The derived table `paths`: encoded Java methods by type signature, and why the others could not be encoded.

function.npy     function id of each encoded method, ascending
signature.npy    its type signature, a position in signatures.json
offsets.npy      n + 1 boundaries into records.npy
records.npy      one JSON document per method, see `encoding.py`
reasons.npy      for every function of the index: a position in reasons.json
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_
from beryl.index.store import TABLE_INFO, BuildOptions, Index
from beryl.smt.encoding import Encoding, kind_of_type, read, signature_key
from beryl.types import Language, Progress

NAME = "paths"
NOT_A_METHOD = ""
ENCODED = "encoded"
_FILES_PER_REQUEST = 40
_TOP_REASONS = 12
_Methods = list[tuple[int, str, dict[str, Any] | None]]


@dataclass(frozen=True, slots=True)
class Paths:
    """The table, open for searching."""

    function: NDArray[np.int32]
    signature: NDArray[np.int32]
    offsets: NDArray[np.int64]
    records: NDArray[np.uint8]
    reason: NDArray[np.int16]
    signatures: tuple[str, ...]
    reasons: tuple[str, ...]

    @staticmethod
    def open(index: Index) -> Paths:
        """The table of an index."""
        folder = index.table_directory(NAME)
        names = ("function", "signature", "offsets", "records", "reasons")
        function, signature, offsets, records, reason = (
            np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in names
        )
        signatures, reasons = (
            tuple(json.loads((folder / f"{name}.json").read_text("utf-8"))) for name in ("signatures", "reasons")
        )
        return Paths(function, signature, offsets, records, reason, signatures, reasons)

    def __len__(self) -> int:
        return len(self.function)

    def raw(self, row: int) -> bytes:
        """The record of a row as it is stored."""
        return self.records[int(self.offsets[row]) : int(self.offsets[row + 1])].tobytes()

    def encoding(self, row: int) -> Encoding:
        """An encoded method."""
        return read(json.loads(self.raw(row)))

    def row_of(self, function: int) -> int | None:
        """The row of a function, where it is encoded."""
        row = int(np.searchsorted(self.function, function))
        return row if row < len(self.function) and int(self.function[row]) == function else None

    def why_not(self, function: int) -> str:
        """What stopped the encoding of a function."""
        reason = self.reasons[int(self.reason[function])]
        return reason if reason != NOT_A_METHOD else "not a Java method"


def build(index: Index, previous: Index | None, directory: Path, options: BuildOptions, progress: Progress) -> None:
    """Encode every Java method; projects that are as before are taken from the previous index."""
    java = np.flatnonzero(index.files.language == Language.JAVA.code)
    by_project: dict[int, list[int]] = {}
    for file in java.tolist():
        by_project.setdefault(int(index.files.project[file]), []).append(file)
    methods: dict[int, _Methods] = {}
    todo: dict[int, list[int]] = {}
    old = _Previous(previous)
    for project, files in by_project.items():
        known = old.methods(index, project, files)
        if known is None:
            todo[project] = files
        else:
            methods |= known
    methods |= _encode_all(index, todo, options.jobs or os.cpu_count() or 1, progress)
    _write(index, methods, directory)


def encoder_version() -> str:
    """Hash of the code that encodes: records of two versions never meet."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _Previous:
    """Records of the index being replaced."""

    def __init__(self, index: Index | None) -> None:
        usable = index is not None and index.manifest.tables.get(NAME, {}).get("encoder") == encoder_version()
        self.index = index if usable else None
        self.paths = Paths.open(index) if usable and index is not None else None
        self.files: dict[tuple[str, str], int] = {}
        self.counts: Counter[str] = Counter()
        if self.index is not None:
            for file in np.flatnonzero(self.index.files.language == Language.JAVA.code).tolist():
                project = self.index.projects[int(self.index.files.project[file])]
                self.files[project, self.index.files.path[file]] = file
                self.counts[project] += 1

    def methods(self, index: Index, project: int, files: Sequence[int]) -> dict[int, _Methods] | None:
        """The methods of a project, if not one of its Java files has changed."""
        name = index.projects[project]
        if self.index is None or self.counts[name] != len(files):
            return None
        pairs: list[tuple[int, int]] = []
        for file in files:
            old = self.files.get((name, index.files.path[file]))
            if old is None or not np.array_equal(self.index.files.digest[old], index.files.digest[file]):
                return None
            pairs.append((file, old))
        return {file: self._file(old) for file, old in pairs}

    def _file(self, file: int) -> _Methods:
        assert self.index is not None
        assert self.paths is not None
        found: _Methods = []
        first, last = self.index.files.first_function[file : file + 2].tolist()
        for function in range(first, last):
            reason = self.paths.reasons[int(self.paths.reason[function])]
            row = self.paths.row_of(function)
            if reason != NOT_A_METHOD:
                record = json.loads(self.paths.raw(row)) if row is not None else None
                found.append((int(self.index.functions.end_byte[function]), "" if record else reason, record))
        return found


def _encode_all(index: Index, todo: dict[int, list[int]], jobs: int, progress: Progress) -> dict[int, _Methods]:
    requests = list(_requests(todo))
    found: dict[int, _Methods] = {}
    total = sum(len(files) for files in todo.values())
    workers = [_Worker(index) for _ in range(min(jobs, len(requests)))]
    idle = list(workers)
    try:
        with ThreadPoolExecutor(max(1, len(workers))) as pool:
            for files, answer in pool.map(lambda request: _serve(idle, request), requests):
                for file, methods in zip(files, answer, strict=True):
                    found[file] = [(end, reason, record) for end, reason, record in methods]
                progress("encoding methods", len(found), total)
    finally:
        for worker in workers:
            worker.close()
    return found


def _requests(todo: dict[int, list[int]]) -> Iterator[tuple[list[int], list[int]]]:
    for files in todo.values():
        for start in range(0, len(files), _FILES_PER_REQUEST):
            yield files, files[start : start + _FILES_PER_REQUEST]


def _serve(idle: list[_Worker], request: tuple[list[int], list[int]]) -> tuple[list[int], list[Any]]:
    worker = idle.pop()
    try:
        return request[1], worker.ask(*request)
    finally:
        idle.append(worker)


class _Worker:
    """One encoding process; it keeps the classes of the project it is on."""

    def __init__(self, index: Index) -> None:
        self.index, self.project = index, [-1]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "beryl.smt.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )

    def ask(self, project: list[int], files: Sequence[int]) -> list[Any]:
        """Encode files of a project, which is the list of all its files."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if project != self.project:
            names = [Path(self.index.files.path[file]).stem for file in project]
            texts = [(file, name, self.index.source(file)) for file, name in zip(project, names, strict=True)]
            self._send({"project": texts})
            self.project = project
        self._send({"files": list(files)})
        line = self.process.stdout.readline()
        if not line:
            raise IndexError_("a process that encodes methods ended early; run the same `beryl index` again")
        answer: list[Any] = json.loads(line)
        return answer

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode("utf-8") + b"\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def _write(index: Index, methods: dict[int, _Methods], directory: Path) -> None:
    reasons = np.zeros(len(index.functions.file), dtype=np.int16)
    names = {NOT_A_METHOD: 0, ENCODED: 1}
    rows: list[tuple[int, str, bytes]] = []
    for file in sorted(methods):
        by_end = _functions_by_end(index, file)
        for end, reason, record in methods[file]:
            function = by_end.get(end)
            if function is None:
                continue
            reasons[function] = names.setdefault(reason or ENCODED, len(names))
            if record is not None:
                kinds = [kind_of_type(kind) for _, kind in record["inputs"]]
                key = signature_key(kinds, kind_of_type(record["result"]))
                rows.append((function, key, json.dumps(record, separators=(",", ":")).encode("ascii")))
    rows.sort(key=lambda row: row[0])
    ordered = [NOT_A_METHOD, ENCODED, *sorted(set(names) - {NOT_A_METHOD, ENCODED})]
    places = np.array([ordered.index(name) for name in names], dtype=np.int16)
    _save(rows, places[reasons], ordered, directory)


def _functions_by_end(index: Index, file: int) -> dict[int, int]:
    first, last = index.files.first_function[file : file + 2].tolist()
    ends = index.functions.end_byte[first:last].tolist()
    found: dict[int, int] = {}
    for function, end in zip(range(first, last), ends, strict=True):
        found.setdefault(end, function)
    return found


def _save(rows: list[tuple[int, str, bytes]], reasons: NDArray[np.int16], names: list[str], directory: Path) -> None:
    signatures = sorted({key for _, key, _ in rows})
    numbers = {key: number for number, key in enumerate(signatures)}
    lengths = np.array([0, *[len(record) for _, _, record in rows]], dtype=np.int64)
    columns: dict[str, NDArray[Any]] = {
        "function": np.array([function for function, _, _ in rows], dtype=np.int32),
        "signature": np.array([numbers[key] for _, key, _ in rows], dtype=np.int32),
        "offsets": np.cumsum(lengths),
        "records": np.frombuffer(b"".join(record for _, _, record in rows), dtype=np.uint8),
        "reasons": reasons,
    }
    for name, column in columns.items():
        np.save(directory / f"{name}.npy", column, allow_pickle=False)
    (directory / "signatures.json").write_text(json.dumps(signatures), "utf-8")
    (directory / "reasons.json").write_text(json.dumps(names), "utf-8")
    counts = Counter(names[number] for number in reasons.tolist())
    methods = sum(counts.values()) - counts[NOT_A_METHOD]
    stopped = {name: count for name, count in counts.most_common() if name not in (NOT_A_METHOD, ENCODED)}
    info = {
        "encoder": encoder_version(),
        "methods": methods,
        "encoded": len(rows),
        "share": round(len(rows) / max(1, methods), 4),
        "reasons": dict(list(stopped.items())[:_TOP_REASONS]),
    }
    (directory / TABLE_INFO).write_text(json.dumps(info, indent=1), "utf-8")
