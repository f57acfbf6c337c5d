"""Files of pseudocode: bytes -> text that can be parsed, or one clear sentence. Loads no parser."""

from __future__ import annotations

from pathlib import Path

from beryl.errors import InputError
from beryl.lang.pseudo.layout import MAX_CHARACTERS, check

SOURCE_SUFFIXES = {
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"), "C++"),
    ".java": "Java",
}
_MOST_BYTES = 4 * MAX_CHARACTERS


def load(path: Path) -> str:
    """The text of a pseudocode file; InputError where it is no such thing."""
    language = SOURCE_SUFFIXES.get(path.suffix.lower())
    if language:
        raise InputError(f"{path} is {language} source, not pseudocode; `beryl icfg {path}` shows its graph")
    try:
        with path.open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    return decode(raw, str(path))


def decode(raw: bytes, name: str) -> str:
    """Bytes as pseudocode text; InputError where they are none."""
    if b"\0" in raw:
        raise InputError(f"{name} is binary, not text; give a file with pseudocode or p-code")
    if len(raw) > _MOST_BYTES:
        raise InputError(f"{name} has more than {MAX_CHARACTERS:,} characters; that is no pseudocode")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: byte {error.start} is not UTF-8; save the file as UTF-8 text") from None
    check(text, name)
    return text
