"""Where the algorithms are: labels, and when a fragment hits one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from beryl.errors import InputError
from beryl.types import Fragment

# The rule of a hit: enough overlap to be the same code, and not simply everything.
LEAST_OVERLAP_LINES = 3
LEAST_OVERLAP_OF_SHORTER = 0.5
LEAST_OVERLAP_OF_LABEL = 0.2
MOST_TIMES_FUNCTION = 3.0


@dataclass(frozen=True, slots=True)
class Label:
    """One implementation of a query's algorithm."""

    query: str
    language: str
    project: str
    path: str
    function: str
    start: int
    end: int
    grade: int
    group: str
    """Clones of one grade share it; a group counts once."""
    lines: tuple[int, int] | None = None
    """The exact lines of the algorithm, where they were marked."""
    within: tuple[int, int] | None = None
    """The function, where the label is only a part of it."""
    found_by: str = ""
    """How it came to be known, where that matters."""

    @property
    def key(self) -> str:
        """The id used in qrels and runs."""
        return f"{self.project}/{self.path}:{self.start}-{self.end}"


def read(path: Path) -> list[Label]:
    """The labels of a JSON-lines file, of the public benchmark or of the demo corpus."""
    labels = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            labels.append(_label(json.loads(line)))
        except (ValueError, KeyError) as error:
            raise InputError(f"{path}:{number}: not a label: {error!r}") from None
    return labels


def read_marks(path: Path) -> dict[tuple[str, str], tuple[int, int]]:
    """(query, label key) -> the exact lines of the algorithm, from a file of line marks."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    marked = [_label(record | {"grade": 2}) for record in records]
    return {(label.query, label.key): label.lines for label in marked if label.lines}


def marked(labels: Iterable[Label], marks: Mapping[tuple[str, str], tuple[int, int]]) -> list[Label]:
    """The labels, with their exact lines where these are known."""
    return [replace(label, lines=label.lines or marks.get((label.query, label.key))) for label in labels]


def _label(record: dict[str, object]) -> Label:
    project = str(record.get("project") or record["package"])
    query, path = str(record["query"]), str(record["path"])
    start, end = int(str(record["start"])), int(str(record["end"]))
    clone = record.get("clone_group", record.get("group"))
    name, grade = str(record["function"]), int(str(record["grade"]))
    # A helper of grade 1 must not use up the implementation of grade 2 that it belongs to: groups are kept by grade.
    clones = f"{query}/{record['language']}/{clone}/{grade}"
    group = clones if clone is not None else f"{project}/{path}:{start}-{end}"
    lines, within = _range(record.get("lines")), _range(record.get("within"))
    found_by, language = str(record.get("found_by", "")), str(record["language"])
    return Label(query, language, project, path, name, start, end, grade, group, lines, within, found_by)


def _range(value: object) -> tuple[int, int] | None:
    return (int(value[0]), int(value[1])) if isinstance(value, list) else None


def overlap(fragment: Fragment, label: Label) -> int:
    """How many lines of the label the fragment holds."""
    held: set[int] = set()
    for span in fragment.spans:
        if span.path == label.path:
            held.update(range(max(span.start, label.start), min(span.end, label.end) + 1))
    return len(held)


def size(fragment: Fragment) -> int:
    """How many lines all spans of a fragment have together."""
    return sum(span.end - span.start + 1 for span in fragment.spans)


def hits(fragment: Fragment, label: Label) -> bool:
    """Whether the fragment is this implementation: same place, enough of it, and not much else."""
    if fragment.project != label.project:
        return False
    common = overlap(fragment, label)
    length = label.end - label.start + 1
    first, last = label.within or (label.start, label.end)
    here = sum(span.end - span.start + 1 for span in fragment.spans if span.path == label.path)
    return (
        common >= min(LEAST_OVERLAP_LINES, length)
        and common >= LEAST_OVERLAP_OF_SHORTER * min(here, length)
        and common >= LEAST_OVERLAP_OF_LABEL * length
        and size(fragment) <= MOST_TIMES_FUNCTION * (last - first + 1)
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """A result list after judging: the gain of each rank, and the label that each rank was the first to hit."""

    gains: tuple[int, ...]
    labels: tuple[Label | None, ...]


def judge(fragments: Sequence[Fragment], labels: Iterable[Label]) -> Judged:
    """Gains of a ranked list; one label is hit once, and so is a group of clones. Better grades are hit first."""
    by_place: dict[tuple[str, str], list[Label]] = {}
    for label in sorted(labels, key=lambda item: -item.grade):
        by_place.setdefault((label.project, label.path), []).append(label)
    seen: set[str] = set()
    first: list[Label | None] = []
    for fragment in fragments:
        paths = dict.fromkeys(span.path for span in fragment.spans)
        near = (label for path in paths for label in by_place.get((fragment.project, path), ()))
        hit = next((label for label in near if label.group not in seen and hits(fragment, label)), None)
        if hit is not None:
            seen.add(hit.group)
        first.append(hit)
    return Judged(tuple(label.grade if label else 0 for label in first), tuple(first))


def relevant(labels: Iterable[Label], least: int) -> int:
    """How many different implementations of at least this grade there are; clones count once."""
    return len({label.group for label in labels if label.grade >= least})


def line_iou(fragment: Fragment, label: Label) -> float:
    """How precisely a fragment is cut: lines in both over lines in either, against the marked lines."""
    assert label.lines is not None
    wanted = set(range(label.lines[0], label.lines[1] + 1))
    got = {
        line if span.path == label.path else -line
        for span in fragment.spans
        for line in range(span.start, span.end + 1)
    }
    return len(wanted & got) / len(wanted | got)
