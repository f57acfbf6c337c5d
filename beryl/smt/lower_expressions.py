"""Java expressions -> code, with Java's static types."""

from __future__ import annotations

from collections.abc import Callable

from beryl.lang.parsing import SyntaxNode
from beryl.smt.declarations import (
    BOXED,
    BUILDERS,
    INTEGRAL,
    NUMERIC,
    STRINGS,
    ClassTable,
    Field,
    element_of,
    is_array,
    is_value,
    text_of,
    type_name,
)
from beryl.smt.library import CONSTANTS
from beryl.smt.literals import read_character, read_number, read_string
from beryl.smt.scope import (
    Code,
    Scope,
    Typed,
    Unsupported,
    cast,
    convert,
    is_reference,
    promoted,
    unboxed,
)

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem"}
_SHIFTS = {"<<": "shl", ">>": "shr", ">>>": "ushr"}
_BITS = {"&": "bitand", "|": "bitor", "^": "bitxor"}
_LOGIC = {"&": "and", "|": "or", "^": "xor"}


def lower(scope: Scope, node: SyntaxNode) -> Typed:
    """An expression's code and type."""
    rule = _RULES.get(node.type)
    if rule is None:
        raise Unsupported(node.type.replace("_", " "))
    return rule(scope, node)


def field(node: SyntaxNode, name: str) -> SyntaxNode:
    """A child that must be there."""
    child = node.child_by_field_name(name)
    if child is None:
        raise Unsupported("syntax error")
    return child


def condition(scope: Scope, node: SyntaxNode) -> Code:
    """The code of a boolean expression."""
    value = unboxed(lower(scope, node))
    if value.type != "boolean":
        raise Unsupported("conversion")
    return value.code


def _identifier(scope: Scope, node: SyntaxNode) -> Typed:
    name = text_of(node)
    local = scope.find(name)
    if local is not None:
        return local
    found = scope.owner.field_of(name)
    if found is None:
        raise Unsupported("unknown name")
    return read_field(scope, *found)


def read_field(scope: Scope, owner: ClassTable, member: Field) -> Typed:
    """A field: its value where constant, else an input."""
    if member.final and member.value is not None:
        constant = _constant(scope, owner, member)
        if constant is not None:
            return constant
        if member.static and not is_value(member.type) and not is_array(member.type):
            raise Unsupported("constant object")
    if member.type in BUILDERS:
        raise Unsupported("builder field")
    name = f"this.{member.name}" if owner is scope.unit.owner else f"{owner.name}.{member.name}"
    scope.unit.fields[name] = member.type
    return Typed(["this", name], member.type)


def _constant(scope: Scope, owner: ClassTable, member: Field) -> Typed | None:
    if not (is_value(member.type) or is_array(member.type)) or scope.unit.depth > 8:
        return None
    assert member.value is not None
    scope.unit.depth += 1
    try:
        value = Typed(initial(Scope(owner, scope.unit), member.value, member.type), member.type)
        scope.unit.constants.append((owner, member))
        return value
    except Unsupported:
        return None
    finally:
        scope.unit.depth -= 1


def initial(scope: Scope, node: SyntaxNode, kind: str) -> Code:
    """The initial value of a variable: an expression or `{...}`."""
    if node.type == "array_initializer":
        return _cells(scope, node, kind)
    return convert(lower(scope, node), kind)


def _cells(scope: Scope, node: SyntaxNode, kind: str) -> Code:
    if not is_array(kind):
        raise Unsupported("array of objects")
    items = [child for child in node.named_children if "comment" not in child.type]
    return ["cells", *[initial(scope, child, element_of(kind)) for child in items]]


def _field_access(scope: Scope, node: SyntaxNode) -> Typed:
    subject, name = field(node, "object"), text_of(field(node, "field"))
    if subject.type == "this":
        found = scope.owner.field_of(name)
        if found is None:
            raise Unsupported("unknown name")
        return read_field(scope, *found)
    if names_class(scope, subject):
        label = text_of(subject).rpartition(".")[2]
        if f"{label}.{name}" in CONSTANTS:
            kind, constant = CONSTANTS[f"{label}.{name}"]
            return Typed(constant, kind)
        owner = scope.owner if label == scope.owner.name else scope.owner.project(label)
        if owner is not None and name in owner.fields:
            return read_field(scope, owner, owner.fields[name])
        raise Unsupported("unknown name")
    value = lower(scope, subject)
    if name == "length" and is_array(value.type):
        return Typed(["size", value.code], "int")
    raise Unsupported("field of an object")


