"""Text of a file -> how often each term stands in each field of each of its functions.

The text is cut at the ends of functions, pieces become tokens by bytes.split, and a token is split and stemmed once.
From there on all is sparse matrices: (functions x tokens) @ (tokens x terms), so no loop in Python sees every word.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.index import word_order, words
from beryl.index.word_order import TokenWords, spelled_out

# The fields that depend on nothing but the text of the file.
TEXT_FIELDS = ("name", "scope", "comment_leading", "comment_inner", "identifiers", "calls", "literals")
DOCUMENTS = "documents"
"""The paper's documents (files) have comments, names and identifiers (function ranking §3.1), no literals."""

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

# Words of a lambda or a local class are also words of the function around it; its doc comment is an inner one there.
_OF_THE_WHOLE = ("comment_inner", "identifiers", "calls", "literals")

_PROSE_ROWS = frozenset(("inner", "leading", "strings"))
_ROWS_OF_PARTS = dict(zip(word_order.PARTS, ("names", "scopes", "leading", "inner", "code", "strings"), strict=True))

Matrix = Any
"""A scipy CSR matrix."""


@dataclass(frozen=True, slots=True)
class FileSpans:
    """Where the functions of one file are in its text; ascending by start, nested ones inside their parents."""

    names: Sequence[str]
    qualified: Sequence[str]
    start: Sequence[int]
    end: Sequence[int]
    comment_start: Sequence[int]
    comment_end: Sequence[int]


class _Tokens(dict[bytes, int]):
    """Token -> its number, given out in order of first sight."""

    def __missing__(self, token: bytes) -> int:
        number = self[token] = len(self)
        return number


