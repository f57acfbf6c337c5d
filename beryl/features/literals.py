"""Numbers and strings by value, however they are written."""

from __future__ import annotations

import re
from functools import lru_cache

_SUFFIX = re.compile(r"(?:[uUlLzZ]+|[lLfFdD])$")
_HEX_SUFFIX = re.compile(r"[uUlL]+$")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}
_REMEMBERED = 50_000


@lru_cache(maxsize=_REMEMBERED)
def number(written: str) -> str:
    """A number as its value: `0x10UL` -> 16, `1.50f` -> 1.5; as written where it cannot be read."""
    if written[:1] and written[0] in "+-":
        return ("-" if written[0] == "-" else "") + number(written[1:].lstrip())
    text = written.replace("_", "").replace("'", "")
    try:
        if text[:2] in ("0x", "0X") and "p" not in text.lower():
            return str(int(_HEX_SUFFIX.sub("", text), 16))
        if text[:2] in ("0b", "0B"):
            return str(int(_HEX_SUFFIX.sub("", text), 2))
        text = _SUFFIX.sub("", text)
        if text.isdigit():
            return str(int(text, 8) if len(text) > 1 and text[0] == "0" else int(text))
        value = float.fromhex(text) if text[:2] in ("0x", "0X") else float(text)
    except (ValueError, OverflowError):
        return written
    return repr(value)


@lru_cache(maxsize=_REMEMBERED)
def number_kind(written: str) -> str:
    """The type of a number literal."""
    lower = written.lower()
    if lower.startswith("0x"):
        return "long" if "l" in lower else "int"
    if "." in lower or "e" in lower:
        return "float" if lower.endswith("f") else "double"
    return "long" if lower.endswith(("l", "ul", "ll", "lu")) else "int"


@lru_cache(maxsize=_REMEMBERED)
def character(written: str) -> str:
    """A character literal as its code: 'A' -> 65."""
    inside = written[written.find("'") + 1 : written.rfind("'")]
    if len(inside) == 1:
        return str(ord(inside))
    try:
        if inside.startswith("\\x"):
            return str(int(inside[2:], 16))
        if inside.startswith("\\u"):
            return str(int(inside.lstrip("\\u"), 16))
        if inside.startswith("\\") and inside[1:].isdigit():
            return str(int(inside[1:], 8))
    except ValueError:
        return inside
    if inside.startswith("\\"):
        return str(_ESCAPES.get(inside[1:], ord(inside[1]) if len(inside) == 2 else 0))
    return inside


def string(written: str) -> str:
    """What stands between the quotes of a string literal."""
    start = written.find('"')
    return written[start + 1 :].removesuffix('"')
