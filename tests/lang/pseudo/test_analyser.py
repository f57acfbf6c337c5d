"""Control flow of p-code: where every statement goes on."""

from __future__ import annotations

from beryl.lang.pseudo import frontend
from beryl.types import Icfg


def graph(text: str) -> Icfg:
    return frontend.read(text, "x.pcode").icfg


def exits(icfg: Icfg, text: str) -> set[tuple[str, str]]:
    """(kind, text or kind of the target) of all edges out of the node with this text."""
    (node,) = [node for node in icfg.nodes if node.text == text]
    named = {other.id: other.text or other.kind.label for other in icfg.nodes}
    return {(edge.kind.label, named[edge.target]) for edge in icfg.edges if edge.source == node.id}


def test_branches_meet_after_the_last_else():
    icfg = graph("F()\n if $a$\n  $b$\n elseif $c$\n  $d$\n else\n  $e$\n $f$\n")
    assert exits(icfg, "a") == {("true", "b"), ("false", "c")}
    assert exits(icfg, "c") == {("true", "d"), ("false", "e")}
    assert exits(icfg, "b") == exits(icfg, "d") == exits(icfg, "e") == {("flow", "f")}
    assert exits(icfg, "f") == {("flow", "exit")}


def test_while_goes_back_to_its_test():
    icfg = graph("F()\n while $a$\n  $b$\n $c$\n")
    assert exits(icfg, "a") == {("true", "b"), ("false", "c")}
    assert exits(icfg, "b") == {("back", "a")}


def test_repeat_judges_after_its_body():
    icfg = graph("F()\n repeat\n  $a$\n  $b$\n until $c$\n $d$\n")
    assert exits(icfg, "F") == {("flow", "a")}
    assert exits(icfg, "b") == {("flow", "c")}
    assert exits(icfg, "c") == {("back", "a"), ("true", "d")}


def test_break_and_continue_look_up_the_innermost_loop():
    icfg = graph("F()\n while $a$\n  for $i$ to $n$\n   if $b$\n    break\n   if $c$\n    continue\n   $d$\n  $e$\n")
    assert exits(icfg, "break") == {("flow", "e")}
    assert exits(icfg, "continue") == {("back", "i to n")}
    assert exits(icfg, "e") == {("back", "a")}


def test_return_goes_to_the_exit_and_what_follows_is_dead():
    icfg = graph("F()\n return $a$\n $b$\n")
    assert exits(icfg, "return a") == {("flow", "exit")}
    (dead,) = [node.id for node in icfg.nodes if node.text == "b"]
    assert all(edge.target != dead for edge in icfg.edges)


def test_an_error_statement_leaves_by_an_exception_edge():
    icfg = graph('F()\n if @S is empty@\n  @error "underflow"@\n $x = 1$\n')
    assert exits(icfg, 'error "underflow"') == {("exception", "exit")}


def test_a_call_keeps_its_flow_edge_and_gets_call_and_return_edges():
    icfg = graph("F()\n G(x)\n $a$\nG(y)\n $b$\n")
    assert exits(icfg, "G(x)") == {("flow", "a"), ("call", "G")}
    exit_of_g = icfg.functions[1].first_node + 1
    (after,) = [node.id for node in icfg.nodes if node.text == "a"]
    assert [(edge.target, edge.kind.label) for edge in icfg.edges if edge.source == exit_of_g] == [(after, "return")]


def test_recursion_inside_math_is_joined_and_makes_the_statement_a_call():
    icfg = graph("FACT(n)\n if $n ≤ 1$\n  return $1$\n $r = n * FACT(n - 1)$\n return $r$\n")
    (site,) = [node for node in icfg.nodes if node.text.startswith("r =")]
    assert site.kind.label == "call"
    assert ("call", "FACT") in exits(icfg, "r = n * FACT(n - 1)")


def test_a_condition_that_calls_stays_a_condition_and_both_ways_follow_the_return():
    icfg = graph("F()\n if G(x)\n  $a$\n $b$\nG(x)\n return $x$\n")
    assert exits(icfg, "G(x)") == {("true", "a"), ("false", "b"), ("call", "G")}
    returns = {edge.target for edge in icfg.edges if edge.kind.label == "return"}
    assert returns == {node.id for node in icfg.nodes if node.text in ("a", "b")}


def test_math_prose_and_structure():
    icfg = graph("F()\n $a$\n @do it@\n if $x$ and @y is red@\n  return\n for $i = 1$ to @the end@\n  G()\n")
    told = {node.text: node.math for node in icfg.nodes}
    assert told == {
        "F": None, "": None, "a": True, "do it": False, "x and y is red": False, "return": None,
        "i = 1 to the end": False, "G()": True,
    }  # fmt: skip


def test_statements_without_a_header_form_a_function_named_after_the_file():
    icfg = frontend.read("$a$\n$b$\n", "some/merge sort.pcode").icfg
    assert [function.name for function in icfg.functions] == ["merge-sort"]
    assert len(icfg.nodes) == 4
