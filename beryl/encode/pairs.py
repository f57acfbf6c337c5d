"""Pairs of a description and the code it describes, for measuring and fine-tuning encoders.

A file of pairs has three columns separated by tabs: the group (a package or problem; never split), words, code.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from beryl.errors import InputError
from beryl.types import TextEncoder

# Groups that only measure, and pairs that a description is ranked among.
HELD_OUT = 0.2
POOL = 1000
_SENTENCE = re.compile(r"(?<=[.!?])\s|\s@\w+|\s\\(?:param|return|brief)")
_MARKS = re.compile(r"/\*+|\*+/|^\s*(?:\*|//+)|<[^>]*>|\{@\w+|[{}]", re.MULTILINE)
_SHORTEST, _LONGEST = 15, 200


class Pair(NamedTuple):
    """A description and its code."""

    group: str
    words: str
    code: str


@dataclass(frozen=True, slots=True)
class PairSplit:
    """Pairs to learn from and pairs of other groups to measure on."""

    train: list[Pair]
    held_out: list[Pair]


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file, each code once."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the pairs {path}: {error}") from None
    found: dict[str, Pair] = {}
    for number, line in enumerate(lines, 1):
        columns = line.split("\t")
        if len(columns) != len(Pair._fields):
            raise InputError(f"{path}:{number}: a pair is group, words and code separated by tabs")
        if all(columns):
            found.setdefault(columns[2], Pair(*columns))
    if not found:
        raise InputError(f"{path} holds no pairs")
    return list(found.values())


def write_pairs(pairs: Iterable[Pair], path: Path) -> int:
    """Write pairs; how many."""
    lines = ["\t".join(" ".join(column.split()) for column in pair) for pair in pairs]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def spoc_pairs(path: Path) -> list[Pair]:
    """Pseudocode lines with their C++ line from a file of SPoC; the group is the problem."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Pair(f"spoc-{row['probid']}", row["text"], row["code"].strip(" ;{")) for row in rows if row["text"]]


def first_sentence(comment: str) -> str:
    """What a doc comment says first, '' where that is no description."""
    text = " ".join(_MARKS.sub(" ", comment).split())
    text = _SENTENCE.split(f"{text} ")[0].strip()
    return text if _SHORTEST <= len(text) <= _LONGEST and "opyright" not in text else ""


def split(pairs: Sequence[Pair], seed: int) -> PairSplit:
    """Whole groups held out."""
    groups = sorted({pair.group for pair in pairs})
    if len(groups) < 2:
        raise InputError("pairs of at least two groups are needed, to learn from one and measure on the other")
    mixed = np.random.default_rng(seed).permutation(groups)
    held = set(mixed[: max(1, round(HELD_OUT * len(groups)))].tolist())
    return PairSplit([p for p in pairs if p.group not in held], [p for p in pairs if p.group in held])


def reciprocal_rank(encoder: TextEncoder, pairs: Sequence[Pair], seed: int = 0) -> float:
    """Mean reciprocal rank of the right code among that of up to 1,000 pairs."""
    chosen = np.random.default_rng(seed).permutation(len(pairs))[:POOL]
    words = encoder.encode([pairs[i].words for i in chosen], [True] * len(chosen))
    code = encoder.encode([pairs[i].code for i in chosen])
    scores = words @ code.T
    ranks = 1 + (scores > np.diag(scores)[:, None]).sum(axis=1)
    return float((1 / ranks).mean())
