"""Verdicts, buckets and joint checks, with the examples of the paper."""

import pytest
from java_cases import STRIP_EXTENSION, outcome

from beryl.smt.match import bucket, find_mappings
from beryl.types import Verdict

FIGURE_4 = ('"log.txt" -> "log"', '"log.txt.txt" -> "log.txt"', '"log" -> "log"')
IS_RESERVED = "String reserved; boolean isReserved(String str) { return reserved.contains(str.toLowerCase()); }"
GCD = "static int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }"
GCD_RECURSIVE = "static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }"
REVERSE = """static String reverse(String s) {
    StringBuilder sb = new StringBuilder();
    for (int i = s.length() - 1; i >= 0; i--) sb.append(s.charAt(i));
    return sb.toString(); }"""
INSERTION_SORT = """static void sort(int[] a) {
    for (int i = 1; i < a.length; i++) {
        int x = a[i], j = i - 1;
        while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; j--; }
        a[j + 1] = x; } }"""
VOWELS = """static final String VOWELS = "aeiou";
static boolean vowel(char c) { return VOWELS.indexOf(c) >= 0; }
static int count(String s) { int n = 0; for (char c : s.toCharArray()) if (vowel(c)) n++; return n; }"""
IS_NUMBER = """static boolean isNumber(String s) {
    try { Integer.parseInt(s); return true; } catch (NumberFormatException e) { return false; } }"""
CUT = "static String cut(String s, int e) { return s.substring(0, e); }"
SWITCH = """static int days(int month) {
    switch (month) { case 2: return 28; case 4: case 6: case 9: case 11: return 30; default: return 31; } }"""
MAXIMUM = "static int f(int... xs) { int m = xs[0]; for (int x : xs) m = Math.max(m, x); return m; }"
MATRIX_SUM = "static int f(int[][] m) { int s = 0; for (int[] r : m) for (int x : r) s += x; return s; }"
LABELS = """static int firstPair(int[] a, int sum) {
    outer: for (int i = 0; i < a.length; i++) {
        for (int j = i + 1; j < a.length; j++) {
            if (a[i] == 0) continue outer;
            if (a[i] + a[j] == sum) return i; } }
    return -1; }"""


def test_figure_5_over_matches_figure_4_in_bucket_4():
    found = outcome(STRIP_EXTENSION, *FIGURE_4)
    assert found is not None
    assert (found.strength, found.bucket, found.joint) == ("over", 4, Verdict.MATCH)
    assert [pair.path for pair in found.pairs] == ["10", "10", "0"]


def test_with_a_fourth_pair_it_is_a_full_match():
    found = outcome(STRIP_EXTENSION, *FIGURE_4, '"C:/abc.tex" -> "abc"')
    assert found is not None
    assert (found.strength, found.bucket) == ("full", 2)


def test_with_a_fifth_pair_it_is_an_under_match():
    found = outcome(STRIP_EXTENSION, *FIGURE_4, '"C:/abc.tex" -> "abc"', '"ftp://path/abc.tex" -> "abc"')
    assert found is not None
    assert (found.strength, found.bucket, found.joint) == ("under", 6, Verdict.MISMATCH)


def test_figure_2_takes_a_field_as_the_second_input():
    found = outcome(IS_RESERVED, '"alpha", "PHA" -> true', '"beta", "bet" -> true')
    assert found is not None
    assert found.joint is Verdict.MATCH
    assert found.pairs[0].mapping == ("this.reserved", "str")


def test_figure_3_gets_a_value_for_the_parameter_that_is_not_in_the_example():
    body = "static boolean f(String text, int from, String str) { return text.lastIndexOf(str, from) != -1; }"
    found = outcome(body, '"beta", "bet" -> true')
    assert found is not None
    assert found.pairs[0].mapping == ("text", "str")
    assert int(str(found.pairs[0].free["from"])) >= 0


def test_the_same_free_values_must_serve_all_pairs():
    found = outcome(CUT, *FIGURE_4[:2])
    assert found is not None
    assert [pair.verdict for pair in found.pairs] == [Verdict.MATCH, Verdict.MATCH]
    assert [pair.free["e"] for pair in found.pairs] == [3, 7]
    assert found.joint is Verdict.MISMATCH


