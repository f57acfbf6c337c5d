"""Which functions a file has: names, signatures, flags, bodies, the comment before each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from beryl.lang.parsing import SyntaxNode
from beryl.lang.spec import LanguageSpec
from beryl.types import FunctionFlag, Language

_TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
_LAST_WORD = re.compile(rb"[A-Za-z_]\w*")
_BETWEEN_COMMENT_AND_FUNCTION = re.compile(rb'\s*(?:template\s*<[^;{}]*>\s*)?(?:extern\s*"C"\s*)?')
# A comment further than this from its function, template header included, is not about it.
_COMMENT_GAP = 300


@dataclass(frozen=True, slots=True)
class Definition:
    """A function found in a syntax tree."""

    node: SyntaxNode
    body: SyntaxNode
    before: tuple[SyntaxNode, ...]
    """What runs before the body: C++ field initialisers."""
    name: str
    qualified: str
    signature: str
    parameters: int
    flags: int
    owner: str
    """The class around it, '' where there is none."""
    base: str
    """The class that its owner extends, where the text says so."""


@dataclass(slots=True)
class _Scope:
    end: int
    name: str
    is_type: bool
    base: str
    lambdas: int = 0


def words(text: bytes, start: int, end: int) -> str:
    """Source text on one line."""
    return " ".join(text[start:end].decode("utf-8", "replace").split())


def definitions(text: bytes, spec: LanguageSpec, found: dict[str, list[SyntaxNode]]) -> list[Definition]:
    """All functions with a body, by position; scopes give the qualified names."""
    events = [(node.start_byte, -node.end_byte, 0, node) for node in found.get("scope", ())]
    events += [(node.start_byte, -node.end_byte, 1, node) for node in found.get("function", ())]
    events += [(node.start_byte, -node.end_byte, 2, node) for node in found.get("lambda", ())]
    events.sort(key=lambda event: event[:3])
    scopes: list[_Scope] = []
    result: list[Definition] = []
    for start, negative_end, role, node in events:
        while scopes and scopes[-1].end <= start:
            scopes.pop()
        if role == 0:
            scope = _scope(text, spec, node)
            if scope is not None:
                scopes.append(scope)
            continue
        definition = _definition(text, spec, node, scopes)
        if definition is not None:
            result.append(definition)
            scopes.append(_Scope(-negative_end, "", False, ""))
    return result


def _scope(text: bytes, spec: LanguageSpec, node: SyntaxNode) -> _Scope | None:
    name = node.child_by_field_name(spec.containers[node.type])
    if node.type == "object_creation_expression" and not any(c.type == "class_body" for c in node.named_children):
        return None
    label = _TEMPLATE_ARGUMENTS.sub("", words(text, name.start_byte, name.end_byte)) if name is not None else ""
    base = ""
    if node.type == "class_declaration":
        superclass = node.child_by_field_name("superclass")
        if superclass is not None:
            base = _TEMPLATE_ARGUMENTS.sub("", words(text, superclass.start_byte + 7, superclass.end_byte)).strip()
    is_type = node.type not in ("namespace_definition",)
    return _Scope(node.end_byte, label.replace("::", "."), is_type, base)


def _definition(text: bytes, spec: LanguageSpec, node: SyntaxNode, scopes: Sequence[_Scope]) -> Definition | None:
    body = node.child_by_field_name("body")
    if body is None and node.type == "static_initializer":
        body = node.named_children[-1]
    elif body is None and node.type in ("block", "compound_statement"):
        body = node
    if body is None:
        return None
    owner = next((scope for scope in reversed(scopes) if scope.is_type), None)
    path = [scope.name for scope in scopes if scope.name]
    flags = int(FunctionFlag.DAMAGED) if node.has_error else 0
    before: tuple[SyntaxNode, ...] = ()
    if spec.language is Language.JAVA:
        name, start, parameters, more = _java(text, node, scopes)
    else:
        name, start, parameters, more = _c(text, node, scopes)
        parts = [_TEMPLATE_ARGUMENTS.sub("", part).strip() for part in _TEMPLATE_ARGUMENTS.sub("", name).split("::")]
        path, name = path + [part for part in parts[:-1] if part], parts[-1]
        lists = [child for child in node.named_children if child.type == "field_initializer_list"]
        before = tuple(each for child in lists for each in child.named_children if not each.is_extra)
        if len(path) and path[-1] == name and spec.language is Language.CPP:
            more |= FunctionFlag.CONSTRUCTOR
    end = body.start_byte if node.type != "block" else node.start_byte
    return Definition(
        node,
        body,
        before,
        name,
        ".".join([*path, name]),
        words(text, start, end).rstrip("{ ") or name,
        parameters,
        flags | more,
        path[-1] if path and (owner is not None or len(path) > 0) else "",
        owner.base if owner is not None else "",
    )


def _count(parameters: SyntaxNode | None, text: bytes) -> tuple[int, int]:
    """How many parameters, and the variadic flag."""
    if parameters is None:
        return 0, 0
    if parameters.type == "identifier":
        return 1, 0
    inside = [child for child in parameters.named_children if not child.is_extra and child.type != "receiver_parameter"]
    variadic = any(child.type in ("variadic_parameter", "spread_parameter") for child in inside)
    variadic = variadic or any(child.type == "..." for child in parameters.children[-3:])
    count = sum(child.type not in ("variadic_parameter",) for child in inside)
    if len(inside) == 1 and text[inside[0].start_byte : inside[0].end_byte].strip() == b"void":
        count = 0
    return count, int(FunctionFlag.VARIADIC) if variadic else 0


def _java(text: bytes, node: SyntaxNode, scopes: Sequence[_Scope]) -> tuple[str, int, int, int]:
    """Name, where the signature starts, parameter count, flags."""
    kind = node.type
    if kind == "lambda_expression":
        parameters, flags = _count(node.child_by_field_name("parameters"), text)
        return _lambda_name(text, node, scopes), node.start_byte, parameters, flags | FunctionFlag.LAMBDA
    if kind in ("static_initializer", "block"):
        static = FunctionFlag.STATIC if kind == "static_initializer" else 0
        return "<clinit>" if static else "<init>", node.start_byte, 0, FunctionFlag.INITIALISER | static
    identifier = node.child_by_field_name("name")
    name = words(text, identifier.start_byte, identifier.end_byte) if identifier is not None else ""
    parameters, flags = _count(node.child_by_field_name("parameters"), text)
    if kind != "method_declaration":
        return name, identifier.start_byte if identifier is not None else node.start_byte, parameters, (
            flags | FunctionFlag.CONSTRUCTOR
        )
    type_ = node.child_by_field_name("type_parameters") or node.child_by_field_name("type")
    start = type_.start_byte if type_ is not None else node.start_byte
    if b"static" in text[node.start_byte : start].split():
        flags |= FunctionFlag.STATIC
    return name, start, parameters, flags


def _lambda_name(text: bytes, node: SyntaxNode, scopes: Sequence[_Scope]) -> str:
    """The variable that a lambda is assigned to, or a numbered name within the function around it."""
    parent = node.parent
    if parent is not None and parent.type in ("variable_declarator", "init_declarator"):
        target = parent.child_by_field_name("name") or parent.child_by_field_name("declarator")
        if target is not None and target.type == "identifier":
            return words(text, target.start_byte, target.end_byte)
    if scopes:
        scopes[-1].lambdas += 1
        return f"lambda${scopes[-1].lambdas}"
    return "lambda$1"


def _c(text: bytes, node: SyntaxNode, scopes: Sequence[_Scope]) -> tuple[str, int, int, int]:
    """Name (with `A::` before it), where the signature starts, parameter count, flags."""
    if node.type == "lambda_expression":
        declarator = node.child_by_field_name("declarator")
        parameters, flags = _count(declarator and declarator.child_by_field_name("parameters"), text)
        return _lambda_name(text, node, scopes), node.start_byte, parameters, flags | FunctionFlag.LAMBDA
    declarator = node.child_by_field_name("declarator")
    function: SyntaxNode | None = None
    last = declarator
    while declarator is not None:
        last = declarator
        if declarator.type == "function_declarator":
            function = declarator
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type in ("parenthesized_declarator", "reference_declarator"):
            inner = next((child for child in declarator.named_children if not child.is_extra), None)
        declarator = inner
    parameters, flags = _count(function.child_by_field_name("parameters") if function else None, text)
    name = words(text, last.start_byte, last.end_byte) if last is not None else ""
    if not name:
        match = _LAST_WORD.search(text, node.start_byte, node.end_byte)
        name = match.group().decode() if match else "?"
    if any(child.type == "storage_class_specifier" and child.text == b"static" for child in node.named_children[:4]):
        flags |= FunctionFlag.STATIC
    return name, node.start_byte, parameters, flags


def comment_before(text: bytes, start: int) -> tuple[int, int]:
    """Byte range of the comment that stands directly before a function; (start, start) where there is none."""
    first = start
    window = max(0, start - _COMMENT_GAP)
    gap = text[window:start]
    block = gap.rfind(b"*/")
    if block >= 0 and _BETWEEN_COMMENT_AND_FUNCTION.fullmatch(gap, block + 2):
        opening = text.rfind(b"/*", 0, window + block)
        if opening >= 0:
            return opening, window + block + 2
    end = len(text[:0])
    line_end = text.rfind(b"\n", window, start)
    while line_end > 0:
        line_start = text.rfind(b"\n", 0, line_end) + 1
        line = text[line_start:line_end].strip()
        if not line.startswith(b"//"):
            break
        first, end = line_start + text[line_start:line_end].index(b"//"), max(end, line_end)
        line_end = line_start - 1
    return (first, end) if end else (start, start)
