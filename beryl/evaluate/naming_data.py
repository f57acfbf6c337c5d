"""Source folders -> functions and their names as token ids, to train the network of `beryl.features.network` on.

Functions are found by their braces, without a parser: for training it does not matter when one is missed.
"""

from __future__ import annotations

import array
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.evaluate import pairs
from beryl.features import lexing, network
from beryl.features.extract import extract
from beryl.features.facts import Facts
from beryl.index import observe_worker
from beryl.index.store import Index
from beryl.types import Language, Progress

GROUPS = ("i", "s", "c", "w", "g")
"""Words of identifiers, token runs, words of comments; words of the name, its runs of characters."""
MOST_KEPT = {"i": 20_000, "s": 40_000, "c": 12_000, "w": 12_000, "g": 15_000}
"""The most frequent tokens of each group have a vector, if a sample of one function in eight has them three times."""
_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".java")
_SAMPLED, _LEAST_SEEN = 0.12, 3
_COPY, _LEAST_RUNS = 0.5, 12
_LARGEST_FILE, _LONGEST, _SHORTEST, _KEPT_TEXT = 1_000_000, 20_000, 60, 6_000
_HIDDEN = re.compile(r"""/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
_COMMENT = re.compile(r"/\*[^*]*(?:\*(?!/)[^*]*)*\*/|//[^\n]*")
_MARK = re.compile(r"[{}();]")
_NAME = re.compile(r"([A-Za-z_]\w*)\s*\Z")
_BEFORE_BODY = re.compile(r"\A\s*(?:const|noexcept|override|throws\s+[\w.,\s]+|final|\s)*\Z")
_NO_NAMES = (
    lexing.KEYWORDS
    | {"synchronized", "super", "this", "assert", "defined", "foreach", "and", "or", "not"}
    | {*("main", "operator")}
)

Array = NDArray[Any]


@dataclass(frozen=True)
class Examples:
    """Token ids of functions by group (offsets and ids), their projects, and the vocabulary of each group."""

    vocabulary: dict[str, list[str]]
    offsets: dict[str, Array]
    ids: dict[str, Array]
    projects: Array
    names: list[str]


def functions(text: str) -> Iterator[Facts]:
    """What can be read off each function without parsing: name, comments, identifiers, tokens."""
    plain = _HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group(0)), text)
    end = -1
    for opening, closing, (name, start, arguments) in sorted(_bodies(plain)):
        if start < end:
            continue
        end = closing
        low = max(0, start - 900)
        cut = max(plain.rfind(mark, low, start) for mark in ";{}")
        before = _COMMENT.findall(text[max(cut + 1, low) : start])
        body = text[opening : closing + 1][:_KEPT_TEXT]
        header, inside = lexing.tokens(text[arguments:opening]), lexing.tokens(body)
        yield Facts(
            name,
            comments=(*before[-1:], *_COMMENT.findall(body)),
            identifiers=lexing.identifiers([*header, *inside]),
            tokens=lexing.anonymous(inside),
            header=lexing.anonymous(header),
        )


def _bodies(plain: str) -> Iterator[tuple[int, int, tuple[str, int, int]]]:
    """Where bodies begin and end, with the name, its place and that of the arguments; inner ones too."""
    rounds: list[int] = []
    braces: list[tuple[int, tuple[str, int, int] | None]] = []
    last: tuple[int, int] | None = None
    for found in _MARK.finditer(plain):
        mark, place = found.group(0), found.start()
        if mark == "(":
            rounds.append(place)
        elif mark == ")" and rounds:
            opened = rounds.pop()
            last = last if rounds else (opened, place)
        elif mark == ";":
            last = last if rounds else None
            rounds = rounds if len(rounds) <= 3 else []
        elif mark == "{":
            rounds = rounds if len(rounds) <= 2 else []
            braces.append((place, None if rounds or last is None else _head(plain, last, place)))
            last = None
        elif mark == "}":
            last, rounds = None, rounds if len(rounds) <= 1 else []
            opened_at, head = braces.pop() if braces else (0, None)
            if head and _SHORTEST <= place - opened_at <= _LONGEST:
                yield opened_at, place, head


def _head(plain: str, arguments: tuple[int, int], brace: int) -> tuple[str, int, int] | None:
    """The name of the function whose body begins at this brace, if one does."""
    named = _NAME.search(plain, max(0, arguments[0] - 80), arguments[0])
    if not named or named.group(1) in _NO_NAMES or not _BEFORE_BODY.match(plain[arguments[1] + 1 : brace][:200]):
        return None
    before = plain[max(0, named.start() - 100) : named.start()].rstrip()
    if not before or before[-1] in "=.,(+-/%!?|<" or before.endswith(("return", "new")):
        return None
    return named.group(1), named.start(), arguments[0]


def read(folders: Sequence[Path], most: int, progress: Progress) -> Iterator[tuple[str, Facts]]:
    """Functions of projects, at most so many of each; files in random order."""
    for number, folder in enumerate(folders):
        progress("reading functions", number, len(folders))
        files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES and path.is_file())
        random.Random(1).shuffle(files)
        count = 0
        for path in files:
            if count >= most:
                break
            if path.stat().st_size <= _LARGEST_FILE:
                for facts in functions(path.read_text("utf-8", "replace")):
                    yield folder.name, facts
                    count += 1


def examples(folders: Sequence[Path], most: int, progress: Progress) -> Examples:
    """The functions of projects, equal bodies once, in two passes: which tokens are frequent, then their ids."""
    chance, counts = random.Random(0), {group: Counter[str]() for group in GROUPS}
    for _, facts in read(folders, most, progress):
        if chance.random() < _SAMPLED:
            for group, tokens in zip(GROUPS, _tokens(facts), strict=True):
                counts[group].update(tokens)
    kept = {g: [t for t, n in counts[g].most_common(MOST_KEPT[g]) if n >= _LEAST_SEEN] for g in GROUPS}
    number = {group: {token: place for place, token in enumerate(tokens)} for group, tokens in kept.items()}
    ids = {group: array.array("i") for group in GROUPS}
    offsets = {group: array.array("q", [0]) for group in GROUPS}
    seen: set[tuple[str, ...]] = set()
    projects, names = [], []
    place_of = {folder.name: place for place, folder in enumerate(folders)}
    for project, facts in read(folders, most, progress):
        groups = _tokens(facts)
        if (key := (*facts.tokens, *sorted(facts.identifiers))) in seen or not any(w in number["w"] for w in groups[3]):
            continue
        seen.add(key)
        for group, tokens in zip(GROUPS, groups, strict=True):
            ids[group].extend(number[group][token] for token in tokens if token in number[group])
            offsets[group].append(len(ids[group]))
        projects.append(place_of[project])
        names.append(facts.name)
    arrays = [{g: np.frombuffer(held[g], dtype=kind) for g in GROUPS} for held, kind in ((offsets, "i8"), (ids, "i4"))]
    return Examples(kept, arrays[0], arrays[1], np.array(projects), names)


def _tokens(facts: Facts) -> tuple[list[str], ...]:
    return (*network.body_tokens(facts), *network.name_tokens(facts))


def unlike(found: Examples, sets: Sequence[Sequence[Facts]], names: frozenset[str]) -> NDArray[np.bool_]:
    """Which examples may be learned from: no copy of a function of the sets, and none of these names.

    A copy shares half of the token runs of the two together.
    """
    from scipy import sparse

    runs, offsets = found.ids["s"], found.offsets["s"]
    number = {token: place for place, token in enumerate(found.vocabulary["s"])}
    sizes = np.diff(offsets)
    held = sparse.csr_matrix(
        (np.ones(len(runs), dtype=np.float32), runs, offsets), shape=(len(sizes), len(found.vocabulary["s"]))
    )
    kept = np.array([name.lower().replace("_", "") not in names for name in found.names], dtype=np.bool_)
    for functions_of_set in sets:
        queries = np.zeros((held.shape[1], len(functions_of_set)), dtype=np.float32)
        for column, facts in enumerate(functions_of_set):
            queries[[number[t] for t in network.body_tokens(facts)[1] if t in number], column] = 1
        own = queries.sum(axis=0)
        common = held @ queries
        alike = (common >= _COPY * (sizes[:, None] + own - common)) & (np.minimum(sizes[:, None], own) >= _LEAST_RUNS)
        kept &= ~alike.any(axis=1)
    return kept


def of_sets(index: Index) -> tuple[list[list[Facts]], frozenset[str]]:
    """The functions of algo-qs and Table II, and the names of libc-qs."""
    base = observe_worker.columns(index.data)
    sets = []
    for name in ("algo-qs", pairs.TABLE_2):
        rows = []
        for function in pairs.shipped(index, name).functions:
            file = int(index.functions.file[function])
            place = list(observe_worker.places(base, file))[function - int(index.files.first_function[file])]
            language = tuple(Language)[int(index.files.language[file])]
            rows += extract(observe_worker.source(base, file), language, [place])
        sets.append(rows)
    return sets, frozenset(name.lower().replace("_", "") for name in pairs.shipped(index, "libc-qs").categories)
