"""Java literals -> values."""

from __future__ import annotations

import re

from beryl.smt.characters import units
from beryl.smt.scope import Unsupported
from beryl.smt.semantics import to_float, wrap32, wrap64

_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " "}


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] == "u":
        return chr(int(code.lstrip("u"), 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _SIMPLE.get(code, code)


def read_string(text: str) -> str:
    """A string literal with its quotes."""
    if text.startswith('"""'):
        raise Unsupported("text block")
    return units(_ESCAPE.sub(_unescape, text[1:-1]))


def read_character(text: str) -> int:
    """A character literal with its quotes."""
    value = _ESCAPE.sub(_unescape, text[1:-1])
    if len(value) != 1:
        raise Unsupported("character literal")
    return ord(value)


def read_number(text: str, negative: bool = False) -> tuple[int | float, str]:
    """An integer or floating-point literal and its type."""
    plain = text.replace("_", "")
    lower = plain.lower()
    if lower.startswith("0x") and ("." in lower or "p" in lower):
        raise Unsupported("hexadecimal floating point")
    if not lower.startswith(("0x", "0b")) and (re.search(r"[.e]", lower) or lower[-1] in "fd"):
        value = float(lower.rstrip("fd"))
        return (to_float(value), "float") if lower[-1] == "f" else (value, "double")
    is_long = lower[-1] == "l"
    digits = lower.rstrip("l")
    octal = len(digits) > 1 and digits[0] == "0" and digits[1] not in "xb"
    number = int(digits, 8) if octal else int(digits, 0)
    number = -number if negative else number
    return (wrap64(number), "long") if is_long else (wrap32(number), "int")
