"""Worker processes that analyse batches of files; one that hangs or dies costs the file it was on, nothing else."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from beryl.errors import IndexError_
from beryl.index.ledger import Entry, Reason
from beryl.index.scan import Candidate
from beryl.types import Progress

# About a third of a second of work: small enough to lose little on Ctrl-C and to keep all workers busy to the end.
_BATCH_BYTES = 400_000
_BATCH_FILES = 200
_COMMAND = (sys.executable, "-m", "beryl.index.worker")
# What a worker may take besides its file: to write a batch after the last one.
_GRACE_SECONDS = 2.0
_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Job:
    """Files to analyse, where to spool the bundles, and the limits."""

    work: Path
    jobs: int
    seconds: float
    progress: Progress


@dataclass(slots=True)
class Outcome:
    """What came of it: (bundle file, row) by candidate, and the ledger of the others."""

    found: dict[Candidate, tuple[str, int]] = field(default_factory=dict)
    ledger: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    batch: list[Candidate] = field(default_factory=list)
    position: int = -1
    since: float = 0.0
    pending: bytes = b""
    ready: bool = False


def batches(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """The candidates in index order, cut into pieces of about equal work."""
    found: list[list[Candidate]] = []
    size = _BATCH_BYTES
    for candidate in candidates:
        if size >= _BATCH_BYTES or len(found[-1]) >= _BATCH_FILES:
            found.append([])
            size = 0
        found[-1].append(candidate)
        size += candidate.size
    return found


def analyse(candidates: Sequence[Candidate], job: Job) -> Outcome:
    """Analyse every candidate; bundles are left in `job.work`."""
    pool = _Pool(job, batches(candidates), len(candidates))
    try:
        pool.run()
    finally:
        pool.close()
    return pool.outcome


class _Pool:
    """Workers, the batches still to do, and what came back."""

    def __init__(self, job: Job, waiting: list[list[Candidate]], total: int) -> None:
        self.job, self.waiting, self.total = job, deque(waiting), total
        self.outcome = Outcome()
        self.done = 0
        self.selector = selectors.DefaultSelector()
        self.workers: list[_Worker] = []

    def run(self) -> None:
        """Go on until every batch came back."""
        for _ in range(min(self.job.jobs, len(self.waiting))):
            self._start()
        while self.workers:
            for key, _ in self.selector.select(_POLL_SECONDS):
                worker: _Worker = key.data
                chunk = os.read(key.fd, 1 << 16)
                if chunk:
                    self._hear(worker, chunk)
                else:
                    self._lost(worker, Reason.CRASHED, "the worker process ended on it")
            late = time.monotonic() - self.job.seconds - _GRACE_SECONDS
            for worker in [w for w in self.workers if w.batch and w.ready and w.since < late]:
                self._lost(worker, Reason.TIMED_OUT, f"more than {self.job.seconds:g} s")

    def close(self) -> None:
        """End the workers that still run."""
        for worker in list(self.workers):
            self._end(worker)
        self.selector.close()

    def _start(self) -> None:
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with its worker
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the owner, which then ends its workers
        )
        worker = _Worker(process, errors)
        assert process.stdout is not None
        self.selector.register(process.stdout, selectors.EVENT_READ, worker)
        self.workers.append(worker)
        self._give(worker)

    def _give(self, worker: _Worker) -> None:
        """The next batch, or the end of work."""
        if not self.waiting:
            self._end(worker)
            return
        worker.batch, worker.position, worker.since = self.waiting.popleft(), -1, time.monotonic()
        files = [(candidate.file, candidate.language.value) for candidate in worker.batch]
        request = {"work": str(self.job.work), "files": files}
        assert worker.process.stdin is not None
        try:
            worker.process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            worker.process.stdin.flush()
        except BrokenPipeError:
            return  # its end is noticed, and told, where its answers are read

    def _hear(self, worker: _Worker, chunk: bytes) -> None:
        *lines, worker.pending = (worker.pending + chunk).split(b"\n")
        worker.since = time.monotonic()
        for line in lines:
            message = json.loads(line)
            if "at" in message:
                worker.position = message["at"]
            elif "ready" in message:
                worker.ready = True
            elif "failed" in message:
                raise IndexError_(f"cannot write in {self.job.work}: {message['failed']}; the index is as it was")
            else:
                self._take(worker, message)
                self._give(worker)

    def _take(self, worker: _Worker, message: dict[str, Any]) -> None:
        for row, position in enumerate(message["rows"]):
            self.outcome.found[worker.batch[position]] = (message["bundle"], row)
        for position, reason, detail, digest in message["skipped"]:
            candidate = worker.batch[position]
            self.outcome.ledger.append(Entry(candidate.project, candidate.path, Reason(reason), detail, digest))
        self._count(len(worker.batch))
        worker.batch = []

    def _lost(self, worker: _Worker, reason: Reason, detail: str) -> None:
        """Give up a worker; the file it was on goes into the ledger, the others of its batch to the next worker."""
        batch, position = worker.batch, worker.position
        worker.process.kill()
        worker.process.wait()
        if not worker.ready or not 0 <= position < len(batch):
            worker.errors.seek(0)
            lines = worker.errors.read().decode("utf-8", "replace").strip().splitlines() or ["no message"]
            raise IndexError_(f"a worker process could not go on: {lines[-1]}")
        culprit = batch[position]
        self.outcome.ledger.append(Entry(culprit.project, culprit.path, reason, detail, _digest(culprit)))
        self._count(1)
        rest = batch[:position] + batch[position + 1 :]
        if rest:
            self.waiting.appendleft(rest)
        self._end(worker)
        if self.waiting:
            self._start()

    def _count(self, files: int) -> None:
        self.done += files
        self.job.progress("analysing files", self.done, self.total)

    def _end(self, worker: _Worker) -> None:
        process = worker.process
        assert process.stdin is not None
        assert process.stdout is not None
        self.selector.unregister(process.stdout)
        if worker.batch:
            process.kill()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()
        process.stdout.close()
        worker.errors.close()
        self.workers.remove(worker)


def _digest(candidate: Candidate) -> str:
    from beryl.index import reading

    try:
        return reading.digest(Path(candidate.file).read_bytes()).hex()
    except OSError:
        return ""
