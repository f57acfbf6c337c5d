"""The order of results: Satsy Round Robin, Satsy Ranked (§4.3), and `fused`, which breaks their many ties."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from beryl.smt.behaviour import agreement
from beryl.smt.match import Outcome
from beryl.types import Verdict

ROUND_ROBIN_ORDER = (2, 1, 4, 3, 6, 5, 8, 7, 9, 10)
RANKED_ORDER = (4, 2, 1, 3)
_SEED = 2015  # the paper picks at random within a bucket; a seed makes two runs agree
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
# Size at which the bonus for being small is halved.
_HALF_SIZE = 40
# What projects agree on, in deed and in name, says most of what examples leave open. Set on our own tasks.
_WEIGHTS = {"behaviour": 0.4, "names": 0.3, "parameters": 0.25, "size": 0.05}


@dataclass(frozen=True, slots=True)
class Found:
    """A method that matches, with what rankings look at."""

    row: int
    function: int
    outcome: Outcome
    equal: bool
    """TS_q = TS_ls; else TS_q is a proper superset."""
    name: str
    project: int
    size: int
    """How much code the encoding holds, callees included."""
    behaviour: tuple[str, ...]
    """Its answers to probes; empty where some inputs are free."""
    fields: int
    """How many of the inputs are fields rather than parameters."""
    uses_inputs: bool
    echo: bool
    """The solver had to choose the very output as a free value: the inputs of the example say nothing."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A method with its score and what that is made of."""

    found: Found
    score: float
    parts: dict[str, float]


def words_of(name: str) -> list[str]:
    """The words of an identifier, lower case: `isAsciiDigit` is is, ascii, digit."""
    return [word.lower() for word in _WORD.findall(name)]


def satsy_ranked(found: Sequence[Found], background: Sequence[str]) -> list[Ranked]:
    """Buckets 4, 2, 1, 3, signatures equal; within a bucket at random."""
    usable = [item for item in found if item.equal and item.outcome.bucket in RANKED_ORDER]
    shuffled = _shuffled(usable)
    return _scored(sorted(shuffled, key=lambda item: RANKED_ORDER.index(item.outcome.bucket)))


def satsy_round_robin(found: Sequence[Found], background: Sequence[str]) -> list[Ranked]:
    """One of each bucket in turn, equal signatures first; within a bucket at random."""
    ordered: list[Found] = []
    for equal in (True, False):
        shuffled = _shuffled([item for item in found if item.equal is equal])
        queues = [[item for item in shuffled if item.outcome.bucket == number] for number in ROUND_ROBIN_ORDER]
        while any(queues):
            ordered += [queue.pop(0) for queue in queues if queue]
    return _scored(ordered)


def _shuffled(found: Sequence[Found]) -> list[Found]:
    shuffled = sorted(found, key=lambda item: item.function)
    random.Random(_SEED).shuffle(shuffled)
    return shuffled


def _scored(ordered: Sequence[Found]) -> list[Ranked]:
    return [
        Ranked(item, 1.0 / (place + 1), {"bucket": float(item.outcome.bucket)}) for place, item in enumerate(ordered)
    ]


def fused(found: Sequence[Found], background: Sequence[str]) -> list[Ranked]:
    """Methods that satisfy every pair: those that do so jointly first, then by signature, names and size."""
    usable = [item for item in found if item.outcome.bucket in RANKED_ORDER]
    names = _agreement(usable, background)
    known = [(item.behaviour, item.project) for item in usable if item.behaviour and item.uses_inputs]
    deeds = agreement(known)
    ranked = [_fuse(item, names(item.name), deeds(item.behaviour)) for item in usable]
    return sorted(ranked, key=lambda item: (-item.score, item.found.function))


def _fuse(item: Found, names: float, behaviour: float) -> Ranked:
    joint = {Verdict.MATCH: 2.0, Verdict.UNKNOWN: 1.0}.get(item.outcome.joint, 0.0)
    parts = {
        "joint": joint / 2,
        "uses_inputs": float(item.uses_inputs and not item.echo),
        "signature": float(item.equal),
        "behaviour": behaviour,
        "names": names,
        "parameters": 1.0 / (1 + item.fields),
        "size": _HALF_SIZE / (_HALF_SIZE + item.size),
    }
    level = 4 * joint + 2 * parts["uses_inputs"] + parts["signature"]
    tie = sum(weight * parts[name] for name, weight in _WEIGHTS.items())
    return Ranked(item, (level + tie) / 12, parts)


def _agreement(found: Sequence[Found], background: Sequence[str]) -> Callable[[str], float]:
    """How typical a name is of the matches: words that several projects share here and not elsewhere."""
    pairs = {(item.project, word) for item in found if item.uses_inputs for word in words_of(item.name)}
    here = Counter(word for _, word in pairs)
    everywhere = Counter(word for name in background for word in set(words_of(name)))

    def weight(word: str) -> float:
        # A word of one project only agrees with nobody.
        return (here[word] - 1) / (everywhere[word] + 1) if here[word] > 1 else 0.0

    def of(name: str) -> float:
        words = set(words_of(name))
        return min(1.0, sum(weight(word) for word in words) / len(words) ** 0.5) if words else 0.0

    return of


RANKINGS: dict[str, Callable[[Sequence[Found], Sequence[str]], list[Ranked]]] = {
    "fused": fused,
    "satsy": satsy_ranked,
    "satsy-rr": satsy_round_robin,
}
