"""Expressions: handlers of the shared walk that return the type of what they read."""

from __future__ import annotations

from beryl.features import literals
from beryl.features.statements import inside
from beryl.features.typenames import LITERAL, common, declared, pointee
from beryl.features.walk import Walk
from beryl.lang.parsing import SyntaxNode

_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||", "and", "or"})
NUMBERS = frozenset(
    (
        *("number_literal", "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal"),
        *("binary_integer_literal", "decimal_floating_point_literal", "hex_floating_point_literal"),
    )
)


def binary(walk: Walk, node: SyntaxNode) -> str:
    """Two operands; the pair of their type and the operator."""
    children = node.children
    if len(children) != 3:
        return inside(walk, node)
    operator = children[1].type
    walk.pre.append(operator)
    first = walk.visit(children[0])
    kind = common(first, walk.visit(children[2]))
    walk.post.append(operator)
    walk.operations.add((kind.removeprefix(LITERAL), operator))
    return walk.truth if operator in _COMPARISONS else kind


def assignment(walk: Walk, node: SyntaxNode) -> str:
    """`=` leaves no trace; `+=` is an operation."""
    children = node.children
    if len(children) != 3:
        return inside(walk, node)
    operator = children[1].type
    if operator == "=":
        kind = walk.visit(children[0])
        walk.visit(children[2])
        return kind
    kind = walk.operate(operator, children[0], children[2])[0]
    walk.operations.add((kind, operator.removesuffix("=")))
    return kind


def unary(walk: Walk, node: SyntaxNode) -> str:
    """A sign, `!` or `~`; the sign of a number belongs to the number."""
    children = node.children
    if len(children) != 2:
        return inside(walk, node)
    operator = children[0].type
    label = f"unary{operator}" if operator in "+-" else operator
    operand = children[1]
    if operator == "-" and operand.type in NUMBERS:
        written = walk.word(operand)
        walk.numbers.add("-" + literals.number(written))
        walk.pre.append(label)
        walk.post.append(label)
        kind = LITERAL + literals.number_kind(written)
    else:
        kind = walk.operate(label, operand)[0]
    walk.operations.add((kind.removeprefix(LITERAL), label))
    return walk.truth if operator == "!" else kind


def update(walk: Walk, node: SyntaxNode) -> str:
    """`++` and `--`."""
    operand = next((child for child in node.children if child.is_named), None)
    if operand is None:
        return ""
    label = "--" if walk.text[node.start_byte : node.end_byte].strip().startswith(b"--") else "++"
    if node.children[-1].type == "--":
        label = "--"
    kind = walk.operate(label, operand)[0]
    walk.operations.add((kind, label))
    return kind


def pointer(walk: Walk, node: SyntaxNode) -> str:
    """`*p` is an operation of the decorated tree, `&x` none."""
    children = node.children
    if len(children) != 2:
        return inside(walk, node)
    if children[0].type == "&":
        kind = walk.visit(children[1])
        return kind + "*" if kind else ""
    return pointee(walk.operate("unary*", children[1])[0])


def subscript(walk: Walk, node: SyntaxNode) -> str:
    """`v[i]`: to the types, an addition to a pointer."""
    operands = [child for child in node.children if child.is_named]
    if not operands:
        return ""
    kind = walk.operate("[]", *operands)[0]
    walk.operations.add((kind, "+"))  # v[i] is *(v + i): the paper prints (int*, +)
    return pointee(kind)


def field_access(walk: Walk, node: SyntaxNode) -> str:
    """`s.x`, `p->x`: the pair of the type and the field."""
    owner = node.child_by_field_name("object" if walk.java else "argument")
    field = node.child_by_field_name("field")
    if owner is None or field is None:
        return inside(walk, node)
    base = walk.visit(owner)
    if not walk.java:  # p->x and s.x are the same field
        base = base.rstrip("*")
    name = walk.word(field)
    walk.operations.add((base, "." + name))
    walk.mentioned.add(name)
    key = f"{base}.{name}"
    kind = walk.own.fields.get(key) or walk.project.fields.get(key, "")
    if not kind and owner.type == "this":
        kind = walk.own.globals.get(name, "")
    return walk.followed(kind) if kind else ""


def identifier(walk: Walk, node: SyntaxNode) -> str:
    """A variable, or a macro that stands for a number."""
    name = walk.text[node.start_byte : node.end_byte].decode("utf-8", "replace")
    kind = walk.types.get(name)
    if kind is not None:
        return kind
    walk.mentioned.add(name)
    value = walk.own.macros.get(name) or walk.project.macros.get(name)
    if value:
        walk.numbers.add(value)
        return LITERAL + literals.number_kind(value)
    kind = walk.own.globals.get(name) or walk.project.globals.get(name, "")
    return walk.followed(kind) if kind else ""


def cast(walk: Walk, node: SyntaxNode) -> str:
    """The type cast to."""
    value = node.child_by_field_name("value")
    if value is not None:
        walk.visit(value)
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "type_descriptor":
        base = walk.kind_of(kind.child_by_field_name("type"))
        return declared(walk.text, base, kind.child_by_field_name("declarator"))[1]
    return walk.kind_of(kind)


def conditional(walk: Walk, node: SyntaxNode) -> str:
    """`a ? b : c`."""
    kinds = walk.operate("?:", *(child for child in node.children if child.is_named))
    return kinds[-1] if kinds else ""


def sizeof(walk: Walk, node: SyntaxNode) -> str:
    """`sizeof`."""
    value = node.child_by_field_name("value")
    walk.operate("sizeof", *([value] if value is not None else []))
    return "size_t"


def number(walk: Walk, node: SyntaxNode) -> str:
    """A number, by value."""
    written = walk.word(node)
    if written and written[0] in "+-":  # C's grammar takes the sign into the literal; to a compiler it is an operation
        label = f"unary{written[0]}"
        walk.pre.append(label)
        walk.post.append(label)
        walk.operations.add((literals.number_kind(written), label))
    walk.numbers.add(literals.number(written))
    return LITERAL + literals.number_kind(written)


def character(walk: Walk, node: SyntaxNode) -> str:
    """A character, as its code."""
    walk.numbers.add(literals.character(walk.word(node)))
    return LITERAL + "char"


def string(walk: Walk, node: SyntaxNode) -> str:
    """A string."""
    walk.strings.add(literals.string(walk.word(node)))
    return "String" if walk.java else "char*"


def truth(walk: Walk, node: SyntaxNode) -> str:
    """`true` and `false`."""
    return LITERAL + "bool"
