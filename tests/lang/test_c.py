"""C: every construct, by golden graphs."""

from __future__ import annotations

from source_graphs import assert_exits_only_to, assert_exits_to, assert_kind, body_of, c, exits, node

from beryl.lang.treesitter import analyse
from beryl.types import EdgeKind, FunctionFlag, Language, NodeKind


def test_if_else_joins_after_both_branches():
    graph = body_of("if (x > y) y = 3; else y = 4; x = 1;")
    assert_exits_to(graph, "x > y", "y = 3", EdgeKind.TRUE)
    assert_exits_to(graph, "x > y", "y = 4", EdgeKind.FALSE)
    assert_exits_only_to(graph, "y = 3", "x = 1")
    assert_exits_only_to(graph, "y = 4", "x = 1")
    assert_kind(graph, "x > y", NodeKind.CONDITION)


def test_if_without_else_passes_by():
    graph = body_of("if (x) { y = 3; } x = 1;")
    assert exits(graph, "x") == {("true", "y = 3"), ("false", "x = 1")}


def test_else_if_chain_stays_on_one_level():
    graph = body_of("if (x == 1) a(); else if (x == 2) b(); else c();")
    assert_exits_to(graph, "x == 1", "x == 2", EdgeKind.FALSE)
    assert_exits_to(graph, "x == 2", "c()", EdgeKind.FALSE)
    assert [graph.nodes[node(graph, text)].depth for text in ("x == 2", "b()", "c()")] == [0, 1, 1]


def test_for_has_init_test_and_update_as_nodes():
    graph = body_of("for (i = 0; i < 3; i++) x += i; return x;")
    assert_exits_only_to(graph, "i = 0", "i < 3")
    assert exits(graph, "i < 3") == {("true", "x += i"), ("false", "return x")}
    assert_exits_only_to(graph, "x += i", "i++")
    assert exits(graph, "i++") == {("back", "i < 3")}
    assert_kind(graph, "i < 3", NodeKind.LOOP)


def test_endless_for_shows_its_header_and_is_left_by_break():
    graph = body_of("for (;;) { if (x) break; y++; } return y;")
    assert_kind(graph, "for (;;)", NodeKind.LOOP)
    assert_exits_only_to(graph, "break", "return y")
    assert exits(graph, "y++") == {("back", "for (;;)")}


def test_while_goes_back_to_its_test():
    graph = body_of("while (x < y) x++; return x;")
    assert exits(graph, "x < y") == {("true", "x++"), ("false", "return x")}
    assert exits(graph, "x++") == {("back", "x < y")}


def test_a_branch_that_ends_a_round_is_a_back_edge():
    graph = body_of("while (x) { if (y) x--; }")
    assert exits(graph, "y") == {("true", "x--"), ("back", "x")}


def test_do_while_runs_its_body_first():
    graph = body_of("do { x++; } while (x < y); return x;")
    assert_exits_only_to(graph, "entry", "x++")
    assert exits(graph, "x < y") == {("back", "x++"), ("false", "return x")}


def test_continue_goes_to_the_update_and_to_the_test():
    graph = body_of("for (i = 0; i < 3; i++) { if (x) continue; y++; }")
    assert_exits_only_to(graph, "continue", "i++")
    graph = body_of("do { if (x) continue; y++; } while (y);")
    assert_exits_only_to(graph, "continue", "y")


def test_switch_falls_through_and_breaks():
    graph = body_of("switch (x) { case 1: a = 1; case 2: a = 2; break; default: a = 3; } return a;")
    assert exits(graph, "x") == {("case", "a = 1"), ("case", "a = 2"), ("false", "a = 3")}
    assert_exits_only_to(graph, "a = 1", "a = 2")
    assert_exits_only_to(graph, "break", "return a")


def test_range_of_cases_is_one_label():
    graph = body_of("switch (x) { case 1 ... 5: a(); break; case 6: b(); } return y;")
    assert exits(graph, "x") == {("case", "a()"), ("case", "b()"), ("false", "return y")}


