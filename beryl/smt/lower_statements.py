"""Java statements -> code, and a method -> its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beryl.lang.parsing import SyntaxNode
from beryl.smt.declarations import Method, element_of, is_array, is_value, text_of, type_name
from beryl.smt.lower_expressions import common_type, condition, field, initial, lower
from beryl.smt.scope import Code, Scope, Typed, Unit, Unsupported, convert, unboxed

_BLOCK_TYPES = ("block", "switch_block_statement_group")


def lower_method(method: Method) -> dict[str, Any]:
    """The program of a method: parameters, result, fields and functions, as plain lists and strings."""
    return lower_unit(method)[0]


def lower_unit(method: Method) -> tuple[dict[str, Any], Unit]:
    """The program of a method, and the declarations that went into it."""
    result, out = method.result, None
    if result == "void":
        arrays = [place for place, (_, kind) in enumerate(method.parameters) if is_array(kind)]
        if len(arrays) != 1:
            raise Unsupported("no result")
        out, result = arrays[0], method.parameters[arrays[0]][1]
    if not is_value(result) and not is_array(result):
        raise Unsupported("result type")
    unit = Unit(_method_body, method.owner)
    try:
        entry = unit.include(method)
    except RecursionError:
        raise Unsupported("nesting") from None
    if out is not None and not _writes_array(unit.functions[entry]["body"], out):
        raise Unsupported("no result")
    program: dict[str, Any] = {
        "entry": entry,
        "parameters": [list(parameter) for parameter in method.parameters],
        "result": result,
        "fields": unit.fields,
        "functions": unit.functions,
    }
    if out is not None:
        program["out"] = out
    return program, unit


def _writes_array(code: Code, slot: int) -> bool:
    """Whether an array parameter is stored to, or handed on to what may store to it."""
    if not isinstance(code, list):
        return False
    if code[:1] in (["assign"], ["update"]) and code[1][:1] == ["item"] and _mentions(code[1][1], slot):
        return True
    if code[:1] in (["fill"], ["sort"], ["call"], ["arraycopy"]) and _mentions(code, slot):
        return True
    return any(_writes_array(part, slot) for part in code)


def _mentions(code: Code, slot: int) -> bool:
    return code == ["local", slot] or (isinstance(code, list) and any(_mentions(part, slot) for part in code))


def _method_body(scope: Scope, method: Method) -> list[Code]:
    scope.levels[0]["return"] = (-1, method.result)
    if method.node.has_error:
        raise Unsupported("syntax error")
    return block(scope, field(method.node, "body"))


def block(scope: Scope, node: SyntaxNode) -> list[Code]:
    """The statements of a block, in a scope of their own."""
    if node.type != "block":
        return scoped(scope, [node])
    return scoped(scope, node.named_children)


def scoped(scope: Scope, nodes: list[SyntaxNode]) -> list[Code]:
    """Statements in a scope of their own."""
    scope.levels.append({})
    try:
        return [code for node in nodes for code in statement(scope, node)]
    finally:
        scope.levels.pop()


def statement(scope: Scope, node: SyntaxNode) -> list[Code]:
    """The code of one statement."""
    rule = _RULES.get(node.type)
    if rule is None:
        if "comment" in node.type:
            return []
        raise Unsupported(node.type.replace("_", " "))
    return rule(scope, node)


def first(node: SyntaxNode) -> SyntaxNode:
    """The first child that is not a comment."""
    return next(child for child in node.named_children if "comment" not in child.type)


def _declaration(scope: Scope, node: SyntaxNode) -> list[Code]:
    codes: list[Code] = []
    written = field(node, "type")
    for declarator in node.children_by_field_name("declarator"):
        kind = type_name(written, declarator.child_by_field_name("dimensions"))
        name, value = text_of(field(declarator, "name")), declarator.child_by_field_name("value")
        if kind == "var":
            inferred = lower(scope, field(declarator, "value"))
            codes.append(["expr", ["assign", scope.declare(name, inferred.type), inferred.code]])
        elif value is None:
            scope.declare(name, kind)
        else:
            code = initial(scope, value, kind)
            codes.append(["expr", ["assign", scope.declare(name, kind), code]])
    return codes


def _expression(scope: Scope, node: SyntaxNode) -> list[Code]:
    inner = first(node)
    if inner.type == "switch_expression":
        return [_switch(scope, inner, None)]
    return [["expr", lower(scope, inner).code]]


def _if(scope: Scope, node: SyntaxNode) -> list[Code]:
    test = condition(scope, field(node, "condition"))
    other = node.child_by_field_name("alternative")
    return [["if", test, block(scope, field(node, "consequence")), block(scope, other) if other is not None else []]]


def _label(node: SyntaxNode) -> str:
    parent = node.parent
    return text_of(parent.named_children[0]) if parent is not None and parent.type == "labeled_statement" else ""


def _while(scope: Scope, node: SyntaxNode) -> list[Code]:
    test = condition(scope, field(node, "condition"))
    return [["loop", _label(node), test, block(scope, field(node, "body")), [], node.type == "while_statement"]]


def _for(scope: Scope, node: SyntaxNode) -> list[Code]:
    scope.levels.append({})
    try:
        start: list[Code] = []
        for child in node.children_by_field_name("init"):
            if child.type == "local_variable_declaration":
                start += _declaration(scope, child)
            else:
                start.append(["expr", lower(scope, child).code])
        test_node = node.child_by_field_name("condition")
        test = condition(scope, test_node) if test_node is not None else True
        update = [lower(scope, child).code for child in node.children_by_field_name("update")]
        body = block(scope, field(node, "body"))
    finally:
        scope.levels.pop()
    return [*start, ["loop", _label(node), test, body, update, True]]


def _for_each(scope: Scope, node: SyntaxNode) -> list[Code]:
    items = lower(scope, field(node, "value"))
    if not is_array(items.type):
        raise Unsupported("loop over a collection")
    scope.levels.append({})
    try:
        array, index = scope.declare("", items.type), scope.declare(" ", "int")
        written = type_name(field(node, "type"), node.child_by_field_name("dimensions"))
        kind = element_of(items.type) if written == "var" else written
        item = scope.declare(text_of(field(node, "name")), kind)
        taken = convert(Typed(["item", array, index], element_of(items.type)), kind)
        body = [["expr", ["assign", item, taken]], *block(scope, field(node, "body"))]
    finally:
        scope.levels.pop()
    start = [["expr", ["assign", array, items.code]], ["expr", ["assign", index, 0]]]
    advance = ["update", index, ["iadd", ["hole"], 1], "new"]
    return [*start, ["loop", _label(node), ["lt", index, ["size", array]], body, [advance], True]]


def _return(scope: Scope, node: SyntaxNode) -> list[Code]:
    kind = scope.levels[0]["return"][1]
    if kind == "void" or all("comment" in child.type for child in node.named_children):
        return [["return"]]
    return [["return", initial(scope, first(node), kind)]]


def _jump(scope: Scope, node: SyntaxNode) -> list[Code]:
    label = text_of(node.named_children[0]) if node.named_children else ""
    return [["break" if node.type == "break_statement" else "continue", label]]


def _throw(scope: Scope, node: SyntaxNode) -> list[Code]:
    thrown = first(node)
    kind = type_name(field(thrown, "type")) if thrown.type == "object_creation_expression" else "Throwable"
    return [["throw", kind]]


def _try(scope: Scope, node: SyntaxNode) -> list[Code]:
    handlers: list[Code] = []
    final: list[Code] = []
    for child in node.named_children:
        if child.type == "catch_clause":
            parameter = next(part for part in child.named_children if part.type == "catch_formal_parameter")
            caught = next(part for part in parameter.named_children if part.type == "catch_type")
            scope.levels.append({})
            scope.declare(text_of(field(parameter, "name")), "Throwable")
            handlers.append([[type_name(kind) for kind in caught.named_children], block(scope, field(child, "body"))])
            scope.levels.pop()
        elif child.type == "finally_clause":
            final = block(scope, child.named_children[-1])
    return [["try", block(scope, field(node, "body")), handlers, final]]


def _labelled(scope: Scope, node: SyntaxNode) -> list[Code]:
    return [["labelled", scoped(scope, [node.named_children[-1]]), text_of(node.named_children[0])]]


def _switch(scope: Scope, node: SyntaxNode, kind: str | None) -> Code:
    subject = unboxed(lower(scope, field(node, "condition")))
    if subject.type not in ("int", "char", "short", "byte", "String"):
        raise Unsupported("switch on an object")
    code = ["nonnull", subject.code] if subject.type == "String" else subject.code
    groups: list[Code] = []
    falls = False
    scope.levels.append({})
    for child in field(node, "body").named_children:
        if child.type not in ("switch_block_statement_group", "switch_rule"):
            continue
        labels = [part for part in child.named_children if part.type == "switch_label"]
        others = [part for part in child.named_children if part.type != "switch_label" and "comment" not in part.type]
        falls = falls or child.type == "switch_block_statement_group"
        cases = [item for label in labels for item in _case(scope, label)]
        groups.append([cases, _case_body(scope, child, others, kind)])
    scope.levels.pop()
    return ["switch", code, groups, falls]


def _case(scope: Scope, label: SyntaxNode) -> list[Code]:
    if not label.named_children:
        return [["default", None]]
    cases = [lower(scope, child) for child in label.named_children]
    if any(isinstance(case.code, list) and case.code[0] == "this" for case in cases):
        raise Unsupported("switch on an object")
    return [["case", case.code] for case in cases]


def _case_body(scope: Scope, group: SyntaxNode, nodes: list[SyntaxNode], kind: str | None) -> list[Code]:
    if group.type == "switch_rule" and kind is not None and nodes[0].type == "expression_statement":
        return [["yield", convert(lower(scope, nodes[0].named_children[0]), kind)]]
    if group.type == "switch_rule":
        return scoped(scope, nodes)
    return [code for node in nodes for code in statement(scope, node)]


def lower_switch_value(scope: Scope, node: SyntaxNode) -> Typed:
    """A switch that yields a value; its type is that of its arrow branches."""
    types: list[Typed] = []
    for rule in field(node, "body").named_children:
        if rule.type == "switch_rule" and rule.named_children[-1].type == "expression_statement":
            types.append(lower(scope, rule.named_children[-1].named_children[0]))
    if not types:
        raise Unsupported("switch with blocks only")
    kind = types[0].type
    for other in types[1:]:
        kind = common_type(Typed(["hole"], kind), other)
    scope.levels[0]["yield"] = (-1, kind)
    return Typed(["yielding", _switch(scope, node, kind)], kind)


def _yield(scope: Scope, node: SyntaxNode) -> list[Code]:
    return [["yield", convert(lower(scope, first(node)), scope.levels[0]["yield"][1])]]


_RULES: dict[str, Callable[[Scope, SyntaxNode], list[Code]]] = {
    "block": lambda scope, node: [["block", block(scope, node)]],
    "local_variable_declaration": _declaration,
    "expression_statement": _expression,
    "if_statement": _if,
    "while_statement": _while,
    "do_statement": _while,
    "for_statement": _for,
    "enhanced_for_statement": _for_each,
    "return_statement": _return,
    "break_statement": _jump,
    "continue_statement": _jump,
    "throw_statement": _throw,
    "try_statement": _try,
    "labeled_statement": _labelled,
    "switch_expression": lambda scope, node: [_switch(scope, node, None)],
    "switch_statement": lambda scope, node: [_switch(scope, node, None)],
    "yield_statement": _yield,
    "synchronized_statement": lambda scope, node: [["block", block(scope, field(node, "body"))]],
    "assert_statement": lambda scope, node: [],
    ";": lambda scope, node: [],
}
