"""Tokens of observations and labels of trees as numbers: 64-bit hashes, and one byte."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

OTHER_CALLS = "other-calls"
"""The raw column from which unmodeled and user-defined calls are told apart once the whole project is known."""

# Every label that the walk can give a tree; the position is its code. New ones go to the end.
TREE_LABELS = (
    *("seq", "if", "while", "do", "for", "switch"),
    *("+", "-", "*", "/", "%", "<<", ">>", ">>>", "&", "|", "^", "&&", "||", "<", ">", "<=", ">=", "==", "!=", "<=>"),
    *("and", "or", "xor", "bitand", "bitor", "not_eq", "not", "compl", "instanceof"),
    *("+=", "-=", "*=", "/=", "%=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "and_eq", "or_eq", "xor_eq"),
    *("unary-", "unary+", "!", "~", "++", "--", "unary*", "[]", "?:", "sizeof"),
)
_CODES = {label: code for code, label in enumerate(TREE_LABELS)}
UNKNOWN_LABEL = len(TREE_LABELS)
LABEL_COUNT = UNKNOWN_LABEL + 1
_REMEMBERED_TOKENS = 500_000


@lru_cache(maxsize=_REMEMBERED_TOKENS)
def token_hash(token: str) -> int:
    """The 64-bit hash (blake2b) of a token."""
    return int.from_bytes(hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def label_codes(labels: Iterable[str]) -> bytes:
    """One byte per label."""
    return bytes([_CODES.get(label, UNKNOWN_LABEL) for label in labels])
