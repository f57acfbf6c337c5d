"""Runs and qrels as TREC writes them, so that any evaluation tool can check the figures.

The id of a result that hits is the key of the label (for a group of clones, of its first member); that of any other
result is its own place and rank, so that no tool counts one label twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from beryl.evaluate.benchmark import Answer
from beryl.evaluate.labels import Label

RUN_FILE, QRELS_FILE = "run.trec", "qrels.trec"
_KEPT = "/:@+#~,=()[]{}!$&'*;"


def write(answers: Sequence[Answer], folder: Path, tag: str) -> None:
    """The run and the qrels of one setting."""
    folder.mkdir(parents=True, exist_ok=True)
    tag = "-".join(tag.split())
    (folder / RUN_FILE).write_text("".join(f"{line} {tag}\n" for line in run_lines(answers)), encoding="utf-8")
    (folder / QRELS_FILE).write_text("".join(f"{line}\n" for line in qrels_lines(answers)), encoding="utf-8")


def run_lines(answers: Iterable[Answer]) -> Iterator[str]:
    """`topic Q0 id rank score`; the score is the reciprocal rank, for scores may tie where ranks do not."""
    for answer in answers:
        names = _names(answer.labels)
        for rank, (fragment, label) in enumerate(zip(answer.fragments, answer.judged.labels, strict=True), 1):
            place = f"{fragment.project}/{fragment.path}:{fragment.start}-{fragment.end}#{rank}"
            document = names[label.group] if label else place
            yield f"{quote(answer.topic, safe=_KEPT)} Q0 {quote(document, safe=_KEPT)} {rank} {1 / rank:.6f}"


def qrels_lines(answers: Iterable[Answer]) -> Iterator[str]:
    """`topic 0 id grade`, one line per label or group of clones."""
    for answer in answers:
        grades = {label.group: label.grade for label in answer.labels}
        for group, name in _names(answer.labels).items():
            yield f"{quote(answer.topic, safe=_KEPT)} 0 {quote(name, safe=_KEPT)} {grades[group]}"


def _names(labels: Iterable[Label]) -> dict[str, str]:
    """Group -> key of its first member."""
    names: dict[str, str] = {}
    for label in labels:
        names.setdefault(label.group, label.key)
    return names
