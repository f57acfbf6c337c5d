"""A small network that guesses from the body of a function what it is called, in NumPy (scripts/train_meaning.py).

Tokens of three groups (words of its identifiers, runs of its tokens, words of its comments) have a vector each. The sum
of each group over the root of its size, added up, goes through a hidden layer with a by-pass to a vector of length 1.
Names have vectors in the same space, trained to be close to those of their bodies.

`body_tokens` says what the network reads; `body_rows` finds the rows of these tokens without writing the runs out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl import paths
from beryl.errors import ModelError
from beryl.features import function_name, terms
from beryl.features.facts import Facts

MODEL = "meaning/model.safetensors"
RUNS_WEIGHT = 0.3
"""Runs of characters count less than words: they help where a word is new."""
MOST_TOKENS, MOST_HEADER, MOST_COMMENT = 500, 60, 600
"""What is longer is cut, as it was in training."""
RUNS = {"t:": 3, "u:": 5, "h:": 3}
"""Runs of tokens by what their names begin with: of the body, and of what stands before it."""
_CODE_LIMIT = 127
_LONGEST_RUN = 5
# A token in the written form of a run; a character may be a space.
_WRITTEN = re.compile(r"'(?:\\.|[^'\\])*'?|\S+")

Array = NDArray[Any]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Network:
    """Vectors of tokens as int8 with a scale each, and two layers."""

    rows: dict[str, int]
    """Token -> its row; those of the body come first."""
    body: NDArray[np.int8]
    body_scale: NDArray[np.float32]
    name: NDArray[np.int8]
    name_scale: NDArray[np.float32]
    hidden: NDArray[np.float32]
    bias: NDArray[np.float32]
    out: NDArray[np.float32]

    def group(self, rows: Rows) -> NDArray[np.float32]:
        """The vectors of a group of body tokens, added up, over the root of their number."""
        if not len(rows):
            return np.zeros(self.body.shape[1], dtype=np.float32)
        scale = self.body_scale[rows] / np.float32(np.sqrt(len(rows)))
        found: NDArray[np.float32] = scale @ self.body[rows].astype(np.float32)
        return found

    def of_body(self, groups: Iterable[NDArray[np.float32]]) -> NDArray[np.float32]:
        """The vector of a body, of length 1; zeros where the network knows none of its tokens."""
        total: NDArray[np.float32] = sum(groups, np.zeros(self.body.shape[1], dtype=np.float32))
        if not total.any():
            return np.zeros(len(self.out), dtype=np.float32)
        return unit(self.out @ (total + np.maximum(self.hidden @ total + self.bias, np.float32(0.0))))

    def of_name(self, words: Iterable[str], runs: Iterable[str]) -> NDArray[np.float32]:
        """The vector of a name, of length 1 or zeros."""
        total = np.zeros(len(self.out), dtype=np.float32)
        for group, weight in ((words, 1.0), (runs, RUNS_WEIGHT)):
            if known := self.known(group):
                rows = np.array(known) - len(self.body)
                scale = self.name_scale[rows] * np.float32(weight / np.sqrt(len(rows)))
                total += scale @ self.name[rows].astype(np.float32)
        return unit(total)

    def known(self, tokens: Iterable[str]) -> list[int]:
        """The rows of those tokens that have one."""
        return [self.rows[token] for token in tokens if token in self.rows]

    @cached_property
    def pieces(self) -> dict[str, int]:
        """The tokens that runs are made of, numbered from 1; 0 is any other."""
        written = (token for token in self.rows if token[:2] in RUNS)
        return {
            piece: n for n, piece in enumerate(dict.fromkeys(p for t in written for p in _WRITTEN.findall(t[2:])), 1)
        }

    @cached_property
    def _row_of_run(self) -> dict[int, int]:
        """The row of each run by its number."""
        found: dict[int, int] = {}
        pieces = self.pieces
        for mark, length in RUNS.items():
            split = [(row, _WRITTEN.findall(token[2:])) for token, row in self.rows.items() if token[:2] == mark]
            whole = [(row, parts) for row, parts in split if len(parts) == length]
            columns = np.array([[pieces[part] for part in parts] for _, parts in whole], dtype=np.int64)
            numbers = columns.reshape(-1, length) @ _DRAWN[:length] + _MARKS[mark]
            found |= zip(numbers.tolist(), (row for row, _ in whole), strict=True)
        return found

    def runs(self, body: Sequence[str], header: Sequence[str]) -> set[int]:
        """The rows of the runs in these tokens."""
        pieces = self.pieces
        inside = np.array([pieces.get(token, 0) for token in body], dtype=np.int64)
        before = np.array([pieces.get(token, 0) for token in header], dtype=np.int64)
        wanted = np.concatenate([_numbered("t:", inside), _numbered("u:", inside), _numbered("h:", before)])
        row_of = self._row_of_run
        return {row_of[number] for number in wanted.tolist() if number in row_of}


# Odd numbers drawn once, and one per mark: sums of products wrap around, so that every run has a number of its own.
_DRAWN = np.random.default_rng(9).integers(0, 2**62, _LONGEST_RUN + len(RUNS), dtype=np.int64) * 2 + 1
_MARKS = dict(zip(RUNS, _DRAWN[_LONGEST_RUN:], strict=True))


def _numbered(mark: str, pieces: Rows) -> Rows:
    """A number for every run of a sequence of tokens."""
    count = len(pieces) - RUNS[mark] + 1
    if count <= 0:
        return np.zeros(0, dtype=np.int64)
    found = np.full(count, _MARKS[mark], dtype=np.int64)
    for step in range(RUNS[mark]):
        found += pieces[step : step + count] * _DRAWN[step]
    return found


@cache
def fingerprint() -> bytes:
    """A hash of the bundled network."""
    return hashlib.blake2b(paths.model(MODEL).read_bytes(), digest_size=8).digest()


@cache
def bundled() -> Network:
    """The network that comes with beryl."""
    from safetensors.numpy import load_file

    path = paths.model(MODEL)
    try:
        held = load_file(path)
        tokens = held.pop("vocabulary").tobytes().decode("utf-8").split("\n")
        return Network({token: row for row, token in enumerate(tokens)}, **held)
    except Exception as error:  # safetensors raises its own for every damage
        raise ModelError(f"the model {path} is missing or damaged ({error}); fetch it again") from None


@dataclass(slots=True)
class Read:
    """What was made of the body of a function: the sums of its three groups and its vector."""

    facts: Facts
    groups: tuple[NDArray[np.float32], ...]
    vector: NDArray[np.float32]


_latest: list[Read] = []


def read(facts: Facts) -> Read:
    """The body of a function as the network sees it; the latest is remembered, as several classes ask in turn."""
    if not _latest or _latest[0].facts is not facts:
        network = bundled()
        groups = tuple(network.group(rows) for rows in body_rows(facts))
        _latest[:] = [Read(facts, groups, network.of_body(groups))]
    return _latest[0]


def name_vector(facts: Facts) -> NDArray[np.float32]:
    """The vector of a function's name."""
    return bundled().of_name(*name_tokens(facts))


