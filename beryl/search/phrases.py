"""Which functions hold a phrase: its words one after the other, in code, comment or name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from beryl.index import words
from beryl.index.lexing import asides
from beryl.index.store import Index
from beryl.search.question import Clause

# Between the beginnings of two words of a phrase: the rest of the word, signs, stop words, the star of a comment.
_GAP = r"[\s\S]{0,60}?"


def holders(index: Index, clause: Clause, candidates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The candidates (functions that hold all words of the phrase) that hold them in order and together."""
    found = np.zeros(len(candidates), dtype=np.bool_)
    functions = np.flatnonzero(candidates)
    pattern = _pattern(clause.words)
    files, first = np.unique(index.functions.file[functions], return_index=True)
    bounds = [*first.tolist(), len(functions)]
    for position, file in enumerate(files.tolist()):
        text = index.source(file)
        if not pattern.search(text):
            continue
        data = text.encode("utf-8", "surrogatepass")
        for function in functions[bounds[position] : bounds[position + 1]].tolist():
            texts = _texts(index, function, data, clause.fields)
            found[function] = any(_holds(text, clause.words) for text in texts if pattern.search(text))
    return found


def _texts(index: Index, function: int, data: bytes, fields: Sequence[str]) -> list[str]:
    """The parts of a function that a clause asks for; with no fields its comment and its whole text."""
    table = index.functions
    comment = data[int(table.comment_start[function]) : int(table.comment_end[function])].decode("utf-8", "replace")
    body = data[int(table.start_byte[function]) : int(table.end_byte[function])]
    if not fields:
        return [comment, table.name[function], body.decode("utf-8", "replace")]
    found: list[str] = []
    if "name" in fields:
        found.append(table.name[function])
    if "scope" in fields:
        found.append(table.qualified[function])
    if "file" in fields:
        found.append(index.files.path[int(table.file[function])])
    code, comments, strings = asides(body)
    if "comment_leading" in fields:
        found += [comment, *(one.decode("utf-8", "replace") for one in comments)]
    if "literals" in fields:
        found += [one.decode("utf-8", "replace") for one in strings]
    if "calls" in fields:
        found += re.findall(r"(\w+)\s*\(", code.decode("utf-8", "replace"))
    return found


@cache
def _pattern(phrase: tuple[str, ...]) -> re.Pattern[str]:
    """What every text with the phrase matches, and some others: a stem is the beginning of a word, but for its end."""
    beginnings = (word[: max(2, len(words.stem(word)) - 1)] for word in phrase)
    return re.compile(_GAP.join(re.escape(beginning) for beginning in beginnings), re.IGNORECASE)


def _holds(text: str, phrase: Sequence[str]) -> bool:
    wanted, terms = words.stems(phrase), words.stems(words.prose_words(text))
    first, size = wanted[0], len(wanted)
    return any(terms[i : i + size] == wanted for i, term in enumerate(terms) if term == first)
