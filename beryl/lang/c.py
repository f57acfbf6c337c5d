"""C, with K&R definitions and preprocessor halves."""

from __future__ import annotations

from beryl.lang.spec import Construct, LanguageSpec
from beryl.types import Language

STATEMENTS = {
    "expression_statement": Construct.EXPRESSION,
    "compound_statement": Construct.BLOCK,
    "attributed_statement": Construct.BLOCK,
    "else_clause": Construct.BLOCK,
    "if_statement": Construct.IF,
    "while_statement": Construct.WHILE,
    "do_statement": Construct.DO,
    "for_statement": Construct.FOR,
    "switch_statement": Construct.SWITCH,
    "case_statement": Construct.CASE,
    "return_statement": Construct.RETURN,
    "break_statement": Construct.BREAK,
    "continue_statement": Construct.CONTINUE,
    "goto_statement": Construct.GOTO,
    "labeled_statement": Construct.LABEL,
    "preproc_if": Construct.PREPROCESSOR,
    "preproc_ifdef": Construct.PREPROCESSOR,
    "preproc_elif": Construct.PREPROCESSOR,
    "preproc_elifdef": Construct.PREPROCESSOR,
    "preproc_else": Construct.PREPROCESSOR,
    "preproc_include": Construct.EMPTY,
    "preproc_def": Construct.EMPTY,
    "preproc_function_def": Construct.EMPTY,
    "preproc_call": Construct.EMPTY,
    "preproc_directive": Construct.EMPTY,
    "type_definition": Construct.EMPTY,
    "function_definition": Construct.EMPTY,
    "struct_specifier": Construct.EMPTY,
    "union_specifier": Construct.EMPTY,
    "enum_specifier": Construct.EMPTY,
    "attribute_declaration": Construct.EMPTY,
    "comment": Construct.EMPTY,
    "ERROR": Construct.ERROR,
}

HEAD = r"""\#[ \t]*include[ \t]*(?:<[^>\n]*+>|"[^"\n]*+")"""

SPEC = LanguageSpec(
    language=Language.C,
    suffixes=(".c", ".h"),
    statements=STATEMENTS,
    functions=frozenset({"function_definition"}),
    lambdas=frozenset(),
    containers={},
    calls=frozenset({"call_expression"}),
    head=HEAD,
    preprocessed=True,
)
