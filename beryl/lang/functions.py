"""Which functions a file has: names, signatures, flags, bodies, the comment before each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from beryl.lang.parsing import SyntaxNode, grammar
from beryl.lang.spec import LanguageSpec
from beryl.lang.text import one_line, without_template_arguments
from beryl.types import FunctionFlag, Language

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_BETWEEN_COMMENT_AND_FUNCTION = re.compile(r'\s*(?:template\s*<[^;{}]*>\s*)?(?:extern\s*"C"\s*)?')
# `operator bool() const`: the tree has no name there that ends before the parentheses.
_CONVERSION = re.compile(r"(.*\boperator\s+[^()]*[^()\s])\s*\(.*")
# A comment further than this from its function, template header included, is not about it.
_COMMENT_GAP = 300


class Definition(NamedTuple):
    """A function found in a syntax tree."""

    node: SyntaxNode
    body: tuple[int, int]
    """First byte and end; the nodes of a body live only while its graph is built."""
    before: tuple[SyntaxNode, ...]
    """What runs before the body: C++ field initialisers."""
    name: str
    qualified: str
    signature: str
    parameters: int
    flags: int
    owner: str
    """The class or namespace around it, '' where there is none."""
    base: str
    """The class that its owner extends, where the text says so."""


class _Fields(NamedTuple):
    name: int
    body: int
    parameters: int
    declarator: int
    type: int
    type_parameters: int


@cache
def _fields(language: Language) -> _Fields:
    return _Fields(*(grammar(language).field_id_for_name(name) or 0 for name in _Fields._fields))


@cache
def _kind(language: Language, name: str) -> int:
    return grammar(language).id_for_node_kind(name, True) or 0


_Header = tuple[str, int, int, int]
"""What the two families of languages read differently: name, start of the signature, parameters, flags."""


@dataclass(slots=True)
class _Scope:
    """A class, a namespace or a function around the place where we are; the outermost is the file."""

    end: int
    path: tuple[str, ...] = ()
    """Names of the classes and namespaces, from the outermost."""
    base: str = ""
    """What the innermost class extends."""
    lambdas: int = 0


def definitions(source: str, spec: LanguageSpec, found: Mapping[str, list[SyntaxNode]]) -> list[Definition]:
    """All functions with a body, by position; the scopes around them give the qualified names."""
    events = [
        (node.start_byte, -node.end_byte, role, node)
        for role, nodes in enumerate((found.get("scope", ()), found.get("function", ()), found.get("lambda", ())))
        for node in nodes
    ]
    if spec.blocks_in:
        events += [(node.start_byte, -node.end_byte, 1, node) for node in _initialiser_blocks(spec, found)]
    events.sort(key=itemgetter(0, 1, 2))
    fields = _fields(spec.language)
    scopes = [_Scope(len(source) + 1)]
    result: list[Definition] = []
    starts = [start for start, _, _, _ in events[1:]]
    for (start, negative_end, role, node), following in zip(events, [*starts, len(source)], strict=False):
        while scopes[-1].end <= start:
            scopes.pop()
        around = scopes[-1]
        if role == 0:
            scopes.append(_scope(source, spec, node, around))
            continue
        definition = _definition(source, spec, node, around, fields)
        if definition is not None:
            result.append(definition)
            if following < -negative_end:
                scopes.append(_Scope(-negative_end, around.path, around.base))
    return result


def _initialiser_blocks(spec: LanguageSpec, found: Mapping[str, list[SyntaxNode]]) -> Iterator[SyntaxNode]:
    """Blocks directly in a class; a pattern for them in the query would be tried at every node of the class."""
    outer, block = {_kind(spec.language, name) for name in spec.blocks_in}, _kind(spec.language, "block")
    body = _fields(spec.language).body
    bodies = [*(node.child_by_field_id(body) for node in found.get("scope", ())), *found.get("hole", ())]
    while bodies:
        each = bodies.pop()
        if each is None or each.kind_id not in outer:
            continue
        for child in each.named_children:
            if child.kind_id == block:
                yield child
            elif child.kind_id in outer:  # what follows the constants of an enum
                bodies.append(child)


def _scope(source: str, spec: LanguageSpec, node: SyntaxNode, around: _Scope) -> _Scope:
    kind = node.type
    name = node.child_by_field_name(spec.containers[kind])
    label = without_template_arguments(one_line(source, name.start_byte, name.end_byte)) if name is not None else ""
    if not label:
        return _Scope(node.end_byte, around.path, around.base)
    base = ""
    if kind == "class_declaration":
        extends = node.child_by_field_name("superclass")
        if extends is not None:
            base = without_template_arguments(one_line(source, extends.start_byte + len("extends"), extends.end_byte))
    return _Scope(node.end_byte, (*around.path, label.replace("::", ".")), base.strip())


def _definition(
    source: str, spec: LanguageSpec, node: SyntaxNode, around: _Scope, fields: _Fields
) -> Definition | None:
    body = body_of(node, spec.language)
    if body is None:
        return None
    begin = body.start_byte
    path = around.path
    flags = int(FunctionFlag.DAMAGED) if node.has_error else 0
    before: tuple[SyntaxNode, ...] = ()
    if spec.language is Language.JAVA:
        name, start, parameters, more = _java_header(source, node, around, fields)
    else:
        written, start, parameters, more = _c_header(source, node, around, fields)
        scope, operator, type_ = written.partition("operator ")
        *outer, name = [part.strip() for part in without_template_arguments(scope).split("::")]
        name += operator + type_
        path += tuple(part for part in outer if part) if outer else ()
        if spec.language is Language.CPP:
            lists = [child for child in node.named_children if child.type == "field_initializer_list"]
            before = tuple(each for child in lists for each in child.named_children if not each.is_extra)
            more |= FunctionFlag.CONSTRUCTOR if path and path[-1] == name else 0
    owner = path[-1] if path else ""
    signature = one_line(source, start, begin) or name
    qualified = ".".join((*path, name))
    span = begin, body.end_byte
    return Definition(node, span, before, name, qualified, signature, parameters, flags | more, owner, around.base)


def body_of(node: SyntaxNode, language: Language) -> SyntaxNode | None:
    """The body of a function, a lambda or an initialiser; None where it is only declared."""
    body = node.child_by_field_id(_fields(language).body)
    if body is not None:
        return body
    kind = node.type
    if kind == "block":
        return node
    return node.named_children[-1] if kind == "static_initializer" else None


def _count(parameters: SyntaxNode | None, source: str) -> tuple[int, int]:
    """How many parameters, and the variadic flag. C's `...` is no parameter, Java's `T...` is one."""
    if parameters is None:
        return 0, 0
    written = source[parameters.start_byte : parameters.end_byte]
    if written == "()":
        return 0, 0
    if parameters.type == "identifier":
        return 1, 0
    count = parameters.named_child_count
    variadic = "..." in written
    if variadic or "/" in written or "@" in written or " this" in written:
        ignored = ("variadic_parameter", "receiver_parameter")
        count = sum(not child.is_extra and child.type not in ignored for child in parameters.named_children)
    elif count == 1 and written[1:-1].strip() == "void":
        count = 0
    return count, int(FunctionFlag.VARIADIC) if variadic else 0


def _java_header(source: str, node: SyntaxNode, around: _Scope, fields: _Fields) -> _Header:
    kind = node.type
    if kind in ("static_initializer", "block"):
        static = FunctionFlag.STATIC if kind == "static_initializer" else 0
        return "<clinit>" if static else "<init>", node.start_byte, 0, FunctionFlag.INITIALISER | static
    parameters, flags = _count(node.child_by_field_id(fields.parameters), source)
    if kind == "lambda_expression":
        return _lambda_name(source, node, around), node.start_byte, parameters, flags | FunctionFlag.LAMBDA
    identifier = node.child_by_field_id(fields.name)
    name = source[identifier.start_byte : identifier.end_byte] if identifier is not None else "?"
    start = identifier.start_byte if identifier is not None else node.start_byte
    if kind != "method_declaration":
        return name, start, parameters, flags | FunctionFlag.CONSTRUCTOR
    first = node.child_by_field_id(fields.type_parameters) or node.child_by_field_id(fields.type)
    if first is not None:
        start = first.start_byte
    modifiers = source[node.start_byte : start]
    if "static" in modifiers and "static" in modifiers.split():
        flags |= FunctionFlag.STATIC
    return name, start, parameters, flags


def _lambda_name(source: str, node: SyntaxNode, around: _Scope) -> str:
    """The variable that a lambda is assigned to, or a numbered name within what is around it."""
    assigned = _ASSIGNED.search(source, max(0, node.start_byte - _LONGEST_ASSIGNED), node.start_byte)
    if assigned:
        return assigned.group(1)
    around.lambdas += 1
    return f"lambda${around.lambdas}"


# `name =` directly before a lambda; asking the tree for the parent would walk down from the root.
_ASSIGNED = re.compile(r"([A-Za-z_$][\w$]*)\s*=\s*$")
_LONGEST_ASSIGNED = 80


def _c_header(source: str, node: SyntaxNode, around: _Scope, fields: _Fields) -> _Header:
    """The name still has `A::` before it."""
    declarator = node.child_by_field_id(fields.declarator)
    if node.type == "lambda_expression":
        parameters, flags = _count(declarator and declarator.child_by_field_id(fields.parameters), source)
        return _lambda_name(source, node, around), node.start_byte, parameters, flags | FunctionFlag.LAMBDA
    function, last = None, declarator
    specifiers = source[node.start_byte : declarator.start_byte] if declarator is not None else ""
    while declarator is not None:
        last = declarator
        kind = declarator.type
        if kind == "operator_cast":
            break
        if kind == "function_declarator":
            function = declarator
        inner = declarator.child_by_field_id(fields.declarator)
        if inner is None and kind in ("parenthesized_declarator", "reference_declarator"):
            inner = next((child for child in declarator.named_children if not child.is_extra), None)
        declarator = inner
    parameters, flags = _count(function.child_by_field_id(fields.parameters) if function is not None else None, source)
    name = one_line(source, last.start_byte, last.end_byte) if last is not None else ""
    if "operator " in name:
        name = _CONVERSION.sub(r"\1", name)
    if not name:
        match = _IDENTIFIER.search(source, node.start_byte, node.end_byte)
        name = match.group() if match else "?"
    if "static" in specifiers and "static" in specifiers.split():
        flags |= FunctionFlag.STATIC
    return name, node.start_byte, parameters, flags


def comment_before(source: str, start: int) -> tuple[int, int]:
    """Byte range of the comment that stands directly before a function; (start, start) where there is none."""
    window = max(0, start - _COMMENT_GAP)
    closing = source.rfind("*/", window, start)
    if closing >= 0 and _BETWEEN_COMMENT_AND_FUNCTION.fullmatch(source, closing + 2, start):
        opening = source.rfind("/*", 0, closing)
        return (opening, closing + 2) if opening >= 0 else (start, start)
    first, end = start, start
    line_end = source.rfind("\n", window, start)
    while line_end > 0:
        line_start = source.rfind("\n", 0, line_end) + 1
        line = source[line_start:line_end]
        if not line.lstrip().startswith("//"):
            break
        end = line_end if first == start else end
        first = line_start + line.index("//")
        line_end = line_start - 1
    return first, end
