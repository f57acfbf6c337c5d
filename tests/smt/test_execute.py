"""Symbolic execution: paths, dropped exceptions, cuts, and what cannot be encoded."""

import pytest
from java_cases import STRIP_EXTENSION, encoded, methods

from beryl.smt.encoding import encode
from beryl.smt.scope import Unsupported


def test_the_method_of_figure_5_has_three_paths_and_drops_exceptions():
    encoding = encoded(STRIP_EXTENSION)
    assert [path[0] for path in encoding.paths] == ["11", "10", "0"]
    assert encoding.complete
    assert encoding.thrown >= 1


def test_fields_that_are_read_are_inputs():
    encoding = encoded("String reserved; boolean f(String str) { return reserved.contains(str.toLowerCase()); }")
    assert encoding.inputs == (("str", "String"), ("this.reserved", "String"))


def test_a_field_written_before_it_is_read_is_no_input():
    assert encoded("int x; int f(int a) { x = a + 1; return x; }").inputs == (("a", "int"),)


def test_constants_are_put_in():
    assert encoded("static final int K = 3 * 4; int f(int a) { return a + K; }").inputs == (("a", "int"),)


def test_conjunctions_are_branches_but_comparisons_are_not():
    assert len(encoded("boolean f(int a, int b) { return a > 0 && b > 0; }").paths) == 2
    assert len(encoded("boolean f(int a) { return a > 0; }").paths) == 1


def test_a_loop_that_depends_on_an_input_is_cut_and_keeps_its_program():
    encoding = encoded("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }")
    assert not encoding.complete
    assert encoding.program is not None
    assert encoding.cut == {"loop bound": 1}
    assert len(encoding.paths) == 4


def test_a_loop_of_known_length_is_one_complete_path():
    encoding = encoded("int f(int n) { for (int i = 0; i < 10; i++) n += i; return n; }")
    assert encoding.complete
    assert len(encoding.paths) == 1


def test_contradictory_branches_are_pruned():
    body = "int f(int a) { if (a > 5) { if (a > 3) return 1; return 2; } if (a < 9) return 3; return 4; }"
    assert sorted(path[0] for path in encoded(body).paths) == ["01", "11"]


@pytest.mark.parametrize(
    ("body", "construct"),
    [
        ("void f(int a) { }", "no result"),
        ("Object f(int a) { return null; }", "result type"),
        ("int f(java.util.List<String> a) { return a.size(); }", "call on an object"),
        ("boolean f(Object a) { return a instanceof String; }", "instanceof expression"),
        ("boolean f(String a, String b) { return a == b; }", "identity of objects"),
        ("int f(int a) { throw new IllegalStateException(); }", "only exceptions"),
        ("int f(int a) { return unknown(a); }", "call of an unknown method"),
        ("int f(int a) { return (a; }", "syntax error"),
    ],
)
def test_what_cannot_be_encoded_is_told_by_its_construct(body, construct):
    with pytest.raises(Unsupported, match=construct):
        encode(methods(body)[-1])
