"""What each operation computes, in plain Python with Java's rules. The z3 twin is `solver.py`.

A value is a bool (boolean), an int (int, long, short, byte and char), a float (double and float), a str (String, UTF-16
units) or None (null). An operation outside its domain raises `Undefined`; `DOMAINS` says where that is.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from beryl.smt import characters

Value = bool | int | float | str | None


class Undefined(Exception):
    """An operation that has no value here: Java would throw, or this form of it is not modelled."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: how it is computed and the sort of its result (Z, I, D or S; '=' is the first argument's)."""

    compute: Callable[..., Value]
    sort: str


def wrap32(value: int) -> int:
    """An integer as Java's int."""
    value &= 0xFFFFFFFF
    return value - 0x100000000 if value >= 0x80000000 else value


def wrap64(value: int) -> int:
    """An integer as Java's long."""
    value &= 0xFFFFFFFFFFFFFFFF
    return value - (1 << 64) if value >= 1 << 63 else value


def _wrap(bits: int) -> Callable[[int], int]:
    half, full = 1 << (bits - 1), 1 << bits
    return lambda value: (value + half) % full - half


def quotient(one: int, other: int) -> int:
    """Integer division towards zero."""
    if other == 0:
        raise Undefined("division by zero")
    result = abs(one) // abs(other)
    return result if (one < 0) == (other < 0) else -result


def remainder(one: int, other: int) -> int:
    """The remainder that has the sign of the dividend."""
    return one - other * quotient(one, other)


def to_float(value: float) -> float:
    """A double rounded to a float."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _divide(one: float, other: float) -> float:
    if other != 0:
        return one / other
    if one == 0 or math.isnan(one):
        return math.nan
    return math.copysign(math.inf, one) * math.copysign(1.0, other)


def _modulo(one: float, other: float) -> float:
    if math.isinf(one) or other == 0 or math.isnan(one) or math.isnan(other):
        return math.nan
    return math.fmod(one, other)


def _saturate(low: int, high: int) -> Callable[[float], int]:
    def convert(value: float) -> int:
        if math.isnan(value):
            return 0
        return high if value >= high else low if value <= low else int(value)

    return convert


def _round(value: float) -> int:
    if math.isnan(value) or math.isinf(value):
        return _D2L(value)
    floor = math.floor(value)
    return _D2L(floor + 1 if value - floor >= 0.5 else floor)


def _power(base: float, exponent: float) -> float:
    """Only where the result is exact; elsewhere the last bit is the platform's choice."""
    if base.is_integer() and exponent.is_integer() and 0 <= exponent <= 64:
        result = int(base) ** int(exponent)
        if abs(result) <= 1 << 53:
            return float(result)
    raise Undefined("power that need not be exact")


def _square_root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else (math.nan if value != 0 else value)


def _rint(value: float) -> float:
    return value if math.isnan(value) or math.isinf(value) else math.copysign(float(round(value)), value)


def _minimum(one: float, other: float) -> float:
    if math.isnan(one) or math.isnan(other):
        return math.nan
    return (one if math.copysign(1, one) < 0 else other) if one == other else min(one, other)


def _maximum(one: float, other: float) -> float:
    return -_minimum(-one, -other)


def _compare_double(one: float, other: float) -> int:
    if math.isnan(one) or math.isnan(other):
        return int(math.isnan(one)) - int(math.isnan(other))
    if one == other == 0:
        return int(math.copysign(1, one) - math.copysign(1, other)) // 2
    return (one > other) - (one < other)


