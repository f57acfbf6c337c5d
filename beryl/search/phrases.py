"""Which functions hold a phrase: its words one after the other, in name, comment, code or strings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_
from beryl.index import words
from beryl.index.store import Index
from beryl.index.terms import Terms
from beryl.index.word_order import CODE
from beryl.search.question import Clause

Mask = NDArray[np.bool_]
_ANYWHERE = ("name", "comment_leading", "comment_inner", CODE, "literals")
# The words of a lambda or a local class are also words of the function around it.
_OF_THE_WHOLE = frozenset(("comment_leading", "comment_inner", CODE, "literals"))
_FIELD_OF_CALLS, _FIELD_OF_PATHS = "calls", "file"
_OPEN_NESTINGS = 4
_NESTINGS: dict[Path, NDArray[np.int64]] = {}


def holders(index: Index, terms: Terms, clause: Clause, candidates: Mask) -> Mask:
    """The candidates (functions that hold all words of the phrase) that hold them in order and together."""
    if not terms.order:
        raise IndexError_(
            f"the index {index.directory} does not know the order of words, which a phrase needs; "
            "bring it up to date with `beryl index --update`, or leave out the quotes"
        )
    stems = words.stems(clause.words)
    phrase = [terms.identify(stem) for stem in stems]
    found = np.zeros(len(candidates), dtype=np.bool_)
    if min(phrase) < 0 or not candidates.any():
        return found
    rarest = int(np.argmin(terms.frequency[phrase]))
    for field in clause.fields or _ANYWHERE:
        if field == _FIELD_OF_PATHS:
            found |= _in_paths(index, stems, candidates)
            continue
        part = CODE if field == _FIELD_OF_CALLS else field
        held = terms.order[part].holders(phrase, rarest, one_call=field == _FIELD_OF_CALLS)
        found[held] = True
        if part in _OF_THE_WHOLE:
            found[_around(index, held)] = True
    return found & candidates


def _in_paths(index: Index, stems: Sequence[str], candidates: Mask) -> Mask:
    """The candidates whose file or folders are called so."""
    files = np.zeros(len(index.files.lines), dtype=np.bool_)
    for file in np.unique(index.functions.file[candidates]).tolist():
        files[file] = _follow(words.stems(words.prose_words(index.files.path[file])), stems)
    return files[index.functions.file]


def _follow(text: Sequence[str], phrase: Sequence[str]) -> bool:
    first, size = phrase[0], len(phrase)
    return any(text[i : i + size] == phrase for i, term in enumerate(text) if term == first)


def _around(index: Index, functions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The functions that enclose some functions, at any depth."""
    if index.data not in _NESTINGS:
        if len(_NESTINGS) >= _OPEN_NESTINGS:
            _NESTINGS.clear()
        _NESTINGS[index.data] = _parents(index)
    parents, found = _NESTINGS[index.data], []
    while len(functions):
        functions = parents[functions]
        functions = np.unique(functions[functions >= 0])
        found.append(functions)
    return np.concatenate([np.zeros(0, dtype=np.int64), *found])


def _parents(index: Index) -> NDArray[np.int64]:
    """The function around each function, -1 where there is none; functions ascend by file and start."""
    table = index.functions
    base = table.file.astype(np.int64) << 32
    start, end = base + table.start_byte, base + table.end_byte
    furthest = np.maximum.accumulate(end)
    parents = np.full(len(end), -1, dtype=np.int64)
    for function in (np.flatnonzero(start[1:] < furthest[:-1]) + 1).tolist():
        around = function - 1
        while around >= 0 and end[around] < end[function]:
            around = int(parents[around])
        parents[function] = around
    return parents
