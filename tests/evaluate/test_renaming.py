"""Names that a C++ program declares are replaced, all others stay."""

from __future__ import annotations

import pytest

from beryl.evaluate.renaming import renamed


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("int total = 0, *best;", "int v1 = 0, *v2;"),
        ("int grid[N][N];", "int v1[N][N];"),
        ("int gcd(int a, int &b) { return gcd(b, a % b); }", "int f1(int v1, int &v2) { return f1(v2, v1 % v2); }"),
        ("int main() { int n; cin >> n; cout << n << endl; }", "int main() { int v1; cin >> v1; cout << v1 << endl; }"),
        ("void f() { int max = 1; max = std::max(max, 2); }", "void f1() { int v1 = 1; v1 = std::max(v1, 2); }"),
        ("int size; void g(V v) { size = v.size(); }", "int v1; void f1(V v2) { v1 = v2.size(); }"),
        ("struct P { int x; int len() { return x; } }; P p;", "struct t1 { int a1; int a2() { return a1; } }; t1 v1;"),
        ("typedef long long ll; ll sum;", "typedef long long t1; t1 v1;"),
        ("void f() { for (auto &c : text) use(c); }", "void f1() { for (auto &v1 : text) use(v1); }"),
        ('void f() { int n; puts("n"); }', 'void f1() { int v1; puts("n"); }'),
        ("template <class T> T id(T x) { return x; }", "template <class t1> t1 f1(t1 v1) { return v1; }"),
    ],
)
def test_only_own_names_change(code, expected):
    assert renamed(code) == expected


def test_macros_and_what_they_stand_for():
    code = '#define REP(i, n) for (int i = 0; i < n; i++) say("i")\nint k;\nvoid f() { REP(k, 3); }\n'
    assert renamed(code) == (
        '#define m1(v1, v2) for (int v1 = 0; v1 < v2; v1++) say("i")\nint v3;\nvoid f1() { m1(v3, 3); }\n'
    )


def test_a_broken_program_still_comes_out():
    assert renamed("int a = ;; } while (a") == "int v1 = ;; } while (v1"
