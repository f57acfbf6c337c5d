"""Functions in functions, blocks on one line, and bad input that must not cost a second of processor time."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from beryl.lang.pseudo import frontend

DEEP = 5_000
MOST_SECONDS = 1.0


def test_an_inner_function_is_one_of_its_own_and_the_outer_keeps_its_lines():
    text = "function outer(n)\n  function inner(a)\n    return a + 1\n  y = inner(n)\n  return y\n"
    made = frontend.read(text)
    assert made.pcode == "outer(n)\n  $y = inner(n)$\n  return $y$\n\ninner(a)\n  return $a + 1$\n"
    assert [(node.text, node.span.start_line) for node in made.icfg.nodes if node.text.startswith("return")] == [
        ("return y", 5),
        ("return a + 1", 3),
    ]


def test_a_one_line_if_may_have_its_own_end_without_indentation():
    text = "while x > 0 do\nif x = 1 then y = 2\nend if\nx = x - 1\nend while\nreturn y\n"
    assert frontend.convert(text, "f.txt") == (
        "f()\n  while $x > 0$\n    if $x == 1$\n      $y = 2$\n    $x = x - 1$\n  return $y$\n"
    )


def test_a_hundred_one_line_branches_are_not_deep():
    assert frontend.convert("if x = 1 then y = 2\n" * 150).count("if ") == 150


def test_many_closing_parentheses_are_read_at_once():
    assert frontend.convert("f(x" + ")" * 60 + " = $y$\n")


BAD = {
    "empty.txt": b"",
    "binary.txt": bytes(range(256)) * 40,
    "latin.txt": b"if x then\n y = \xff\n",
    "line.txt": b"x" * 10_000_000,
    "tabs.txt": b"F()\n\tif x < 1\n\t\ty = 1\n        z = 2\n",
    "open.txt": b"F() {\n  if (x) {\n    y = 1\n",
    "braces.txt": b"F() {\n" + b"while (x) {\n" * DEEP + b"y\n" + b"}\n" * (DEEP + 1),
    "spaces.txt": b"".join(b" " * n + b"while x < y\n" for n in range(DEEP)),
    "words.txt": b"while x < y do\n" * DEEP + b"y = 1\n" + b"end while\n" * DEEP,
    "latex.txt": b"\\While{$x$}\n" * DEEP + b"\\State $x$\n" + b"\\EndWhile\n" * DEEP,
    "oneline.txt": b"if x then " * 900 + b"y = 1\n",
    "A.java": b"class A {}\n",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_takes_less_than_a_second_of_processor_time(name, tmp_path):
    (tmp_path / name).write_bytes(BAD[name])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "beryl.cli.main", "convert", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 2
    assert done.stderr.startswith("beryl: ")
    assert "Traceback" not in done.stderr
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < MOST_SECONDS


def test_steps_are_line_numbers():
    text = "Step 1. i = 1\nStep 2. If i > n, go to Step 4.\nStep 3. i = i + 1\nStep 4. Return i.\n"
    made = frontend.convert(text, "f.txt")
    assert made == "f()\n  $i = 1$\n  if $i > n$\n    @go to Step 4@\n  $i = i + 1$\n  return $i$\n"


def test_a_pascal_header_gives_names_only():
    text = "procedure Sort(var A: array of integer; n: integer);\nbegin\n  A[1] := n\nend;\n"
    assert frontend.convert(text) == "Sort(A, n)\n  $A[1] = n$\n"
