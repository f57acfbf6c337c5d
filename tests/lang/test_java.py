"""Java: every construct, by golden graphs."""

from __future__ import annotations

from source_graphs import assert_exits_only_to, assert_exits_to, assert_kind, exits, java, method

from beryl.lang.treesitter import analyse
from beryl.types import EdgeKind, FunctionFlag, Language, NodeKind


def test_enhanced_for():
    graph = method("for (String s : names) { use(s); } return x;")
    assert exits(graph, "String s : names") == {("true", "use(s)"), ("false", "return x")}
    assert exits(graph, "use(s)") == {("back", "String s : names")}


def test_for_with_several_inits_and_updates():
    graph = method("for (int i = 0, j = 9; i < j; i++, j--) swap(i, j);")
    assert_exits_only_to(graph, "int i = 0, j = 9", "i < j")
    assert exits(graph, "i++, j--") == {("back", "i < j")}


def test_labelled_break_leaves_the_outer_loop():
    graph = method("outer: while (x > 0) { while (y > 0) { if (x == y) break outer; y--; } x--; } return y;")
    assert_exits_only_to(graph, "break outer", "return y")


def test_labelled_continue_starts_the_next_round_of_the_outer_loop():
    graph = method("outer: for (int i = 0; i < x; i++) { while (y > 0) { if (x == y) continue outer; y--; } }")
    assert_exits_only_to(graph, "continue outer", "i++")


def test_break_out_of_a_labelled_block():
    graph = method("found: { if (x == y) break found; x = 2; } return x;")
    assert_exits_only_to(graph, "break found", "return x")


def test_unlabelled_break_inside_a_labelled_block_leaves_the_loop():
    graph = method("found: { while (x > 0) { break; } y = 1; } return x;")
    assert_exits_only_to(graph, "break", "y = 1")


def test_old_switch_falls_through():
    graph = method("switch (x) { case 1: y = 1; case 2: y = 2; break; default: y = 3; } return y;")
    assert exits(graph, "x") == {("case", "y = 1"), ("case", "y = 2"), ("false", "y = 3")}
    assert_exits_only_to(graph, "y = 1", "y = 2")
    assert_exits_only_to(graph, "break", "return y")


def test_arrow_switch_does_not_fall_through():
    graph = method("switch (x) { case 1, 2 -> y = 1; case 3 -> { y = 3; } default -> throw new E(); } return y;")
    assert exits(graph, "x") == {("case", "y = 1"), ("case", "y = 3"), ("false", "throw new E()")}
    assert_exits_only_to(graph, "y = 1", "return y")
    assert_exits_only_to(graph, "y = 3", "return y")


def test_case_null_and_default_in_one_label_is_the_default():
    graph = method("switch (x) { case 1 -> a(); case null, default -> b(); } return y;")
    assert exits(graph, "x") == {("case", "a()"), ("false", "b()")}


def test_switch_inside_an_expression_runs_before_its_statement():
    graph = method("int z = switch (x) { case 1 -> 10; default -> { log(); yield 20; } }; return z;")
    assert exits(graph, "x") == {("case", "10"), ("false", "log()")}
    assert_exits_only_to(graph, "10", "int z = switch (x) {}")
    assert_exits_only_to(graph, "yield 20", "int z = switch (x) {}")
    assert_exits_only_to(graph, "int z = switch (x) {}", "return z")


def test_catch_is_reached_from_the_calls_that_may_throw():
    graph = method("try { a(); x = 1; b(); } catch (IOException | E e) { c(); } return x;")
    assert_exits_to(graph, "a()", "catch (IOException | E e)", EdgeKind.EXCEPTION)
    assert_exits_to(graph, "b()", "catch (IOException | E e)", EdgeKind.EXCEPTION)
    assert exits(graph, "x = 1") == {("flow", "b()")}
    assert exits(graph, "catch (IOException | E e)") == {("true", "c()"), ("exception", "exit")}


def test_try_without_calls_may_throw_at_its_start():
    graph = method("try { x = 10 / y; } catch (ArithmeticException e) { x = 0; }")
    assert_exits_to(graph, "x = 10 / y", "catch (ArithmeticException e)", EdgeKind.EXCEPTION)


def test_finally_is_passed_by_every_way_out():
    graph = method("while (x > 0) { try { if (y == 1) return 1; if (y == 2) break; work(); } finally { close(); } }")
    for text in ("return 1", "break", "work()"):
        assert_exits_to(graph, text, "close()")
    assert exits(graph, "close()") == {("flow", "exit"), ("back", "x > 0"), ("exception", "exit")}


def test_return_without_finally_goes_straight_to_the_exit():
    graph = method("try { return 1; } catch (E e) { return 2; }")
    assert_exits_to(graph, "return 1", "exit", EdgeKind.FLOW)


def test_inner_catch_takes_the_exception_before_the_outer_one():
    graph = method("try { try { a(); } catch (E e) { b(); } } catch (F f) { c(); }")
    assert_exits_only_to(graph, "a()", "catch (E e)", "exit")
    assert_exits_to(graph, "catch (E e)", "catch (F f)", EdgeKind.EXCEPTION)
    assert_exits_to(graph, "b()", "catch (F f)", EdgeKind.EXCEPTION)


def test_resources_are_nodes_before_the_body():
    graph = method("try (Reader r = open(x); Writer w = create(y)) { copy(r, w); } catch (E e) { fail(); }")
    assert_exits_to(graph, "Reader r = open(x)", "Writer w = create(y)", EdgeKind.FLOW)
    assert_exits_to(graph, "Writer w = create(y)", "copy(r, w)", EdgeKind.FLOW)
    assert_exits_to(graph, "Reader r = open(x)", "catch (E e)", EdgeKind.EXCEPTION)