def body_rows(facts: Facts) -> tuple[Rows, Rows, Rows]:
    """The rows of `body_tokens`."""
    network = bundled()
    words = {row for name in facts.identifiers - {facts.name} for row in _word_rows("i:", name)}
    remarks = {
        row
        for comment in facts.comments
        for word in terms.identifiers_in(comment[:MOST_COMMENT])
        for row in _word_rows("c:", word)
    }
    body = facts.tokens[:MOST_TOKENS]
    numbers = network.known({f"n:{token}" for token in set(body) if token[0].isdigit()})
    shape = network.runs(body, facts.header[:MOST_HEADER]).union(numbers)
    return _sorted(words), _sorted(shape), _sorted(remarks)


def _sorted(rows: set[int]) -> Rows:
    return np.array(sorted(rows), dtype=np.int64)


@cache
def _word_rows(mark: str, name: str) -> tuple[int, ...]:
    """The rows of the words of a name."""
    rows = bundled().rows
    return tuple(rows[mark + term] for term in terms.of_identifier(name) if mark + term in rows)


def body_tokens(facts: Facts) -> tuple[list[str], list[str], list[str]]:
    """The tokens of a body by group: words of identifiers but its own name, what code looks like, words of comments."""
    words = {f"i:{term}" for name in facts.identifiers - {facts.name} for term in terms.of_identifier(name)}
    body, header = facts.tokens[:MOST_TOKENS], facts.header[:MOST_HEADER]
    shape = _runs("t:", body) | _runs("u:", body) | _runs("h:", header)
    shape |= {f"n:{token}" for token in body if token[0].isdigit()}
    remarks = {f"c:{term}" for comment in facts.comments for term in terms.of_prose(comment[:MOST_COMMENT])}
    return sorted(words), sorted(shape), sorted(remarks)


def name_tokens(facts: Facts) -> tuple[list[str], list[str]]:
    """The words of a name, and its runs of characters."""
    words = [f"w:{term}" for term in terms.of_identifier(facts.name)]
    return words, sorted(f"g:{run}" for run in function_name.observe(facts))


def _runs(mark: str, tokens: Sequence[str]) -> set[str]:
    return {mark + " ".join(tokens[start : start + RUNS[mark]]) for start in range(len(tokens) - RUNS[mark] + 1)}


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector with length 1; zeros stay."""
    length = np.float32(np.sqrt(vector @ vector))
    return vector / length if length > 0 else vector


def coded(vector: NDArray[np.float32]) -> bytes:
    """A vector as one int8 per number, its largest 127; empty when it is all zeros. The cosine needs no scale."""
    largest = float(np.abs(vector).max())
    if largest == 0.0:
        return b""
    codes: bytes = np.rint(vector * np.float32(_CODE_LIMIT / largest)).astype(np.int8).tobytes()
    return codes
