"""Stored paths and the running program are two views of one method and must agree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from java_cases import methods

from beryl.smt.behaviour import answer
from beryl.smt.encoding import encode, read
from beryl.smt.lower_statements import lower_method
from beryl.smt.machine import QUERY_BOUNDS

INTEGERS = [
    "static int f(int a, int b) { return b == 0 ? -1 : a % b; }",
    "static int f(int a, int b) { int x = a; x <<= b; x ^= a >>> 3; return x > b ? x - b : x * 31; }",
    "static int f(int a, int b) { switch (a & 3) { case 0: b++; case 1: b--; break; case 2: return b; } return a; }",
    "static int f(int a, int b) { try { return a / b; } catch (ArithmeticException e) { return (byte) a; } }",
    "static int f(int a, int b) { int[] t = {1, 2, 4, 8}; return t[a & 3] + (char) b; }",
]
TEXTS = [
    "static String f(String s, int n) { return s.length() > n && n >= 0 ? s.substring(n).trim() : s.toUpperCase(); }",
    "static String f(String s, int n) { StringBuilder b = new StringBuilder(s); return b.insert(0, n) + s; }",
    "static String f(String s, int n) { int i = s.indexOf('a', n); return i < 0 ? null : s.charAt(i) + s.concat(s); }",
]


def views(body):
    """The method through its stored paths, and through its program."""
    method = methods(body)[-1]
    record = encode(method)
    assert record["complete"]
    return read(record), read({**record, "complete": False, "program": lower_method(method)})


@pytest.mark.parametrize("body", INTEGERS)
@settings(max_examples=60, deadline=None)
@given(a=st.integers(-(2**31), 2**31 - 1), b=st.one_of(st.integers(-4, 40), st.integers(-(2**31), 2**31 - 1)))
def test_integers(body, a, b):
    stored, running = views(body)
    inputs = {"a": a, "b": b}
    assert answer(stored, inputs, QUERY_BOUNDS) == answer(running, inputs, QUERY_BOUNDS)


@pytest.mark.parametrize("body", TEXTS)
@settings(max_examples=60, deadline=None)
@given(s=st.one_of(st.none(), st.text(st.sampled_from("aAb \t.é"), max_size=6)), n=st.integers(-2, 7))
def test_texts(body, s, n):
    stored, running = views(body)
    inputs = {"s": s, "n": n}
    assert answer(stored, inputs, QUERY_BOUNDS) == answer(running, inputs, QUERY_BOUNDS)
