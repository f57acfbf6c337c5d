"""Pseudocode in any of the usual styles -> p-code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from beryl.errors import ParseError
from beryl.lang.pseudo import latex, statements, structure
from beryl.lang.pseudo.layout import Line, split
from beryl.lang.pseudo.lines import is_math
from beryl.types import QueryLine

_MARKED = re.compile(r"\$[^$\n]+\$|@[^@\n]+@")
_KEYWORDS = r"if|elseif|else|while|for|each|to|downto|by|repeat|until|and|or|not|return|break|continue"
# Atomic throughout: with choices left open, a line of twenty closing parentheses takes minutes.
_RESIDUE = re.compile(rf"(?:[\w\s.,;(){{}}¤'′’-]*\))?+(?>{statements.NAME}\s*\(|\b(?:{_KEYWORDS})\b|[{{}}();,\s¤])*+")
_LATEX = re.compile(r"\\(?:begin|State|STATE|If|IF|While|WHILE|For|FOR|;|gets|leftarrow|KwIn|Return)\b|\\;")
_NOTE = re.compile(
    r"(?:input|output|require|ensure|requires|ensures|data|result|precondition|postcondition|given)s?\s*:",
    re.IGNORECASE,
)
_RETURNS = re.compile(r"\s*(?:(?:→|->|:|returns?\b)\s*[\w\s\[\]<>]+)?\s*(?:\bis\b|\bbegin\b|[:{])?\s*$", re.IGNORECASE)
_HEADER = re.compile(rf"({statements.NAME})\s*\((.*)\)(?:\s*(?:is|begin|:|\{{|=))?\s*$")
_SWITCH = re.compile(r"(?:switch\s+(?:on\s+)?(.+?)|case\s+(.+?)\s+of)\s*[:{]?$", re.IGNORECASE)
_CASE = re.compile(r"(?:(?:case|when)\s+([^:]+?)|default|otherwise|else)\s*(?::|->|→|$)(.*)", re.IGNORECASE)
_CITATION = re.compile(r"\s*[(\[][^()\[\]]*\b(?:1[89]|20)\d\d[a-z]?[)\]]\s*$")
_TITLE_WORDS = 8
_MARKUP = re.compile(r"\*\*|__|^#+\s+|`")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """p-code, the line of the given text for each of its lines, and the comments of the given text."""

    pcode: str
    origin: tuple[int, ...]
    comments: tuple[QueryLine, ...]


def is_pcode(text: str) -> bool:
    """Is this p-code already, perhaps with mistakes? Most lines must be keywords, calls, `$..$` and `@..@` only."""
    if _LATEX.search(text) or "```" in text:
        return False
    filled = [line.text for line in split(text, "p") if line.text]
    marked = sum(1 for row in filled if _MARKED.search(row))
    good = sum(1 for row in filled if _RESIDUE.fullmatch(_MARKED.sub("¤", row)))
    return bool(marked) and good * 2 >= len(filled) and marked * 3 >= len(filled)


def rewrite(text: str, path: str = "") -> Rewritten:
    """Convert; raises ParseError where the structure cannot be made out."""
    text, notes = fenced(text)
    if latex.is_latex(text):
        lines, caption = latex.lines(text)
    else:
        lines, caption = titled(split(text))
    writer = _Writer(path, caption)
    writer.notes.extend(notes)
    lines = [_as_note(line) for line in lines]
    writer.notes.extend(QueryLine(line.number, line.comment) for line in lines if line.comment)
    writer.write(structure.normalise(lines, path))
    return writer.finish()


def fenced(text: str) -> tuple[str, list[QueryLine]]:
    """Only the fenced code of a Markdown text, every line at its place; the rest as comments."""
    rows = text.split("\n")
    fences = [index for index, row in enumerate(rows) if re.match(r"\s*(?:```|~~~)", row)]
    if not fences:
        return text, []
    notes, kept, inside = [], [], False
    for number, row in enumerate(rows, 1):
        fence = number - 1 in fences
        inside ^= fence
        kept.append(row if inside and not fence else "")
        words = _MARKUP.sub("", row).strip()
        if not inside and not fence and words:
            notes.append(QueryLine(number, words))
    return "\n".join(kept), notes


def titled(lines: Sequence[Line]) -> tuple[list[Line], str]:
    """The lines with a title above them turned into a comment, and its words: `HyperLogLog (Flajolet et al. 2007)`."""
    filled = [index for index, line in enumerate(lines) if line.text]
    if len(filled) < 3:
        return list(lines), ""
    at, after = lines[filled[0]], lines[filled[1]]
    words = _CITATION.sub("", at.text).strip().rstrip(":.")
    cited, apart = words != at.text.rstrip(":."), after.number > at.number + 1
    if after.indent > at.indent or is_header(words) or _NOTE.match(at.text) or structure.opens(at.text):
        return list(lines), ""
    plain = len(words.split()) <= _TITLE_WORDS and not re.search(r"[,;=←(){}]", words)
    above = apart and at.text[:1].isupper() and at.text[-1] != "." and not is_math(words)
    if not plain or not (cited or above):
        return list(lines), ""
    note = replace(at, text="", comment=" ".join(filter(None, (at.text, at.comment))))
    return [note if line is at else line for line in lines], words


def is_header(text: str) -> bool:
    """Could this line, by itself, be the header of a function?"""
    return bool(structure.HEADER_WORD.match(text) or re.fullmatch(r"[A-Z][\w-]*\s*\([^()]*\)\s*(?:is|:)?", text))


def _as_note(line: Line) -> Line:
    """`Input: ...` says what the algorithm is about; it is no statement."""
    if not _NOTE.match(line.text):
        return line
    return replace(line, text="", comment=" ".join(filter(None, (line.text, line.comment))))


@dataclass(slots=True)
class _Row:
    """A line of p-code in the making."""

    depth: int
    text: str
    origin: int
    comment: str = ""
    opens: bool = False


@dataclass(slots=True)
class _Writer:
    """The blocks open so far, as (indentation of the head, depth of the body), and the rows written."""

    path: str
    caption: str
    rows: list[_Row] = field(default_factory=list)
    notes: list[QueryLine] = field(default_factory=list)
    stack: list[tuple[int, int]] = field(default_factory=list)
    subject: str = ""
    keyword: str = "if"

    def write(self, lines: Sequence[Line]) -> None:
        """All lines, in order."""
        filled = [line for line in lines if line.text]
        if not filled:
            raise ParseError("no statement found; give pseudocode with at least one line that is no comment", self.path)
        following = dict(zip((line.number for line in filled), filled[1:], strict=False))
        base = min(line.indent for line in filled)
        first, blank_before = True, True
        previous = 0
        for line in lines:
            blank_before = first or line.number > previous + 1
            after = following.get(line.number)
            if line.text and self.header(line, after, first, blank_before and line.indent <= base):
                first = False
            elif line.text:
                if first:
                    self.implicit_header(line)
                    first = False
                self.line(line)
            else:
                depth = self.depth_at(line.indent) if self.rows else 0
                self.rows.append(_Row(depth, "", line.number, line.comment))
            previous = line.number

    def header(self, line: Line, after: Line | None, first: bool, may_start: bool) -> bool:
        """Write a function's header, if the line is one."""
        word = structure.HEADER_WORD.match(line.text)
        text = _without_types(line.text[word.end() :]) if word else line.text
        found = _HEADER.match(text) or (
            _HEADER.match(re.sub(r"\)\s*(?:→|->|:|returns?\b).*$", ")", text)) if word else None
        )
        if not word and not (found and may_start and (first or (after is not None and after.indent > line.indent))):
            return False
        if not word and found and found[1].lower() in ("if", "while", "for", "until", "print", "return"):
            return False
        if found:
            name, parameters = found[1], [part.strip() for part in statements.split_top(found[2], ",") if part.strip()]
        elif word and re.match(statements.NAME, text) and not re.match(r"\S+\s*(?:=|←|:=)", text):
            words = re.sub(r"\s*(?:\bis|\bbegin|[:{])\s*$", "", text)
            name, parameters = slug(words), []
        else:
            return False
        shown = ", ".join(statements.argument(part) for part in parameters)
        if any(row.text for row in self.rows):
            self.rows.append(_Row(0, "", line.number))
        self.rows.append(_Row(0, f"{name}({shown})", line.number, line.comment, opens=True))
        flush = after is not None and after.indent <= line.indent
        self.subject = ""
        self.stack = [(line.indent - 1 if flush else line.indent, 1)]
        return True

    def implicit_header(self, line: Line) -> None:
        """A header for statements that have none: the caption's words, or the file's name."""
        found = _HEADER.match(self.caption.replace(" ", "")) if "(" in self.caption else None
        name = slug(self.caption) if self.caption else slug(Path(self.path).stem)
        parameters = found[2] if found else ""
        name = found[1] if found else name
        shown = ", ".join(statements.argument(part.strip()) for part in parameters.split(",") if part.strip())
        self.rows.insert(0, _Row(0, f"{name}({shown})", line.number, "", opens=True))
        self.stack = [(-1, 1)]
        for row in self.rows[1:]:
            row.depth = 1

    def depth_at(self, indent: int) -> int:
        """Close the blocks that a line of this indentation is not inside of."""
        while len(self.stack) > 1 and self.stack[-1][0] >= indent:
            self.stack.pop()
        return self.stack[-1][1] if self.stack else 0

    def line(self, line: Line) -> None:
        """The statements of one line."""
        depth = self.depth_at(line.indent)
        made = self.choice(line) if self.subject or _SWITCH.match(line.text) else statements.pieces(line.text)
        if made and made[0].text.startswith(("else", "until")):
            depth = self.partner(made[0].text, depth)
        for count, piece in enumerate(made):
            comment = line.comment if count == 0 else ""
            self.rows.append(_Row(depth + piece.depth, piece.text, line.number, comment, piece.opens))
            if piece.opens:
                self.stack.append((line.indent, depth + piece.depth + 1))

    def choice(self, line: Line) -> list[statements.Piece]:
        """`switch x` and its cases as a chain of `if x == value`."""
        switch = _SWITCH.match(line.text)
        if switch:
            self.subject, self.keyword = (switch[1] or switch[2]).strip("() "), "if"
            return []
        case = _CASE.match(line.text)
        if not case:
            return statements.pieces(line.text)
        value, body = (case[1] or "").strip(), case[2].strip()
        head = f"{self.keyword} {statements.test(f'{self.subject} = {value}')}" if value else "else"
        self.keyword = "elseif"
        inside = [replace(piece, depth=piece.depth + 1) for piece in statements.pieces(body)]
        return [statements.Piece(0, head, opens=not inside), *inside]

    def partner(self, text: str, depth: int) -> int:
        """The depth of the `if` or `repeat` that this line goes on: the nearest one at or above its own depth."""
        heads = ("if ", "elseif ") if text.startswith("else") else ("repeat",)
        for row in reversed(self.rows):
            if row.text.startswith(heads) and row.depth <= depth:
                return row.depth
            if row.depth == 0:
                break
        return depth

    def finish(self) -> Rewritten:
        """The text, after loops without an `until` are turned and empty blocks are filled or refused."""
        self.rows = _closed_repeats(self.rows)
        rows: list[_Row] = []
        for index, row in enumerate(self.rows):
            rows.append(row)
            if row.opens or row.text == "repeat":
                self.fill(row, self.rows[index + 1 :], rows)
        notes = [f"// {row.comment}" if row.comment else "" for row in rows]
        text = [
            f"{'  ' * row.depth}{'  '.join(filter(None, (row.text, note)))}"
            for row, note in zip(rows, notes, strict=True)
        ]
        comments = sorted(self.notes, key=lambda note: note.line)
        return Rewritten(
            "\n".join(row.rstrip() for row in text) + "\n", tuple(row.origin for row in rows), tuple(comments)
        )

    def fill(self, head: _Row, rest: Sequence[_Row], rows: list[_Row]) -> None:
        """Refuse a block without statements; one that holds a comment only gets that as its statement."""
        body = next((row for row in rest if row.text), None)
        if body is not None and body.depth > head.depth:
            return
        notes = [row for row in rest if not row.text and row.depth > head.depth]
        if notes and (body is None or rest.index(notes[0]) < rest.index(body)):
            rows.append(_Row(head.depth + 1, f"@{notes[0].comment.replace('@', ' at ')}@", notes[0].origin))
            return
        word = head.text.split(" ")[0]
        what = (
            f"`{word}` needs a suite"
            if word in ("if", "elseif", "else", "while", "for", "repeat")
            else "the function has no body"
        )
        raise ParseError(f"{what}: indent its statements below it", self.path, head.origin)