def test_switch_without_default_passes_by():
    graph = body_of("switch (x) { case 1: case 2: a = 1; } return a;")
    assert exits(graph, "x") == {("case", "a = 1"), ("false", "return a")}
    assert sum(edge.kind is EdgeKind.CASE for edge in graph.edges) == 2


def test_case_labels_inside_a_loop_come_from_the_switch():
    graph = body_of("switch (x % 2) { case 0: do { a++; case 1: b++; } while (--y > 0); }")
    assert exits(graph, "x % 2") == {("case", "a++"), ("case", "b++"), ("false", "exit")}
    assert_exits_to(graph, "--y > 0", "a++", EdgeKind.BACK)


def test_goto_forward_and_backward():
    graph = body_of("again: x++; if (x < 3) goto again; if (y) goto out; y = 2; out: return x;")
    assert exits(graph, "goto again") == {("back", "x++")}
    assert exits(graph, "goto out") == {("flow", "return x")}


def test_label_at_the_end_of_a_block_is_a_place_of_its_own():
    graph = body_of("while (x) { if (y) goto next; x--; next: ; } return y;")
    assert exits(graph, "goto next") == {("flow", "next")}
    assert exits(graph, "next") == {("back", "x")}


def test_return_leads_to_the_exit_and_what_follows_is_unreached():
    graph = body_of("return x; y = 1;")
    assert_exits_only_to(graph, "return x", "exit")
    assert_kind(graph, "return x", NodeKind.RETURN)
    assert not [edge for edge in graph.edges if edge.target == node(graph, "y = 1")]


def test_ternary_stays_inside_its_statement():
    graph = body_of("y = x > 0 ? 1 : f(2, 3); return y;")
    assert_exits_to(graph, "y = x > 0 ? 1 : f(2, 3)", "return y", EdgeKind.FLOW)
    assert_kind(graph, "y = x > 0 ? 1 : f(2, 3)", NodeKind.CALL)


def test_kinds_by_precedence_return_loop_condition_call_statement():
    graph = body_of("int z; if (g(x)) h(x); while (g(y)) z = 1; return g(z);")
    expected = {"int z": "STATEMENT", "g(x)": "CONDITION", "h(x)": "CALL", "g(y)": "LOOP", "return g(z)": "RETURN"}
    for text, kind in expected.items():
        assert_kind(graph, text, NodeKind[kind])


def test_old_style_definition():
    graph = c("int kr(a, b) int a; char *b; { return a; }")
    assert [(each.name, each.signature) for each in graph.functions] == [("kr", "int kr(a, b) int a; char *b")]
    assert_exits_only_to(graph, "return a", "exit")


def test_halves_of_an_ifdef_are_alternatives():
    graph = body_of("a();\n#ifdef ONE\n b();\n#elif defined(TWO)\n c();\n#else\n d();\n#endif\n e();")
    assert_exits_only_to(graph, "a()", "b()", "c()", "d()")
    for half in ("b()", "c()", "d()"):
        assert_exits_only_to(graph, half, "e()")


def test_ifdef_without_else_may_be_skipped():
    graph = body_of("a();\n#ifdef ONE\n b();\n#endif\n e();")
    assert_exits_only_to(graph, "a()", "b()", "e()")


def test_statement_macro_without_semicolon_is_a_statement():
    graph = body_of("\n  CHECK(x)\n  y = 2;\n  LOCK\n  return y;")
    assert_exits_only_to(graph, "CHECK(x)", "y = 2")
    assert_exits_only_to(graph, "y = 2", "LOCK")
    assert_exits_only_to(graph, "LOCK", "return y")


