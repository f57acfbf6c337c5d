"""Shapes: the same statement in pseudocode, C and Java has the same windows, whatever it calls its variables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beryl.encode.shape import IDIOMS, shapes, statement, tokens


def windows(text: str) -> set[int]:
    return set(shapes([text]).grams.tolist())


def idioms(text: str) -> set[str]:
    bits = int(shapes([text]).idioms[0])
    return {name for position, name in enumerate(IDIOMS) if bits >> position & 1}


@pytest.mark.parametrize(
    ("pseudocode", "code"),
    [
        ("d_{ij} ← min(d_{ij}, d_{ik} + d_{kj})", "dist[u][v] = Math.min(dist[u][v], dist[u][m] + dist[m][v]);"),
        ("mid = ⌊(low + high)/2⌋", "int middle = (left + right) / 2"),
        ("i ← i + 1", "n++"),
        ("x ≤ y and y ≠ 0", "a <= b && b != 0"),
        ("for i = 1 to n", "k < count"),
        ("x mod y", "p % q"),
        ("table[(crc xor b)]", "lut[(c ^ x)]"),
        ("p = NIL", "node = NULL"),
    ],
)
def test_pseudocode_and_code_have_the_same_shape(pseudocode, code):
    assert windows(pseudocode) == windows(code)


def test_which_variable_repeats_matters():
    assert windows("a[i] = a[j]") != windows("a[i] = b[j]")
    assert windows("a[i] = a[j]") == windows("x[p] = x[q]")


def test_declarations_casts_and_types_are_left_out():
    assert tokens("final double sum = (double) total") == ["sum", "=", "total"]
    assert tokens("unsigned int n = 0") == tokens("n = 0")


def test_members_are_elements_and_lengths():
    assert tokens("v.d") == ["v", "[", "d", "]"]
    assert tokens("A.length - 1") == ["A", "LEN", "-", "1"]


def test_a_counting_loop_is_its_test():
    assert statement("i = 1 to n") == "i < n"
    assert statement("j = n downto 2") == "j > 2"
    assert statement("x = y + 1") == "x = y + 1"


@pytest.mark.parametrize(
    ("text", "idiom"),
    [
        ("swap A[i] with A[j]", "swap"),
        ("swap(a, i, j)", "swap"),
        ("mid = lo + (hi - lo) / 2", "halves"),
        ("d[v] = ∞", "infinity"),
        ("best = INT_MAX", "infinity"),
        ("A[j+1] = A[j]", "moves a cell"),
        ("x = x.next", "follows a link"),
        ("sum += a[i] * b[i]", "sum of products"),
        ("enqueue(Q, v)", "adds to a collection"),
        ("u = queue.poll()", "takes from a collection"),
        ("a mod b", "remainder"),
    ],
)
def test_idioms(text, idiom):
    assert idiom in idioms(text)


def test_nothing_has_no_shape():
    assert windows("") == set()
    assert shapes([]).offsets.tolist() == [0]


@given(st.lists(st.text(max_size=80), max_size=6))
def test_many_at_once_are_the_same_as_one_by_one(texts):
    together = shapes(texts)
    assert len(together.offsets) == len(texts) + 1
    for position, text in enumerate(texts):
        own = together.grams[together.offsets[position] : together.offsets[position + 1]]
        assert set(own.tolist()) == windows(text)
        assert sorted(set(own.tolist())) == own.tolist()
