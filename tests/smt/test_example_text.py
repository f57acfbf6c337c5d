"""Examples as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beryl.errors import InputError, ParseError
from beryl.smt.examples import read_example, read_specification


@pytest.mark.parametrize(
    ("text", "kinds", "output"),
    [
        ('"aBCd", "cd" -> true', ["S", "S"], True),
        ("'5' -> true", ["C"], True),
        ("-4 -> false", ["I"], False),
        ("[3,1,2] -> [1,2,3]", ["I[]"], [1, 2, 3]),
        ("[[1, 2], []] -> 2", ["I[][]"], 2),
        ('-1.5, "a" -> 1e3', ["D", "S"], 1000.0),
        ("9000000000L -> 'a'", ["I"], 97),
        ('null -> ""', ["N"], ""),
        ("-> 3", [], 3),
    ],
)
def test_literals_are_typed_as_in_java(text, kinds, output):
    example = read_example(text)
    assert [literal.kind for literal in example.inputs] == kinds
    assert example.output.value == output


def test_a_character_beyond_the_basic_plane_is_two_units():
    assert len(str(read_example('"😀" -> 2').inputs[0].value)) == 2


@pytest.mark.parametrize(
    ("text", "column", "word"),
    [
        ('"a -> 1', 1, "closing"),
        ("1, -> 2", 4, "value"),
        ("foo -> 2", 1, "unknown word"),
        ('[1, "a"] -> 2', 5, "one type"),
        ("1 2 -> 3", 3, "->"),
        ("1 -> 2 3", 8, "nothing more"),
        ("'ab' -> 1", 1, "exactly one"),
        (r'"\q" -> 1', 2, "escape"),
        ("1", 2, "->"),
        ("99999999999999999999 -> 1", 1, "64 bits"),
    ],
)
def test_a_syntax_error_points_at_the_character(text, column, word):
    with pytest.raises(ParseError, match=word) as caught:
        read_example(text)
    assert caught.value.column == column
    assert str(caught.value).splitlines()[-1] == "  " + " " * (column - 1) + "^"


@pytest.mark.parametrize(
    ("texts", "word"),
    [
        ([], "no example"),
        (["1 -> 2", "1 -> 3"], "contradictory"),
        (["1 -> 2", '"a" -> 3'], "mixed types"),
        (["1 -> 2", "2 -> '3'"], "mixed types"),
        (["1 -> 2", "1, 2 -> 3"], "same number"),
        (["null -> 2", "1 -> 3"], "mixed types"),
    ],
)
def test_examples_that_do_not_go_together(texts, word):
    with pytest.raises(InputError, match=word):
        read_specification(texts)


def test_null_and_the_empty_array_take_the_type_of_the_others():
    assert read_specification(["[] -> 0", "[1] -> 1"]).inputs == ("I[]",)
    assert read_specification(["null -> true", '"a" -> false']).signature == "(String) -> boolean"


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    sentence = ""
    try:
        read_example(text)
    except ParseError as error:
        sentence = str(error)
    assert not sentence or sentence.startswith("example:1:")


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5), st.integers(-9, 9))
def test_numbers_come_back(numbers, output):
    example = read_example(f"{numbers} -> {output}")
    assert example.inputs[0].value == numbers
    assert example.output.value == output
