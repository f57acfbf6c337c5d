"""Source text as nodes and signatures show it. A source is held as Latin-1: byte positions are string positions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from beryl.lang.flow import EXIT

TEXT_LIMIT = 400
"""Characters kept of a statement."""
_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?(?:\*/|$)|//[^\n]*""", re.DOTALL)
_INNERMOST_ARGUMENTS = re.compile(r"<[^<>]*>")


def by_bytes(text: bytes) -> str:
    """The source as a string whose positions are byte positions."""
    return text.decode("latin-1")


def readable(written: str) -> str:
    """A piece of such a source as the UTF-8 that it is."""
    return written if written.isascii() else written.encode("latin-1").decode("utf-8", "replace")


def one_line(source: str, start: int, end: int) -> str:
    """Source text on one line, without comments."""
    return statement_text(source[start:end])


def statement_text(written: str) -> str:
    """Source text as a node shows it: no comments, one line, no final `;`, at most TEXT_LIMIT characters."""
    if "/" in written and ("/*" in written or "//" in written):
        written = _COMMENT.sub(lambda match: match.group(1) or " ", written)
    if "\n" in written or "  " in written or "\t" in written or "\r" in written:
        written = " ".join(written.split())
    written = written.rstrip("; ")
    return (written if written.isascii() else readable(written))[:TEXT_LIMIT].lstrip()


def statement_texts(source: str, kinds: Iterable[int], starts: Iterable[int], ends: Iterable[int]) -> list[str]:
    """The text of every node of a file, '' for entries and exits. Most are one plain line, which needs no mending."""
    plain = source.isascii() and "\r" not in source
    texts = []
    for kind, start, end in zip(kinds, starts, ends, strict=True):
        if kind <= EXIT:
            texts.append("")
            continue
        written = source[start:end]
        if (
            plain
            and end - start < TEXT_LIMIT
            and not ("\n" in written or "/" in written or "  " in written or "\t" in written)
        ):
            texts.append(written.rstrip("; ").lstrip())
        else:
            texts.append(statement_text(written))
    return texts


def without_template_arguments(name: str) -> str:
    """`A<B<C>>::f` -> `A::f`; operators keep their signs."""
    if "<" not in name or "operator" in name:
        return name
    previous = ""
    while previous != name:
        previous, name = name, _INNERMOST_ARGUMENTS.sub("", name)
    return name