class _Rows:
    """Rows of tokens, one after the other."""

    def __init__(self) -> None:
        self.tokens, self.sizes = array("i"), array("q")

    def append(self, tokens: Sequence[int]) -> None:
        """Add a row."""
        self.tokens.extend(tokens)
        self.sizes.append(len(tokens))

    def columns(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """All tokens in order, and where each row begins and the last one ends."""
        tokens = np.frombuffer(self.tokens, dtype=np.int32) if len(self.tokens) else np.zeros(0, dtype=np.int32)
        return tokens, np.concatenate([[0], np.cumsum(np.array(self.sizes, dtype=np.int64))])

    def matrix(self, width: int) -> Matrix:
        """Rows x tokens: how often each row has each token."""
        from scipy.sparse import csr_matrix

        tokens, bounds = self.columns()
        shape = (len(self.sizes), width)
        counted = csr_matrix((np.ones(len(tokens), dtype=np.int32), tokens.copy(), bounds), shape=shape)
        counted.sum_duplicates()
        return counted


class Lexer:
    """Reads files one after the other, then gives the terms of all their functions and of the files."""

    def __init__(self) -> None:
        self._code, self._prose = _Tokens(), _Tokens()
        self._rows = {name: _Rows() for name in ("code", "headers", "inner", "leading", "strings", "names", "scopes")}
        self._parents = array("q")
        """The row that encloses each row, or itself."""
        self._files = array("q")
        """The file of each row; a file has one row per function and a last one for what is in none."""
        self._is_function = array("b")
        self._count = 0

    def read(self, text: bytes, spans: FileSpans) -> None:
        """Take in one file."""
        count, first = len(spans.names), len(self._parents)
        pieces, comments, parents = _pieces(text, spans)
        for row in range(count):
            self._append(pieces[row], comments[row], spans.names[row], spans.qualified[row])
        self._append(pieces[count], [], "", "")
        self._parents.extend(first + (row if parent < 0 else parent) for row, parent in enumerate((*parents, -1)))
        self._files.extend([self._count] * (count + 1))
        self._is_function.extend([1] * count + [0])
        self._count += 1

    def _append(self, pieces: Sequence[bytes], comments: Sequence[bytes], name: str, qualified: str) -> None:
        plain, inner, quoted = asides(b"\n".join(pieces))
        code = plain.replace(b" (", b"(").replace(b"(", b"( ").translate(_CODE).split()
        strings = b" ".join(quoted)
        header = name.encode("utf-8", "replace") + b"("
        number, rows = self._code.__getitem__, self._rows
        rows["code"].append(list(map(number, code)))
        rows["headers"].append([number(header)] if header in code else [])
        rows["inner"].append(self._prose_tokens(b" ".join(inner)))
        rows["leading"].append(self._prose_tokens(b" ".join(comments)))
        rows["strings"].append(self._prose_tokens(_ESCAPE.sub(b" ", strings)) if strings else [])
        rows["names"].append([number(header)] if name else [])
        scope = qualified.removesuffix(name).encode("utf-8", "replace")
        rows["scopes"].append([number(scope)] if scope else [])

    def _prose_tokens(self, text: bytes) -> list[int]:
        if not text:
            return []
        if b"<" in text:
            text = text.replace(b"<", b" <").replace(b"</", b"<")
        return list(map(self._prose.__getitem__, text.translate(_COMMENT).split()))

    def finish(self) -> tuple[list[str], dict[str, Matrix]]:
        """The vocabulary; functions x terms for each of TEXT_FIELDS, files x terms for DOCUMENTS; the word order."""
        vocabulary: dict[str, int] = {}
        own = self._own_fields(vocabulary)
        width = len(vocabulary)
        for matrix in own.values():
            matrix.resize((matrix.shape[0], width))
        around = _enclosing(np.array(self._parents, dtype=np.int64))
        nested = around @ own["comment_leading"]
        fields = {name: around @ own[name] + own[name] for name in _OF_THE_WHOLE}
        fields["comment_inner"] = fields["comment_inner"] + nested
        fields |= {name: own[name] for name in ("name", "scope", "comment_leading")}
        functions = np.flatnonzero(np.array(self._is_function))
        answer = {name: fields[name][functions] for name in TEXT_FIELDS}
        whole = sum((own[name] for name in ("comment_leading", "comment_inner", "identifiers", "calls")), own["name"])
        answer[DOCUMENTS] = _membership(np.array(self._files, dtype=np.int64), self._count) @ whole
        for matrix in answer.values():
            matrix.eliminate_zeros()
            matrix.sort_indices()
        return list(vocabulary), answer | self._order(vocabulary, functions)

    def _order(self, vocabulary: dict[str, int], functions: NDArray[np.int64]) -> dict[str, Matrix]:
        """The words of each function in the order of its text, by part."""
        texts = [token.decode("utf-8", "replace") for token in self._code]
        calls = [text.endswith("(") for text in texts]
        code = TokenWords.of([words.terms(text.rstrip("(")) for text in texts], calls, vocabulary)
        prose = TokenWords.of([_prose_words(token) for token in self._prose], [False] * len(self._prose), vocabulary)
        found = {}
        for part in word_order.PARTS:
            row = _ROWS_OF_PARTS[part]
            kinds = prose if row in _PROSE_ROWS else code
            whole = spelled_out(*self._rows[row].columns(), kinds, len(vocabulary))
            found[word_order.COLUMN + part] = whole[functions]
        return found

    def _own_fields(self, vocabulary: dict[str, int]) -> dict[str, Matrix]:
        """Rows x terms by field, each row without the rows inside it."""
        code, prose = len(self._code), len(self._prose)
        rows = {name: row.matrix(prose if name in _PROSE_ROWS else code)
                for name, row in self._rows.items()}  # fmt: skip
        # A function's own header reads like a call of itself.
        body = rows["code"] - rows["headers"]
        of_code = _code_terms(self._code, vocabulary)
        of_prose = _prose_terms(self._prose, vocabulary)
        for matrix in (*of_code.values(), of_prose):
            matrix.resize((matrix.shape[0], len(vocabulary)))
        return {
            "name": rows["names"] @ of_code["calls"],
            "scope": rows["scopes"] @ of_code["identifiers"],
            "comment_leading": rows["leading"] @ of_prose,
            "comment_inner": rows["inner"] @ of_prose,
            "identifiers": body @ of_code["identifiers"],
            "calls": body @ of_code["calls"],
            "literals": body @ of_code["literals"] + rows["strings"] @ of_prose,
        }


def _code_terms(tokens: dict[bytes, int], vocabulary: dict[str, int]) -> dict[str, Matrix]:
    """Tokens x terms: calls have a bracket at their end, numbers start with a digit, the rest are identifiers."""
    split: dict[str, list[Sequence[str]]] = {"identifiers": [], "calls": [], "literals": []}
    for token in tokens:
        text = token.decode("utf-8", "replace")
        field = "calls" if text.endswith("(") else "literals" if text[0].isdigit() else "identifiers"
        terms = words.name_terms(text[:-1]) if field == "calls" else words.terms(text)
        for name, column in split.items():
            column.append(terms if name == field else ())
    return {name: _terms_matrix(column, vocabulary) for name, column in split.items()}


def _prose_terms(tokens: dict[bytes, int], vocabulary: dict[str, int]) -> Matrix:
    """Tokens x terms for words of comments and strings; tags of Javadoc, Doxygen and HTML are none."""
    return _terms_matrix([_prose_words(token) for token in tokens], vocabulary)


def _prose_words(token: bytes) -> Sequence[str]:
    tag = token[:1] in b"@\\&" or (token[:1] == b"<" and token[1:] in _HTML)
    return () if tag else words.terms(token.decode("utf-8", "replace"))


def _terms_matrix(rows: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> Matrix:
    from scipy.sparse import csr_matrix

    terms = [vocabulary.setdefault(term, len(vocabulary)) for row in rows for term in row]
    bounds = np.concatenate([[0], np.cumsum([len(row) for row in rows], dtype=np.int64)])
    ones = np.ones(len(terms), dtype=np.int32)
    return csr_matrix((ones, np.array(terms, dtype=np.int32), bounds), shape=(len(rows), len(vocabulary)))


def _enclosing(parents: NDArray[np.int64]) -> Matrix:
    """Rows x rows: 1 where a row encloses another, at any depth."""
    from scipy.sparse import csr_matrix

    inner, outer = [], []
    row, ancestor = np.arange(len(parents)), parents
    while True:
        moved = ancestor != row
        row, ancestor = row[moved], ancestor[moved]
        if not len(row):
            break
        inner.append(row)
        outer.append(ancestor)
        up = parents[ancestor]
        ended = up == ancestor
        ancestor = np.where(ended, row, up)
    rows, columns = (np.concatenate([np.zeros(0, dtype=np.int64), *parts]) for parts in (outer, inner))
    return csr_matrix((np.ones(len(rows), dtype=np.int32), (rows, columns)), shape=(len(parents), len(parents)))


def _membership(files: NDArray[np.int64], count: int) -> Matrix:
    """Files x rows: 1 where a row is of a file."""
    from scipy.sparse import csr_matrix

    return csr_matrix((np.ones(len(files), dtype=np.int32), (files, np.arange(len(files)))), shape=(count, len(files)))


def asides(text: bytes) -> tuple[bytes, list[bytes], list[bytes]]:
    """Code without comments and strings; the comments; the strings and characters."""
    parts = _ASIDE.split(text)
    comments = [aside for aside in parts[1::2] if aside[:1] == b"/"]
    return b" ".join(parts[::2]), comments, [aside for aside in parts[1::2] if aside[:1] != b"/"]


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
