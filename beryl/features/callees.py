"""Calls and creations: handlers of the shared walk that tell calls of the standard libraries from others."""

from __future__ import annotations

from beryl.features import libraries
from beryl.features.typenames import LITERAL
from beryl.features.walk import Walk
from beryl.lang.parsing import SyntaxNode


def call(walk: Walk, node: SyntaxNode) -> str:
    """A C or C++ call."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    kind = ""
    if function is not None:
        kind = callee(walk, function)
    if arguments is not None:
        walk.visit(arguments)
    return kind


def callee(walk: Walk, function: SyntaxNode) -> str:
    """Note a C or C++ call; the type that it returns."""
    what = function.type
    if what == "template_function":
        inner = function.child_by_field_name("name")
        return callee(walk, inner) if inner is not None else ""
    if what == "field_expression":
        walk.visit(function)
        owner, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
        if owner is None or field is None:
            return ""
        base = walk.types.get(walk.word(owner), "").rstrip("*")
        name = walk.word(field)
        header = libraries.std_class(base)
        if header:
            walk.modeled.add((f"{base}.{name}", header))
        else:
            walk.others.add(name)
        return ""
    if what not in ("identifier", "qualified_identifier"):
        return walk.visit(function)
    scope, _, name = walk.word(function).rpartition("::")
    name = name.partition("<")[0].strip()
    walk.mentioned.add(name)
    if name in walk.types:  # through a function pointer
        return ""
    header = libraries.c_library().get(name, "")
    if scope in ("std", "::std"):
        header = libraries.cpp_library().get(name) or header or "std"
    if header and scope in ("", "std", "::std"):
        walk.modeled.add((name, header))
    else:
        walk.others.add(name)
    kind = walk.own.returns.get(name) or walk.project.returns.get(name, "")
    return walk.followed(kind) if kind else ""


def method(walk: Walk, node: SyntaxNode) -> str:
    """Note a Java call; the type that it returns where the file says so."""
    owner, identifier = node.child_by_field_name("object"), node.child_by_field_name("name")
    arguments = node.child_by_field_name("arguments")
    name = walk.word(identifier) if identifier is not None else ""
    base = ""
    walk.mentioned.add(name)
    if owner is not None:
        base = walk.visit(owner).removeprefix(LITERAL)
        if not base and owner.type == "identifier":
            word = walk.word(owner)
            base = word if word[:1].isupper() else ""
        walk.operations.add((base, "." + name))
    package = libraries.jdk_classes().get(base)
    if package:
        walk.modeled.add((f"{base}.{name}", package))
    else:
        walk.others.add(name)
    if arguments is not None:
        walk.visit(arguments)
    return walk.own.returns.get(name, "") if owner is None or owner.type == "this" else ""


def creation(walk: Walk, node: SyntaxNode) -> str:
    """`new`: the type made."""
    kind = walk.kind_of(node.child_by_field_name("type"))
    if walk.java and node.type == "object_creation_expression":
        package = libraries.jdk_classes().get(kind)
        if package:
            walk.modeled.add((f"new {kind}", package))
        else:
            walk.others.add(kind)
    for child in node.named_children:
        if "type" not in child.type:
            walk.visit(child)
    return kind + "*" if not walk.java or node.type == "array_creation_expression" else kind
