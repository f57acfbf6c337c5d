"""Bytes -> syntax tree: the only place that loads tree-sitter's grammars."""

from __future__ import annotations

import importlib
import time
from collections.abc import Sequence
from functools import cache

import tree_sitter

from beryl.errors import InputError
from beryl.types import Language

SyntaxNode = tree_sitter.Node
SyntaxTree = tree_sitter.Tree
Grammar = tree_sitter.Language

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


@cache
def _part_parser(language: Language) -> tree_sitter.Parser:
    return tree_sitter.Parser(grammar(language))


def parse(text: bytes, language: Language, timeout: float = 0.0) -> SyntaxTree:
    """The tree of a whole file, with ERROR nodes where it is broken; InputError after `timeout` s (0: no limit)."""
    return _parse(_parser(language), text, timeout)


def parse_parts(text: bytes, language: Language, parts: Sequence[tuple[int, int]], timeout: float) -> SyntaxTree:
    """The tree of these byte ranges, as if the rest were blank; its positions are those of the whole file."""
    parser = _part_parser(language)
    # Rows and columns are never read; byte positions are what counts.
    parser.included_ranges = [tree_sitter.Range((0, start), (0, end), start, end) for start, end in parts]
    return _parse(parser, text, timeout)


def _parse(parser: tree_sitter.Parser, text: bytes, timeout: float) -> SyntaxTree:
    if timeout <= 0:
        return parser.parse(text)
    deadline = time.monotonic() + timeout
    piece = min(_LARGEST_PIECE, max(_SMALLEST_PIECE, len(text) // _PIECES))
    expired = False

    def read(offset: int, point: object) -> bytes:
        nonlocal expired
        expired = expired or time.monotonic() > deadline
        return b"" if expired else text[offset : offset + piece]

    tree = parser.parse(read)
    if expired:
        raise InputError(f"parsing took longer than its budget of {timeout:g} s")
    return tree
