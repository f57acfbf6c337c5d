"""Shapes of many statements on all cores: processes of their own module, so that a caller's script is not run again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from beryl.encode import shape
from beryl.encode.files import read_weights, write_weights
from beryl.encode.shape import Shapes
from beryl.errors import IndexError_
from beryl.types import Progress

# Some seconds of work, against a fifth of a second to start a process.
CHUNK = 50_000


def shapes_of(texts: Sequence[str], jobs: int, progress: Progress) -> list[Shapes]:
    """The shapes of the texts, chunk by chunk in order."""
    starts = range(0, len(texts), CHUNK)
    made: list[Shapes] = []
    with tempfile.TemporaryDirectory(prefix="beryl-shapes-") as folder, ThreadPoolExecutor(jobs) as pool:
        chunks = [(texts[start : start + CHUNK], Path(folder) / f"{start}") for start in starts]
        waiting = [pool.submit(_in_process, *chunk) for chunk in chunks]
        try:
            for each in waiting:
                progress("shapes of statements", len(made) * CHUNK, len(texts))
                made.append(each.result())
        finally:
            pool.shutdown(cancel_futures=True)
    progress("shapes of statements", len(texts), len(texts))
    return made


def _in_process(texts: Sequence[str], request: Path) -> Shapes:
    request.write_text(json.dumps(list(texts)), encoding="ascii")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    if subprocess.run([sys.executable, "-m", "beryl.index.shape_worker", str(request)], env=environment).returncode:
        raise IndexError_("a process that works out shapes ended early; run the same command again")
    return Shapes(**read_weights(request.with_suffix(".safetensors")))


def main() -> None:
    """One process: a JSON list of texts; the columns of their shapes go beside it."""
    request = Path(sys.argv[1])
    found = shape.shapes(json.loads(request.read_text(encoding="ascii")))
    write_weights(request.with_suffix(".safetensors"), found._asdict())


if __name__ == "__main__":
    main()
