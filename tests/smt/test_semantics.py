"""Java's arithmetic and strings, with values worked out by hand or taken from the Java language specification."""

import math

import pytest

from beryl.smt.semantics import Undefined, double_text
from beryl.smt.terms import compute

MIN, MAX = -(2**31), 2**31 - 1


@pytest.mark.parametrize(
    ("op", "args", "value"),
    [
        ("iadd", (MAX, 1), MIN),
        ("imul", (65536, 65536), 0),
        ("ineg", (MIN,), MIN),
        ("iabs", (MIN,), MIN),
        ("idiv", (-7, 2), -3),
        ("idiv", (MIN, -1), MIN),
        ("irem", (-7, 2), -1),
        ("irem", (7, -2), 1),
        ("ishl", (1, 33), 2),
        ("ishr", (-8, 1), -4),
        ("iushr", (-1, 28), 15),
        ("ladd", (2**63 - 1, 1), -(2**63)),
        ("l2i", (2**32 + 5,), 5),
        ("i2b", (200,), -56),
        ("i2c", (-1,), 65535),
        ("ifloormod", (-7, 3), 2),
        ("d2i", (math.nan,), 0),
        ("d2i", (1e10,), MAX),
        ("round", (-2.5,), -2),
        ("round", (2.5,), 3),
        ("round", (0.49999999999999994,), 0),
        ("substring", ("hello", 1, 3), "el"),
        ("indexof", ("abcabc", "c", 3), 5),
        ("indexof", ("abc", "", 9), 3),
        ("lastindexof", ("abcabc", "abc", 2), 0),
        ("lastindexof", ("abc", "c", -1), -1),
        ("startswith", ("abc", "bc", 1), True),
        ("trim", ("\t a b\n",), "a b"),
        ("comparestring", ("apple", "apricot"), ord("p") - ord("r")),
        ("comparestring", ("ab", "abcd"), -2),
        ("hashcode", ("hello",), 99162322),
        ("iparse", ("-0012", 10), -12),
        ("iparses", ("2147483648", 10), False),
        ("iparses", ("", 10), False),
        ("ihex", (-1,), "ffffffff"),
        ("radixtext", (-255, 16), "-ff"),
        ("replace", ("aaa", "a", "b"), "bbb"),
        ("matches", ("a1", "[a-z]\\d"), True),
        ("toupper", (ord("ß"),), ord("ß")),
        ("upper", ("ß",), "SS"),
        ("isdigit", (0x0663,), True),
        ("iswhitespace", (0xA0,), False),
    ],
)
def test_values(op, args, value):
    assert compute(op, *args) == value


@pytest.mark.parametrize(
    ("op", "args"),
    [
        ("idiv", (1, 0)),
        ("charat", ("abc", 3)),
        ("substring", ("abc", 2, 1)),
        ("iparse", ("12a", 10)),
        ("power", (2.0, 0.5)),
    ],
)
def test_outside_its_domain_an_operation_has_no_value(op, args):
    with pytest.raises(Undefined):
        compute(op, *args)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.0"), (-0.0, "-0.0"), (100.0, "100.0"), (1e7, "1.0E7"), (1.5e-5, "1.5E-5"), (0.001, "0.001")],
)
def test_doubles_are_written_as_java_writes_them(value, text):
    assert double_text(value) == text
