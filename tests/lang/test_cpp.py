"""C++: what it adds to C, by golden graphs."""

from __future__ import annotations

from source_graphs import assert_exits_only_to, assert_exits_to, assert_kind, cpp, exits

from beryl.lang.treesitter import analyse
from beryl.types import EdgeKind, FunctionFlag, Language, NodeKind


def function(body: str):
    return cpp(f"int f(int x) {{ {body} }}")


def test_range_for_is_one_loop_node():
    graph = function("for (auto& item : items) { use(item); } return x;")
    assert_kind(graph, "auto& item : items", NodeKind.LOOP)
    assert exits(graph, "auto& item : items") == {("true", "use(item)"), ("false", "return x")}
    assert exits(graph, "use(item)") == {("back", "auto& item : items")}


def test_try_and_catches_are_a_chain_of_conditions():
    graph = function("try { a(); } catch (const E& e) { b(); } catch (...) { c(); } return x;")
    assert_exits_to(graph, "a()", "catch (const E& e)", EdgeKind.EXCEPTION)
    assert exits(graph, "catch (const E& e)") == {("true", "b()"), ("false", "catch (...)")}
    assert exits(graph, "catch (...)") == {("true", "c()")}
    for text in ("b()", "c()"):
        assert_exits_only_to(graph, text, "return x")


def test_throw_goes_to_the_catch_around_it_or_out():
    graph = function("try { throw E(); } catch (E e) { b(); }")
    assert exits(graph, "throw E()") == {("exception", "catch (E e)")}
    graph = function("if (x) throw x; return 1;")
    assert exits(graph, "throw x") == {("exception", "exit")}


def test_condition_with_a_declaration():
    graph = function("if (auto p = find(x); p) { use(p); } return x;")
    assert exits(graph, "auto p = find(x); p") == {("true", "use(p)"), ("false", "return x")}


def test_methods_inside_and_outside_the_class():
    graph = cpp("""
        namespace geo {
        template <class T> class Box { public: Box(T w) : width(w), area(square(w)) { check(); } ~Box() {}
          T size() const { return width; } bool operator==(const Box& other) { return true; } };
        }
        int geo::Box::grow(int by) { return by; }
        template <typename T> T largest(T a, T b) { return a > b ? a : b; }
    """)
    assert [each.qualified for each in graph.functions] == [
        "geo.Box.Box",
        "geo.Box.~Box",
        "geo.Box.size",
        "geo.Box.operator==",
        "geo.Box.grow",
        "largest",
    ]
    assert_exits_only_to(graph, "width(w)", "area(square(w))")
    assert_exits_only_to(graph, "area(square(w))", "check()")


def test_conversion_is_named_by_its_type_in_and_outside_the_class():
    text = """struct Box { operator bool() const { return full; } int operator()(int a) { return a; } };
              Box::operator std::string() const { return name; }"""
    names = [(each.name, each.qualified) for each in analyse(text.encode(), Language.CPP).functions]
    assert names == [
        ("operator bool", "Box.operator bool"),
        ("operator()", "Box.operator()"),
        ("operator std::string", "Box.operator std::string"),
    ]


def test_throw_of_a_new_exception_reaches_its_catch_by_one_edge():
    graph = function('try { throw Full("disk"); } catch (Full e) { b(); }')
    source = next(each.id for each in graph.nodes if each.text == 'throw Full("disk")')
    assert [edge.kind for edge in graph.edges if edge.source == source] == [EdgeKind.EXCEPTION]


def test_lambda_is_a_function_of_its_own():
    graph = cpp("void f() { auto less = [](int a, int b) { if (a) return 1; return b; }; sort(less); less(1, 2); }")
    assert [each.qualified for each in graph.functions] == ["f", "less"]
    assert_exits_to(graph, "a", "return 1", EdgeKind.TRUE)
    assert_exits_only_to(graph, "auto less = [](int a, int b) {}", "sort(less)")
    entry = graph.functions[1].first_node
    assert {edge.target for edge in graph.edges if edge.kind is EdgeKind.CALL} == {entry}


def test_flags_of_constructors_statics_and_variadics():
    unit = analyse(b"struct A { A() {} static void s() {} }; void log(const char *f, ...) {}", Language.CPP)
    flags = {row.qualified: row.flags for row in unit.functions}
    assert flags["A.A"] == FunctionFlag.CONSTRUCTOR
    assert flags["A.s"] == FunctionFlag.STATIC
    assert flags["log"] == FunctionFlag.VARIADIC


def test_method_of_a_local_class_is_not_repeated_in_the_function_around_it():
    graph = cpp("int f() { struct L { int m() { return 7; } }; L l; return l.m(); }")
    assert [each.qualified for each in graph.functions] == ["f", "L.m"]
    assert [each.text for each in graph.nodes if each.function == 0] == ["f", "", "L l", "return l.m()"]


def test_a_return_inside_a_switch_inside_a_loop():
    graph = function("for (;;) switch (x) { case 1: return 1; default: continue; }")
    assert_exits_only_to(graph, "return 1", "exit")
    assert exits(graph, "continue") == {("back", "for (;;)")}
