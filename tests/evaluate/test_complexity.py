"""Decisions counted on our graphs and by lizard."""

from __future__ import annotations

import pytest

from beryl.evaluate.complexity import compare, decisions
from beryl.lang.treesitter import analyse
from beryl.types import Language

JAVA = """class A {
  int f(int x) {
    for (int i = 0; i < x; i++) { if (x > 1 && x < 9) x++; }
    while (x > 0) x--;
    do { x++; } while (x < 3);
    switch (x) { case 1: case 2: x = 1; break; default: x = 2; }
    try { g(); } catch (E e) { x = 0; } finally { h(); }
    return x > 0 ? 1 : 2;
  }
  void g() { run(() -> { if (ready) go(); }); }
}
"""


def test_if_loops_cases_and_catches_are_decisions():
    # for, if, while, do, case, case, catch; neither &&, ?: nor default
    assert decisions(analyse(JAVA.encode(), Language.JAVA)) == [7, 0, 1]


def test_both_agree_on_java_and_nested_functions_count_with_the_one_around_them(tmp_path):
    pytest.importorskip("lizard")
    (tmp_path / "A.java").write_text(JAVA)
    found = compare(iter([tmp_path / "A.java"]), wanted=10)
    assert (found.functions, found.equal, found.different) == (2, 2, ())


def test_c_preprocessor_lines_and_logical_operators_are_left_out_of_both(tmp_path):
    pytest.importorskip("lizard")
    (tmp_path / "a.c").write_text(
        "int f(int x)\n{\n#ifdef A\n  if (x && (x = 2)) x++;\n#endif\n  return x ? 1 : 2;\n}\n"
    )
    found = compare(iter([tmp_path / "a.c"]), wanted=10)
    assert (found.functions, found.equal) == (1, 1)


def test_a_difference_is_reported_with_its_place(tmp_path):
    pytest.importorskip("lizard")
    (tmp_path / "a.c").write_text("\nint f(int x)\n{\n  switch (x) { default: x = 1; }\n  return x;\n}\n")
    [different] = compare(iter([tmp_path / "a.c"]), wanted=10).different
    assert (different.line, different.name, different.ours, different.lizards) == (2, "f", 1, 0)
