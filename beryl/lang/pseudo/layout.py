"""Text -> physical lines: line numbers, comments and indentation taken apart, positions in the file kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from beryl.errors import InputError, ParseError

# The longest textbook algorithm is some 10 KB; a file beyond these is no pseudocode, and parsing it burns time.
MAX_CHARACTERS = 1_000_000
MAX_LINE = 10_000
# The tree walk takes a few Python frames a level; real pseudocode stays below ten.
MAX_DEPTH = 100
TAB = 8

_NUMBER = re.compile(r"(\s*)((?:[Ss]tep\s+)?\(?(\d{1,3})(?:[.:)](?!\S)|[.:)]?(?=\s)|[.:)]?$|[.:)](?=[^\W\d])))(\s*)")
_LINE_COMMENT = re.compile(r"//|▷|▹|⊳|►|▶|(?<!\S)#(?![\w{(\[]*\()|(?<!\S)--(?=\s)")
_MAYBE_COMMENT = re.compile(r"//|▷|▹|⊳|►|▶|#|--|/\*|\(\*")
_BLOCK_COMMENTS = {"/*": "*/", "(*": "*)"}
_PASCAL_BLOCK = re.compile(r"\b(?:begin|do|then|end)\b", re.IGNORECASE)
_PASCAL_COMMENT = re.compile(r"(^|[\w)\];])(\s*)\{([^{}]*[A-Za-z]{3}[^{}]*)\}(?=\s*$)")
_BEFORE_SET = re.compile(r"\b(?:in|of|return|and|or|mod|div|to|from|with|into)\s*$", re.IGNORECASE)
_PROTECTED = {"p": re.compile(r"\$[^$\n]*\$|@[^@\n]*@"), "plain": re.compile(r'"[^"\n]*"|“[^”\n]*”')}
_STRUCTURE = re.compile(r"\b(?:then|do|else|repeat|loop|while|for)\b", re.IGNORECASE)
_HEAD = re.compile(
    r"\s*(?:\d+[.:)]?\s+)?(?:(?:if|while|for|repeat|loop|do)\b(?:.*\b(?:then|do|begin|loop)|.*:)?\s*$"
    r"|\\(?:If|While|For|Loop|Repeat)\w*\s*(?:\{.*\})?\s*$)",
    re.IGNORECASE,
)
_DIVISION = re.compile(r"//\s*(\d[\w.]*|\w{1,2}|\([^()]*\))\s*(?:[-+*/)\]<>,;].*)?$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file as given: where its text starts, what it says, its comment."""

    number: int
    indent: int
    text: str
    comment: str = ""
    column: int = 0
    """Characters before the text in the file."""
    prefix: str = ""
    """The white space of the indentation as written."""


def check(text: str, path: str = "") -> None:
    """Refuse what cannot be pseudocode: nothing, far too much, or bytes."""
    name = path or "the input"
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name} has {len(text):,} characters; pseudocode of more than {MAX_CHARACTERS:,} is not read")
    if "\0" in text:
        raise InputError(f"{name} is binary, not text; give a file with pseudocode or p-code")
    if not text.strip("\ufeff \t\r\n"):
        raise InputError(f"{name} is empty; give a file with pseudocode or p-code")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            raise InputError(
                f"{name}:{number}: the line has {len(line):,} characters; more than {MAX_LINE:,} are not read"
            )
    _check_depth(text, path)


def _check_depth(text: str, path: str) -> None:
    """Refuse nesting that no reader could follow, before anything is built from it."""
    levels: list[int] = []
    braces = heads = 0
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare:
            continue
        indent = len(line.expandtabs(TAB)) - len(line.expandtabs(TAB).lstrip())
        while levels and levels[-1] >= indent:
            levels.pop()
        levels.append(indent)
        braces += bare.count("{") - bare.count("}")
        brackets = _deepest(bare) if bare.count("(") + bare.count("{") > MAX_DEPTH else 0
        heads = heads + 1 if _HEAD.match(line) else heads if bare.lower() == "begin" else 0
        words = len(_STRUCTURE.findall(bare)) if len(bare) > MAX_DEPTH else 0
        if max(len(levels), braces, brackets, heads, words) > MAX_DEPTH + 1:
            raise ParseError(f"nested deeper than {MAX_DEPTH} levels; that is no pseudocode", path, number, 1)


def _deepest(text: str) -> int:
    """How deep round and curly brackets go."""
    depth = deepest = 0
    for character in text:
        depth += (character in "({") - (character in ")}")
        deepest = max(deepest, depth)
    return deepest


def split(text: str, style: str = "plain") -> list[Line]:
    """The physical lines of a text; `style` is "p" where `$..$` and `@..@` protect their inside, else "plain"."""
    rows = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows = [row.replace("\u00a0", " ").replace("\u3000", "  ") for row in rows]
    if style == "plain":
        rows = _pascal_comments(rows)
    offsets = _number_widths(rows)
    lines = [_line(number, row, width) for number, (row, width) in enumerate(zip(rows, offsets, strict=True), 1)]
    return list(_without_comments(lines, _PROTECTED[style]))


