"""Accuracy of the line classifier on lines labelled by hand, as a whole line of pseudocode goes through conversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from beryl.lang.pseudo import latex, layout, lines, statements


@dataclass(frozen=True, slots=True)
class TestLine:
    """A line as it stands in pseudocode of some style, and what its expression is: math or prose."""

    __test__ = False  # not a test case of pytest, whatever its name

    style: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many lines are right, in all and by style, and the wrong ones with what they were taken for."""

    right: int
    total: int
    by_style: dict[str, tuple[int, int]]
    wrong: tuple[tuple[TestLine, str], ...]


def test_lines(path: Path) -> list[TestLine]:
    """The hand-labelled set: style, label and line, separated by tabs, with a heading."""
    rows = path.read_text(encoding="utf-8").split("\n")[1:]
    return [TestLine(*row.split("\t", 2)) for row in rows if row.strip()]


test_lines.__test__ = False  # type: ignore[attr-defined]


def nature(text: str) -> str:
    """`math` or `prose`: prose where the p-code of the line holds any."""
    rows = latex.lines(text)[0] if "\\" in text or "$" in text else layout.split(text)
    words = [layout.without_number(row.text) for row in rows if row.text]
    made = [piece.text for word in words for piece in statements.pieces(word)]
    return "prose" if any("@" in piece for piece in made) else "math"


def accuracy(test: Sequence[TestLine], classifier: lines.Classifier | None = None) -> Accuracy:
    """Run all lines, with the shipped classifier or another."""
    with lines.using(classifier):
        given = [(line, nature(line.text)) for line in test]
    by_style: dict[str, tuple[int, int]] = {}
    for line, answer in given:
        right, total = by_style.get(line.style, (0, 0))
        by_style[line.style] = (right + (answer == line.label), total + 1)
    wrong = tuple((line, answer) for line, answer in given if answer != line.label)
    return Accuracy(len(test) - len(wrong), len(test), by_style, wrong)
