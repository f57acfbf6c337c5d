"""What was left out of an index, cut short or damaged, and why: one entry per file or ignored folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

FILE_NAME = "ledger.json"


class Reason(StrEnum):
    """Why a file stands in the ledger."""

    IGNORED = "ignored"
    EXCLUDED = "excluded"
    LINK = "symbolic link"
    NO_PROJECT = "in no project"
    TOO_LARGE = "too large"
    BINARY = "binary"
    GENERATED = "generated"
    MINIFIED = "minified"
    UNREADABLE = "unreadable"
    VANISHED = "vanished"
    TIMED_OUT = "timed out"
    CRASHED = "crashed the parser"
    DAMAGED = "parsed with errors"


# Reasons that depend on nothing but the bytes of the file, so that an update need not look again.
OF_CONTENT = frozenset({Reason.BINARY, Reason.GENERATED, Reason.MINIFIED, Reason.TIMED_OUT, Reason.CRASHED})
# Reasons of files that are in the index all the same.
KEPT = frozenset({Reason.DAMAGED})


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One file (or folder, with a trailing `/`) and why it is in the ledger."""

    project: str
    path: str
    reason: Reason
    detail: str = ""
    digest: str = ""
    """Content hash in hexadecimal, where the reason lies in the content."""


def counts(entries: Iterable[Entry]) -> dict[str, int]:
    """How many entries there are for each reason."""
    found = Counter(entry.reason for entry in entries)
    return {reason.value: found[reason] for reason in Reason if found[reason]}


def write(entries: Sequence[Entry], directory: Path) -> None:
    """Write the ledger, sorted, one line per entry."""
    rows = [[e.project, e.path, e.reason.value, e.detail, e.digest] for e in sorted(set(entries))]
    lines = ",\n".join(json.dumps(row) for row in rows)
    (directory / FILE_NAME).write_text(f"[\n{lines}\n]\n", encoding="ascii")


def read(directory: Path) -> tuple[Entry, ...]:
    """The ledger of an index."""
    rows = json.loads((directory / FILE_NAME).read_text(encoding="ascii"))
    return tuple(Entry(row[0], row[1], Reason(row[2]), row[3], row[4]) for row in rows)
