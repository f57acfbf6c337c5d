"""Operator counts of a statement: the seven classes of Beryllium §4.1, for C, C++, Java and pseudocode.

What counts as what, where the paper leaves it open:

- An operator is counted as it is written, one per token: `++`, `--`, `+=` and `-=` are one AddSub, `*=` one MultDiv,
  `<<=` and `>>>` one Bit. A unary minus is an AddSub, the `!` of `!x` a Logical.
- The two brackets of `a[i]` are two of class Index (the paper's "Defence"), as in its own list.
- `->`, `::`, `=`, `?:`, `&`, `|`, `^`, `~`, `&=`, `|=`, `^=` belong to no class of the paper: nothing.
- `<>` around type arguments (`List<String>`, `vector<int>`), the `*` of a pointer type, a declaration or a dereference,
  and whatever stands in a string or character literal: nothing.
- Pseudocode also writes them as unicode, LaTeX and words; `x_i`, `x_{ij}` and `xᵢ` are indexing, one pair of brackets
  per index, as the paper rewrites c_{ij} to C[i][j] (Fig. 4); `⌊a/b⌋` is one MultDiv; `<-` is an assignment; the hyphen
  of `MAKE-SET` and the `!` of `n!` are nothing; a lone `=` is Relational only where the caller says that it is a test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from string import ascii_letters, digits

import numpy as np

from beryl.types import FloatArray


class OperatorClass(IntEnum):
    """The columns of the counts, in the order of §4.1."""

    ADD_SUB = 0
    MULT_DIV = 1
    INDEX = 2
    MODULAR = 3
    BIT = 4
    LOGICAL = 5
    RELATIONAL = 6


CLASSES = len(OperatorClass)
# Goes into the fingerprint of vectors: raise it whenever any count changes.
VERSION = 1

_STRING = r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.){1,8}'"

# Alternatives are tried in order, so that a longer operator is never seen as a shorter one; no group name = no class.
_CODE = re.compile(
    _STRING
    + r"|->|::|\.\.\.|<-(?!-)(?=\s)"
    + r"|(?P<BIT><<=?|>>>?=?)"
    + r"|(?P<RELATIONAL><=>|[<>]=?|[!=]=)"
    + r"|(?P<LOGICAL>&&|\|\||!|\b(?:and|or|not)\b(?=\s))"
    + r"|(?P<ADD_SUB>\+\+|--|\+=?|-=?)"
    + r"|(?P<MULT_DIV>\*=?|/=?)"
    + r"|(?P<MODULAR>%=?)"
    + r"|(?P<INDEX>[\[\]])"
)

_PSEUDO = re.compile(
    _STRING
    + r"|<--?|-->?|=>|→|←|:="
    + r"|[A-Za-z]{2,}(?:-[A-Za-z]{2,})+(?=\s*\()|[A-Z]{2,}(?:-[A-Z]{2,})+"  # MAKE-SET, Extract-Min(Q)
    + r"|(?<=[\w)\]])!(?!=)"  # a factorial
    + r"|(?P<BIT><<=?|>>>?=?|[≪≫«»]|\\(?:ll|gg)(?![A-Za-z])|\b(?:shl|shr)\b)"
    + r"|(?P<RELATIONAL>[<>]=?|[!=]=|[≤≥≠≮≯≡⩽⩾]|\\(?:leqslant|geqslant|leq?|geq?|neq?|lt|gt|equiv)(?![A-Za-z]))"
    + r"|(?P<LOGICAL>&&|\|\||!|[∧∨¬]|\\(?:land|lor|lnot|wedge|vee|neg)(?![A-Za-z])|\b(?:and|or|not|AND|OR|NOT)\b)"
    + r"|(?P<ADD_SUB>\+\+|--|[+\-−–]=?|±|\\pm(?![A-Za-z]))"
    + r"|(?P<MULT_DIV>[*/·×∗⋅÷∕]=?|\\(?:cdot|times|div|[dt]?frac|ast)(?![A-Za-z])|\bdiv\b)"
    + r"|(?P<MODULAR>%=?|\\[bp]?mod(?![A-Za-z])|\b(?:mod|modulo|MOD)\b)"
    + r"|(?P<INDEX>[\[\]])"
    + r"|(?P<TEST>=)"
)

_TYPE_WORD = (
    r"(?:const|unsigned|signed|struct|union|enum|static|register|volatile|extern|inline|restrict|"
    r"void|char|short|int|long|float|double|bool|auto|size_t|\w+_t|FILE)"
)
# `int *p`, `(struct node **) x`, and `Foo *p` at the beginning where only a declaration can stand.
_POINTER = re.compile(
    rf"\b{_TYPE_WORD}(?:\s+\w+)?\s*\*+"
    r"|(?<=\()\s*[A-Za-z_]\w*(?:\s+\w+)?\s*\*+(?=\s*[),])"
    r"|^\s*(?!(?:return|case|else|throw|goto|delete)\b)(?:\w+\s+)?[A-Za-z_]\w*\s*\*+\s*(?=(?:const\s+)?[A-Za-z_]\w*\s*(?:=(?!=)|$|,|\[))"
)
# A `*` with no operand before it reads through a pointer.
_DEREFERENCE = re.compile(r"(^|[^\w)\]'\"\s]|\breturn\b|\bcase\b|\belse\b)(\s*)\*+(?=\s*[\w(&])")
_GENERIC_OPENING = re.compile(r"(?<=\w)<(?=[\w?>:\s])")
_GENERIC_INSIDE = frozenset("<>,.?&*:[]@ _" + ascii_letters + digits)
_SUBSCRIPT = re.compile(r"(?<=[A-Za-z0-9)\]'])_(?:\{([^{}]*)\}|([A-Za-z0-9])(?![\w{]))")
_SUBSCRIPT_SIGN = re.compile(r"[₀-₉]+|[ᵢⱼₖₗₘₙₚₛₜᵤᵥₓₐₑₒₕᵣ]")


def count(text: str, pseudocode: bool = False, test: bool = False) -> tuple[int, ...]:
    """The seven counts of one statement; `test` says that a lone `=` of pseudocode compares."""
    found = [0] * CLASSES
    if pseudocode:
        pattern, ready = _PSEUDO, _with_brackets(text)
    else:
        pattern, ready = _CODE, _without_types(text)
    for match in pattern.finditer(ready):
        name = match.lastgroup
        if name == "TEST":
            found[OperatorClass.RELATIONAL] += test
        elif name is not None:
            found[OperatorClass[name]] += 1
    return tuple(found)


def counts(texts: Sequence[str], pseudocode: bool = False) -> FloatArray:
    """(n, 7) counts, one row per statement."""
    rows = [count(text, pseudocode) for text in texts]
    return np.array(rows, dtype=np.float32).reshape(len(texts), CLASSES)


def _without_types(text: str) -> str:
    """Code without the `<>` and `*` that belong to types and pointers."""
    if "<" in text:
        text = _without_generics(text)
    if "*" in text:
        text = _DEREFERENCE.sub(r"\1\2", _POINTER.sub(lambda match: match[0].replace("*", " "), text))
    return text


def _without_generics(text: str) -> str:
    kept, position = [], 0
    for match in _GENERIC_OPENING.finditer(text):
        end = _generic_end(text, match.start()) if match.start() >= position else 0
        if end:
            kept.append(text[position : match.start()])
            position = end
    kept.append(text[position:])
    return " ".join(kept)


def _generic_end(text: str, start: int) -> int:
    """Where type arguments that open at `start` end, or 0 where the `<` compares."""
    depth = 0
    for position in range(start, len(text)):
        character = text[position]
        if character not in _GENERIC_INSIDE or text.startswith("&&", position):
            return 0
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
            if depth == 0:
                rest = text[position + 1 : position + 2]
                return 0 if rest and (rest in ">=-+" or rest.isdigit()) else position + 1
    return 0


def _with_brackets(text: str) -> str:
    """Pseudocode with subscripts written as indexing."""
    if "_" in text:
        text = _SUBSCRIPT.sub(lambda match: _indices(match[1] if match[1] is not None else match[2]), text)
    return _SUBSCRIPT_SIGN.sub(lambda match: f"[{match[0]}]", text)


def _indices(inside: str) -> str:
    if "," in inside:
        parts = inside.split(",")
    elif len(inside) > 1 and inside.isalpha():
        parts = list(inside) if len(inside) == 2 else [inside]  # c_{ij} has two indices, x_{max} one
    else:
        parts = [inside]
    return "".join(f"[{part}]" for part in parts)
