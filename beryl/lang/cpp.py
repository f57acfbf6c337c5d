"""C++: what it adds to C."""

from __future__ import annotations

from beryl.lang import c
from beryl.lang.spec import Construct, LanguageSpec
from beryl.types import Language

SPEC = LanguageSpec(
    language=Language.CPP,
    suffixes=(".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx"),
    statements={
        **c.STATEMENTS,
        "for_range_loop": Construct.FOR_EACH,
        "try_statement": Construct.TRY,
        "throw_statement": Construct.THROW,
        "co_return_statement": Construct.RETURN,
        "class_specifier": Construct.EMPTY,
        "using_declaration": Construct.EMPTY,
        "alias_declaration": Construct.EMPTY,
        "namespace_alias_definition": Construct.EMPTY,
        "static_assert_declaration": Construct.EMPTY,
        "template_declaration": Construct.EMPTY,
    },
    functions=frozenset({"function_definition"}),
    lambdas=frozenset({"lambda_expression"}),
    containers={
        "class_specifier": "name",
        "struct_specifier": "name",
        "union_specifier": "name",
        "namespace_definition": "name",
    },
    calls=frozenset({"call_expression", "new_expression"}),
    head=c.HEAD,
    holes=frozenset({"field_declaration_list"}),
    locals=("declaration", "parameter_declaration", "for_range_loop"),
    fields=("field_declaration",),
    classes=("type_identifier", "template_type", "qualified_identifier"),
    preprocessed=True,
)
