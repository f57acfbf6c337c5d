"""Workers that hang, die or cannot write."""

import sys
from pathlib import Path

import pytest

from beryl.errors import IndexError_
from beryl.index import pool
from beryl.index.ledger import Reason
from beryl.index.pool import analyse
from beryl.index.scan import Candidate
from beryl.types import Language, silent

# A worker whose parser hangs on one file name and dies on another.
SICK_WORKER = """
import os, time
from beryl.index import worker
real = worker.analyse
def analyse(text, language, timeout):
    if b"HANG" in text:
        time.sleep(60)
    if b"DIE" in text:
        os.kill(os.getpid(), 9)
    return real(text, language, timeout)
worker.analyse = analyse
worker.main()
"""


def candidates(root: Path, texts: dict[str, str]) -> list[Candidate]:
    for name, text in texts.items():
        (root / name).write_text(text)
    return [Candidate("p", name, str(root / name), Language.C, len(text)) for name, text in texts.items()]


def test_batches_keep_the_order_and_bound_the_work():
    files = [Candidate("p", f"{i}", "", Language.C, size) for i, size in enumerate([300_000, 200_000, 1, 500_000, 7])]
    assert [[file.path for file in batch] for batch in pool.batches(files)] == [["0", "1"], ["2", "3"], ["4"]]
    assert [file for batch in pool.batches(files) for file in batch] == files
    assert pool.batches([]) == []


def test_a_hanging_and_a_dying_file_cost_only_themselves(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_COMMAND", (sys.executable, "-c", SICK_WORKER))
    monkeypatch.setattr(pool, "_GRACE_SECONDS", 0.5)
    monkeypatch.setattr(pool, "_POLL_SECONDS", 0.1)
    files = candidates(
        tmp_path,
        {"a.c": "int a(void) { return 1; }", "b.c": "/* HANG */", "c.c": "/* DIE */", "d.c": "void d(void) {}"},
    )
    told = []
    job = pool.Job(tmp_path, 2, 0.5, lambda what, done, total: told.append((done, total)))
    outcome = analyse(files, job)
    assert {candidate.path for candidate in outcome.found} == {"a.c", "d.c"}
    assert {entry.path: entry.reason for entry in outcome.ledger} == {"b.c": Reason.TIMED_OUT, "c.c": Reason.CRASHED}
    assert all(entry.digest for entry in outcome.ledger)
    assert told[-1] == (4, 4)


def test_a_worker_that_cannot_start_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_COMMAND", (sys.executable, "-c", "raise SystemExit('no parser here')"))
    with pytest.raises(IndexError_, match="no parser here"):
        analyse(candidates(tmp_path, {"a.c": "int x;"}), pool.Job(tmp_path, 1, 5.0, silent))


def test_a_worker_that_cannot_write_is_told(tmp_path):
    files = candidates(tmp_path, {"a.c": "int x;"})
    with pytest.raises(IndexError_, match="No such file or directory"):
        analyse(files, pool.Job(tmp_path / "absent", 1, 5.0, silent))
