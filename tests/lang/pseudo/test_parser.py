"""The p-language: layouts, tests, errors in words."""

from __future__ import annotations

import pytest

from beryl.errors import ParseError
from beryl.lang.pseudo import analyser, layout, nodes, parser

KRUSKAL_INDENTED = """\
1 MST-KRUSKAL(G, w)
2   $A = ∅$
3   for each @vertex v ∈ G.V@
4     MAKE-SET(v)
5   @sort edges of G.E into nondecreasing order by weight w@
6   for each @edge (u, v) in G.E in nondecreasing order by weight@
7     if $FIND-SET(u) ≠ FIND-SET(v)$
8       $A = A ∪ {(u, v)}$
9       UNION(u, v)
10  return $A$
"""
KRUSKAL_BRACES = """\
MST-KRUSKAL(G, w) {
  $A = ∅$
  for each @vertex v ∈ G.V@ { MAKE-SET(v) }
  @sort edges of G.E into nondecreasing order by weight w@
  for each @edge (u, v) in G.E in nondecreasing order by weight@
  {
    if $FIND-SET(u) ≠ FIND-SET(v)$ {
      $A = A ∪ {(u, v)}$; UNION(u, v)
    }
  }
  return $A$
}
"""


def parse(text: str) -> nodes.Start:
    return parser.parse(layout.split(text, "p"), "x.pcode")


def outline(text: str) -> list[tuple[str, str, bool | None, int]]:
    icfg = analyser.analyse(parse(text))
    return [(node.kind.label, node.text, node.math, node.depth) for node in icfg.nodes]


def test_figure_4b_in_both_layouts_is_the_same_graph():
    indented, braced = (analyser.analyse(parse(text)) for text in (KRUSKAL_INDENTED, KRUSKAL_BRACES))
    assert outline(KRUSKAL_INDENTED) == outline(KRUSKAL_BRACES)
    assert indented.edges == braced.edges


def test_line_numbers_are_no_part_of_the_text_but_lines_are_counted_in_the_file():
    icfg = analyser.analyse(parse(KRUSKAL_INDENTED))
    assert [node.span.start_line for node in icfg.nodes if node.text == "UNION(u, v)"] == [9]


def test_not_binds_tighter_than_and_and_and_tighter_than_or():
    tree = parse("F()\n if not $a$ and $b$ or $c$\n  $x$\n")
    function = tree.items[0]
    assert isinstance(function, nodes.Func)
    branch = function.body.statements[0]
    assert isinstance(branch, nodes.IfStmt)
    assert isinstance(branch.test, nodes.OrTest)
    left, right = branch.test.items
    assert isinstance(left, nodes.AndTest)
    assert isinstance(left.items[0], nodes.NotTest)
    assert isinstance(right, nodes.Math)


def test_parentheses_group_tests_and_stay_in_the_text():
    (condition,) = [row for row in outline("F()\n if not ($a$ or $b$) and $c$\n  $x$\n") if row[0] == "condition"]
    assert condition[1] == "not (a or b) and c"


@pytest.mark.parametrize("head", ["F()", "F ( )", "F(a, $b[1..n]$, @a graph@, 3)", "Δ-step(x′)"])
def test_parameter_lists(head):
    assert outline(f"{head}\n  $x = 1$\n")[2] == ("statement", "x = 1", True, 0)


def test_several_functions_comments_blank_lines_and_tabs():
    text = "// first\nF()\n\t$x$ // why\n\n\tG()\n\nG() {\n\n  return // nothing\n}\n"
    assert [row[:2] for row in outline(text)] == [
        ("entry", "F"),
        ("exit", ""),
        ("statement", "x"),
        ("call", "G()"),
        ("entry", "G"),
        ("exit", ""),
        ("return", "return"),
    ]


def test_marks_protect_comment_signs():
    assert outline("F()\n  $a // b$\n  @see # 3@\n")[2:] == [
        ("statement", "a // b", True, 0),
        ("statement", "see # 3", False, 0),
    ]


@pytest.mark.parametrize(
    ("text", "label", "line", "column"),
    [
        ("F()\n  for $i = 1$ to $n$\n  $x$\n", "`for` needs a suite", 2, 21),
        ("F()\n  for each @x@\n", "`for each` needs a suite", 2, 15),
        ("F() {\n  while $x$\n}\n", "`while` needs a suite", 2, 12),
        ("F()\n  if $x$\n    $y$\n  else\n  $z$\n", "`else` needs a suite", 4, 7),
        ("F()\n  $x = 1\n", "unclosed `$`", 2, 3),
        ("F()\n  if @x is red\n    $y$\n", "unclosed `@`", 2, 6),
        ("F()\n  x = 1\n", "a bare word", 2, 5),
        ("F()\n  if $x$ and\n    $y$\n", "`and`, `or` and `not` need a test", 2, 13),
        ("F()\n  $x$ $y$\n", "two statements on one line", 2, 7),
        ("F(a, b\n  $x$\n", "a parameter list is not closed", 1, 7),
        ("F() {\n  $x$\n", "unbalanced braces: `}` is missing", 2, 6),
        ("F() {\n  $x$\n}\n}\n", "unbalanced braces: `}` without a `{`", 4, 1),
        ("F()\n  repeat\n    $x$\n  $y$\n", "`repeat` needs an `until`", 4, 3),
        ("F()\n  $x$\n  else\n    $y$\n", "`else` without an `if`", 3, 3),
        ("F()\n    $x$\n  $y$\n", "this indentation matches no line above it", 3, 3),
        ("F()\n  $x$\n      $y$\n", "unexpected indentation", 2, 6),
    ],
)
def test_syntax_errors_have_a_label_a_place_and_a_caret(text, label, line, column):
    with pytest.raises(ParseError) as caught:
        parse(text)
    error = caught.value
    assert label in str(error)
    assert (error.path, error.line, error.column) == ("x.pcode", line, column)
    shown, caret = error.context.split("\n")
    assert shown == text.split("\n")[line - 1]
    assert caret.index("^") == column - 1


def test_every_label_is_given_by_its_own_examples():
    for label, examples in parser.EXAMPLES.items():
        for example in examples:
            with pytest.raises(ParseError) as caught:
                parse(example)
            assert label in str(caught.value), example


@pytest.mark.parametrize(
    "text", ["F()" + "{ while $x$ " * 200, "F()\n" + "".join(" " * i + "while $x$\n" for i in range(1, 200))]
)
def test_nesting_has_a_limit(text):
    with pytest.raises(ParseError, match="nested deeper than 100 levels"):
        parse(text)
