"""Calls by name in a file: what is called, with how many arguments, on what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from beryl.lang.parsing import SyntaxNode, grammar
from beryl.lang.text import readable, without_template_arguments
from beryl.types import Language

_NAME = re.compile(r"~?[A-Za-z_$][\w$]*")
# `name(a, "b")`, `object.name(x[1], (int) y)`, `new Name(2)`: most calls, whose text says as much as the tree. Commas
# inside strings, inner parentheses or `<>` do not match. Not in C++, where a type may stand for the name.
_PLAIN = r"""[^(){}"'/#<]*+"""
_WITHIN = r"""\([^(),{}"'/#]*+(?:\([^(),{}"'/#]*+\)[^(),{}"'/#]*+)*+\)"""
_SIMPLE_CALL = re.compile(rf"""(new )?+([^\W\d][\w.]*+) ?\(({_PLAIN}(?:(?:"[^"\\\n,]*+"|{_WITHIN}){_PLAIN})*+)\)""")
# The same up to the arguments, for a call with calls among them.
_HEAD = re.compile(r"(?!(?:this|super)\b)([^\W\d][\w.]*+) ?(?=\()")
_NEVER = re.compile(r"(?!)")
# A longer receiver is an expression, not a class, a namespace or a variable.
_LONGEST_RECEIVER = 60

CONSTRUCTION = "new"
"""The receiver of `new Name(...)`, `this(...)` and `super(...)`: the name is the class."""
EXPRESSION = "?"
"""The receiver of a call on the value of an expression, as in a chain of calls."""


CallSite = tuple[int, str, int, str]
"""Where a call stands, its name, its number of arguments, its receiver."""


class _Fields(NamedTuple):
    name: int
    object: int
    arguments: int
    function: int
    field: int
    argument: int
    type: int
    constructor: int


@cache
def _fields(language: Language) -> _Fields:
    return _Fields(*(grammar(language).field_id_for_name(name) or 0 for name in _Fields._fields))


def call_sites(source: str, language: Language, nodes: Iterable[SyntaxNode]) -> list[CallSite]:
    """Calls with a name, by position; calls through an expression (`(*f)(x)`, `table[i](x)`) have none."""
    fields, readers = _fields(language), _readers(language)
    cpp, plain = language is Language.CPP, source.isascii()
    simple, head = (_NEVER if cpp else _SIMPLE_CALL).fullmatch, (_NEVER if cpp else _HEAD).match
    sites: list[CallSite] = []
    for node in nodes:
        start = node.start_byte
        written = simple(source, start, node.end_byte)
        if written:
            new, path, within = written.groups()
            receiver, _, name = path.rpartition(".")
            count = within.count(",") + 1 if within and not within.isspace() else 0
            if new:
                receiver = CONSTRUCTION
            elif len(receiver) > _LONGEST_RECEIVER:
                receiver = EXPRESSION
        else:
            arguments = node.child_by_field_id(fields.arguments)
            begun = head(source, start)
            if begun and arguments is not None and arguments.start_byte == begun.end():
                receiver, _, name = begun[1].rpartition(".")
                if len(receiver) > _LONGEST_RECEIVER:
                    receiver = EXPRESSION
            else:
                name, receiver = readers[node.kind_id](source, node, fields)
                if not name:
                    continue
            count = _arguments(source, arguments)
        if not plain:
            name, receiver = readable(name), readable(receiver)
        sites.append((start, name, count, receiver))
    sites.sort()  # by all: tree-sitter hands out captures in no fixed order, and chained calls start at one place
    return sites


def _arguments(source: str, arguments: SyntaxNode | None) -> int:
    """How many arguments, comments not counted."""
    if arguments is None:
        return 0
    count = arguments.named_child_count
    if count and source.find("/", arguments.start_byte, arguments.end_byte) >= 0:
        count = sum(not child.is_extra for child in arguments.named_children)
    return count


def _method(source: str, node: SyntaxNode, fields: _Fields) -> tuple[str, str]:
    """Name and receiver of Java's `object.name(...)`."""
    method = node.child_by_field_id(fields.name)
    if method is None:
        return "", ""
    start = method.start_byte
    name = source[start : method.end_byte]
    return name, "" if start == node.start_byte else _receiver(source, node.child_by_field_id(fields.object))


def _function(source: str, node: SyntaxNode, fields: _Fields) -> tuple[str, str]:
    """Name and receiver of a call in C and C++; no name where the callee is an expression."""
    callee = node.child_by_field_id(fields.function)
    return _called(source, callee, fields) if callee is not None else ("", "")


def _creation(source: str, node: SyntaxNode, fields: _Fields) -> tuple[str, str]:
    """The class of `new Name(...)`."""
    return _built(source, node.child_by_field_id(fields.type)), CONSTRUCTION


def _constructor(source: str, node: SyntaxNode, fields: _Fields) -> tuple[str, str]:
    """`this(...)` or `super(...)`."""
    return _built(source, node.child_by_field_id(fields.constructor)), CONSTRUCTION


def _built(source: str, built: SyntaxNode | None) -> str:
    path = without_template_arguments(source[built.start_byte : built.end_byte]) if built is not None else ""
    name = path.replace("::", ".").rpartition(".")[2].strip()
    return name if _NAME.fullmatch(name) else ""


Reader = Callable[[str, SyntaxNode, _Fields], tuple[str, str]]
_READERS: dict[str, Reader] = {
    "method_invocation": _method,
    "call_expression": _function,
    "explicit_constructor_invocation": _constructor,
    "object_creation_expression": _creation,
    "new_expression": _creation,
}


@cache
def _readers(language: Language) -> dict[int, Reader]:
    """What reads each kind of call, by its number."""
    symbols = grammar(language)
    kinds = ((kind, symbols.node_kind_for_id(kind) or "") for kind in range(symbols.node_kind_count))
    return {kind: _READERS[name] for kind, name in kinds if name in _READERS}


def _called(source: str, callee: SyntaxNode, fields: _Fields) -> tuple[str, str]:
    kind = callee.type
    if kind == "identifier":
        return source[callee.start_byte : callee.end_byte], ""
    if kind == "field_expression":
        field = callee.child_by_field_id(fields.field)
        path = source[field.start_byte : field.end_byte] if field is not None else ""
        receiver = _receiver(source, callee.child_by_field_id(fields.argument))
    elif kind in ("qualified_identifier", "template_function"):
        path, receiver = source[callee.start_byte : callee.end_byte], ""
    else:
        return "", ""
    scope, _, name = without_template_arguments(path).replace("::", ".").rpartition(".")
    name = name.strip()
    return name if _NAME.fullmatch(name) else "", receiver or "".join(scope.split())


def _receiver(source: str, target: SyntaxNode | None) -> str:
    if target is None:
        return ""
    start, end = target.start_byte, target.end_byte
    if end - start > _LONGEST_RECEIVER:
        return EXPRESSION
    written = source[start:end]
    if "(" in written or "[" in written or '"' in written:
        return EXPRESSION
    return written if " " not in written and "\n" not in written else "".join(written.split())