def _closed_repeats(rows: Sequence[_Row]) -> list[_Row]:
    """`repeat` without `until` loops for ever; `do ... while c` is `repeat ... until not c`."""
    made = list(rows)
    for index, row in enumerate(made):
        if row.text != "repeat":
            continue
        end = next((at for at in range(index + 1, len(made)) if made[at].text and made[at].depth <= row.depth), None)
        closing = made[end] if end is not None else None
        if (
            closing is not None
            and closing.text.startswith("while ")
            and closing.depth == row.depth
            and _is_last(made, end or 0)
        ):
            made[end or 0] = replace_row(closing, f"until not ({closing.text[6:]})")
        elif closing is None or not closing.text.startswith("until ") or closing.depth != row.depth:
            made[index] = replace_row(row, "while $true$")
    return made


def _is_last(rows: Sequence[_Row], index: int) -> bool:
    """Has the `while` at `index` no body of its own?"""
    after = next((row for row in rows[index + 1 :] if row.text), None)
    return after is None or after.depth <= rows[index].depth


def replace_row(row: _Row, text: str) -> _Row:
    """The row with another text."""
    return _Row(row.depth, text, row.origin, row.comment, opens=text.startswith("while "))


def _without_types(header: str) -> str:
    """The header of a Pascal procedure, which ends in `;`, with the names of its parameters only."""
    if not header.endswith(";"):
        return header
    names = re.sub(r"\bvar\s+|:\s*[^;,()]+", "", header.rstrip("; "))
    return names.replace(";", ",")


def slug(words: str) -> str:
    """Words as one name: `Dijkstra's algorithm` -> `Dijkstras-algorithm`."""
    bare = re.sub(r"^(?:algorithm\s+\d+\s*[:.]?\s*)", "", words.strip(), flags=re.IGNORECASE)
    bare = re.sub(r"['’]", "", bare)
    name = re.sub(r"[^\w]+", "-", bare).strip("-_")
    return name if re.match(r"[^\W\d]", name) else f"algorithm-{name}".rstrip("-")
