"""Pseudocode or p-code -> ICFG: the door of this room."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from beryl.lang.pseudo import analyser, layout, parser, rewrite
from beryl.lang.pseudo.files import decode, load
from beryl.types import Icfg, QueryLine

__all__ = ["Pseudocode", "convert", "decode", "load", "read"]


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
