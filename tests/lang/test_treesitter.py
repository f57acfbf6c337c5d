"""What all three languages share: positions, texts, names, broken code, deep nesting, budgets."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from source_graphs import assert_exits_to, c, java, reachable

from beryl.errors import InputError
from beryl.lang import parsing
from beryl.lang.text import TEXT_LIMIT
from beryl.lang.treesitter import analyse, icfg_of_source, language_of
from beryl.types import EdgeKind, FunctionFlag, Language, NodeKind, Source

LANGUAGES = [Language.C, Language.CPP, Language.JAVA]
SORT = {
    Language.C: "void sort(int *a, int n) { for (int i = 0; i < n; i++) { if (a[i] > 3) swap(a, i); } }",
    Language.CPP: "void sort(vector<int>& a) { for (int i = 0; i < a.size(); i++) { if (a[i] > 3) swap(a, i); } }",
    Language.JAVA: "class A { void sort(int[] a) { for (int i = 0; i < a.n; i++) { if (a[i] > 3) swap(a, i); } } }",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_algorithm_has_the_same_graph_in_every_language(language):
    unit = analyse(SORT[language].encode(), language)
    kinds = [NodeKind(kind).name for kind in unit.node_kind]
    assert kinds == ["ENTRY", "EXIT", "STATEMENT", "LOOP", "STATEMENT", "CONDITION", "CALL"]
    edges = {
        (unit.node_text[source], unit.node_text[target], EdgeKind(kind).label)
        for source, target, kind in zip(unit.edge_source, unit.edge_target, unit.edge_kind, strict=True)
    }
    assert ("a[i] > 3", "swap(a, i)", "true") in edges
    assert ("a[i] > 3", "i++", "false") in edges
    assert ("swap(a, i)", "i++", "flow") in edges


@pytest.mark.parametrize("language", LANGUAGES)
def test_entry_is_first_exit_second_and_entry_reaches_exit(language):
    unit = analyse(SORT[language].encode(), language)
    row = unit.functions[0]
    assert unit.node_kind[row.first_node] == NodeKind.ENTRY
    assert unit.node_kind[row.first_node + 1] == NodeKind.EXIT
    assert (unit.node_text[0], unit.node_text[1]) == ("sort", "")
    graph = icfg_of_source(Source(SORT[language], language))
    assert 1 in reachable(graph)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", "\n\n", "// only a comment", "}}}} ((( {", "\x00\xff"])
def test_text_without_functions_gives_an_empty_unit(language, text):
    unit = analyse(text.encode("latin-1"), language)
    assert unit.functions == ()
    assert unit.node_kind == unit.edge_source == []


def test_damaged_function_is_kept_and_marked_and_its_neighbours_are_not():
    graph = c(
        "int good(int x) { return x; }\nint bad(int x) { x = ; ) y = 2; return x; }\nint fine(int y) { return y; }"
    )
    assert [(each.name, each.damaged) for each in graph.functions] == [("good", False), ("bad", True), ("fine", False)]
    unit = analyse(b"int bad(int x) { x = ; ) y = 2; return x; }", Language.C)
    assert unit.functions[0].flags == FunctionFlag.DAMAGED
    assert unit.parse_errors
    assert "return x" in unit.node_text


def test_statements_inside_broken_text_are_still_found():
    graph = java("class A { void f(int x) { if (x > 0) { a(); } @@ # if (x < 0) { b(); } } }")
    assert_exits_to(graph, "x > 0", "a()", EdgeKind.TRUE)
    assert_exits_to(graph, "x < 0", "b()", EdgeKind.TRUE)


NESTED = {
    "blocks": ("{" * 3000, "}" * 3000),
    "ifs": ("if (x) {" * 3000, "}" * 3000),
    "loops": ("while (x) " * 3000, ";"),
    "else chain": ("if (x) a(); else " * 3000, "b();"),
    "expression": ("x = " + "(" * 3000 + "1", ")" * 3000 + ";"),
}


@pytest.mark.parametrize("shape", NESTED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_three_thousand_levels_of_nesting(language, shape):
    opening, closing = NESTED[shape]
    body = (
        f"int f(int x) {{ {opening} y(); {closing} return x; }}"
        if shape not in ("loops", "expression")
        else (f"int f(int x) {{ {opening}{closing} return x; }}")
    )
    text = f"class A {{ {body} }}" if language is Language.JAVA else body
    unit = analyse(text.encode(), language)
    assert [row.name for row in unit.functions] == ["f"]
    assert unit.node_text[-1] == "return x"
    assert not unit.functions[0].flags & FunctionFlag.DAMAGED


def test_deep_lambdas_and_anonymous_classes():
    text = (
        "class A { Object f() { return " + "new Object() { Object g() { return " * 300 + "1" + "; } }" * 300 + "; } }"
    )
    assert len(analyse(text.encode(), Language.JAVA).functions) == 301


def test_a_file_over_its_time_budget_is_refused(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(parsing.time, "monotonic", lambda: float(next(clock)))
    with pytest.raises(InputError, match="longer than its budget of 2 s"):
        analyse(b"int f(void) { return 1; }\n" * 200, Language.C, timeout=2.0)
    monkeypatch.undo()
    assert len(analyse(b"int f(void) { return 1; }\n", Language.C, timeout=2.0).functions) == 1


def test_a_large_file_stops_close_to_its_budget():
    text = b"int f(int x) { if (x > 1) { return g(x) + 2; } return x; }\n" * 100_000
    before = time.perf_counter()
    with pytest.raises(InputError, match="budget"):
        analyse(text, Language.CPP, timeout=0.1)
    assert time.perf_counter() - before < 5


def test_positions_count_bytes_and_lines_also_past_other_alphabets():
    text = '// Grüße, 世界\nint größe(int x) {\n  s = "é"; /* ü */\n  return x;\n}\n'
    unit = analyse(text.encode(), Language.C)
    row = unit.functions[0]
    assert (row.start_line, row.end_line) == (2, 5)
    assert text.encode()[row.start_byte : row.end_byte].decode().startswith("int größe")
    assert text.encode()[row.comment_start : row.comment_end].decode() == "// Grüße, 世界"
    assert unit.node_text[2:] == ['s = "é"', "return x"]
    assert unit.node_line[2:].tolist() == [3, 4]


def test_bytes_that_are_no_utf8_are_replaced():
    unit = analyse(b'void f(void) { s = "\xe9"; }', Language.C)
    assert unit.node_text[2] == 's = "�"'


def test_windows_line_ends():
    unit = analyse(b"int f(int x)\r\n{\r\n  x =\r\n   2;\r\n  return x;\r\n}\r\n", Language.C)
    assert unit.node_text[2:] == ["x = 2", "return x"]
    assert (unit.node_line[2:].tolist(), unit.node_end_line[2:].tolist()) == ([3, 5], [4, 5])


def comment_of(text: str, language: Language = Language.C) -> str:
    row = analyse(text.encode(), language).functions[0]
    return text.encode()[row.comment_start : row.comment_end].decode()


def test_comment_directly_before_a_function():
    assert comment_of("/* not this */\nint x;\n/** Sorts. */\n\nint f(void) { return 1; }") == "/** Sorts. */"
    assert comment_of("// one\n// two\nint f(void) { return 1; }") == "// one\n// two"
    assert comment_of("/* other */\nint x;\nint f(void) { return 1; }") == ""
    assert (
        comment_of("class A {\n  /** Doc. */\n  @Deprecated public int f() { return 1; } }", Language.JAVA)
        == "/** Doc. */"
    )
    assert comment_of("/** T. */\ntemplate <class T>\nT f(T x) { return x; }", Language.CPP) == "/** T. */"


def test_long_statements_are_cut():
    unit = analyse(b'void f(void) { s = "' + b"x" * 1000 + b'"; }', Language.C)
    assert len(unit.node_text[2]) == TEXT_LIMIT


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a/b.c", b"", Language.C),
        ("b.h", b"int f(void);", Language.C),
        ("b.h", b"namespace x { int f(); }", Language.CPP),
        ("b.h", b"\ntemplate <class T> T f();", Language.CPP),
        ("b.h", b"/* a class of its own */ int f(void);", Language.C),
        *((f"b{suffix}", b"", Language.CPP) for suffix in (".cc", ".cpp", ".cxx", ".hpp", ".hh")),
        ("B.java", b"", Language.JAVA),
        ("b.py", b"", None),
        ("Makefile", b"", None),
    ],
)
def test_language_by_suffix(path, text, language):
    assert language_of(path, text) is language


def test_one_function_is_chosen_by_name_or_class_and_name():
    text = "class A { int f() { return 1; } } class B { int f() { return 2; } int g() { return f(); } }"
    assert [each.qualified for each in java(text, "f").functions] == ["A.f", "B.f"]
    graph = java(text, "B.f")
    assert [each.text for each in graph.nodes] == ["f", "", "return 2"]
    assert [(edge.source, edge.target) for edge in graph.edges] == [(0, 2), (2, 1)]


def test_unknown_function_lists_those_there_are():
    with pytest.raises(InputError, match=r"no function 'h'.*there are: A\.f, A\.g"):
        java("class A { int f() { return 1; } int g() { return 2; } }", "h")


STATEMENTS = st.recursive(
    st.sampled_from(["x = 1;", "g(x);", "return x;", ";", "{ }", "x++;"]),
    lambda inner: st.one_of(
        inner.map(lambda s: f"if (x) {s}"),
        st.tuples(inner, inner).map(lambda p: f"if (x) {{ {p[0]} }} else {{ {p[1]} }}"),
        inner.map(lambda s: f"while (x) {{ {s} break; }}"),
        inner.map(lambda s: f"for (i = 0; i < 3; i++) {{ {s} if (x) continue; }}"),
        inner.map(lambda s: f"do {{ {s} }} while (x);"),
        st.tuples(inner, inner).map(lambda p: f"switch (x) {{ case 1: {p[0]} case 2: {p[1]} break; default: ; }}"),
        st.lists(inner, min_size=1, max_size=3).map(" ".join),
    ),
    max_leaves=12,
)


@given(STATEMENTS, st.sampled_from(LANGUAGES))
@settings(max_examples=150, deadline=None)
def test_any_nesting_gives_a_sound_graph(body, language):
    text = f"int f(int x) {{ {body} }}"
    graph = icfg_of_source(Source(f"class A {{ {text} }}" if language is Language.JAVA else text, language))
    assert not graph.functions[0].damaged
    assert 1 in reachable(graph), "entry reaches exit"
    leaving = {edge.source for edge in graph.edges}
    assert leaving == {each.id for each in graph.nodes if each.kind is not NodeKind.EXIT}, "only the exit is an end"
    loops = [each.id for each in graph.nodes if each.kind is NodeKind.LOOP]
    assert len(loops) == body.count("while") + body.count("for")


@given(st.text(alphabet="{}();ifelswhor x=1,\n\"'/*#<>:", max_size=80), st.sampled_from(LANGUAGES))
@settings(max_examples=150, deadline=None)
def test_broken_input_still_gives_a_graph(noise, language):
    text = f"int f(int x) {{ {noise} }}\nint g(int y) {{ return y; }}"
    unit = analyse((f"class A {{ {text} }}" if language is Language.JAVA else text).encode(), language)
    nodes = len(unit.node_kind)
    assert all(
        0 <= node < nodes for node in [*unit.edge_source, *unit.edge_target, *(call.node for call in unit.calls)]
    )
    assert len(unit.node_text) == len(unit.node_line) == len(unit.node_end_line) == len(unit.node_depth) == nodes
    bounds = [row.first_node for row in unit.functions] + [row.last_node for row in unit.functions][-1:]
    assert bounds == sorted(bounds)
