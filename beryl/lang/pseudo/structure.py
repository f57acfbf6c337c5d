"""Blocks by braces, by `end` words or by indentation -> lines whose indentation alone says which block they are in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise

from beryl.errors import ParseError
from beryl.lang.pseudo.layout import MAX_DEPTH, Line, check_tabs
from beryl.lang.pseudo.statements import one_line

_WORD = r"(?:if|for|for\s?each|forall|while|loop|repeat|function|func|procedure|proc|algorithm|case|switch|method|do)"
CLOSER = re.compile(
    rf"(?:(?:end[ -]?{_WORD}(?:\s+[\w.-]+)?|end(?:\s+[A-Z][\w-]*)?|fi|od|done|esac|next(?:\s+\w)?|pool)\s*[.;]*\s*)+$",
    re.IGNORECASE,
)
BEGIN = re.compile(r"begin\s*[;:]?$", re.IGNORECASE)
HEADER_WORD = re.compile(
    r"(?:(?:public|private|static)\s+)*(?:function|func|fun|procedure|proc|algorithm|def|method|subroutine|routine|program)"
    r"(?:\s+\d+(?:\.\d+)*)?(?:\s*:)?\s+(?=\S)",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"(?:if|else|elseif|elif|elsif|otherwise|while|for|foreach|forall|repeat|loop|do)\b(?!\s*(?:=(?!=)|←|:=|\[|\.))",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\b(?:then|do|begin|loop|repeat)\s*$|[:{]\s*$", re.IGNORECASE)
_CONTINUES = re.compile(r"(?:[-+*/=<>≤≥≠∪∩∧∨·×←,(\[]|&&|\|\||:=|\b(?:and|or|not|mod|of))$", re.IGNORECASE)
_CONTINUATION = re.compile(r"(?:and|or|∧|∨|&&|\|\||[-+*/≤≥≠=<>∪∩])(?=\s)", re.IGNORECASE)


def normalise(lines: Sequence[Line], path: str = "") -> list[Line]:
    """Logical lines, indented by their blocks; block marks are gone."""
    rows = _join(_by_braces(lines, path))
    if _is_indented(rows):
        check_tabs([row for row in rows if not _is_mark(row)], path)
    else:
        rows = _by_words(rows, path)
    return _nested_last([row for row in rows if row.comment or (row.text and not _is_mark(row))])


def _nested_last(rows: Sequence[Line]) -> list[Line]:
    """Functions inside of functions put after the one around them, which keeps its own lines.

    A header around functions only, such as the title of a listing, has no line of its own: it becomes a comment.
    """
    made: list[Line] = []
    nested: list[Line] = []
    outer: Line | None = None
    inner: Line | None = None
    for row in rows:
        header = row.text and HEADER_WORD.match(row.text)
        if inner is not None and row.indent <= inner.indent:
            inner = None
        if outer is not None and row.text and row.indent <= outer.indent and (header or nested):
            made += _nested_last(nested)
            nested, outer = [], None
        if header and outer is None:
            outer = row
        elif header and outer is not None and inner is None and row.indent > outer.indent:
            inner = row
        (made if inner is None else nested).append(row)
    made += _nested_last(nested) if nested else []
    return [_title(row) if _is_title(made, index) else row for index, row in enumerate(made)] if outer else made


def _is_title(rows: Sequence[Line], index: int) -> bool:
    """Is this header, at the top, followed by a deeper header at once?"""
    after = next((row for row in rows[index + 1 :] if row.text), None)
    headers = all(row is not None and HEADER_WORD.match(row.text) for row in (rows[index], after))
    return headers and after is not None and after.indent > rows[index].indent


def _title(row: Line) -> Line:
    """A header as a comment."""
    return replace(row, text="", comment=" ".join(filter(None, (row.text, row.comment))))


def opens(text: str) -> bool:
    """Does this line open a block whose body is on the lines below?"""
    if not _OPENER.match(text):
        return False
    if _TAIL.search(text):
        return True
    lower = text.lower()
    if re.match(r"(?:if|else\s*if|elif|elsif|elseif)\b", lower):
        inline = re.search(r"\bthen\b\s*\S|,\s*then\b|:\s+\S", lower)
        return not inline and not _has_body(text)
    if re.match(r"(?:for|foreach|forall|while)\b", lower):
        return not re.search(r"\bdo\b\s*\S|:\s+\S", lower) and not _has_body(text)
    return bool(re.match(r"(?:else|otherwise|repeat|loop|do)\s*[:;{]?$|repeat the following|loop forever", lower))


def _has_body(text: str) -> bool:
    """Does a statement follow the head on its own line: `for all x, add x to S`, `if n = 1 return r`?"""
    return bool(one_line(text.partition(" ")[2])[1])


def _is_mark(line: Line) -> bool:
    """`begin`, `end if`, `od`, a lone brace: layout, no statement."""
    return bool(CLOSER.match(line.text) or BEGIN.match(line.text) or line.text in ("{", "}", "};"))


def _is_indented(rows: Sequence[Line]) -> bool:
    """Is the body of every branch and loop deeper than its head?"""
    filled = [row for row in rows if row.text and not BEGIN.match(row.text)]
    do_loops = {row.indent for row in filled if re.fullmatch(r"(?:do|repeat|loop)\s*[:{]?", row.text, re.IGNORECASE)}
    filled = [row for row in filled if row.indent not in do_loops or not re.match(r"while\b(?!.*\bdo$)", row.text)]
    return all(
        after.indent > row.indent
        for row, after in pairwise(filled)
        if opens(row.text) and not CLOSER.match(after.text) and not re.match(r"else\b", after.text, re.IGNORECASE)
    )


def _by_braces(lines: Sequence[Line], path: str) -> list[Line]:
    """Indent by `{` at line ends and `}` at line starts, where a text uses them for blocks."""
    filled = [line for line in lines if line.text]
    hanging = [line for line in filled if line.text.endswith("{") and line.text.count("{") > line.text.count("}")]
    if not hanging and not any(line.text[0] == "}" and line.text.count("}") > line.text.count("{") for line in filled):
        return list(lines)
    made: list[Line] = []
    stack: list[Line] = []
    for line in lines:
        text = line.text
        while text.startswith("}"):
            if not stack:
                raise ParseError(
                    "unbalanced braces: `}` without a `{` before it", path, line.number, line.column + 1, line.text
                )
            stack.pop()
            text = text[1:].lstrip(" ;")
        before = len(stack)
        while text.endswith("{") and text.count("{") > text.count("}"):
            text = text[:-1].rstrip()
            stack.append(line)
        tail = re.search(r"[;\s]*\}$", text)
        if tail and text.count("}") > text.count("{") and stack:
            text = text[: tail.start()]
            stack.pop()
        if len(stack) > MAX_DEPTH:
            raise ParseError(f"nested deeper than {MAX_DEPTH} levels", path, line.number, line.column + 1)
        made.append(replace(line, text=text, indent=2 * before, prefix=" " * 2 * before))
    if stack:
        raise ParseError("unbalanced braces: this `{` is never closed", path, stack[-1].number, 1, stack[-1].text)
    return made


def _join(lines: Sequence[Line]) -> list[Line]:
    """Put statements that run over several lines together; the first line's number and indentation stay."""
    made: list[Line] = []
    last = -1
    for line in lines:
        if last >= 0 and line.text and _goes_on(made[last], line):
            before = made[last]
            comment = " ".join(filter(None, (before.comment, line.comment)))
            made[last] = replace(
                before, text=f"{before.text.removesuffix(chr(92)).rstrip()} {line.text}", comment=comment
            )
            continue
        made.append(line)
        if line.text:
            last = len(made) - 1
        elif not line.comment:
            last = last if made[last].text.endswith(",") else -1
    return made


