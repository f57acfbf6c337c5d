"""Pseudocode or p-code -> ICFG: the door of this room."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from beryl.errors import InputError
from beryl.lang.pseudo import analyser, layout, parser, rewrite
from beryl.types import Icfg, QueryLine

SOURCE_SUFFIXES = {
    ".c": "C",
    ".h": "C",
    ".cc": "C++",
    ".cpp": "C++",
    ".cxx": "C++",
    ".hpp": "C++",
    ".hh": "C++",
    ".java": "Java",
}


@dataclass(frozen=True, slots=True)
class Pseudocode:
    """An algorithm as beryl understands it."""

    pcode: str
    icfg: Icfg
    title: str
    """Names of its functions, in order."""
    comments: tuple[QueryLine, ...]
    lines: tuple[str, ...]
    """The lines of the file as given; `Node.span` counts in them."""


def load(path: Path) -> str:
    """The text of a pseudocode file; InputError where it is no such thing."""
    refuse_source(str(path))
    try:
        with path.open("rb") as stream:
            raw = stream.read(4 * layout.MAX_CHARACTERS + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return decode(raw, str(path))


def decode(raw: bytes, name: str) -> str:
    """Bytes as pseudocode text; InputError where they are none."""
    if b"\0" in raw:
        raise InputError(f"{name} is binary, not text; give a file with pseudocode or p-code")
    if len(raw) > 4 * layout.MAX_CHARACTERS:
        raise InputError(f"{name} has more than {layout.MAX_CHARACTERS:,} characters; that is no pseudocode")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from None
    layout.check(text, name)
    return text


def refuse_source(path: str) -> None:
    """Say so where a path is source code, which needs no conversion."""
    language = SOURCE_SUFFIXES.get(Path(path).suffix.lower())
    if language:
        raise InputError(f"{path} is {language} source, not pseudocode; `beryl icfg {path}` shows its graph")


def convert(text: str, path: str = "") -> str:
    """p-code of pseudocode; p-code itself is left as it is."""
    return read(text, path).pcode


def read(text: str, path: str = "") -> Pseudocode:
    """Parse p-code, or convert pseudocode and parse that; lines are those of `text`."""
    layout.check(text, path)
    given = tuple(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    origin: tuple[int, ...] = ()
    if path.endswith(".pcode") or rewrite.is_pcode(text):
        lines = layout.split(text, "p")
        pcode = text
        notes = [QueryLine(line.number, line.comment) for line in lines if line.comment]
        tree = parser.parse(lines, path)
    else:
        made = rewrite.rewrite(text, path)
        pcode, origin, notes = made.pcode, made.origin, list(made.comments)
        tree = parser.parse(layout.split(pcode, "p"), path)
    icfg = analyser.analyse(tree, path, origin, default_name(path))
    title = " ".join(function.name for function in icfg.functions)
    return Pseudocode(pcode, icfg, title, tuple(notes), given)


def default_name(path: str) -> str:
    """A function's name where the text gives none: the file's."""
    return re.sub(r"[^\w-]+", "-", Path(path).stem).strip("-") or "algorithm"
