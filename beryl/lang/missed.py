"""Functions of C that the tree has lost to macros and `#if` halves, found again by their braces.

A function that closes with `}` at the start of a line is found whatever the parser made of the lines before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from beryl.lang.mend import DIRECTIVE, NAME, blank, first_halves

# What must stand in the first column is looked for after a newline, which is much faster than `^`.
_CLOSING = re.compile(rb"\n\}(?=[ \t]*(?:\n|/|\Z))")
_LINKAGE = re.compile(rb'extern\s*"C"\s*\{')
_NOISE = re.compile(rb"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
_OTHER_DIRECTIVE = re.compile(rb"\n[ \t]*\#[ \t]*(?!(?:if|ifdef|ifndef|elif|else|endif)\b)(?:[^\n\\]|\\.)*", re.DOTALL)
_BRACE = re.compile(rb"[{}]")
_WORDS = rb"(?:[A-Za-z_]\w*[\s*]+)*"
_HEADER = re.compile(_WORDS + NAME + rb"\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*")
_OLD_HEADER = re.compile(_WORDS + NAME + rb"\s*\([\w\s,]*\)\s*[A-Za-z_][\w\s*,\[\]()]*")
_LINE = re.compile(rb"^[ \t]*(?=[A-Za-z_])", re.MULTILINE)
_NEWLINE = ord("\n")
# No header, old-style declarations included, is longer.
_LONGEST_HEADER = 2000


def missed_functions(text: bytes, known: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Byte ranges of functions that end where no known function does; only the gaps between those are read."""
    ends = {end for _, end in known}
    open_ends = [match.end() for match in _CLOSING.finditer(text) if match.end() not in ends]
    if not open_ends:
        return []
    # A function from first column to first column is sure to be one; others may be pieces of what was lost.
    sure = [(start, end) for start, end in sorted(known) if _in_first_column(text, start) and text[end - 2] == _NEWLINE]
    gaps = zip([0, *(end for _, end in sure)], [*(start for start, _ in sure), len(text)], strict=True)
    result, position = list[tuple[int, int]](), 0
    for start, end in gaps:
        while position < len(open_ends) and open_ends[position] <= start:
            position += 1
        if position < len(open_ends) and open_ends[position] <= end:
            result += [(start + first, start + last) for first, last in _functions(_clean(text[start:end]))]
    return [each for each in result if each[1] not in ends]


def _clean(text: bytes) -> bytes:
    """Without what may hide a brace or show one that is none: comments, literals, directives but conditions."""
    text = _NOISE.sub(blank, _LINKAGE.sub(blank, text))
    return _OTHER_DIRECTIVE.sub(blank, b"\n" + text)[1:] if b"#" in text else text


def _in_first_column(text: bytes, position: int) -> bool:
    return position == 0 or text[position - 1] == _NEWLINE


def _functions(clean: bytes) -> Iterator[tuple[int, int]]:
    depth, boundary, start = 0, 0, -1
    for match in _BRACE.finditer(clean):
        position = match.start()
        first_column = _in_first_column(clean, position)
        if match[0] == b"{":
            header = _header(clean, boundary, position) if depth == 0 or first_column else -1
            if depth == 0 or header >= 0:
                depth, start = 0, header
            depth += 1
            continue
        depth = 0 if first_column else max(depth - 1, 0)
        if depth == 0:
            boundary = match.end()
            if start >= 0:
                yield start, boundary
            start = -1


def _header(clean: bytes, boundary: int, brace: int) -> int:
    """Where the header of the function with this opening brace starts, -1 where it is none."""
    boundary = _open_half(clean, max(boundary, brace - _LONGEST_HEADER), brace)
    pieces = first_halves(clean[boundary:brace]).split(b";")
    position = brace - len(pieces[-1])
    if pieces[-1].strip():
        return _start(pieces[-1], position, _HEADER)
    for piece in reversed(pieces[:-1]):
        position -= len(piece) + 1
        if b"(" in piece:
            return _start(piece, position, _OLD_HEADER)
    return -1


def _start(piece: bytes, position: int, header: re.Pattern[bytes]) -> int:
    for line in _LINE.finditer(piece):
        if header.fullmatch(piece, line.end()):
            return position + line.end()
    return -1


def _open_half(clean: bytes, start: int, end: int) -> int:
    """Where the `#if` half that holds `end` begins, if it is after `start`."""
    if clean.find(b"#", start, end) < 0:
        return start
    depth = 0
    for match in DIRECTIVE.finditer(clean, start, end):
        if match[1].startswith(b"if"):
            depth += 1
        elif depth == 0:
            start = match.end()
        elif match[1] == b"endif":
            depth -= 1
    return start
