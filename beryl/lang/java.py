"""Java, from labelled loops to arrow switches."""

from __future__ import annotations

from beryl.lang.spec import Construct, LanguageSpec
from beryl.types import Language

SPEC = LanguageSpec(
    language=Language.JAVA,
    suffixes=(".java",),
    statements={
        "expression_statement": Construct.EXPRESSION,
        "block": Construct.BLOCK,
        "constructor_body": Construct.BLOCK,
        "if_statement": Construct.IF,
        "while_statement": Construct.WHILE,
        "do_statement": Construct.DO,
        "for_statement": Construct.FOR,
        "enhanced_for_statement": Construct.FOR_EACH,
        "switch_expression": Construct.SWITCH,
        "switch_statement": Construct.SWITCH,
        "switch_block": Construct.BLOCK,
        "switch_block_statement_group": Construct.BLOCK,
        "switch_label": Construct.CASE_LABEL,
        "switch_rule": Construct.RULE,
        "return_statement": Construct.RETURN,
        "throw_statement": Construct.THROW,
        "assert_statement": Construct.ASSERT,
        "break_statement": Construct.BREAK,
        "continue_statement": Construct.CONTINUE,
        "yield_statement": Construct.YIELD,
        "labeled_statement": Construct.LABEL,
        "try_statement": Construct.TRY,
        "try_with_resources_statement": Construct.TRY,
        "synchronized_statement": Construct.GUARDED,
        "class_declaration": Construct.EMPTY,
        "record_declaration": Construct.EMPTY,
        "interface_declaration": Construct.EMPTY,
        "enum_declaration": Construct.EMPTY,
        "line_comment": Construct.EMPTY,
        "block_comment": Construct.EMPTY,
        ";": Construct.EMPTY,
        "ERROR": Construct.ERROR,
    },
    functions=frozenset(
        {
            "method_declaration",
            "constructor_declaration",
            "compact_constructor_declaration",
            "static_initializer",
        }
    ),
    lambdas=frozenset({"lambda_expression"}),
    containers={
        "class_declaration": "name",
        "interface_declaration": "name",
        "enum_declaration": "name",
        "record_declaration": "name",
        "annotation_type_declaration": "name",
        "enum_constant": "name",
        "object_creation_expression": "type",
    },
    calls=frozenset({"method_invocation", "object_creation_expression", "explicit_constructor_invocation"}),
    head=r"(?:package|import)\s[\w.*\s]*+;",
    holes=frozenset({"class_body"}),
    switches=frozenset({"switch_expression"}),
    blocks_in=("class_body", "enum_body", "enum_body_declarations"),
    locals=("local_variable_declaration", "formal_parameter", "enhanced_for_statement", "resource"),
    fields=("field_declaration",),
    classes=("type_identifier", "generic_type", "scoped_type_identifier"),
)
