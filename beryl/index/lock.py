"""One writer at a time: a lock that the operating system lets go when its process dies."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from beryl.errors import IndexError_, IndexLocked
from beryl.types import Progress, silent

FILE_NAME = "lock"
_POLL_SECONDS = 0.1


@contextmanager
def writing(directory: Path, wait: float = 0.0, progress: Progress = silent) -> Iterator[None]:
    """Hold the right to write an index; wait up to `wait` seconds for another process, then say who has it."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        stream = (directory / FILE_NAME).open("a+", encoding="utf-8")
    except FileExistsError:
        raise IndexError_(f"{directory} is a file; name a directory for the index with --out") from None
    except OSError as error:
        raise IndexError_(f"cannot write an index in {directory}: {error.strerror}") from None
    with stream:
        _acquire(stream, directory, wait, progress)
        stream.truncate(0)
        json.dump({"pid": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%F %T")}, stream)
        stream.flush()
        try:
            yield
        finally:
            stream.truncate(0)


def holder(directory: Path) -> str:
    """Who writes the index, as far as the lock file tells."""
    try:
        known = json.loads((directory / FILE_NAME).read_text(encoding="utf-8"))
        return f"process {known['pid']} on {known['host']}, since {known['since']}"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"


def _acquire(stream: TextIO, directory: Path, wait: float, progress: Progress) -> None:
    begin = time.monotonic()
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            waited = time.monotonic() - begin
            if waited >= wait:
                advice = "wait for it, or give it time with --wait SECONDS"
                raise IndexLocked(f"the index {directory} is being written by {holder(directory)}; {advice}") from None
            progress(f"waiting for {holder(directory)}", int(waited), int(wait))
            time.sleep(_POLL_SECONDS)
        except OSError as error:
            raise IndexError_(f"cannot lock the index {directory}: {error.strerror}") from None
