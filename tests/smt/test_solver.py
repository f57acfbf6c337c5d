"""z3 against the plain evaluator."""

import pytest

from beryl.smt.solver import solve
from beryl.smt.terms import Pool, Reader, Writer, compute
from beryl.types import Verdict

TYPES = {"i": "int", "j": "int", "s": "String", "t": "String", "c": "char", "d": "double"}
SORTS = {"i": "I", "j": "I", "s": "S", "t": "S", "c": "I", "d": "D"}


def check(op, arguments, expected, seconds=5.0):
    """Whether op(arguments) == expected can hold; a name among the arguments is a free variable."""
    pool = Pool()
    args = [pool.variable(arg[1:], SORTS[arg[1:]]) if str(arg)[:1] == "$" else arg for arg in arguments]
    condition = pool.make("eq", pool.make(op, *args), expected)
    return solve(pool, [[[condition]]], TYPES, seconds)


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("iadd", (2**31 - 1, 5)),
        ("isub", (-(2**31), 1)),
        ("imul", (123456, 98765)),
        ("idiv", (-7, 2)),
        ("idiv", (7, -2)),
        ("irem", (-7, 2)),
        ("irem", (7, -2)),
        ("ishl", (5, 30)),
        ("ishr", (-9, 2)),
        ("bitand", (-2, 255)),
        ("bitxor", (6, -3)),
        ("i2b", (200,)),
        ("max", (3, -3)),
        ("indexof", ("abcabc", "c", 3)),
        ("indexof", ("abc", "", 9)),
        ("lastindexof", ("abcabc", "abc", 2)),
        ("lastindexof", ("abcabc", "c", 6)),
        ("substring", ("hello", 1, 3)),
        ("charat", ("hello", 4)),
        ("startswith", ("abc", "bc", 1)),
        ("contains", ("abc", "bd")),
        ("inttext", (-42,)),
        ("dmul", (0.1, 3.0)),
    ],
)
def test_z3_agrees_with_the_evaluator(op, args):
    """The first argument is left free and pinned by a second condition, so that z3 has to compute the value."""
    value = compute(op, *args)
    pool = Pool()
    sort = {str: "S", int: "I", float: "D"}[type(args[0])]
    name = {"S": "s", "I": "i", "D": "d"}[sort]
    free = pool.variable(name, sort)
    result = pool.make(op, free, *args[1:])
    right = pool.make("eq", result, value)
    pinned = pool.make("eq", free, args[0])
    assert solve(pool, [[[pinned, right]]], TYPES, 5.0).verdict is Verdict.MATCH
    assert solve(pool, [[[pinned, pool.negate(right)]]], TYPES, 5.0).verdict is Verdict.MISMATCH


def test_free_values_are_found_and_confirmed():
    answer = check("concat", ("log", "$s"), "log.txt")
    assert answer.verdict is Verdict.MATCH
    assert list(answer.values.values()) == [".txt"]


def test_what_cannot_be_is_a_mismatch():
    assert check("concat", ("log", "$s"), "txt").verdict is Verdict.MISMATCH
    assert check("length", ("$s",), -1).verdict is Verdict.MISMATCH


def test_a_hint_finds_a_text_whose_lower_case_is_known():
    answer = check("lower", ("$s",), "abc")
    assert answer.verdict is Verdict.MATCH


def test_an_operation_that_z3_does_not_know_is_unknown_rather_than_a_match():
    assert check("hashcode", ("$s",), 99162322).verdict is Verdict.UNKNOWN


def test_terms_survive_storage():
    pool = Pool()
    text = pool.variable("s", "S")
    term = pool.make("and", pool.negate(pool.is_null(text)), pool.make("lt", pool.make("length", text), 3))
    writer = Writer()
    place = writer.add(term)
    assert Reader(writer.nodes, {}, pool).get(place) is term
    assert Reader(writer.nodes, {"s": "ab"}, Pool()).get(place) is True
    assert Reader(writer.nodes, {"s": "abc"}, Pool()).get(place) is False
    assert Reader(writer.nodes, {"s": None}, Pool()).get(0) is None