def test_macro_with_a_block_is_a_loop():
    graph = body_of("FOR_EACH(item, list) { use(item); }\n return x;")
    assert_kind(graph, "FOR_EACH(item, list)", NodeKind.LOOP)
    assert exits(graph, "FOR_EACH(item, list)") == {("true", "use(item)"), ("false", "return x")}
    assert exits(graph, "use(item)") == {("back", "FOR_EACH(item, list)")}


def test_else_behind_an_ifdef_belongs_to_its_if():
    graph = body_of("if (x) a();\n#ifdef MORE\n else if (y) b();\n#endif\n else c();\n return x;")
    assert_exits_to(graph, "x", "y", EdgeKind.FALSE)
    assert_exits_to(graph, "y", "c()", EdgeKind.FALSE)


def test_unknown_attributes_do_not_damage_a_function():
    graph = c("STATIC void __iomem *map(struct dev __user *d, my_size __maybe n) { return d->at; }")
    assert [(each.name, each.damaged) for each in graph.functions] == [("map", False)]


def test_comments_and_line_breaks_are_not_in_the_text():
    graph = body_of('x = y /* why */ +\n     2; // so\n s = "/* kept */";')
    assert [each.text for each in graph.nodes[2:]] == ["x = y + 2", 's = "/* kept */"']
    assert (graph.nodes[2].span.start_line, graph.nodes[2].span.end_line) == (1, 2)


def names(text: str) -> list[tuple[str, bool]]:
    return [(each.name, each.damaged) for each in c(text).functions]


def test_old_style_definition_that_returns_a_pointer():
    graph = c("MAT\t*m_mlt(A,B)\nMAT\t*A, *B;\n{\n\treturn A;\n}\n")
    assert [(each.name, each.signature) for each in graph.functions] == [("m_mlt", "MAT *m_mlt(A,B) MAT *A, *B")]
    assert_exits_only_to(graph, "return A", "exit")


def test_function_with_two_headers_has_the_first():
    text = "int\n#ifdef SHORT\nf(int a)\n#else\ng(int a, int b)\n#endif\n{\n  return a;\n}\nint h(void)\n{\n}\n"
    assert names(text) == [("f", False), ("h", False)]


def test_function_that_opens_in_both_halves_has_the_first():
    text = "#ifdef ANSI\nint f(int a) {\n#else\nint f(a) int a; {\n#endif\n  return a;\n}\nint h(void)\n{\n}\n"
    assert names(text) == [("f", False), ("h", False)]


def test_function_in_an_else_half_is_found():
    text = "#ifdef A\nBROKEN(\n#else\nint f(int a)\n{\n#if B\n  if (a)\n#endif\n    g();\n}\n#endif\n"
    assert ("f", False) in names(text)


def test_if_split_by_the_preprocessor_does_not_lose_the_function():
    text = "int f(int a)\n{  while (a)\n   {\n#if 1\n      if (a > 2)\n#endif\n      {  g(a);\n      }\n   }\n}\n"
    graph = c(text)
    assert [(each.name, each.span.end_line) for each in graph.functions] == [("f", 10)]
    assert_exits_to(graph, "a > 2", "g(a)", EdgeKind.TRUE)


def test_attribute_between_type_and_name_is_not_the_name():
    text = "static bool __attribute_noinline__\nbuild (const dfa_t *dfa)\n{\n  return dfa;\n}\n"
    assert names(text) == [("build", False)]


def test_names_with_two_underscores_before_a_type_are_no_damage():
    text = (
        "static __isl_give isl_set *meet(__isl_take isl_set *a, __isl_keep isl_set *b) { return both(a, b); }\n"
        "struct __list node *first(struct __list *all) { return all->next; }\n"
        "__u32 sum(const __u8 *restrict p) { return *p; }\n"
    )
    unit = analyse(text.encode(), Language.C)
    assert [(row.name, row.parameters, row.flags & FunctionFlag.DAMAGED) for row in unit.functions] == [
        ("meet", 2, 0),
        ("first", 1, 0),
        ("sum", 1, 0),
    ]
    assert "__isl_take" in unit.functions[0].signature
