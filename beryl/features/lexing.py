"""The text of a function -> its identifiers, and its body as tokens with all names alike."""

from __future__ import annotations

import re

NAME, TEXT = "name", '"'
"""What stands for any identifier, and for any string."""

_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|//[^\n]*"""
    r"""|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?"""
    r"""|[^\W\d]\w*|\d[\w.]*"""
    r"""|->|<<=?|>>=?|[-+*/%&|^!<>=]=|&&|\|\||\+\+|--|\S""",
    re.DOTALL,
)
_COMMENT = ("/*", "//")
# What keeps its spelling among the tokens: control flow and basic types of C, C++ and Java.
KEYWORDS = frozenset(
    (
        *("if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "goto"),
        *("try", "catch", "throw", "new", "delete", "instanceof", "sizeof"),
        *("int", "char", "long", "short", "unsigned", "signed", "void", "float", "double", "bool", "boolean", "byte"),
        *("const", "static", "struct", "union", "enum", "class", "register", "inline", "volatile", "extern", "typedef"),
        "final",
    )
)


def tokens(text: str) -> list[str]:
    """The tokens of code; comments are none."""
    return [token for token in _TOKEN.findall(text) if not token.startswith(_COMMENT)]


def is_identifier(token: str) -> bool:
    """Whether a token is a name and no keyword."""
    return (token[0].isalpha() or token[0] == "_") and token not in KEYWORDS


def identifiers(found: list[str]) -> frozenset[str]:
    """The names among tokens."""
    return frozenset(token for token in found if is_identifier(token))


def anonymous(found: list[str]) -> tuple[str, ...]:
    """The tokens with all names alike and all strings alike; numbers and characters stay."""
    return tuple(NAME if is_identifier(token) else TEXT if token[0] == TEXT else token for token in found)
