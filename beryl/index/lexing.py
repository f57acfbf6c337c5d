"""Text of a file -> how often each term stands in each field of each of its functions.

The text is cut at the ends of functions, and each piece is searched by regular expressions that never stop inside
Python, so that words cost a small part of the time that parsing costs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.index import words

# The fields that are read off the text; names and files have columns of their own.
TEXT_FIELDS = ("comment_leading", "comment_inner", "identifiers", "calls", "literals")
# The paper's documents (files) have comments, names and identifiers (function ranking §3.1), no literals.
DOCUMENT_FIELDS = ("comment_leading", "comment_inner", "identifiers", "calls")

_ASIDE = re.compile(
    rb'(//[^\n]*|/\*.*?(?:\*/|\Z)|"""[ \t]*\n.*?"""|"(?:\\.|[^"\\\n])*"|' + rb"'(?:\\.|[^'\\\n]){1,8}')", re.DOTALL
)
_ESCAPE = re.compile(rb"\\.", re.DOTALL)
# HTML in Javadoc: a `<` before one of these opens a tag, before anything else it compares.
_HTML = frozenset(
    b"a b blockquote br code dd dl dt em h1 h2 h3 h4 i li ol p pre strong sub sup table td th tr tt ul var".split()
)


def _blanked(kept: bytes) -> bytes:
    """The translation that turns every byte into a blank but letters, digits, `_`, what is not ASCII, and `kept`."""
    return bytes(c if c >= 128 or chr(c).isalnum() or c == ord("_") or c in kept else 32 for c in range(256))


# A bracket after a name makes it a call; the first sign of a word in a comment may make it a tag.
_CODE, _COMMENT = _blanked(b"("), _blanked(b"@\\<&")

Counts = dict[int, int]


@dataclass(frozen=True, slots=True)
class FileSpans:
    """Where the functions of one file are in its text; ascending by start, nested ones inside their parents."""

    names: Sequence[str]
    start: Sequence[int]
    end: Sequence[int]
    comment_start: Sequence[int]
    comment_end: Sequence[int]


class _Tokens(dict[bytes, tuple[str, tuple[int, ...]]]):
    """Token -> its field and the ids of its terms in a vocabulary that grows; each is split and stemmed once."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self.vocabulary = vocabulary

    def ids(self, terms: Sequence[str]) -> tuple[int, ...]:
        """The ids of terms, new ones for new terms."""
        known = self.vocabulary
        return tuple([known.setdefault(term, len(known)) for term in terms])


class _CodeTokens(_Tokens):
    """Words of code: calls have a bracket at their end, numbers start with a digit."""

    def __missing__(self, token: bytes) -> tuple[str, tuple[int, ...]]:
        text = token.decode("utf-8", "replace")
        if text.endswith("("):
            self[token] = "calls", self.ids(words.name_terms(text[:-1]))
        else:
            self[token] = "literals" if text[0].isdigit() else "identifiers", self.ids(words.terms(text))
        return self[token]


class _ProseTokens(_Tokens):
    """Words of comments; tags of Javadoc, Doxygen and HTML are none."""

    def __missing__(self, token: bytes) -> tuple[str, tuple[int, ...]]:
        tag = token[:1] in b"@\\&" or (token[:1] == b"<" and token[1:] in _HTML)
        self[token] = "comment_inner", () if tag else self.ids(words.terms(token.decode("utf-8", "replace")))
        return self[token]


