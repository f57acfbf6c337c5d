"""Types as written in C, C++ and Java -> normalised names that compare across projects and languages."""

from __future__ import annotations

import re
from functools import lru_cache

from beryl.lang.parsing import SyntaxNode

_QUALIFIERS = frozenset(
    (
        *("const", "volatile", "static", "register", "extern", "inline", "restrict", "__restrict", "__const"),
        *("struct", "union", "enum", "class", "typename", "mutable", "constexpr", "thread_local", "_Thread_local"),
        *("_Atomic", "final", "auto"),
    )
)
_POINTERS = frozenset(
    ("pointer_declarator", "array_declarator", "abstract_pointer_declarator", "abstract_array_declarator")
)
_TEMPLATE = re.compile(r"<[^<>]*>")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# C says the same type in many ways; Java's boolean and C's _Bool are one.
_SAME = {
    "unsigned": "unsigned int",
    "signed": "int",
    "signed int": "int",
    "short int": "short",
    "signed short": "short",
    "long int": "long",
    "signed long": "long",
    "int long": "long",
    "long long int": "long long",
    "int long long": "long long",
    "unsigned short int": "unsigned short",
    "unsigned long int": "unsigned long",
    "long unsigned": "unsigned long",
    "unsigned long long int": "unsigned long long",
    "long unsigned int": "unsigned long",
    "boolean": "bool",
    "_Bool": "bool",
    "byte": "signed char",
}
_ARITHMETIC = (
    *("bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int"),
    *("long", "unsigned long", "size_t", "long long", "unsigned long long", "float", "double", "long double"),
)
_RANK = {name: rank for rank, name in enumerate(_ARITHMETIC)}
LITERAL = "#"
"""A literal's type starts with this: it gives way to the type of the other operand."""
_REMEMBERED_TYPES = 50_000


@lru_cache(maxsize=_REMEMBERED_TYPES)
def normalise(written: bytes) -> str:
    """A type's name without qualifiers, tags and template arguments; Java's `int[]` is `int*`."""
    text = _COMMENT.sub(" ", written.decode("utf-8", "replace"))
    brace = text.find("{")
    if brace >= 0:
        text = text[:brace]
    while True:
        shorter = _TEMPLATE.sub("", text)
        if shorter == text:
            break
        text = shorter
    stars = text.count("*") + text.count("[")
    for sign in "*&[]":
        text = text.replace(sign, " ")
    words = [word for word in text.split() if word not in _QUALIFIERS and not word.startswith(("__attr", "@"))]
    name = " ".join(words).replace("::", ".").removeprefix("std.")
    return _SAME.get(name, name) + "*" * stars


def common(first: str, second: str) -> str:
    """The type that an operation on two operands works on: pointers first, then the wider; literals give way."""
    if first.startswith(LITERAL):
        return second if second else first[1:]
    if second.startswith(LITERAL):
        return first if first else second[1:]
    if first.endswith("*") or not second:
        return first
    if second.endswith("*") or not first:
        return second
    return first if _RANK.get(first, 99) >= _RANK.get(second, 99) else second


def pointee(kind: str) -> str:
    """What a pointer or array holds; "" where it is not known to be one."""
    return kind[:-1] if kind.endswith("*") else ""


def declared(text: bytes, kind: str, declarator: SyntaxNode | None) -> tuple[str, str]:
    """Name and type of one declarator: `*argv[]` of type `char` is argv, `char**`."""
    name = ""
    while declarator is not None:
        what = declarator.type
        if what in _POINTERS:
            kind += "*"
        elif what in ("function_declarator", "abstract_function_declarator"):
            kind += "()"
        elif "identifier" in what:
            name = text[declarator.start_byte : declarator.end_byte].decode("utf-8", "replace")
            break
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            children = declarator.named_children
            inner = next((c for c in children if "declarator" in c.type or "identifier" in c.type), None)
        declarator = inner
    return name, kind
