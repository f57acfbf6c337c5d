import json
import os
import subprocess
import sys
import time

import pytest

from beryl.errors import IndexError_, IndexLocked
from beryl.index import lock

HOLD = """
import sys, time
from pathlib import Path
from beryl.index import lock
with lock.writing(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def holding(directory, seconds):
    command = [sys.executable, "-c", HOLD, str(directory), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_writer_is_told_who_holds_the_index(tmp_path):
    first = holding(tmp_path / "ix", 60)
    try:
        told = f"is being written by process {first.pid} on "
        with pytest.raises(IndexLocked, match=told), lock.writing(tmp_path / "ix"):
            pass
    finally:
        first.kill()
        first.wait()
        first.stdout.close()
    with lock.writing(tmp_path / "ix"):  # a dead process holds nothing
        assert json.loads((tmp_path / "ix/lock").read_text())["pid"] == os.getpid()


def test_the_second_writer_waits_when_asked_to(tmp_path):
    first = holding(tmp_path / "ix", 0.5)
    told = []
    with lock.writing(tmp_path / "ix", wait=20, progress=lambda what, done, total: told.append(what)):
        pass
    assert told[0].startswith(f"waiting for process {first.pid} on ")
    first.wait()
    first.stdout.close()


def test_a_lock_is_free_again_after_an_error(tmp_path):
    with pytest.raises(RuntimeError), lock.writing(tmp_path / "ix"):
        raise RuntimeError
    begin = time.monotonic()
    with lock.writing(tmp_path / "ix", wait=10):
        assert time.monotonic() - begin < 5


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(IndexError_, match="cannot write an index in"), lock.writing(tmp_path / "file/ix"):
        pass
