"""Calls by name in a file: what is called, with how many arguments, on what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from beryl.lang.parsing import SyntaxNode

_TEMPLATE_ARGUMENTS = re.compile(r"<.*>", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$~][\w$]*")
_RECEIVER = re.compile(r"[\w$.:>*\- ()]+")
# A longer receiver is an expression, not a class, a namespace or a variable.
_LONGEST_RECEIVER = 80

CONSTRUCTION = "new"
"""The receiver of `new Name(...)`: the name is the class."""


class CallSite(NamedTuple):
    """A call and where it stands."""

    start: int
    name: str
    arguments: int
    receiver: str


def call_sites(text: bytes, nodes: Iterable[SyntaxNode]) -> list[CallSite]:
    """Calls with a name, by position; calls through an expression (`(*f)(x)`, `table[i](x)`) have none."""
    sites = []
    for node in nodes:
        kind = node.type
        if kind == "call_expression":
            named = _of_c(text, node)
        elif kind == "method_invocation":
            named = _of_java(text, node)
        elif kind == "explicit_constructor_invocation":
            constructor = node.child_by_field_name("constructor")
            named = _text(text, constructor), CONSTRUCTION
        else:
            named = _last(_TEMPLATE_ARGUMENTS.sub("", _text(text, node.child_by_field_name("type")))), CONSTRUCTION
        if named[0]:
            arguments = node.child_by_field_name("arguments")
            sites.append(CallSite(node.start_byte, named[0], _count(arguments), named[1]))
    sites.sort(key=lambda site: site.start)
    return sites


def _text(text: bytes, node: SyntaxNode | None) -> str:
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace") if node is not None else ""


def _last(path: str) -> str:
    return path.replace("::", ".").rpartition(".")[2].strip()


def _receiver(written: str) -> str:
    written = "".join(written.split())
    if len(written) > _LONGEST_RECEIVER or "(" in written or "[" in written:
        return "?"
    return written


def _count(arguments: SyntaxNode | None) -> int:
    if arguments is None:
        return 0
    count = arguments.named_child_count
    if count and b"/" in (arguments.text or b""):
        count = sum(not child.is_extra for child in arguments.named_children)
    return count


def _of_java(text: bytes, node: SyntaxNode) -> tuple[str, str]:
    name = _text(text, node.child_by_field_name("name"))
    target = node.child_by_field_name("object")
    return name, _receiver(_text(text, target)) if target is not None else ""


def _of_c(text: bytes, node: SyntaxNode) -> tuple[str, str]:
    callee = node.child_by_field_name("function")
    if callee is None:
        return "", ""
    kind = callee.type
    if kind == "identifier":
        return _text(text, callee), ""
    if kind == "field_expression":
        name = _TEMPLATE_ARGUMENTS.sub("", _text(text, callee.child_by_field_name("field")))
        return _last(name), _receiver(_text(text, callee.child_by_field_name("argument")))
    if kind in ("qualified_identifier", "template_function"):
        path = _TEMPLATE_ARGUMENTS.sub("", _text(text, callee)).replace("::", ".")
        scope, _, name = path.rpartition(".")
        return name.strip() if _NAME.fullmatch(name.strip()) else "", "".join(scope.split())
    return "", ""