def _pascal_comments(rows: list[str]) -> list[str]:
    """`{ why }` as a line or after a statement becomes `(* why *)` in a Pascal text; `in {a, b}` is a set."""
    pascal = any(":=" in row for row in rows) and any(_PASCAL_BLOCK.search(row) for row in rows)
    if not pascal or any(row.rstrip().endswith("{") for row in rows):
        return rows
    return [
        row if _BEFORE_SET.search(row.rpartition("{")[0]) else _PASCAL_COMMENT.sub(r"\1\2(*\3*)", row) for row in rows
    ]


def _line(number: int, row: str, width: tuple[int, bool]) -> Line:
    """A line whose first `width` characters are its number; `aligned` numbers count as indentation."""
    cut, aligned = width
    body = row[cut:]
    stripped = body.lstrip(" \t\f\v")
    prefix = body[: len(body) - len(stripped)]
    lead = " " * cut if aligned else ""
    return Line(
        number, len((lead + prefix).expandtabs(TAB)), stripped.rstrip(), "", len(row) - len(stripped), lead + prefix
    )


def _number_widths(rows: Sequence[str]) -> list[tuple[int, bool]]:
    """For every row, how many characters its line number takes and whether numbers are padded to one width."""
    found = [_NUMBER.match(row) if row.strip() else None for row in rows]
    if not _is_numbering([(int(match[3])) for match in found if match], sum(1 for row in rows if row.strip())):
        return [(0, False)] * len(rows)
    ends = [
        (match.end(2), len(match[4].expandtabs(TAB))) for match in found if match and match.end() < len(match.string)
    ]
    visual = {
        len(match.string[: match.end()].expandtabs(TAB)) for match in found if match and match.end() < len(match.string)
    }
    aligned = len(visual) <= len({gap for _, gap in ends})
    return [(match.end(2), aligned) if match else (0, False) for match in found]


def without_number(text: str) -> str:
    """One line of numbered pseudocode by itself, without `12`, `12.` or `12:` before its statement."""
    found = re.match(r"\(?\d{1,3}[.:)]?\s+(?=[^\W\d(])", text)
    return text[found.end() :] if found else text


def _is_numbering(numbers: Sequence[int], rows: int) -> bool:
    """Do these numbers count the lines: one after the other, perhaps starting again, on at least half of the rows?"""
    if len(numbers) < 2 or len(numbers) * 2 < rows:
        return False
    steps = sum(1 for before, after in pairwise(numbers) if after == before + 1 or after <= 1)
    return numbers[0] <= 1 and steps >= 0.8 * (len(numbers) - 1)


def _without_comments(lines: Sequence[Line], protected: re.Pattern[str]) -> Iterator[Line]:
    """The lines with their comments moved to `Line.comment`; block comments may run over several lines."""
    closing = ""
    for line in lines:
        code, comment, closing = _take_comments(line.text, closing, protected)
        lead = len(code) - len(code.lstrip())
        indent = line.indent + (lead if code.strip() else 0)
        yield replace(
            line, text=code.strip(), comment=" ".join(comment.split()), indent=indent, column=line.column + lead
        )


def _take_comments(text: str, closing: str, protected: re.Pattern[str]) -> tuple[str, str, str]:
    """Code (comments blanked), comment, and the block comment mark still open at the end."""
    if not closing and not _MAYBE_COMMENT.search(text):
        return text.rstrip(), "", ""
    safe = [match.span() for match in protected.finditer(text)] if not closing else []
    code: list[str] = []
    comments: list[str] = []
    position = 0
    while position < len(text):
        if closing:
            end = text.find(closing, position)
            stop = len(text) if end < 0 else end
            comments.append(text[position:stop])
            position, closing = (len(text), closing) if end < 0 else (end + len(closing), "")
            code.append(" ")
            safe = [match.span() for match in protected.finditer(text)]
            continue
        inside = next((span for span in safe if span[0] <= position < span[1]), None)
        if inside:
            code.append(text[position : inside[1]])
            position = inside[1]
        elif text[position : position + 2] in _BLOCK_COMMENTS:
            closing = _BLOCK_COMMENTS[text[position : position + 2]]
            code.append("  ")
            position += 2
        elif (mark := _LINE_COMMENT.match(text, position)) and not (
            protected is not _PROTECTED["p"] and _is_division(text, position, "".join(code))
        ):
            comments.append(text[mark.end() :].lstrip("/#▷▹⊳►▶ "))
            break
        else:
            code.append(text[position])
            position += 1
    return "".join(code).rstrip(), " ".join(comments), closing


def _is_division(text: str, position: int, before: str) -> bool:
    """Is this `//` an integer division, `(lo + hi) // 2`, and no comment?"""
    return bool(before.strip()) and before.rstrip()[-1] in ")]" and bool(_DIVISION.match(text, position))


def check_tabs(lines: Sequence[Line], path: str = "") -> None:
    """Refuse indentation that means one thing with tabs of eight columns and another with tabs of one."""
    stack: list[tuple[int, int]] = [(-1, -1)]
    for line in lines:
        if not line.text:
            continue
        here = (line.indent, len(line.prefix))
        while stack[-1][0] > here[0]:
            stack.pop()
        top = stack[-1]
        if (here[0] == top[0]) != (here[1] == top[1]) or (here[0] > top[0]) != (here[1] > top[1]):
            raise ParseError(
                "tabs and spaces are mixed in the indentation; use one of them throughout",
                path,
                line.number,
                1,
                line.prefix.replace("\t", "→") + line.text,
            )
        if here[0] > top[0]:
            stack.append(here)
