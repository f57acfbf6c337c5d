"""`beryl convert`, and what it says to files that are no pseudocode."""

from __future__ import annotations

import pytest

from beryl.cli.main import main

DEEP = 5_000
BAD = {
    "empty.txt": (b"", "is empty"),
    "blank.txt": (b" \n\t\n", "is empty"),
    "comment.txt": (b"// only words\n", "no statement found"),
    "binary.txt": (b"\x7fELF\0\0\1", "is binary"),
    "latin.txt": (b"F(x)\n  x = \xff\n", "latin.txt:2: byte 11 is not UTF-8"),
    "long.txt": (b"x = " + b"1 + " * 2_500_000 + b"1\n", "more than 1,000,000 characters"),
    "wide.txt": (b"x = " + b"1 + " * 5_000 + b"1\n", "20,005 characters"),
    "braces.txt": (b"F() {\n" + b"while (x) {\n" * DEEP + b"y\n" + b"}\n" * (DEEP + 1), "nested deeper than 100"),
    "words.txt": (b"F()\n" + b"while x < y do\n" * DEEP + b"y = 1\n" + b"end while\n" * DEEP, "nested deeper than 100"),
    "spaces.txt": (b"".join(b" " * n + b"while x < y\n" for n in range(DEEP // 5)), "nested deeper than 100"),
    "latex.txt": (b"\\While{$x$}{\n" * DEEP + b"}\n" * DEEP, "nested deeper than 100"),
    "tests.txt": (b"if " + b"(" * DEEP + b"x" + b")" * 3 + b"\n  y\n", "nested deeper than 100"),
    "tabs.txt": (b"F()\n\tif x < 1\n\t\ty = 1\n        z = 2\n", "tabs.txt:4:1: tabs and spaces are mixed"),
    "open.txt": (b"F() {\n  if (x) {\n    y = 1\n  z = 2\n}\n", "open.txt:1:1: unbalanced braces"),
    "closed.txt": (b"F() {\n  y = 1\n}\n}\n", "closed.txt:4:1: unbalanced braces"),
    "A.java": (b"class A {}\n", "is Java source"),
    "bare.txt": (b"F()\n  while x < y\n  z = 1\n", "`while` needs a suite"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["convert", "icfg"])
def test_bad_input_is_one_sentence_and_exit_code_2(command, name, tmp_path, monkeypatch, capsys):
    if command == "icfg" and name == "A.java":
        pytest.skip("icfg takes source files")
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(BAD[name][0])
    assert main([command, name]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert BAD[name][1] in shown.err
    assert shown.err.startswith("beryl: ")
    assert "Traceback" not in shown.err


def test_a_missing_file_and_a_folder(tmp_path, capsys):
    assert main(["convert", str(tmp_path / "none.txt")]) == 2
    assert main(["convert", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("cannot read") == 2


def test_pseudocode_comes_out_as_p_code(tmp_path, capsys):
    file = tmp_path / "gcd.txt"
    file.write_text(
        "function gcd(a, b)\n    while b ≠ 0 do\n        (a, b) := (b, a mod b)\n    return a\n", encoding="utf-8"
    )
    assert main(["convert", str(file)]) == 0
    assert capsys.readouterr().out == "gcd(a, b)\n  while $b ≠ 0$\n    $(a, b) = (b, a mod b)$\n  return $a$\n"


def test_p_code_comes_out_as_it_is(tmp_path, capsys):
    text = "F(x)\n   if $x$  // odd spacing stays\n         $y$\n"
    file = tmp_path / "f.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["convert", str(file)]) == 0
    assert capsys.readouterr().out == text
