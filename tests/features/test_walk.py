"""What the shared walk reads off C, C++ and Java."""

from __future__ import annotations

import pytest
from forager_functions import FIGURE_3, all_facts, facts
from hypothesis import given, settings
from hypothesis import strategies as st

from beryl.features import feature_classes, literals, terms
from beryl.features.declarations import merged
from beryl.features.extract import Place, declared_in, extract
from beryl.features.typenames import common, normalise
from beryl.types import Language


def test_a_library_call_is_its_name_and_its_header() -> None:
    found = facts("void f(char *a, char *b) { strcpy(a, b); strncpy(a, b, 3); helper(a); }")
    assert found.modeled_calls == {("strcpy", "string.h"), ("strncpy", "string.h")}
    assert found.other_calls == {"helper"}


def test_figure_3_calls_floor_and_itself() -> None:
    found = facts(FIGURE_3)
    assert found.modeled_calls == {("floor", "math.h")}
    assert found.other_calls == {"bins"}
    assert found.local_types == {"int"}


def test_fields_are_paired_with_the_type_that_has_them() -> None:
    found = facts("struct Bar { double foo; }; int g(struct Bar *b, struct Bar c) { return b->foo > 0 && c.foo; }")
    assert ("Bar", ".foo") in found.type_operations
    assert ("double", ">") in found.type_operations


def test_typedefs_of_the_file_are_followed() -> None:
    found = facts("typedef unsigned int word; word twice(word w) { word x = w; return x * 2; }")
    assert found.signature == ("unsigned int", "unsigned int")
    assert found.type_operations == {("unsigned int", "*")}


def test_declarations_of_the_projects_headers_are_used() -> None:
    text = b"key next(node n) { return n->right + LIMIT; }"
    header = b"typedef struct tree *node; typedef long key; struct tree { node left, right; };\n#define LIMIT 0x10\n"
    project = merged([declared_in(header, Language.C)])
    found = extract(text, Language.C, [Place("next", 0, len(text), 0, 0)], project)[0]
    assert found.signature == ("long", "tree*")
    assert found.numbers == {"16"}
    assert ("tree", ".right") in found.type_operations


def test_old_style_definitions_have_typed_parameters() -> None:
    assert sorted(facts("int f(a, b) int a; char *b; { return a + *b; }").signature) == ["char*", "int", "int"]


def test_java_calls_are_told_apart_by_the_declared_type_of_the_receiver() -> None:
    text = "class A { int f(String s, Other o) { o.run(); return s.indexOf('x') + Math.max(1, 2); } }"
    found = facts(text, Language.JAVA)
    assert found.modeled_calls == {("String.indexOf", "java.lang"), ("Math.max", "java.lang")}
    assert found.other_calls == {"run"}
    assert found.numbers == {"120", "1", "2"}


def test_java_and_c_arrays_are_the_same_type() -> None:
    java = facts("class A { int f(int[] v) { return v[0]; } }", Language.JAVA)
    assert java.signature == facts("int f(int *v) { return v[0]; }").signature
    assert java.type_operations == {("int*", "+")}


def test_cpp_standard_algorithms_and_containers_are_modeled() -> None:
    text = "int f(std::vector<int> v) { std::sort(v.begin(), v.end()); return v.size(); }"
    found = facts(text, Language.CPP)
    assert ("sort", "algorithm") in found.modeled_calls
    assert ("vector.size", "vector") in found.modeled_calls


def test_braces_do_not_change_the_trees() -> None:
    plain = facts("void f(int n) { if (n) while (n) n--; else do n++; while (n < 9); }")
    braces = facts("void f(int n) { if (n) { while (n) { n--; } } else { do { n++; } while (n < 9); } }")
    assert plain.skeleton == braces.skeleton
    assert plain.decorated == braces.decorated


def test_assignment_and_address_of_are_not_in_the_decorated_tree() -> None:
    assert facts("void f(int *p, int n) { p = &n; }").decorated.pre == ()


def test_the_comment_before_a_function_is_its_own() -> None:
    assert facts("/* Adds two numbers. */\nint add(int a, int b) { return a + b; }").comments == (
        "/* Adds two numbers. */",
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [("0x10UL", "16"), ("010", "8"), ("1.50f", "1.5"), ("0b11", "3"), ("1e999", "inf"), ("-7", "-7")],
)
def test_numbers_are_compared_by_value(written: str, value: str) -> None:
    assert literals.number(written) == value


@pytest.mark.parametrize(("written", "code"), [("'A'", "65"), (r"'\n'", "10"), (r"'\x41'", "65"), (r"'\0'", "0")])
def test_characters_are_their_codes(written: str, code: str) -> None:
    assert literals.character(written) == code


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (b"const unsigned", "unsigned int"),
        (b"struct foo", "foo"),
        (b"std::vector<std::pair<int, int>>", "vector"),
        (b"int[][]", "int**"),
        (b"boolean", "bool"),
        (b"struct s { int a; }", "s"),
    ],
)
def test_types_have_one_name(written: bytes, name: str) -> None:
    assert normalise(written) == name


def test_the_type_of_an_operation_is_that_of_the_wider_operand_and_literals_give_way() -> None:
    assert common("int", "double") == "double"
    assert common("char*", "int") == "char*"
    assert common("size_t", "#int") == "size_t"


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("binsearch", ("bin", "search")),
        ("maxVertices", ("max", "vertex")),
        ("HTMLParser", ("html", "parser")),
        ("x", ()),
        ("fixme_todo_xxx", ()),
        ("acosh", ("acosh",)),
        ("heapify", ("heap", "ifi")),
        ("searching_found", ("search", "found")),
    ],
)
def test_identifiers_become_terms(identifier: str, expected: tuple[str, ...]) -> None:
    assert terms.of_identifier(identifier) == expected


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("intfor(){};=+-*&[]<>\"'/\n x1.,#while?:"), max_size=120))
def test_broken_code_is_observed_all_the_same(body: str) -> None:
    for language in (Language.C, Language.CPP, Language.JAVA):
        for found in all_facts(f"int f(int a) {{ {body} }}", language):
            for feature in feature_classes():
                feature.observe(found)


def test_thousands_of_nested_levels_are_read() -> None:
    depth = 3000
    found = facts(f"int f(int a) {{ return {'(' * depth}a{')' * depth} + 1; }}")
    assert found.numbers == {"1"}
