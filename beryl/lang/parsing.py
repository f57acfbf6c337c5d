"""Bytes -> syntax tree: the only place that loads tree-sitter's grammars."""

from __future__ import annotations

import importlib
import time
from functools import cache

import tree_sitter

from beryl.errors import InputError
from beryl.types import Language

SyntaxNode = tree_sitter.Node
SyntaxTree = tree_sitter.Tree

# The parser asks for its text piece by piece, and that is where it can be stopped: the binding's progress
# callback crashes the interpreter (0.25 and 0.26). A small file has small pieces, because a grammar can be lost
# in a few hundred bytes; a large one has larger pieces, which keeps the cost of asking under a few per cent.
_PIECES, _SMALLEST_PIECE, _LARGEST_PIECE = 4, 32, 65536


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """The grammar of C, C++ or Java, from its official wheel."""
    return tree_sitter.Language(importlib.import_module(f"tree_sitter_{language.value}").language())


@cache
def _parser(language: Language) -> tree_sitter.Parser:
    return tree_sitter.Parser(grammar(language))


def parse(text: bytes, language: Language, timeout: float = 0.0) -> SyntaxTree:
    """The tree of a whole file, with ERROR nodes where it is broken; InputError after `timeout` s (0: no limit)."""
    if timeout <= 0:
        return _parser(language).parse(text)
    deadline = time.monotonic() + timeout
    piece = min(_LARGEST_PIECE, max(_SMALLEST_PIECE, len(text) // _PIECES))
    expired = False

    def read(offset: int, point: object) -> bytes:
        nonlocal expired
        expired = expired or time.monotonic() > deadline
        return b"" if expired else text[offset : offset + piece]

    tree = _parser(language).parse(read)
    if expired:
        raise InputError(f"parsing took longer than its budget of {timeout:g} s")
    return tree