@pytest.mark.parametrize(
    ("body", "examples"),
    [
        (GCD, ("48, 36 -> 12", "17, 5 -> 1")),
        (GCD_RECURSIVE, ("48, 36 -> 12", "1071, 462 -> 21")),
        (REVERSE, ('"hello" -> "olleh"', '"" -> ""')),
        (INSERTION_SORT, ("[3,1,2] -> [1,2,3]", "[] -> []", "[5,4,3,2,1,0] -> [0,1,2,3,4,5]")),
        (VOWELS, ('"education" -> 5', '"rhythm" -> 0')),
        (IS_NUMBER, ('"12" -> true', '"x" -> false', "null -> false")),
        (SWITCH, ("2 -> 28", "9 -> 30", "12 -> 31")),
        (LABELS, ("[0, 3, 4], 7 -> 1", "[1, 2], 9 -> -1")),
        (MAXIMUM, ("[3,9,2] -> 9",)),
        ("static double f(int a, int b) { return (a + b) / 2.0; }", ("1, 2 -> 1.5",)),
        ("static char f(String s) { return s.charAt(0); }", ("\"c\" -> 'c'",)),
        ("static int f(int a) { return a + 1; }", ("2147483647 -> -2147483648",)),
        (MATRIX_SUM, ("[[1,2],[3]] -> 6",)),
        ('static String f(int n) { return switch (n) { case 1 -> "one"; default -> "many"; }; }', ('1 -> "one"',)),
        ("static int f(int a) { int x = 0; try { x = 10 / a; } finally { x++; } return x; }", ("5 -> 3",)),
        ("static Integer f(Integer a) { return a == null ? null : a * 2; }", ("4 -> 8",)),
    ],
)
def test_methods_that_satisfy_their_examples(body, examples):
    found = outcome(body, *examples)
    assert found is not None
    assert found.joint is Verdict.MATCH


@pytest.mark.parametrize(
    ("body", "examples"),
    [
        (GCD, ("48, 36 -> 6",)),
        (REVERSE, ('"hello" -> "hello"',)),
        (INSERTION_SORT, ("[3,1,2] -> [3,2,1]",)),
        ("static int f(int a) { return 10 / a; }", ("0 -> 0",)),
        ("static byte f(byte a) { return a; }", ("300 -> 300",)),
    ],
)
def test_methods_that_do_not(body, examples):
    assert outcome(body, *examples) is None


def test_an_endless_loop_is_unknown():
    found = outcome("static int f(int a) { while (true) { a++; a--; } }", "1 -> 1")
    assert found is not None
    assert found.joint is Verdict.UNKNOWN
    assert found.bucket == 0


@pytest.mark.parametrize("body", [STRIP_EXTENSION, IS_RESERVED, CUT, IS_NUMBER, SWITCH])
@pytest.mark.parametrize(
    "examples", [FIGURE_4[:2], ('"beta", "bet" -> true',), ("2 -> 28", "3 -> 30"), ('"7" -> true', '"a" -> false')]
)
def test_the_filter_changes_no_result(body, examples):
    with_filter, without = outcome(body, *examples), outcome(body, *examples, filtered=False)
    assert (with_filter is None) == (without is None)
    if with_filter is not None and without is not None:
        assert with_filter.bucket == without.bucket
        assert with_filter.joint == without.joint
        assert [pair.verdict for pair in with_filter.pairs] == [pair.verdict for pair in without.pairs]


@pytest.mark.parametrize(
    ("pairs", "matched", "satisfied", "covered", "number"),
    [
        (2, 2, 2, True, 1),
        (3, 3, 2, True, 2),
        (2, 2, 2, False, 3),
        (3, 3, 2, False, 4),
        (3, 2, 2, True, 5),
        (4, 3, 2, True, 6),
        (3, 2, 2, False, 7),
        (4, 3, 2, False, 8),
        (2, 1, 1, True, 9),
        (2, 1, 1, False, 10),
        (1, 1, 1, True, 1),
        (1, 1, 1, False, 3),
    ],
)
def test_the_ten_buckets_of_table_2(pairs, matched, satisfied, covered, number):
    assert bucket(pairs, matched, satisfied, covered) == number


def test_all_permutations_of_same_typed_inputs_are_mappings():
    assert find_mappings(["S", "S"], ["S", "I", "S"]) == [(0, 2), (2, 0)]
    assert find_mappings(["S", "I"], ["I", "S"]) == [(1, 0)]
    assert find_mappings(["S", "S"], ["S", "I"]) == []
