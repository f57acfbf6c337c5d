"""C++ with every name that the program itself declares replaced: v1, f1, t1, a1, m1 say nothing but stay consistent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from beryl.lang.parsing import SyntaxNode, parse
from beryl.types import Language

VARIABLE, FUNCTION, TYPE, FIELD, MACRO = "v", "f", "t", "a", "m"
_KEPT = frozenset({"main"})
_WORD = re.compile(r"[A-Za-z_]\w*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_LEAVES = frozenset({"identifier", "type_identifier", "field_identifier"})
# Who declares something through declarators or by a name, and what is declared.
_DECLARATIONS = {
    "declaration": VARIABLE,
    "parameter_declaration": VARIABLE,
    "optional_parameter_declaration": VARIABLE,
    "for_range_loop": VARIABLE,
    "function_definition": VARIABLE,
    "field_declaration": FIELD,
    "type_definition": TYPE,
}
_NAMED = {
    "struct_specifier": TYPE,
    "class_specifier": TYPE,
    "union_specifier": TYPE,
    "enum_specifier": TYPE,
    "alias_declaration": TYPE,
    "enumerator": VARIABLE,
    "preproc_def": MACRO,
    "preproc_function_def": MACRO,
}
_TYPE_PARAMETERS = frozenset({"type_parameter_declaration", "variadic_type_parameter_declaration"})


def renamed(text: str) -> str:
    """The program with its own names replaced, the same name always by the same; what it does not declare stays."""
    data = text.encode("utf-8")
    root = parse(data, Language.CPP).root_node
    names, fields = _declared(root)
    pieces, end = [], 0
    for leaf, new in _replacements(root, names, fields):
        pieces += [data[end : leaf.start_byte].decode("utf-8"), new]
        end = leaf.end_byte
    return "".join([*pieces, data[end:].decode("utf-8")])


def _replacements(root: SyntaxNode, names: dict[str, str], fields: dict[str, str]) -> Iterator[tuple[SyntaxNode, str]]:
    plain = {**fields, **names}
    for node in _walk(root):
        if node.type == "preproc_arg":
            yield node, _WORD.sub(lambda found: plain.get(found[0], found[0]), _text(node))
        elif node.type in _LEAVES and not _library(node):
            known = fields if node.type == "field_identifier" else plain
            if _text(node) in known:
                yield node, known[_text(node)]


def _library(node: SyntaxNode) -> bool:
    """Whether it is the name after `std::`, or after any other class that the text names."""
    parent = node.parent
    return parent is not None and parent.type == "qualified_identifier" and parent.child_by_field_name("scope") != node


def _declared(root: SyntaxNode) -> tuple[dict[str, str], dict[str, str]]:
    """Names that the program declares, and members that its classes declare, with what each is to be called."""
    names: dict[str, str] = {}
    fields: dict[str, str] = {}
    counts: dict[str, int] = {}

    def declare(name: str, kind: str) -> None:
        held = fields if kind == FIELD else names
        if name and name not in _KEPT and name not in held:
            counts[kind] = counts.get(kind, 0) + 1
            held[name] = f"{kind}{counts[kind]}"

    for node in _walk(root):
        if node.type in _DECLARATIONS:
            for declarator in node.children_by_field_name("declarator"):
                _declarator(declarator, _DECLARATIONS[node.type], declare)
        elif node.type in _NAMED:
            if (name := node.child_by_field_name("name")) is not None and _defines(node):
                declare(_text(name), _NAMED[node.type])
            if (parameters := node.child_by_field_name("parameters")) is not None:
                for one in parameters.named_children:
                    declare(_text(one), VARIABLE)
        elif node.type in _TYPE_PARAMETERS:
            for one in node.named_children:
                declare(_text(one), TYPE)
    return names, fields


def _defines(node: SyntaxNode) -> bool:
    """Whether a class is defined here, not only spoken of."""
    return not node.type.endswith("_specifier") or node.child_by_field_name("body") is not None


def _declarator(node: SyntaxNode | None, kind: str, declare: Callable[[str, str], None]) -> None:
    """Follow a declarator through pointers, arrays and initial values to the name in it."""
    while node is not None and node.type not in _LEAVES:
        if node.type == "function_declarator":
            kind = FIELD if kind == FIELD else FUNCTION
        if node.type in ("structured_binding_declarator", "qualified_identifier", "operator_name", "destructor_name"):
            break
        inner = node.child_by_field_name("declarator")
        node = inner if inner is not None or not node.type.endswith("declarator") else _last_declarator(node)
    if node is None:
        return
    if node.type == "structured_binding_declarator":
        for one in node.named_children:
            declare(_text(one), VARIABLE)
    elif node.type in _LEAVES:
        declare(_text(node), FIELD if node.type == "field_identifier" else kind)


def _last_declarator(node: SyntaxNode) -> SyntaxNode | None:
    """`&name` and `(name)` have no field that leads to the name."""
    found = [one for one in node.named_children if one.type in _LEAVES or one.type.endswith("declarator")]
    return found[-1] if found else None


def _walk(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """All nodes in the order of the text."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _text(node: SyntaxNode) -> str:
    return (node.text or b"").decode("utf-8", "replace")