def _goes_on(before: Line, line: Line) -> bool:
    """Is `line` the rest of the statement that `before` begins?"""
    if _OPENER.match(line.text) or _is_mark(line) or HEADER_WORD.match(line.text) or _is_mark(before):
        return False
    if before.text.endswith("\\") or (_open_brackets(before.text) > 0 and line.indent >= before.indent):
        return True
    if line.indent < before.indent or re.match(r"(?:return|print|output|until)\b", line.text, re.IGNORECASE):
        return False
    if _CONTINUATION.match(line.text) and not re.match(r"[-+*•]\s", line.text):
        return True
    if re.match(r"[-+*•]\s", line.text):
        return False
    if _OPENER.match(before.text) and not _TAIL.search(before.text) and re.search(r"\b(?:then|do)$", line.text):
        return line.indent > before.indent
    if _CONTINUES.search(before.text) and not re.search(r"(?:\+\+|--|…|\*/)$", before.text):
        return True
    heads_block = opens(before.text) or before.text.endswith((":", "{")) or re.search(r"\bis$", before.text)
    return line.indent > before.indent and not heads_block and before.text.endswith((",", "and", "or"))


def _open_brackets(text: str) -> int:
    """How many round or square brackets are still open, outside of quotes."""
    bare = re.sub(r'"[^"]*"|“[^”]*”', "", text)
    return sum(bare.count(mark) for mark in "([") - sum(bare.count(mark) for mark in ")]")


