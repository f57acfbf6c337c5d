"""Which handler reads which kind of syntax node."""

from __future__ import annotations

from functools import cache

from beryl.features import callees, expressions, statements
from beryl.features.walk import Handler
from beryl.lang.parsing import grammar
from beryl.types import Language

_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(statements.CONTROLS, statements.control),
    **dict.fromkeys(expressions.NUMBERS, expressions.number),
    **dict.fromkeys(("declaration", "local_variable_declaration"), statements.declaration),
    **dict.fromkeys(("formal_parameter", "catch_formal_parameter", "parameter_declaration"), statements.caught),
    **dict.fromkeys(("comment", "line_comment", "block_comment"), statements.comment),
    **dict.fromkeys(("char_literal", "character_literal"), expressions.character),
    **dict.fromkeys(("string_literal", "raw_string_literal", "system_lib_string"), expressions.string),
    **dict.fromkeys(("true", "false"), expressions.truth),
    **dict.fromkeys(("subscript_expression", "array_access"), expressions.subscript),
    **dict.fromkeys(("field_expression", "field_access"), expressions.field_access),
    **dict.fromkeys(("conditional_expression", "ternary_expression"), expressions.conditional),
    **dict.fromkeys(
        ("new_expression", "object_creation_expression", "array_creation_expression", "compound_literal_expression"),
        callees.creation,
    ),
    **dict.fromkeys(
        ("preproc_def", "preproc_function_def", "preproc_include", "preproc_call", "type_definition"), statements.token
    ),
    **dict.fromkeys(("parenthesized_expression", "subscript_argument_list", "condition_clause"), statements.inside),
    "binary_expression": expressions.binary,
    "assignment_expression": expressions.assignment,
    "unary_expression": expressions.unary,
    "update_expression": expressions.update,
    "pointer_expression": expressions.pointer,
    "identifier": expressions.identifier,
    "call_expression": callees.call,
    "method_invocation": callees.method,
    "cast_expression": expressions.cast,
    "sizeof_expression": expressions.sizeof,
}
# Nothing below these is an expression: types, labels and names are read where they matter.
_LEAVES = frozenset(
    (
        *("primitive_type", "type_identifier", "sized_type_specifier", "statement_identifier", "field_identifier"),
        *("type_descriptor", "modifiers", "generic_type", "scoped_type_identifier", "integral_type"),
        *("floating_point_type", "boolean_type", "void_type", "array_type", "qualified_identifier"),
        *("namespace_identifier", "marker_annotation", "annotation", "type_arguments"),
    )
)
# tree-sitter's number for ERROR nodes: beyond the kinds of any grammar.
_ERROR_KIND = 0xFFFF


@cache
def handlers(language: Language) -> tuple[Handler, ...]:
    """The handler of every kind of node, by its number in the grammar."""
    known = grammar(language)
    table: list[Handler] = []
    for number in range(known.node_kind_count):
        name = known.node_kind_for_id(number) or ""
        if not known.node_kind_is_named(number) or name in _LEAVES:
            table.append(statements.token)
        else:
            table.append(_HANDLERS.get(name, statements.statement))
    table += [statements.statement] * (_ERROR_KIND + 1 - len(table))
    return tuple(table)