@dataclass(slots=True)
class Rows:
    """Rows of a sparse matrix, one after the other."""

    sizes: list[int] = field(default_factory=list)
    terms: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def append(self, row: Counts) -> None:
        """Add a row."""
        self.sizes.append(len(row))
        self.terms.extend(row.keys())
        self.counts.extend(row.values())

    def arrays(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Boundaries, terms and counts."""
        bounds = np.concatenate([[0], np.cumsum(np.array(self.sizes, dtype=np.int64))])
        return bounds.astype(np.int64), np.array(self.terms, dtype=np.int32), np.array(self.counts, dtype=np.int32)


class Lexer:
    """Reads files one after the other; rows of functions by field, and one row per file in `documents`."""

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.fields = {name: Rows() for name in TEXT_FIELDS}
        self.documents = Rows()
        self._code, self._words = _CodeTokens(self.vocabulary), _ProseTokens(self.vocabulary)

    def read(self, text: bytes, spans: FileSpans) -> None:
        """Append the rows of one file."""
        count = len(spans.names)
        pieces, comments, parents = _pieces(text, spans)
        rows = [self._row(pieces[function], spans.names[function]) for function in range(count)]
        document: Counts = {}
        for function in range(count - 1, -1, -1):
            row = rows[function]
            _add(row["comment_leading"], self._prose(b" ".join(comments[function])))
            parent = parents[function]
            if parent >= 0:
                _merge(rows[parent], row)
            else:
                for name in DOCUMENT_FIELDS:
                    _add(document, row[name])
            for term in self._code.ids(words.terms(spans.names[function])):
                document[term] = document.get(term, 0) + 1
        outside = self._row(pieces[count], "")
        for name in DOCUMENT_FIELDS:
            _add(document, outside[name])
        for row in rows:
            for name, column in self.fields.items():
                column.append(row[name])
        self.documents.append(document)

    def _row(self, pieces: Sequence[bytes], name: str) -> dict[str, Counts]:
        """The fields of a function, from the pieces of text that are its own."""
        parts = _ASIDE.split(b"\n".join(pieces))
        code = b" ".join(parts[::2])
        comments = b" ".join([aside for aside in parts[1::2] if aside[:1] == b"/"])
        strings = b" ".join([aside for aside in parts[1::2] if aside[:1] != b"/"])
        tokens = Counter(code.replace(b" (", b"(").replace(b"(", b"( ").translate(_CODE).split())
        header = name.encode("utf-8", "replace") + b"("
        if header in tokens:  # its own header reads like a call of itself
            tokens[header] -= 1
        row: dict[str, Counts] = {field: {} for field in TEXT_FIELDS}
        known = self._code
        for token, number in tokens.items():
            field, terms = known[token]
            counts = row[field]
            for term in terms:
                counts[term] = counts.get(term, 0) + number
        if header in tokens and not tokens[header]:
            row["calls"] = {term: number for term, number in row["calls"].items() if number}
        row["comment_inner"] = self._prose(comments)
        if strings:
            _add(row["literals"], self._prose(_ESCAPE.sub(b" ", strings)))
        return row

    def _prose(self, text: bytes) -> Counts:
        if b"<" in text:
            text = text.replace(b"<", b" <").replace(b"</", b"<")
        counts: Counts = {}
        known = self._words
        for token, number in Counter(text.translate(_COMMENT).split()).items():
            for term in known[token][1]:
                counts[term] = counts.get(term, 0) + number
        return counts


def _pieces(text: bytes, spans: FileSpans) -> tuple[list[list[bytes]], list[list[bytes]], list[int]]:
    """Own text of each function and (last) of none, leading comments, and the enclosing function of each or -1."""
    count = len(spans.names)
    pieces: list[list[bytes]] = [[] for _ in range(count + 1)]
    comments: list[list[bytes]] = [[] for _ in range(count)]
    parents = [-1] * count
    cuts: list[tuple[int, int, int]] = []
    for function in range(count):
        if spans.comment_start[function] < spans.comment_end[function]:
            cuts.append((spans.comment_start[function], spans.comment_end[function], function + count))
        cuts.append((spans.start[function], spans.end[function], function))
    cuts.sort(key=lambda cut: (cut[0], -cut[1]))
    stack: list[tuple[int, int]] = [(len(text), count)]
    place = 0
    for start, end, what in cuts:
        while stack[-1][0] <= start and len(stack) > 1:
            close, owner = stack.pop()
            pieces[owner].append(text[place:close])
            place = max(place, close)
        pieces[stack[-1][1]].append(text[place:start])
        place = max(place, start)
        if what >= count:
            comments[what - count].append(text[start:end])
            place = max(place, end)
        else:
            parents[what] = stack[-1][1] if stack[-1][1] < count else -1
            stack.append((end, what))
    while stack:
        close, owner = stack.pop()
        pieces[owner].append(text[place:close])
        place = max(place, close)
    return pieces, comments, parents


def _add(total: Counts, more: Counts) -> None:
    for term, number in more.items():
        total[term] = total.get(term, 0) + number


def _merge(parent: dict[str, Counts], child: dict[str, Counts]) -> None:
    """Words of a lambda or a local class are also words of the function around it; its doc comment is an inner one."""
    _add(parent["comment_inner"], child["comment_leading"])
    for name in TEXT_FIELDS[1:]:
        _add(parent[name], child[name])
