"""What a file declares at its top level: typedefs, fields of structures, return types, variables, numeric macros."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields

from beryl.features import literals
from beryl.features.facts import Declarations
from beryl.features.typenames import declared, normalise
from beryl.lang.parsing import SyntaxNode

_NUMBER = re.compile(r"\(?\s*(-?)\s*(0[xX][0-9a-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)([uUlLfF]*)\s*\)?")
_STRUCTURES = frozenset({"struct_specifier", "union_specifier", "class_specifier"})
_TRANSPARENT = frozenset(
    (
        *("translation_unit", "program", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"),
        *("linkage_specification", "declaration_list", "namespace_definition", "template_declaration"),
        *("class_body", "enum_body", "enum_body_declarations", "interface_body"),
    )
)
_JAVA_TYPES = frozenset({"class_declaration", "enum_declaration", "interface_declaration", "record_declaration"})

Tables = dict[str, dict[str, str]]


def collect(root: SyntaxNode, text: bytes) -> Declarations:
    """The declarations of one file, the first of each name."""
    tables: Tables = {item.name: {} for item in fields(Declarations)}
    for node in _top(root):
        _read(node, text, tables)
    return Declarations(**tables)


def merged(parts: Iterable[Declarations]) -> Declarations:
    """The declarations of many files; the first file that has a name wins."""
    tables: Tables = {item.name: {} for item in fields(Declarations)}
    for part in parts:
        for name, table in tables.items():
            for key, value in getattr(part, name).items():
                table.setdefault(key, value)
    return Declarations(**tables)


def _top(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """Declarations in order, through preprocessor conditions, namespaces and Java classes."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _TRANSPARENT:
            stack.extend(reversed(node.named_children))
        elif node.type in _JAVA_TYPES:
            body = node.child_by_field_name("body")
            if body is not None:
                stack.append(body)
        else:
            yield node


def _read(node: SyntaxNode, text: bytes, tables: Tables) -> None:
    what = node.type
    kind_node = node.child_by_field_name("type")
    if kind_node is not None and kind_node.type in _STRUCTURES:
        _members(kind_node, text, tables)
    if what in _STRUCTURES:
        _members(node, text, tables)
    elif what == "preproc_def":
        _macro(node, text, tables["macros"])
    elif what == "method_declaration":
        name = node.child_by_field_name("name")
        if name is not None and kind_node is not None:
            tables["returns"].setdefault(_word(text, name), normalise(_bytes(text, kind_node)))
    elif what in ("type_definition", "declaration", "function_definition", "field_declaration"):
        _declarators(node, text, tables)


def _declarators(node: SyntaxNode, text: bytes, tables: Tables) -> None:
    kind_node = node.child_by_field_name("type")
    if kind_node is None:
        return
    written = normalise(_bytes(text, kind_node))
    for declarator in node.children_by_field_name("declarator"):
        if declarator.type == "variable_declarator":
            identifier = declarator.child_by_field_name("name")
            name, kind = _word(text, identifier) if identifier is not None else "", written
        else:
            name, kind = declared(text, written, declarator)
        if not name:
            continue
        if node.type == "type_definition":
            if kind != name and not kind.startswith("*"):
                tables["typedefs"].setdefault(name, kind)
        elif "()" in kind:
            tables["returns"].setdefault(name, kind.replace("()", ""))
        else:
            tables["globals"].setdefault(name, kind)


def _members(node: SyntaxNode, text: bytes, tables: Tables) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return
    owner = normalise(_bytes(text, name)) if name is not None else ""
    if not owner and node.parent is not None and node.parent.type == "type_definition":
        alias = node.parent.child_by_field_name("declarator")
        owner = _word(text, alias) if alias is not None else ""
    if not owner:
        return
    for member in body.named_children:
        kind_node = member.child_by_field_name("type")
        if member.type != "field_declaration" or kind_node is None:
            continue
        written = normalise(_bytes(text, kind_node))
        for declarator in member.children_by_field_name("declarator"):
            field, kind = declared(text, written, declarator)
            if field and "()" not in kind:
                tables["fields"].setdefault(f"{owner}.{field}", kind)


def _macro(node: SyntaxNode, text: bytes, macros: dict[str, str]) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return
    found = _NUMBER.fullmatch(_word(text, value).strip())
    if found:
        macros.setdefault(_word(text, name), found[1] + literals.number(found[2] + found[3]))


def _bytes(text: bytes, node: SyntaxNode) -> bytes:
    return text[node.start_byte : node.end_byte]


def _word(text: bytes, node: SyntaxNode) -> str:
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace")