def _by_words(rows: Sequence[Line], path: str) -> list[Line]:
    """Indent by what opens and closes blocks, where the indentation itself was lost."""
    pascal = any(BEGIN.match(row.text) or re.search(r"\b(?:then|do)\s+begin$", row.text, re.IGNORECASE) for row in rows)
    made: list[Line] = []
    stack: list[tuple[str, Line]] = []
    singles: set[int] = set()
    for position, row in enumerate(rows):
        text = row.text.lower()
        following = next((after.text for after in islice(rows, position + 1, None) if after.text), "") if pascal else ""
        if re.match(r"(?:else|elseif|elif|elsif|otherwise)\b", text) and stack and stack[-1][0] == "if":
            stack.pop()
        elif CLOSER.match(text) and _closes_one_line(rows, position, stack):
            pass
        elif CLOSER.match(text) or re.match(r"until\b", text):
            _close(stack, text, row, path)
        made.append(replace(row, indent=2 * len(stack), prefix="  " * len(stack)))
        while stack and len(stack) in singles and not opens(row.text) and not BEGIN.match(text) and row.text:
            singles.discard(len(stack))
            stack.pop()
        if opens(row.text):
            word = (
                "if" if re.match(r"if|else|otherwise|el", text) else "repeat" if text.startswith("repeat") else "loop"
            )
            stack.append((word, row))
            if pascal and not BEGIN.match(following) and not text.endswith("begin") and word != "repeat":
                singles.add(len(stack))
        elif BEGIN.match(text) and (not stack or (made[-2:-1] and not opens(made[-2].text))):
            stack.append(("begin", row))
        if len(stack) > MAX_DEPTH:
            raise ParseError(f"nested deeper than {MAX_DEPTH} levels", path, row.number, row.column + 1)
    unclosed = [row for word, row in stack if word != "begin"]
    if unclosed:
        opening = re.match(r"\w+", unclosed[-1].text)
        raise ParseError(
            f"`{opening[0] if opening else ''}` needs a suite: indent its statements, or close it with `end`",
            path,
            unclosed[-1].number,
            unclosed[-1].column + 1,
            unclosed[-1].text,
        )
    return made


def _closes_one_line(rows: Sequence[Line], position: int, stack: Sequence[tuple[str, Line]]) -> bool:
    """Is this the `end if` of the `if c then s` on the line before, though that needs none?"""
    if not re.fullmatch(r"(?:end ?if|fi)\s*[.;]*", rows[position].text, re.IGNORECASE):
        return False
    before = next((row.text for row in reversed(rows[max(position - 3, 0) : position]) if row.text), "")
    one_line = re.match(r"if\b", before, re.IGNORECASE) and not opens(before)
    open_ifs = sum(1 for word, _ in stack if word == "if")
    closers = sum(1 for row in rows[position:] if re.match(r"(?:end ?if|fi)\b", row.text, re.IGNORECASE))
    coming = sum(1 for row in rows[position:] if re.match(r"if\b", row.text, re.IGNORECASE) and opens(row.text))
    return bool(one_line) and closers > open_ifs + coming


def _close(stack: list[tuple[str, Line]], text: str, row: Line, path: str) -> None:
    """Pop the blocks that a line of `end if`, `od`, `end` or `until` closes."""
    for mark in re.findall(r"end\s?(?:if|for|while)|\w+", text if not text.startswith("until") else "until"):
        kind = {"fi": "if", "endif": "if", "end if": "if", "until": "repeat"}.get(mark, "")
        if mark in ("if", "for", "while", "each", "loop", "function", "procedure", "repeat", "do") or not stack:
            continue
        if kind and stack[-1][0] != kind:
            raise ParseError(
                f"`{mark}` does not fit the block it would close", path, row.number, row.column + 1, row.text
            )
        stack.pop()
