"""Statements, declarations and comments: handlers of the shared walk."""

from __future__ import annotations

from beryl.features.typenames import declared
from beryl.features.walk import Walk
from beryl.lang.parsing import SyntaxNode

CONTROLS = {
    "if_statement": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "for_range_loop": "for",
    "enhanced_for_statement": "for",
    "switch_statement": "switch",
    "switch_expression": "switch",
}
_BODY_FIELDS = ("body", "consequence", "alternative")


def token(walk: Walk, node: SyntaxNode) -> str:
    """Nothing to read."""
    return ""


def inside(walk: Walk, node: SyntaxNode) -> str:
    """A bracket: the type of what is in it."""
    kind = ""
    for child in node.children:
        found = walk.visit(child)
        if found:
            kind = found
    return kind


def statement(walk: Walk, node: SyntaxNode) -> str:
    """Anything whose parts are read one by one."""
    for child in node.children:
        walk.visit(child)
    return ""


def control(walk: Walk, node: SyntaxNode) -> str:
    """A loop or conditional: into both trees, bodies below a `seq`."""
    label = CONTROLS[node.type]
    bodies = {child.id for name in _BODY_FIELDS if (child := node.child_by_field_name(name)) is not None}
    walk.pre.append(label)
    walk.skeleton_pre.append(label)
    if node.type in ("enhanced_for_statement", "for_range_loop"):
        _loop_variable(walk, node)
    for child in node.children:
        if child.id in bodies:
            walk.sequence(child)
        else:
            walk.visit(child)
    walk.post.append(label)
    walk.skeleton_post.append(label)
    return ""


def _loop_variable(walk: Walk, node: SyntaxNode) -> None:
    kind = walk.kind_of(node.child_by_field_name("type"))
    if walk.java:
        name = node.child_by_field_name("name")
        if name is not None:
            walk.local(walk.word(name), kind)
        return
    label, kind = declared(walk.text, kind, node.child_by_field_name("declarator"))
    if label:
        walk.local(label, kind)


def declaration(walk: Walk, node: SyntaxNode) -> str:
    """Local variables and their first values."""
    written = walk.kind_of(node.child_by_field_name("type"))
    for child in node.children_by_field_name("declarator"):
        value = child.child_by_field_name("value") if child.type in ("init_declarator", "variable_declarator") else None
        target = child
        if child.type == "variable_declarator":
            name_node = child.child_by_field_name("name")
            name = walk.word(name_node) if name_node is not None else ""
            kind = written + ("*" if child.child_by_field_name("dimensions") is not None else "")
        else:
            name, kind = declared(walk.text, written, target)
        if name and not kind.endswith("()"):
            walk.local(name, kind)
        if value is not None:
            walk.visit(value)
    for child in node.named_children:
        if child.type in ("comment", "line_comment", "block_comment"):
            walk.visit(child)
    return ""


def caught(walk: Walk, node: SyntaxNode) -> str:
    """A parameter of a lambda or of a catch: local to the function around it."""
    kind = walk.kind_of(node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    if walk.java and name is not None:
        walk.local(walk.word(name), kind)
    elif not walk.java:
        label, kind = declared(walk.text, kind, node.child_by_field_name("declarator"))
        if label:
            walk.local(label, kind)
    return ""


def comment(walk: Walk, node: SyntaxNode) -> str:
    """A comment inside the function."""
    walk.comments.append(walk.word(node))
    return ""