def names_class(scope: Scope, node: SyntaxNode) -> bool:
    """Whether an expression before a dot is a class: no variable of that name, and written like one."""
    last = text_of(node).rpartition(".")[2]
    if node.type == "identifier":
        return scope.find(last) is None and scope.owner.field_of(last) is None and last[:1].isupper()
    return (
        node.type in ("field_access", "scoped_identifier")
        and text_of(node)[:1].islower()
        and (last[:1].isupper() and not last.isupper() and "(" not in text_of(node) and "this" not in text_of(node))
    )


def _array_access(scope: Scope, node: SyntaxNode) -> Typed:
    array = lower(scope, field(node, "array"))
    if not is_array(array.type):
        raise Unsupported("array of objects")
    index = convert(unboxed(lower(scope, field(node, "index"))), "int")
    return Typed(["item", array.code, index], element_of(array.type))


def _parenthesised(scope: Scope, node: SyntaxNode) -> Typed:
    return lower(scope, next(child for child in node.named_children if "comment" not in child.type))


def _unary(scope: Scope, node: SyntaxNode) -> Typed:
    operator, operand = text_of(field(node, "operator")), field(node, "operand")
    if operator == "-" and operand.type.endswith("integer_literal"):
        value, kind = read_number(text_of(operand), negative=True)
        return Typed(value, kind)
    value_ = unboxed(lower(scope, operand))
    if operator == "!":
        return Typed(["not", value_.code], "boolean")
    if value_.type not in NUMERIC:
        raise Unsupported("conversion")
    kind = promoted(value_.type, "int")
    if operator == "+":
        return Typed(value_.code, kind)
    if operator == "~":
        return Typed(["bitnot", value_.code], kind)
    op = {"int": "ineg", "long": "lneg"}.get(kind, "dneg")
    if op == "dneg" and isinstance(value_.code, float):
        return Typed(-value_.code, kind)
    return Typed([op, value_.code], kind)


def _binary(scope: Scope, node: SyntaxNode) -> Typed:
    operator = text_of(field(node, "operator"))
    if operator in ("&&", "||"):
        one, other = condition(scope, field(node, "left")), condition(scope, field(node, "right"))
        return Typed(["andthen" if operator == "&&" else "orelse", one, other], "boolean")
    return combine(operator, lower(scope, field(node, "left")), lower(scope, field(node, "right")))


def combine(operator: str, one: Typed, other: Typed) -> Typed:
    """A binary operator on two values."""
    if operator in ("==", "!="):
        equal = _equal(one, other)
        return Typed(equal if operator == "==" else ["not", equal], "boolean")
    if operator == "+" and (one.type in STRINGS or other.type in STRINGS):
        return Typed(["concat", as_text(one), as_text(other)], "String")
    one, other = unboxed(one), unboxed(other)
    if one.type == other.type == "boolean" and operator in _LOGIC:
        return Typed([_LOGIC[operator], one.code, other.code], "boolean")
    if one.type not in NUMERIC or other.type not in NUMERIC:
        raise Unsupported("conversion")
    if operator in _SHIFTS:
        kind = promoted(one.type, "int")
        return Typed([("l" if kind == "long" else "i") + _SHIFTS[operator], one.code, other.code], kind)
    kind = promoted(one.type, other.type)
    a, b = cast(one.code, one.type, kind), cast(other.code, other.type, kind)
    if operator in _BITS:
        return Typed([_BITS[operator], a, b], kind)
    if operator in _ARITHMETIC:
        prefix = {"int": "i", "long": "l"}.get(kind, "d")
        code: Code = [prefix + _ARITHMETIC[operator], a, b]
        return Typed(["d2f", code] if kind == "float" else code, kind)
    comparison = {"<": ["lt", a, b], "<=": ["le", a, b], ">": ["swap", a, b], ">=": ["swap", a, b]}.get(operator)
    if comparison is None:
        raise Unsupported(f"operator {operator}")
    if comparison[0] == "swap":
        comparison = ["let", [a, b], ["lt" if operator == ">" else "le", ["$", 1], ["$", 0]]]
    return Typed(comparison, "boolean")


