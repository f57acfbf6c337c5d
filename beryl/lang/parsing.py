"""Bytes -> syntax tree: the only place that loads tree-sitter's grammars."""

from __future__ import annotations

from functools import cache

import tree_sitter

from beryl.types import Language

SyntaxNode = tree_sitter.Node
SyntaxTree = tree_sitter.Tree


@cache
def grammar(language: Language) -> tree_sitter.Language:
    """The grammar of C, C++ or Java, from its official wheel."""
    if language is Language.C:
        import tree_sitter_c as wheel
    elif language is Language.CPP:
        import tree_sitter_cpp as wheel
    else:
        import tree_sitter_java as wheel
    return tree_sitter.Language(wheel.language())


@cache
def _parser(language: Language) -> tree_sitter.Parser:
    return tree_sitter.Parser(grammar(language))


def parse(text: bytes, language: Language) -> SyntaxTree:
    """The syntax tree of a whole file; always a tree, with ERROR nodes where the text is broken."""
    return _parser(language).parse(text)
