"""The shape of a statement: what it does, with the names taken out, the same for pseudocode, C, C++ and Java.

`d_{ij} ← min(d_{ij}, d_{ik} + d_{kj})` and `dist[u][v] = Math.min(dist[u][v], dist[u][m] + dist[m][v]);` become the
same tokens. A shape is then a bag of short windows of tokens, in which identifiers are renamed in order of appearance,
so that `a[i] = a[j]` and `x[p] = x[q]` share every window while `a[i] = b[j]` does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from beryl.types import IntArray

# Raise it whenever any shape changes: stored grams of two versions never meet.
VERSION = 2
WINDOWS = (3, 5, 8)
"""Window lengths in tokens: an operator with its operands, an assignment, most of an expression."""
BUCKETS = 1 << 18
"""Windows are hashed into this many; with ~100k different ones collisions are few."""

MOST_TOKENS = 60
"""Longer statements are tables and literals, not steps of an algorithm."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
_START = 7919  # tells a window at the beginning of a statement from the same window inside one

_SPELLINGS = (
    (r"←|:=|\\gets\b|\\leftarrow\b|<-(?=[\s\d(])", "="),
    (r"≤|⩽|\\leq?(?:slant)?\b", "<="),
    (r"≥|⩾|\\geq?(?:slant)?\b", ">="),
    (r"≠|\\neq?\b|(?<=\s)<>(?=\s)", "!="),
    (r"[·×∗⋅]|\\(?:cdot|times|ast)\b", "*"),
    (r"÷|∕|\bdiv\b|\\div\b", "/"),
    (r"[−–]", "-"),
    (r"∧|\\(?:land|wedge)\b|\b(?:and|AND)\b", "&&"),
    (r"∨|\\(?:lor|vee)\b|\b(?:or|OR)\b", "||"),
    (r"¬|\\(?:lnot|neg)\b|\b(?:not|NOT)\b", "!"),
    (r"\\?\b[bp]?mod(?:ulo)?\b|\bMOD\b", "%"),
    (r"⊕|\bxor\b|\bXOR\b", "^"),
    (r"⌊|⌋|⌈|⌉|\\[lr](?:floor|ceil)\b", " "),
    (
        r"∞|\\infty\b|\binfinity\b|\b(?:U?INT|U?LONG|DBL|FLT|SHRT)_MAX\b|\b\w+\.(?:MAX_VALUE|POSITIVE_INFINITY)\b",
        " INF ",
    ),
    (r"\bHUGE_VAL\b|\bINFINITY\b", " INF "),
    (r"∅|\\emptyset\b|\b(?:NIL|nil|NULL|null|nullptr|None|NONE)\b", " NIL "),
    (r"\b(?:true|TRUE|True)\b", " YES "),
    (r"\b(?:false|FALSE|False)\b", " NO "),
    (r"√|\\sqrt\b", " sqrt "),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)"),
    (r"\$|\\[,;!]", " "),
)
_SPELLING = [(re.compile(pattern), replacement) for pattern, replacement in _SPELLINGS]
_EXOTIC = re.compile(
    r"[^\x00-\x7f]|\\|:=|<-|<>|\$|\b(?:and|or|not|mod|div|xor|nil|null|NULL|true|false|infinity)\b|_MAX|_VAL|INF|NIL|None|MOD|AND|OR|NOT|TRUE|FALSE|XOR|MAX_VALUE|nullptr|modulo|True|False|NONE|bmod|pmod"
)

_SUBSCRIPT = re.compile(r"(?<=[A-Za-z0-9\]'])_\{([^{}]*)\}|(?<=\b[A-Za-z])_([A-Za-z0-9])\b")
_NOISE = re.compile(
    r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.){1,8}'"
    r"|\b(?:int|long|short|char|float|double|bool|boolean|byte|void|unsigned|signed|const|final|static|var|auto|register|"
    r"volatile|struct|enum|size_t|ssize_t|u?int\d+_t|let|set|be|then|do|new|return|if|while|for|each|foreach|else|until|"
    r"repeat|this|call|switch|case)\b"
    r"|\bMath\s*\.|\bstd\s*::|\bFastMath\s*\.|\bself\s*\."
)
_TOKEN = re.compile(
    r"[A-Za-z_][\w']*|\d+(?:\.\d+)?(?:[eE]-?\d+)?|0[xX][0-9a-fA-F]+|>>>=?|<<=|>>=|<<|>>|[<>=!]=|&&|\|\||\+\+|--|->|::|\.\.|[-+*/%&|^]=|\S"
)
_HEX = re.compile(r"\b0[xX]([0-9a-fA-F]+)[uUlL]*\b")
_SUFFIX = re.compile(r"\b(\d+(?:\.\d*)?)[uUlLfFdD]+\b")
_GENERIC = re.compile(r"(?<=\w)<[\w\s,.?\[\]<>&*:]*>(?=\s*[\w(>:])")
_CAST = re.compile(r"\(\s*(?:[A-Za-z_][\w.]*\s*)?(?:\[\s*\]|\*+)*\s*\)(?=\s*[\w(])")