def test_throw_leaves_the_method():
    graph = method('if (x < 0) throw new IllegalArgumentException("x"); return x;')
    assert exits(graph, 'throw new IllegalArgumentException("x")') == {("exception", "exit")}


def test_synchronized_takes_the_lock_first():
    graph = method("synchronized (lock) { x++; } return x;")
    assert_exits_only_to(graph, "synchronized (lock)", "x++")


def test_assert_goes_on_or_throws():
    graph = method('assert x > 0 : "small"; return x;')
    assert exits(graph, 'assert x > 0 : "small"') == {("flow", "return x"), ("exception", "exit")}


def test_ternary_stays_inside_its_statement():
    graph = method("int z = x > y ? x : y; return z;")
    assert_exits_only_to(graph, "int z = x > y ? x : y", "return z")


def test_functions_of_a_class_and_their_names():
    unit = analyse(
        b"""class Outer {
            static int n; static { n = 1; } { n++; }
            Outer(int a) { this(a, 1); } Outer(int a, int b) { super(); }
            static <T> T pick(T... all) { return all[0]; }
            class Inner { void run() {} }
            enum Op { ADD { int apply(int a) { return a; } }; int apply(int a) { return 0; } }
            record P(int x) { P { check(x); } }
            interface I { default void d() { } int e(); }
            abstract void none();
        }""",
        Language.JAVA,
    )
    static, constructor, initialiser = FunctionFlag.STATIC, FunctionFlag.CONSTRUCTOR, FunctionFlag.INITIALISER
    assert [(row.qualified, row.parameters, row.flags) for row in unit.functions] == [
        ("Outer.<clinit>", 0, static | initialiser),
        ("Outer.<init>", 0, initialiser),
        ("Outer.Outer", 1, constructor),
        ("Outer.Outer", 2, constructor),
        ("Outer.pick", 1, static | FunctionFlag.VARIADIC),
        ("Outer.Inner.run", 0, 0),
        ("Outer.Op.ADD.apply", 1, 0),
        ("Outer.Op.apply", 1, 0),
        ("Outer.P.P", 0, constructor),
        ("Outer.I.d", 0, 0),
    ]


def test_signature_leaves_annotations_and_modifiers_out():
    unit = analyse(b"class A { @Override public final int\n  size(int a) throws E { return 1; } }", Language.JAVA)
    assert unit.functions[0].signature == "int size(int a) throws E"


def test_lambda_with_a_block_is_a_function_of_its_own():
    graph = java("class A { void f() { run(() -> { if (ready) go(); }); } }")
    assert [each.qualified for each in graph.functions] == ["A.f", "A.lambda$1"]
    assert [each.text for each in graph.nodes if each.function == 0] == ["f", "", "run(() -> {})"]
    assert_exits_to(graph, "ready", "go()", EdgeKind.TRUE)


def test_lambda_with_an_expression_returns_it():
    graph = java("class A { Op plus = (a, b) -> a + b; }")
    assert [each.qualified for each in graph.functions] == ["A.plus"]
    assert_kind(graph, "a + b", NodeKind.RETURN)


def test_calls_stand_in_the_function_that_makes_them():
    unit = analyse(b"class A { void f() { run(() -> { go(); }, after()); } }", Language.JAVA)
    texts = [(unit.node_text[call.node], call.name) for call in unit.calls]
    assert texts == [("run(() -> {}, after())", "run"), ("run(() -> {}, after())", "after"), ("go()", "go")]


def test_anonymous_class_gives_functions_of_its_own():
    graph = java("class A { void f() { start(new Task() { public void run() { work(); } }); stop(); } }")
    assert [each.qualified for each in graph.functions] == ["A.f", "A.Task.run"]
    assert_exits_to(graph, "start(new Task() {})", "stop()", EdgeKind.FLOW)


def test_local_class_is_no_statement():
    graph = java("class A { void f() { class L { int m() { return 1; } } use(); } }")
    assert [each.qualified for each in graph.functions] == ["A.f", "A.L.m"]
    assert [each.text for each in graph.nodes if each.function == 0] == ["f", "", "use()"]


def test_constructor_calls_name_the_class():
    unit = analyse(b"class A extends B { A() { this(1); } A(int x) { super(x); new C(x); } }", Language.JAVA)
    assert [(call.name, call.arguments, call.receiver) for call in unit.calls] == [
        ("A", 1, "new"),
        ("B", 1, "new"),
        ("C", 1, "new"),
    ]


def test_depth_counts_loops_and_branches():
    graph = method("while (x > 0) { if (y > 0) { for (String s : l) use(s); } }")
    assert [(each.text, each.depth) for each in graph.nodes[2:]] == [
        ("x > 0", 0),
        ("y > 0", 1),
        ("String s : l", 2),
        ("use(s)", 3),
    ]


def test_initialisers_of_enums_and_of_their_constants():
    text = "enum E { A { { a(); } }, B; { e(); } static { s(); } enum Inner { C; { i(); } } }"
    unit = analyse(text.encode(), Language.JAVA)
    calls = {call.name: next(r.qualified for r in unit.functions if call.node < r.last_node) for call in unit.calls}
    assert calls == {"a": "E.A.<init>", "e": "E.<init>", "s": "E.<clinit>", "i": "E.Inner.<init>"}