def _equal(one: Typed, other: Typed) -> Code:
    for a, b in ((one, other), (other, one)):
        if a.type == "null" and is_reference(b.type):
            return ["isnull", b.code] if b.type not in BUILDERS else False
    if is_reference(one.type) and is_reference(other.type):
        raise Unsupported("identity of objects")
    one, other = unboxed(one), unboxed(other)
    if one.type == other.type == "boolean":
        return ["eq", one.code, other.code]
    if one.type in NUMERIC and other.type in NUMERIC:
        kind = promoted(one.type, other.type)
        return ["eq", cast(one.code, one.type, kind), cast(other.code, other.type, kind)]
    raise Unsupported("identity of objects")


def as_text(value: Typed) -> Code:
    """A value as string concatenation writes it."""
    if value.type in STRINGS:
        return value.code if isinstance(value.code, str) else ["text", value.code]
    if value.type == "null":
        return "null"
    if value.type in BUILDERS:
        return ["contents", value.code]
    value = unboxed(value)
    if value.type == "float" or value.type not in (*NUMERIC, "boolean"):
        raise Unsupported("text of an object")
    op = {"char": "chartext", "boolean": "booltext", "double": "doubletext"}.get(value.type, "inttext")
    return [op, value.code]


def _cast(scope: Scope, node: SyntaxNode) -> Typed:
    target = type_name(field(node, "type"))
    value = lower(scope, field(node, "value"))
    if target in NUMERIC:
        plain = unboxed(value)
        return Typed(cast(plain.code, plain.type, target), target)
    if target == value.type or (target in STRINGS and value.type in STRINGS):
        return Typed(value.code, target)
    if BOXED.get(target) == value.type or target == "boolean":
        return Typed(unboxed(value).code, target)
    raise Unsupported("cast of an object")


def _ternary(scope: Scope, node: SyntaxNode) -> Typed:
    test = condition(scope, field(node, "condition"))
    one, other = lower(scope, field(node, "consequence")), lower(scope, field(node, "alternative"))
    kind = common_type(one, other)
    return Typed(["cond", test, convert(one, kind), convert(other, kind)], kind)


def common_type(one: Typed, other: Typed) -> str:
    """The type of a conditional expression."""
    if one.type == other.type:
        return one.type
    if "null" in (one.type, other.type):
        kind = one.type if other.type == "null" else other.type
        boxes = {plain: box for box, plain in BOXED.items()}
        return boxes.get(kind, kind)
    a, b = unboxed(one), unboxed(other)
    if a.type in NUMERIC and b.type in NUMERIC:
        for narrow, wide in ((a, b), (b, a)):
            if narrow.type in ("char", "byte", "short") and wide.type == "int" and isinstance(wide.code, int):
                return narrow.type
        return a.type if a.type == b.type else promoted(a.type, b.type)
    if a.type == b.type == "boolean":
        return "boolean"
    if one.type in STRINGS and other.type in STRINGS:
        return "String"
    raise Unsupported("conversion")


def _target(scope: Scope, node: SyntaxNode) -> Typed:
    if node.type == "parenthesized_expression":
        return _target(scope, node.named_children[0])
    target = lower(scope, node)
    if not isinstance(target.code, list) or target.code[0] not in ("local", "this", "item"):
        raise Unsupported("assignment to an object")
    return target


def _assignment(scope: Scope, node: SyntaxNode) -> Typed:
    target, operator = _target(scope, field(node, "left")), text_of(field(node, "operator"))
    right = field(node, "right")
    if operator == "=":
        return Typed(["assign", target.code, initial(scope, right, target.type)], target.type)
    return _updated(target, operator[:-1], lower(scope, right), "new")


def _updated(target: Typed, operator: str, value: Typed, which: str) -> Typed:
    result = combine(operator, Typed(["hole"], target.type), value)
    code = result.code
    if target.type in NUMERIC or target.type in BOXED:
        code = cast(code, result.type, BOXED.get(target.type, target.type))
    elif result.type != target.type and not (result.type in STRINGS and target.type in STRINGS):
        raise Unsupported("conversion")
    return Typed(["update", target.code, code, which], target.type)


def _update(scope: Scope, node: SyntaxNode) -> Typed:
    first = node.children[0]
    prefix = first.type in ("++", "--")
    target = _target(scope, node.children[1] if prefix else first)
    operator = text_of(node.children[0] if prefix else node.children[1])[:1]
    return _updated(target, operator, Typed(1, "int"), "new" if prefix else "old")