# What people call the same operation; everything else that is called is just a call.
_ACTIONS = {
    name: action
    for action, names in {
        "MIN": "min fmin minimum",
        "MAX": "max fmax maximum",
        "ABS": "abs fabs labs",
        "SQRT": "sqrt",
        "SWAP": "swap exchange swp interchange",
        "PUT": "push enqueue offer add append insert put addlast addfirst pushback emplace push_back",
        "TAKE": "pop dequeue poll remove removefirst removelast extract extractmin extractmax popfront popback "
        "deletemin delete_min pop_back pop_front",
        "PEEK": "peek top front back head",
        "EMPTY": "empty isempty is_empty",
        "LEN": "length size len count strlen getsize getlength rows cols columns",
        "SORT": "sort qsort",
        "FLOOR": "floor ceil",
        "POW": "pow exp",
        "HAS": "contains containskey has member",
        "COMPARE": "compare compareto cmp strcmp memcmp compar less greater equals",
        "GET": "get charat at elementat getentry",
    }.items()
    for name in names.split()
}
_VERBS = {"SWAP", "SORT", "PUT", "TAKE"}  # in prose they stand without parentheses: "swap A[i] with A[j]"
_FIELDS = {"length": "LEN", "size": "LEN", "len": "LEN", "rows": "LEN", "count": "LEN", "n": ""}
_WORDS = {"INF", "NIL", "YES", "NO", "CALL", *_ACTIONS.values()}
_COMPOUND = {
    "+=": "+",
    "-=": "-",
    "*=": "*",
    "/=": "/",
    "%=": "%",
    "&=": "&",
    "|=": "|",
    "^=": "^",
    "<<=": "<<",
    ">>=": ">>",
    ">>>=": ">>",
}
# Counting from 0 or from 1 makes the difference between these, not the algorithm.
_ALIKE = {">>>": ">>", "<=": "<", ">=": ">"}
_RANGE = re.compile(
    r"^\s*(?:for\s+)?(\S+)\s*(?:=|←|:=|\\gets|from)\s*(.+?)\s+(to|downto)\s+(.+?)(?:\s+(?:by|step)\s+\S+)?\s*(?:do)?$"
)


def statement(text: str) -> str:
    """The statement itself, or for a counting loop of pseudocode the test that code writes instead."""
    counting = _RANGE.match(text)
    if not counting:
        return text
    variable, direction, end = counting[1], counting[3], counting[4]
    return f"{variable} {'<' if direction == 'to' else '>'} {end}"


def tokens(text: str) -> list[str]:
    """The statement in one spelling: operators, numbers, INF/NIL/..., actions in capitals, identifiers as they are."""
    if _EXOTIC.search(text):
        for pattern, replacement in _SPELLING:
            text = pattern.sub(replacement, text)
        text = _SUBSCRIPT.sub(_brackets, text)
    text = _HEX.sub(lambda match: str(int(match[1], 16)), text)
    text = _SUFFIX.sub(r"\1", text)
    if "<" in text and ">" in text:
        text = _GENERIC.sub("", text)
    text = _CAST.sub("", _NOISE.sub(" ", text)) if "(" in text else _NOISE.sub(" ", text)
    return _rewrite(_TOKEN.findall(text))


def _brackets(match: re.Match[str]) -> str:
    inner = match[1] if match[1] is not None else match[2]
    parts = inner.split(",") if "," in inner else list(inner) if inner.isalpha() and len(inner) <= 3 else [inner]
    return "".join(f"[{part.strip()}]" for part in parts)