def double_text(value: float) -> str:
    """`Double.toString`."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return _plain(value) if value else ("-0.0" if math.copysign(1, value) < 0 else "0.0")
    mantissa, exponent = _digits(value)
    sign = "-" if value < 0 else ""
    return f"{sign}{mantissa[0]}.{mantissa[1:] or '0'}E{exponent}"


def _digits(value: float) -> tuple[str, int]:
    text, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = text.partition(".")
    digits = (whole + fraction).lstrip("0")
    scale = int(exponent or 0) + len(whole) - 1
    if whole == "0":
        scale = int(exponent or 0) - (len(fraction) - len(fraction.lstrip("0"))) - 1
    return digits.rstrip("0") or "0", scale


def _plain(value: float) -> str:
    digits, exponent = _digits(value)
    sign = "-" if value < 0 else ""
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    digits = digits.ljust(exponent + 2, "0")
    return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}"


def radix_text(value: int, radix: int) -> str:
    """`Integer.toString(int, int)`."""
    if not 2 <= radix <= 36:
        radix = 10
    digits, rest = "", abs(value)
    while rest or not digits:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % radix] + digits
        rest //= radix
    return "-" + digits if value < 0 else digits


def _parse(bits: int) -> Callable[[str, int], int]:
    def parse(text: str, radix: int) -> int:
        digits = text[1:] if text[:1] in ("+", "-") else text
        values = [characters.digit_value(ord(char), radix) for char in digits]
        if not values or min(values) < 0:
            raise Undefined("not a number")
        number = 0
        for value in values:
            number = number * radix + value
        number = -number if text[0] == "-" else number
        if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            raise Undefined("number out of range")
        return number

    return parse


_DECIMAL = re.compile(
    r"[\x00-\x20]*[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)[fFdD]?)[\x00-\x20]*", re.ASCII
)


def _parse_double(text: str) -> float:
    if not _DECIMAL.fullmatch(text):
        raise Undefined("not a number")
    plain = characters.trim(text)
    return float(plain if plain.endswith("Infinity") else plain.rstrip("fFdD"))


def _parses(parse: Callable[..., Value]) -> Callable[..., bool]:
    def check(*args: Value) -> bool:
        try:
            parse(*args)
        except Undefined:
            return False
        return True

    return check


def _char_at(text: str, index: int) -> int:
    if not 0 <= index < len(text):
        raise Undefined("index out of range")
    return ord(text[index])


def _code_point_at(text: str, index: int) -> int:
    _char_at(text, index)
    return ord(characters.joined(text[index : index + 2])[0])


def _substring(text: str, start: int, end: int) -> str:
    if not 0 <= start <= end <= len(text):
        raise Undefined("range out of bounds")
    return text[start:end]


def _text(value: Value) -> str:
    return "null" if value is None else str(value)


def _repeat(text: str, count: int) -> str:
    if count < 0 or count * len(text) > 10_000:
        raise Undefined("repeat count")
    return text * count


def _replace(text: str, old: str, new: str) -> str:
    return text.replace(old, new)


def _starts_with(text: str, part: str, start: int) -> bool:
    return 0 <= start <= len(text) - len(part) and text.startswith(part, start)


def _set_char(text: str, index: int, code: int) -> str:
    _char_at(text, index)
    return text[:index] + chr(code) + text[index + 1 :]


def _set_length(text: str, count: int) -> str:
    if not 0 <= count <= 10_000:
        raise Undefined("length")
    return text[:count].ljust(count, "\0")


def _ignore_case(one: str, other: str | None) -> bool:
    return other is not None and characters.fold_case(one) == characters.fold_case(other)


def _region_matches(ignore: bool, one: str, start: int, other: str, place: int, count: int) -> bool:
    if start < 0 or place < 0 or start > len(one) - count or place > len(other) - count:
        return False
    a, b = one[start : start + max(count, 0)], other[place : place + max(count, 0)]
    return a == b or (ignore and characters.fold_case(a) == characters.fold_case(b))


_REGEX_UNSAFE = re.compile(r"\(\?|&&|\\[^dDwWs.\-\[\](){}+*?|^$/\\tnr]|[+*?}]\+|\\b|\[[^\]]*\[|\$|\^.*\n")


def java_regex(pattern: str) -> re.Pattern[str]:
    """A Java regular expression that means the same in Python; others are not modelled."""
    if _REGEX_UNSAFE.search(pattern) or not pattern.isascii():
        raise Undefined("regular expression")
    try:
        return re.compile(pattern, re.ASCII)
    except re.error:
        raise Undefined("regular expression") from None


def _matches(text: str, pattern: str) -> bool:
    _no_newline(text)
    return java_regex(pattern).fullmatch(text) is not None


def _no_newline(text: str) -> None:
    if any(char in text for char in "\r\n\v\u0085\u2028\u2029"):
        raise Undefined("line ends in a regular expression")


def _replace_pattern(count: int) -> Callable[[str, str, str], str]:
    def replace(text: str, pattern: str, new: str) -> str:
        _no_newline(text)
        if "$" in new or "\\" in new:
            raise Undefined("group in a replacement")
        return java_regex(pattern).sub(lambda _: new, text, count=count)

    return replace


_D2I = _saturate(-(1 << 31), (1 << 31) - 1)
_D2L = _saturate(-(1 << 63), (1 << 63) - 1)


def _integer_operations(prefix: str, bits: int) -> dict[str, Operation]:
    wrap = wrap32 if bits == 32 else wrap64
    mask, full = bits - 1, (1 << bits) - 1
    computes: dict[str, Callable[..., Value]] = {
        "add": lambda a, b: wrap(a + b),
        "sub": lambda a, b: wrap(a - b),
        "mul": lambda a, b: wrap(a * b),
        "div": lambda a, b: wrap(quotient(a, b)),
        "rem": lambda a, b: remainder(a, b),
        "neg": lambda a: wrap(-a),
        "abs": lambda a: wrap(abs(a)),
        "shl": lambda a, b: wrap(a << (b & mask)),
        "shr": lambda a, b: a >> (b & mask),
        "ushr": lambda a, b: wrap((a & full) >> (b & mask)),
        "bitcount": lambda a: (a & full).bit_count(),
        "leadingzeros": lambda a: bits - (a & full).bit_length(),
        "trailingzeros": lambda a: bits if a == 0 else ((a & -a).bit_length() - 1),
        "reverse": lambda a: wrap(int(format(a & full, f"0{bits}b")[::-1], 2)),
        "highestbit": lambda a: wrap(1 << (a & full).bit_length() >> 1),
        "floormod": lambda a, b: _nonzero(b) and a % b,
        "floordiv": lambda a, b: _nonzero(b) and wrap(a // b),
        "hex": lambda a: format(a & full, "x"),
        "binary": lambda a: format(a & full, "b"),
        "octal": lambda a: format(a & full, "o"),
        "parse": _parse(bits),
        "parses": _parses(_parse(bits)),
    }
    sorts = {"hex": "S", "binary": "S", "octal": "S", "parses": "Z"}
    return {prefix + name: Operation(compute, sorts.get(name, "I")) for name, compute in computes.items()}


def _nonzero(value: int) -> bool:
    if value == 0:
        raise Undefined("division by zero")
    return True


_PLAIN: dict[str, tuple[Callable[..., Value], str]] = {
    "not": (lambda a: not a, "Z"),
    "and": (lambda a, b: a and b, "Z"),
    "or": (lambda a, b: a or b, "Z"),
    "xor": (lambda a, b: a != b, "Z"),
    "eq": (lambda a, b: a == b, "Z"),
    "lt": (lambda a, b: a < b, "Z"),
    "le": (lambda a, b: a <= b, "Z"),
    "compare": (lambda a, b: (a > b) - (a < b), "I"),
    "signum": (lambda a: (a > 0) - (a < 0), "I"),
    "min": (min, "I"),
    "max": (max, "I"),
    "bitand": (lambda a, b: a & b, "I"),
    "bitor": (lambda a, b: a | b, "I"),
    "bitxor": (lambda a, b: a ^ b, "I"),
    "bitnot": (lambda a: ~a, "I"),
    "i2b": (_wrap(8), "I"),
    "i2s": (_wrap(16), "I"),
    "i2c": (lambda a: a & 0xFFFF, "I"),
    "l2i": (wrap32, "I"),
    "i2d": (float, "D"),
    "d2i": (_D2I, "I"),
    "d2l": (_D2L, "I"),
    "d2f": (to_float, "D"),
    "dadd": (lambda a, b: a + b, "D"),
    "dsub": (lambda a, b: a - b, "D"),
    "dmul": (lambda a, b: a * b, "D"),
    "ddiv": (_divide, "D"),
    "drem": (_modulo, "D"),
    "dneg": (lambda a: -a, "D"),
    "dabs": (abs, "D"),
    "dmin": (_minimum, "D"),
    "dmax": (_maximum, "D"),
    "dcompare": (_compare_double, "I"),
    "sqrt": (_square_root, "D"),
    "floor": (lambda a: a if math.isinf(a) or math.isnan(a) else math.copysign(float(math.floor(a)), a), "D"),
    "ceil": (lambda a: a if math.isinf(a) or math.isnan(a) else math.copysign(float(math.ceil(a)), a), "D"),
    "rint": (_rint, "D"),
    "round": (_round, "I"),
    "fround": (lambda a: _D2I(float(_round(a))), "I"),
    "power": (_power, "D"),
    "isnan": (math.isnan, "Z"),
    "isinf": (math.isinf, "Z"),
    "length": (len, "I"),
    "charat": (_char_at, "I"),
    "codepointat": (_code_point_at, "I"),
    "concat": (lambda a, b: a + b, "S"),
    "substring": (_substring, "S"),
    "indexof": (characters.index_of, "I"),
    "lastindexof": (characters.last_index_of, "I"),
    "startswith": (_starts_with, "Z"),
    "endswith": (lambda a, b: a.endswith(b), "Z"),
    "contains": (lambda a, b: b in a, "Z"),
    "replace": (_replace, "S"),
    "lower": (characters.lower, "S"),
    "upper": (characters.upper, "S"),
    "trim": (characters.trim, "S"),
    "strip": (characters.strip, "S"),
    "stripleft": (lambda a: characters.strip(a, right=False), "S"),
    "stripright": (lambda a: characters.strip(a, left=False), "S"),
    "repeat": (_repeat, "S"),
    "equals": (lambda a, b: a == b, "Z"),
    "regionmatches": (_region_matches, "Z"),
    "equalsignorecase": (_ignore_case, "Z"),
    "comparestring": (characters.compare, "I"),
    "compareignorecase": (lambda a, b: characters.compare(characters.fold_case(a), characters.fold_case(b)), "I"),
    "hashcode": (characters.hash_code, "I"),
    "reverse": (characters.reverse, "S"),
    "setchar": (_set_char, "S"),
    "delete": (lambda text, start, end: text[:start] + text[end:], "S"),
    "setlength": (_set_length, "S"),
    "matches": (_matches, "Z"),
    "replaceall": (_replace_pattern(0), "S"),
    "replacefirst": (_replace_pattern(1), "S"),
    "text": (_text, "S"),
    "inttext": (str, "S"),
    "booltext": (lambda a: "true" if a else "false", "S"),
    "chartext": (lambda code: characters.units(chr(code)), "S"),
    "doubletext": (double_text, "S"),
    "radixtext": (radix_text, "S"),
    "parsedouble": (_parse_double, "D"),
    "parsesdouble": (_parses(_parse_double), "Z"),
    "isdigit": (characters.is_digit, "Z"),
    "isletter": (characters.is_letter, "Z"),
    "isletterordigit": (characters.is_letter_or_digit, "Z"),
    "isupper": (characters.is_upper, "Z"),
    "islower": (characters.is_lower, "Z"),
    "iswhitespace": (characters.is_whitespace, "Z"),
    "isspacechar": (characters.is_space_char, "Z"),
    "toupper": (characters.to_upper, "I"),
    "tolower": (characters.to_lower, "I"),
    "totitle": (characters.to_title, "I"),
    "isalphabetic": (characters.is_alphabetic, "Z"),
    "numericvalue": (characters.numeric_value, "I"),
    "digit": (characters.digit_value, "I"),
}

OPERATIONS: dict[str, Operation] = {
    **{name: Operation(compute, sort) for name, (compute, sort) in _PLAIN.items()},
    **_integer_operations("i", 32),
    **_integer_operations("l", 64),
}

# Where an operation throws: the operation that says it does not, on the same arguments, and what Java throws else.
DOMAINS: dict[str, tuple[str, str]] = {
    "idiv": ("nonzero", "ArithmeticException"),
    "irem": ("nonzero", "ArithmeticException"),
    "ldiv": ("nonzero", "ArithmeticException"),
    "lrem": ("nonzero", "ArithmeticException"),
    "ifloormod": ("nonzero", "ArithmeticException"),
    "lfloormod": ("nonzero", "ArithmeticException"),
    "ifloordiv": ("nonzero", "ArithmeticException"),
    "lfloordiv": ("nonzero", "ArithmeticException"),
    "codepointat": ("inside", "StringIndexOutOfBoundsException"),
    "charat": ("inside", "StringIndexOutOfBoundsException"),
    "setchar": ("inside", "StringIndexOutOfBoundsException"),
    "delete": ("range", "StringIndexOutOfBoundsException"),
    "substring": ("range", "StringIndexOutOfBoundsException"),
    "setlength": ("notnegative", "IndexOutOfBoundsException"),
    "repeat": ("notnegative", "IllegalArgumentException"),
    "iparse": ("iparses", "NumberFormatException"),
    "lparse": ("lparses", "NumberFormatException"),
    "parsedouble": ("parsesdouble", "NumberFormatException"),
}
