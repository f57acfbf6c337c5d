"""Java's `String` and `Character` on Python strings whose items are UTF-16 code units."""

from __future__ import annotations

import unicodedata

_LETTERS = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo"))
_SEPARATORS = frozenset(("Zs", "Zl", "Zp"))
_NO_BREAK = frozenset((0xA0, 0x2007, 0x202F))
_CONTROL_SPACES = frozenset((*range(0x09, 0x0E), *range(0x1C, 0x20)))
# Unicode's Other_Lowercase and Other_Uppercase below U+0100, and the ranges above that Java documents.
_OTHER_LOWERCASE = frozenset((0xAA, 0xBA, *range(0x2B0, 0x2B9), 0x2C0, 0x2C1, *range(0x2E0, 0x2E5), 0x345, 0x37A))


def units(text: str) -> str:
    """The text with each character beyond the basic plane written as its two surrogates, as Java counts it."""
    if text.isascii() or all(ord(char) < 0x10000 for char in text):
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[i] | data[i + 1] << 8) for i in range(0, len(data), 2))


def joined(text: str) -> str:
    """The inverse of `units`: surrogate pairs become one character."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def is_digit(code: int) -> bool:
    """`Character.isDigit`."""
    return 48 <= code <= 57 if code < 128 else unicodedata.category(chr(code)) == "Nd"


def is_letter(code: int) -> bool:
    """`Character.isLetter`."""
    return unicodedata.category(chr(code)) in _LETTERS


def is_letter_or_digit(code: int) -> bool:
    """`Character.isLetterOrDigit`."""
    return is_letter(code) or is_digit(code)


def is_upper(code: int) -> bool:
    """`Character.isUpperCase`."""
    return unicodedata.category(chr(code)) == "Lu" or 0x2160 <= code <= 0x216F or 0x24B6 <= code <= 0x24CF


def is_lower(code: int) -> bool:
    """`Character.isLowerCase`."""
    return (
        unicodedata.category(chr(code)) == "Ll"
        or code in _OTHER_LOWERCASE
        or 0x2170 <= code <= 0x217F
        or 0x24D0 <= code <= 0x24E9
    )


def is_space_char(code: int) -> bool:
    """`Character.isSpaceChar`."""
    return unicodedata.category(chr(code)) in _SEPARATORS


def is_whitespace(code: int) -> bool:
    """`Character.isWhitespace`."""
    return code in _CONTROL_SPACES or (is_space_char(code) and code not in _NO_BREAK)


def to_upper(code: int) -> int:
    """`Character.toUpperCase(char)`: one unit to one unit."""
    upper = chr(code).upper()
    return ord(upper) if len(upper) == 1 and ord(upper) < 0x10000 else code


def to_lower(code: int) -> int:
    """`Character.toLowerCase(char)`: one unit to one unit."""
    if code == 0x130:
        return 0x69
    lower = chr(code).lower()
    return ord(lower) if len(lower) == 1 and ord(lower) < 0x10000 else code


def to_title(code: int) -> int:
    """`Character.toTitleCase`: one unit to one unit."""
    title = chr(code).title()
    return ord(title) if len(title) == 1 else to_upper(code)


def is_alphabetic(code: int) -> bool:
    """`Character.isAlphabetic`, for ASCII; others need tables that Python does not have."""
    if code < 128:
        return is_letter(code)
    raise ValueError(f"alphabetic property of U+{code:04X}")


def digit_value(code: int, radix: int) -> int:
    """`Character.digit`: the value of a digit or Latin letter in a radix, or -1."""
    if not 2 <= radix <= 36:
        return -1
    value = numeric_value(code)
    return value if 0 <= value < radix and (code < 128 or is_digit(code) or 0xFF21 <= code <= 0xFF5A) else -1


def numeric_value(code: int) -> int:
    """`Character.getNumericValue` for digits and Latin letters; -1 where there is none."""
    if is_digit(code):
        return unicodedata.digit(chr(code))
    for start in (65, 97, 0xFF21, 0xFF41):
        if start <= code < start + 26:
            return code - start + 10
    return -1


def lower(text: str) -> str:
    """`String.toLowerCase()` outside Turkish locales."""
    return units(joined(text).lower())


def upper(text: str) -> str:
    """`String.toUpperCase()` outside Turkish locales."""
    return units(joined(text).upper())


def trim(text: str) -> str:
    """`String.trim()`: cuts everything up to U+0020 at both ends."""
    start, end = 0, len(text)
    while start < end and text[start] <= " ":
        start += 1
    while end > start and text[end - 1] <= " ":
        end -= 1
    return text[start:end]


def strip(text: str, left: bool = True, right: bool = True) -> str:
    """`String.strip()`, `stripLeading()` and `stripTrailing()`."""
    start, end = 0, len(text)
    while left and start < end and is_whitespace(ord(text[start])):
        start += 1
    while right and end > start and is_whitespace(ord(text[end - 1])):
        end -= 1
    return text[start:end]


def compare(one: str, other: str) -> int:
    """`String.compareTo`: the first difference of units, else of lengths."""
    for a, b in zip(one, other, strict=False):
        if a != b:
            return ord(a) - ord(b)
    return len(one) - len(other)


def fold_case(text: str) -> str:
    """What `equalsIgnoreCase` and `compareToIgnoreCase` compare."""
    return "".join(chr(to_lower(to_upper(ord(char)))) for char in text)


def index_of(text: str, part: str, start: int) -> int:
    """`String.indexOf(String, int)`."""
    start = max(start, 0)
    if start >= len(text):
        return -1 if part else len(text)
    return text.find(part, start)


def last_index_of(text: str, part: str, start: int) -> int:
    """`String.lastIndexOf(String, int)`: the last occurrence that begins at or before `start`."""
    return -1 if start < 0 else text.rfind(part, 0, min(start, len(text)) + len(part))


def hash_code(text: str) -> int:
    """`String.hashCode()`."""
    value = 0
    for char in text:
        value = (31 * value + ord(char)) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def reverse(text: str) -> str:
    """`StringBuilder.reverse()`: surrogate pairs stay in order."""
    return units(joined(text)[::-1])