def _rewrite(found: list[str]) -> list[str]:
    """One spelling for members, matrix cells, increments and compound assignments."""
    result: list[str] = []
    depth: list[str] = []
    position = 0
    while position < len(found):
        token, after = found[position], found[position + 1] if position + 1 < len(found) else ""
        if token in (".", "->", "::") and after and (after[0].isalpha() or after[0] == "_"):
            position += 1
            _member(result, found, position)
        elif token in ("++", "--"):
            _step(result, token[0], after)
        elif token in _COMPOUND:
            result += ["=", *_last_operand(result), _COMPOUND[token]]
        elif token == "[":
            depth.append(token)
            result.append(token)
        elif token == "," and depth and depth[-1] == "[":
            result += ["]", "["]
        elif token == "]":
            if depth:
                depth.pop()
            result.append(token)
        elif token in "(){}":
            if token in "({":
                depth.append(token)
            elif depth and depth[-1] != "[":
                depth.pop()
        elif token in (";", "@", "?", ":", "'", "."):
            pass
        elif _is_name(token) and token not in _ACTIONS and result and _is_name(result[-1]) and after != "(":
            result[-1] = token  # a type before its variable
        elif after == "(" and (token[0].isalpha() or token[0] == "_"):
            result.append(_ACTIONS.get(token.lower(), "CALL"))
        elif _ACTIONS.get(token.lower()) in _VERBS:
            result.append(_ACTIONS[token.lower()])
        elif token in _ALIKE:
            result.append(_ALIKE[token])
        else:
            result.append(token)
        position += 1
    return result


def _member(result: list[str], found: Sequence[str], position: int) -> None:
    """`x.length` is a length, `q.pop()` an action, `v.d` an element: written like d[v] with the roles swapped."""
    name = found[position]
    called = position + 1 < len(found) and found[position + 1] == "("
    action = _ACTIONS.get(name.lower()) if called else _FIELDS.get(name.lower())
    if action == "GET":
        return
    if called:
        result.append(action or "CALL")
    elif action:
        result.append(action)
    elif action is None:
        result += ["[", name, "]"]


def _step(result: list[str], sign: str, after: str) -> None:
    """`i++` and `++i` are `i = i + 1`."""
    if result and (_is_name(result[-1]) or result[-1] == "]"):
        operand = _last_operand(result)
        result += ["=", *operand, sign, "1"]
    elif after and (after[0].isalpha() or after[0] == "_"):
        result += [after, "=", after, sign, "1", ";"]


def _last_operand(result: Sequence[str]) -> list[str]:
    """The variable or cell that stands at the end of the tokens."""
    position = len(result) - 1
    while position >= 0 and result[position] == "]":
        level = 0
        while position >= 0:
            level += (result[position] == "]") - (result[position] == "[")
            position -= 1
            if level == 0:
                break
    return list(result[max(position, 0) :])


def _is_name(token: str) -> bool:
    return (token[0].isalpha() or token[0] == "_") and token not in _WORDS


class Shapes(NamedTuple):
    """The shapes of many statements: windows as CSR (sorted, each once), and the idioms of each as bits."""

    offsets: IntArray
    grams: NDArray[np.int32]
    idioms: NDArray[np.uint32]


