"""Calls by name: read from their text where it is plain, from the tree where it is not; both must agree."""

from __future__ import annotations

import pytest

from beryl.lang import callsites
from beryl.lang.treesitter import analyse
from beryl.types import Language


def calls(statement: str, language: Language) -> list[tuple[str, int, str]]:
    text = f"void f() {{ {statement}; }}"
    text = f"class A {{ {text} }}" if language is Language.JAVA else text
    return [(call.name, call.arguments, call.receiver) for call in analyse(text.encode(), language).calls]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("g()", [("g", 0, "")]),
        ("g( )", [("g", 0, "")]),
        ("x.y.g(a, b[i])", [("g", 2, "x.y")]),
        ('g("a, b)", c)', [("g", 2, "")]),
        ("g(',', ')')", [("g", 2, "")]),
        ("g((int) x, (a + b) * c)", [("g", 2, "")]),
        ("g(h(a, b), c)", [("g", 2, ""), ("h", 2, "")]),
        ("g(a).h(b, c)", [("g", 1, ""), ("h", 2, "?")]),
        ("g(new int[] {1, 2}, 3)", [("g", 2, "")]),
        ("g(new P<K, V>())", [("g", 1, ""), ("P", 0, "new")]),
        ("g(a < b, c > d)", [("g", 2, "")]),
        ("g(a /* one, two */, b)", [("g", 2, "")]),
        ("new P(1, 2)", [("P", 2, "new")]),
        ("new a.b.P(x)", [("P", 1, "new")]),
        ("g(x -> x + 1, y)", [("g", 2, "")]),
        ("this.g(1)", [("g", 1, "this")]),
        ("super.g(1)", [("g", 1, "super")]),
    ],
)
def test_calls_of_java(statement, expected):
    assert sorted(calls(statement, Language.JAVA)) == sorted(expected)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("g (a, b)", [("g", 2, "")]),
        ("p->g(a)", [("g", 1, "p")]),
        ("x.y.g(a)", [("g", 1, "x.y")]),
        ("(*g)(a)", []),
        ("t[i](a)", []),
        ("g(h)(a)", [("g", 1, "")]),
        ("g((int *) p, sizeof(x))", [("g", 2, "")]),
        ("p = NEW(n, node *)", [("NEW", 2, "")]),
        ("p = new_one(struct set)", [("new_one", 1, "")]),
        ("CHECK(a == b, return 0)", [("CHECK", 2, "")]),
        ("APPLY(+, a, b)", [("APPLY", 3, "")]),
    ],
)
def test_calls_of_c(statement, expected):
    assert sorted(calls(statement, Language.C)) == sorted(expected)


@pytest.mark.parametrize("language", [Language.C, Language.JAVA])
@pytest.mark.parametrize(
    "statement",
    ["g(a, h(b), x.i(c, d), (a + b))", "x = g() + h(1, 2) * i(\"s\", 'c')", "g(\n  a,\n  b\n)", "a.b.c(d.e(f))"],
)
def test_text_and_tree_agree(statement, language, monkeypatch):
    by_text = calls(statement, language)
    monkeypatch.setattr(callsites, "_SIMPLE_CALL", callsites._NEVER)
    monkeypatch.setattr(callsites, "_HEAD", callsites._NEVER)
    assert calls(statement, language) == by_text