def _instance_of(scope: Scope, node: SyntaxNode) -> Typed:
    value, target = lower(scope, field(node, "left")), node.child_by_field_name("right")
    if value.type not in STRINGS or type_name(target) not in STRINGS or node.child_by_field_name("name") is not None:
        raise Unsupported("instanceof expression")
    # A CharSequence of an example is a String.
    return Typed(["not", ["isnull", value.code]], "boolean")


def _array_creation(scope: Scope, node: SyntaxNode) -> Typed:
    base = type_name(field(node, "type"))
    sizes = [child for child in node.children if child.type == "dimensions_expr"]
    open_sizes = sum(text_of(child).count("[") for child in node.children if child.type == "dimensions")
    kind = base + "[]" * (len(sizes) + open_sizes)
    if not is_array(kind):
        raise Unsupported("array of objects")
    value = node.child_by_field_name("value")
    if value is not None:
        return Typed(_cells(scope, value, kind), kind)
    lengths = [convert(unboxed(lower(scope, child.named_children[-1])), "int") for child in sizes]
    return Typed(["newarray", kind, *lengths], kind)


def _object_creation(scope: Scope, node: SyntaxNode) -> Typed:
    kind = type_name(field(node, "type"))
    arguments = [lower(scope, child) for child in arguments_of(node)] if kind in BUILDERS or kind == "String" else []
    kinds = [argument.type for argument in arguments]
    if kind in BUILDERS:
        if not kinds or (len(kinds) == 1 and kinds[0] in INTEGRAL):
            return Typed(["builder", ""], kind)
        if len(kinds) == 1 and kinds[0] in STRINGS:
            return Typed(["builder", ["nonnull", arguments[0].code]], kind)
    if kind == "String":
        if not kinds:
            return Typed("", kind)
        if len(kinds) == 1 and kinds[0] in STRINGS:
            return Typed(["nonnull", arguments[0].code], kind)
        if len(kinds) == 1 and kinds[0] in BUILDERS:
            return Typed(["contents", arguments[0].code], kind)
        if (kinds[0] == "char[]" and len(kinds) in (1, 3)) or (kinds[0] == "int[]" and len(kinds) == 3):
            return Typed(["joinchars", *[argument.code for argument in arguments]], kind)
    if kind in BOXED and len(arguments_of(node)) == 1:
        value = lower(scope, arguments_of(node)[0])
        return Typed(convert(unboxed(value), BOXED[kind]), kind)
    raise Unsupported("object creation")


def arguments_of(node: SyntaxNode) -> list[SyntaxNode]:
    """The arguments of a call."""
    listing = node.child_by_field_name("arguments")
    return [child for child in listing.named_children if "comment" not in child.type] if listing is not None else []


def _number(scope: Scope, node: SyntaxNode) -> Typed:
    return Typed(*read_number(text_of(node)))


def _invocation(scope: Scope, node: SyntaxNode) -> Typed:
    # Expressions hold calls and calls hold expressions: one of the two has to look up the other late.
    from beryl.smt.lower_calls import lower_call

    return lower_call(scope, node)


def _switch(scope: Scope, node: SyntaxNode) -> Typed:
    from beryl.smt.lower_statements import lower_switch_value

    return lower_switch_value(scope, node)


_RULES: dict[str, Callable[[Scope, SyntaxNode], Typed]] = {
    "identifier": _identifier,
    "field_access": _field_access,
    "array_access": _array_access,
    "parenthesized_expression": _parenthesised,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "cast_expression": _cast,
    "ternary_expression": _ternary,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "instanceof_expression": _instance_of,
    "array_creation_expression": _array_creation,
    "object_creation_expression": _object_creation,
    "method_invocation": _invocation,
    "switch_expression": _switch,
    "decimal_integer_literal": _number,
    "hex_integer_literal": _number,
    "octal_integer_literal": _number,
    "binary_integer_literal": _number,
    "decimal_floating_point_literal": _number,
    "string_literal": lambda scope, node: Typed(read_string(text_of(node)), "String"),
    "character_literal": lambda scope, node: Typed(read_character(text_of(node)), "char"),
    "true": lambda scope, node: Typed(True, "boolean"),
    "false": lambda scope, node: Typed(False, "boolean"),
    "null_literal": lambda scope, node: Typed(None, "null"),
}