def shapes(texts: Sequence[str]) -> Shapes:
    """The shape of every statement."""
    streams: list[list[str]] = []
    owner: list[int] = []
    bits = np.zeros(len(texts), dtype=np.uint32)
    for position, text in enumerate(texts):
        stream = tokens(statement(text))[:MOST_TOKENS]
        if stream:
            streams.append(stream)
            owner.append(position)
            bits[position] = idioms(stream)
    if not streams:
        return Shapes(np.zeros(len(texts) + 1, dtype=np.int64), np.zeros(0, dtype=np.int32), bits)
    codes, back = _numbered(streams)
    lengths = np.array([len(stream) for stream in streams], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    text_of = np.array(owner, dtype=np.int64)
    keys = [_first_windows(codes, back, starts, lengths) + text_of * BUCKETS]
    for length in WINDOWS:
        inside = np.repeat(starts + lengths - length, lengths) >= np.arange(len(codes))
        positions = np.flatnonzero(inside)
        keys.append(_hashed(codes, back, positions, length) + np.repeat(text_of, lengths)[positions] * BUCKETS)
    unique = np.unique(np.concatenate(keys))
    offsets = np.searchsorted(unique, np.arange(len(texts) + 1, dtype=np.int64) * BUCKETS)
    return Shapes(offsets.astype(np.int64), (unique % BUCKETS).astype(np.int32), bits)


def _numbered(streams: Sequence[Sequence[str]]) -> tuple[NDArray[np.uint64], IntArray]:
    """A code per token (0 for a name), and for names how far back the same name stands in its statement."""
    known: dict[str, int] = {}
    codes: list[int] = []
    back: list[int] = []
    for stream in streams:
        last: dict[str, int] = {}
        for position, token in enumerate(stream):
            code = known.get(token)
            if code is None:
                code = known[token] = 0 if _is_name(token) else crc32(token.encode()) | 1 << 33
            codes.append(code)
            if code:
                back.append(0)
            else:
                back.append(position - last[token] if token in last else 0)
                last[token] = position
    return np.array(codes, dtype=np.uint64), np.array(back, dtype=np.int64)


def _hashed(codes: NDArray[np.uint64], back: IntArray, positions: IntArray, length: int) -> IntArray:
    """A bucket for the window of this length at each position; a name counts as how far back it stood in the window."""
    value = np.full(len(positions), length, dtype=np.uint64)
    for step in range(length):
        code, distance = codes[positions + step], back[positions + step]
        inside = np.where(distance <= step, distance, 0).astype(np.uint64)
        value = value * _MIX + np.where(code == 0, inside + np.uint64(1), code)
    return ((value >> np.uint64(24)) % np.uint64(BUCKETS)).astype(np.int64)


def _first_windows(codes: NDArray[np.uint64], back: IntArray, starts: IntArray, lengths: IntArray) -> IntArray:
    """The beginning of every statement as a window of its own, so that short statements have one too."""
    buckets = np.zeros(len(starts), dtype=np.int64)
    for length in range(1, WINDOWS[1] + 1):
        chosen = np.flatnonzero(lengths == length if length < WINDOWS[1] else lengths >= length)
        buckets[chosen] = (_hashed(codes, back, starts[chosen], length) + _START) % BUCKETS
    return buckets


IDIOMS: dict[str, str] = {
    "halves": r"/ 2(?: |$)|>> 1(?: |$)|\* 0\.5",
    "minimum or maximum": r"\bM(?:IN|AX)\b",
    "infinity": r"\bINF\b",
    "swap": r"\bSWAP\b",
    "adds to a collection": r"\bPUT\b",
    "takes from a collection": r"\bTAKE\b",
    "until empty": r"\bEMPTY\b|LEN [=!>]=? 0",
    "sorts": r"\bSORT\b",
    "remainder": r" % ",
    "exclusive or": r" \^ ",
    "bit shift": r" (?:<<|>>) (?!1(?: |$))",
    "low bits": r" & (?:1|7|15|31|63|127|255|65535|4294967295)(?: |$)",
    "moves a cell": r"^(\S+) \[ .* \] = \1 \[ [^=]*\]$",
    "sum of products": r"^(.+) = \1 [-+] .* \* ",
    "running sum": r"^(.+) = \1 \+ (?!1$)",
    "compares cells": r"\] (?:[<>]|==|!=) (?:\S+ )+\]|COMPARE",
    "previous cell": r"\[ \S+ - 1 \]",
    "next cell": r"\[ \S+ \+ 1 \]",
    "diagonal neighbour": r"- 1 \] \[ \S+ - 1 \]",
    "null link": r"\bNIL\b",
    "follows a link": r"^(\S+) = \1 \[ |^(\S+) = \S+ \[ \2 \]$",
    "marks visited": r"(?i)visit|\bseen\b|\bmark|\bcolou?r|discover",
    "root or power": r"\bSQRT\b|\bPOW\b",
    "angles": r"(?i)\b(?:sin|cos|atan2?|pi|twiddle|omega)\b",
    "divides": r" / (?!2(?: |$))",
    "counts down": r"^(\S+) = \1 - 1$",
    "doubles": r" \* 2(?: |$)|2 \* |<< 1(?: |$)",
    "negates": r"= - |\* - 1(?: |$)",
    "yes": r"\bYES\b",
    "no": r"\bNO\b",
    "membership": r"\bHAS\b",
    "two indices": r"\] \[",
}
"""What a statement visibly does, as patterns over its tokens; the position is the bit in `idioms`."""
_IDIOM = [re.compile(pattern) for pattern in IDIOMS.values()]


def idioms(stream: Sequence[str]) -> int:
    """The idioms of one statement as bits."""
    joined = " ".join(stream)
    bits = 0
    for position, pattern in enumerate(_IDIOM):
        if pattern.search(joined):
            bits |= 1 << position
    return bits
