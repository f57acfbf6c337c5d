"""A process that reads and analyses files: batches come in as JSON lines, bundles go out as files.

It is started afresh (no fork), so it is safe beside torch and FAISS and needs no guard in the caller's main module.
Every file is announced before it is touched: when the process hangs or dies, its owner knows on which file. The owner
keeps the time too and ends a process that is over it: a parser that can be stopped is slower by a twentieth.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from beryl.errors import BerylError
from beryl.index import bundle, reading
from beryl.index.ledger import Reason
from beryl.lang.treesitter import analyse
from beryl.types import Language

READY = {"ready": True}


def run(stdin: TextIO, answers: TextIO) -> None:
    """Serve batches until the input ends."""
    gc.freeze()
    gc.disable()  # a batch makes many objects and hardly a cycle: collecting once after each is enough
    _say(answers, READY)
    for line in stdin:
        request = json.loads(line)
        try:
            _say(answers, _batch(request, answers))
        except OSError as error:
            _say(answers, {"failed": error.strerror or str(error)})
        gc.collect()


def _batch(request: dict[str, Any], answers: TextIO) -> dict[str, Any]:
    analysed: list[bundle.Analysed] = []
    rows: list[int] = []
    skipped: list[tuple[int, str, str, str]] = []
    for position, (file, language) in enumerate(request["files"]):
        _say(answers, {"at": position})
        found = read(file, Language(language))
        if isinstance(found, bundle.Analysed):
            analysed.append(found)
            rows.append(position)
        else:
            skipped.append((position, *found))
    columns = bundle.of_units(analysed)
    _say(answers, {"at": len(request["files"]) - 1})  # fails where the owner is gone: nothing is left behind for nobody
    name = bundle.save(columns, Path(request["work"])) if analysed else ""
    return {"bundle": name, "rows": rows, "skipped": skipped}


def read(file: str, language: Language) -> bundle.Analysed | tuple[str, str, str]:
    """The analysed file, or reason, detail and content hash of one that has to be left out."""
    try:
        data = Path(file).read_bytes()
    except FileNotFoundError:
        return Reason.VANISHED, "it was there when the folder was listed", ""
    except OSError as error:
        return Reason.UNREADABLE, error.strerror or str(error), ""
    digest = reading.digest(data)
    wrong = reading.unsuitable(data)
    if wrong:
        return *wrong, digest.hex()
    text = reading.text_of(data)
    try:
        return bundle.Analysed(digest, text, analyse(text, language, timeout=0.0))
    except BerylError as error:
        return Reason.CRASHED, str(error), digest.hex()
    except (RecursionError, MemoryError) as error:
        return Reason.CRASHED, type(error).__name__, digest.hex()


def _say(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def main() -> None:
    """Keep the answers apart from anything a library might print."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        run(sys.stdin, answers)
    except BrokenPipeError:
        os._exit(1)  # the owner is gone; what was finished is spooled


if __name__ == "__main__":
    main()
