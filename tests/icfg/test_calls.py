"""Calls joined to callees: by name, arguments, receiver, class and file scope."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from beryl.icfg.calls import EXTERNAL, MOST_CANDIDATES, SEVERAL, Callables, CallSites, FlowEdges, JoinedCalls, join
from beryl.lang.treesitter import analyse
from beryl.types import EdgeKind, Language


class Project:
    """Source files joined as an index joins them: one numbering of functions and nodes."""

    def __init__(self, language: Language, *files: str, headers: tuple[int, ...] = ()) -> None:
        units = [analyse(text.encode(), language) for text in files]
        rows, sites = [], []
        source, target, kind = list[int](), list[int](), list[int]()
        self.texts = list[str]()
        for file, unit in enumerate(units):
            base, first = len(self.texts), len(rows)
            rows += [(row, file, base) for row in unit.functions]
            for call in unit.calls:
                caller = next(i for i, row in enumerate(unit.functions) if call.node < row.last_node)
                sites.append((call.node + base, call.name, call.arguments, call.receiver, first + caller))
            source += [node + base for node in unit.edge_source]
            target += [node + base for node in unit.edge_target]
            kind += unit.edge_kind
            self.texts += [text or "exit" for text in unit.node_text]
        self.names = [f"{row.qualified}/{row.parameters}" for row, _, _ in rows]
        self.functions = Callables(
            [row.name for row, _, _ in rows],
            [row.qualified for row, _, _ in rows],
            [row.parameters for row, _, _ in rows],
            [row.flags for row, _, _ in rows],
            [file for _, file, _ in rows],
            [language.code] * len(rows),
            [row.first_node + base for row, _, base in rows],
            [file in headers for _, file, _ in rows],
        )
        self.calls = CallSites(*([list(column) for column in zip(*sites, strict=True)] if sites else [[]] * 5))
        self.flow = FlowEdges(np.array(source), np.array(target), np.array(kind))

    def joined(self) -> JoinedCalls:
        return join(self.functions, self.calls, self.flow)

    def callees(self) -> list[str]:
        """`call -> callee` for each call, in order; `external` and `several` where there is not one."""
        special = {EXTERNAL: "external", SEVERAL: "several"}
        resolved = self.joined().resolved.tolist()
        return [
            f"{name} -> {special.get(callee) or self.names[callee]}"
            for name, callee in zip(self.calls.name, resolved, strict=True)
        ]

    def edges(self, kind: EdgeKind) -> set[tuple[str, str, bool]]:
        joined = self.joined()
        rows = zip(joined.source, joined.target, joined.kind, joined.uncertain, strict=True)
        return {(self.texts[a], self.texts[b], bool(unsure)) for a, b, k, unsure in rows if k == kind}


def test_call_edge_to_the_entry_and_return_edges_to_the_successors():
    project = Project(Language.C, "int g(int x) { return x; } int f(int y) { if (g(y)) y = 1; return y; }")
    assert project.edges(EdgeKind.CALL) == {("g(y)", "g", False)}
    assert project.edges(EdgeKind.RETURN) == {("exit", "y = 1", False), ("exit", "return y", False)}


def test_flow_edges_stay_apart_from_call_edges():
    project = Project(Language.C, "int g(int x) { return x; } void f(int y) { g(y); y = 1; }")
    assert set(project.joined().kind.tolist()) == {int(EdgeKind.CALL), int(EdgeKind.RETURN)}
    assert {int(EdgeKind.FLOW)} == set(project.flow.kind.tolist())


def test_recursion_calls_itself():
    project = Project(Language.C, "int fact(int n) { if (n < 2) return 1; return n * fact(n - 1); }")
    assert project.callees() == ["fact -> fact/1"]


def test_number_of_arguments_decides():
    project = Project(
        Language.JAVA, "class A { void f(int a) {} void f(int a, int b) {} void g() { f(1, 2); f(1); f(1, 2, 3); } }"
    )
    assert project.callees() == ["f -> A.f/2", "f -> A.f/1", "f -> external"]


def test_variadic_functions_take_more_arguments():
    assert Project(Language.C, "void log(char *f, ...) {} void g() { log(a); log(a, b, c); log(); }").callees() == [
        "log -> log/1",
        "log -> log/1",
        "log -> external",
    ]
    assert Project(Language.JAVA, "class A { void f(int... a) {} void g() { f(); f(1, 2); } }").callees() == [
        "f -> A.f/1",
        "f -> A.f/1",
    ]


def test_cpp_defaults_allow_fewer_arguments():
    project = Project(Language.CPP, "int f(int a, int b = 2) { return a; } int g() { return f(1) + f(1, 2, 3); }")
    assert project.callees() == ["f -> f/2", "f -> external"]


def test_static_functions_are_seen_in_their_own_file_only():
    one = "static int help(int x) { return 1; } int f(int x) { return help(x); }"
    other = "static int help(int x) { return 2; } int g(int x) { return help(x); }"
    third = "int h(int x) { return help(x); }"
    project = Project(Language.C, one, other, third)
    resolved = project.joined().resolved.tolist()
    assert [project.functions.file[callee] for callee in resolved[:2]] == [0, 1]
    assert resolved[2] == EXTERNAL


def test_static_functions_of_a_header_are_seen_by_all():
    header, user = "static inline int help(int x) { return 1; }", "int f(int x) { return help(x); }"
    assert Project(Language.C, header, user).callees() == ["help -> external"]
    assert Project(Language.C, header, user, headers=(0,)).callees() == ["help -> help/1"]


def test_unqualified_call_prefers_the_callers_class_then_the_class_around_it():
    text = """class A { int f() { return 1; } class In { int f() { return 2; } int g() { return f(); } }
              class Other { int h() { return f(); } } } class B { int f() { return 3; } }"""
    assert Project(Language.JAVA, text).callees() == ["f -> A.In.f/0", "f -> A.f/0"]


def test_receiver_class_and_namespace_decide():
    java = """class A { static int f() { return 1; } } class B { static int f() { return 2; } }
              class C { int g() { return B.f(); } int h() { return Math.f(); } int i() { return this.g(); } }"""
    assert Project(Language.JAVA, java).callees() == ["f -> B.f/0", "f -> external", "g -> C.g/0"]
    cpp = """namespace one { int f() { return 1; } } namespace two { int f() { return 2; } }
             int g() { return two::f() + std::f(); }"""
    assert Project(Language.CPP, cpp).callees() == ["f -> two.f/0", "f -> external"]


def test_declared_type_of_a_variable_is_its_receiver_class():
    text = """class A { int f() { return 1; } } class B { int f() { return 2; } }
              class C { B mine; int g(A a) { B own = new B(); return a.f() + own.f() + mine.f() + this.mine.f(); } }"""
    callees = [each for each in Project(Language.JAVA, text).callees() if each.startswith("f ")]
    assert callees == ["f -> A.f/0", "f -> B.f/0", "f -> B.f/0", "f -> B.f/0"]


def test_variable_of_another_function_says_nothing():
    text = """class A { int f() { return 1; } } class B { int f() { return 2; } }
              class C { void h(A a) {} int g() { return a.f(); } }"""
    assert Project(Language.JAVA, text).callees() == ["f -> several"]


def test_object_of_a_library_class_is_external():
    text = "class A { int size() { return 1; } } class C { int g(List<A> all) { return all.size(); } }"
    assert Project(Language.JAVA, text).callees() == ["size -> external"]


def test_statement_that_surely_calls_a_method_is_sure_of_it_whatever_else_it_may_call():
    project = Project(
        Language.JAVA,
        "class Disk { int size() { return 1; } } class Square { int size() { return 2; } }",
        "class Sum { int both(Shape some, Disk disk) { return some.size() + disk.size(); } }",
    )
    text = "return some.size() + disk.size()"
    edges = {(source, unsure) for source, _, unsure in project.edges(EdgeKind.CALL)}
    assert edges == {(text, False), (text, True)}
    assert len(project.joined().source) == 4  # two calls, and a way back from each


def test_object_of_unknown_class_gives_several_uncertain_edges():
    text = """class A { int f() { return 1; } } class B { int f() { return 2; } }
              class C { int g() { return make().f(); } }"""
    project = Project(Language.JAVA, text)
    assert "f -> several" in project.callees()
    assert project.edges(EdgeKind.CALL) == {("return make().f()", "f", True)}
    assert len(project.joined().source) == 4, "two calls, two returns"


def test_constructor_by_class_name():
    text = "class A { A() {} A(int x) { this(); } } class B extends A { B() { super(1); new A(); new Unknown(); } }"
    assert Project(Language.JAVA, text).callees() == ["A -> A.A/0", "A -> A.A/1", "A -> A.A/0", "Unknown -> external"]


def test_super_does_not_call_the_method_itself():
    text = "class A { void f() {} } class B extends A { void f() { super.f(); } }"
    assert Project(Language.JAVA, text).callees() == ["f -> A.f/0"]


def test_names_that_say_nothing_stay_external():
    classes = " ".join(f"class A{i} {{ int get() {{ return {i}; }} }}" for i in range(MOST_CANDIDATES + 1))
    project = Project(Language.JAVA, classes + " class User { int use() { return make().get(); } }")
    joined = project.joined()
    assert set(project.callees()) == {"make -> external", "get -> external"}
    assert (joined.crowded, len(joined.source)) == (1, 0)


def test_functions_of_another_language_are_not_callees():
    project = Project(Language.C, "int f(int x) { return x; } int g(int x) { return f(x); }")
    mixed = replace(project.functions, language=[Language.JAVA.code, Language.C.code])
    assert join(mixed, project.calls, project.flow).resolved.tolist() == [EXTERNAL]


@pytest.mark.parametrize("language", [Language.C, Language.JAVA])
def test_project_without_calls(language):
    joined = Project(language, "").joined()
    assert len(joined.source) == len(joined.resolved) == 0


def test_two_calls_of_one_function_in_a_statement_are_one_edge():
    project = Project(Language.C, "int g(int x) { return x; } int f(int y) { return g(g(y)); }")
    assert project.callees() == ["g -> g/1", "g -> g/1"]
    assert len(project.joined().source) == 2
