"""Pseudocode in any of the usual styles -> p-code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from beryl.errors import InputError
from beryl.lang.pseudo.layout import split
from beryl.types import QueryLine

_MARKED = re.compile(r"\$[^$\n]+\$|@[^@\n]+@")
_RESIDUE = re.compile(
    r"(?:if|elseif|else if|else|while|for each|for|to|downto|by|repeat|until|and|or|not|return|break|continue"
    r"|[^\W\d](?:[\w'′’]|[-.](?=\w))*\s*\([^()]*(?:\([^()]*\)[^()]*)*\)|[{}();,\s¤])*"
)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """p-code, the line of the given text for each of its lines, and the comments of the given text."""

    pcode: str
    origin: tuple[int, ...]
    comments: tuple[QueryLine, ...]


def is_pcode(text: str) -> bool:
    """Is this p-code already, perhaps with mistakes? Most lines must be keywords, calls, `$..$` and `@..@` only."""
    if re.search(r"\\(begin|State|STATE|If|While|For|;|gets|KwIn)", text) or "```" in text:
        return False
    filled = [line.text for line in split(text, "p") if line.text]
    good = sum(1 for row in filled if _RESIDUE.fullmatch(_MARKED.sub("¤", row)))
    marked = sum(1 for row in filled if _MARKED.search(row))
    return bool(filled) and good * 2 >= len(filled) and (marked * 2 >= good or good == len(filled))


def rewrite(text: str, path: str = "") -> Rewritten:
    """Convert; raises ParseError where the structure cannot be made out."""
    raise InputError(f"{path}: plain pseudocode cannot be read yet")
