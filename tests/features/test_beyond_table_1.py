"""The feature-classes that are not in the paper, on small functions."""

from __future__ import annotations

from forager_functions import FIGURE_2, FIGURE_3, all_facts, facts

from beryl.features import body_meaning, feature_classes, lexing, meaning, network, shape_meaning
from beryl.features.feature import Observation
from beryl.types import Language

CLASSES = {feature.name: feature for feature in feature_classes()}
HASH = """
/* Mixes the bytes of a key. */
static unsigned int string_hash(const char *key) {
    unsigned int h = 0; // start
    while (*key) h = 31 * h + *key++;
    log_value("h is /* not a comment */", h);
    return h;
}
"""


def observed(name: str, text: str = HASH) -> Observation:
    """What a class sees in a function."""
    return CLASSES[name].observe(facts(text))


def test_name_terms_are_the_words_of_the_name() -> None:
    assert observed("name-terms") == {"string": 1, "hash": 1}


def test_name_runs_are_those_of_function_name_and_differ_in_what_the_index_weighs() -> None:
    assert observed("name-runs") == observed("function-name")
    assert CLASSES["name-runs"].shape != CLASSES["function-name"].shape


def test_function_terms_are_the_words_of_all_identifiers_and_not_of_comments_or_strings() -> None:
    assert set(observed("function-terms")) == {"string", "hash", "key", "log", "valu"}


def test_token_runs_keep_numbers_operators_and_keywords_and_no_names() -> None:
    runs = observed("token-runs")
    assert {"= 31 *", "31 * name", "* name +", "while ( *", "return name ;", '( " ,'} <= set(runs)
    assert not any(word in run.split() for run in runs for word in ("h", "key", "log_value"))


def test_token_runs_do_not_change_with_the_names() -> None:
    assert observed("token-runs") == observed("token-runs", HASH.replace("key", "s").replace("h ", "sum "))


def test_operations_have_no_types() -> None:
    assert {"+", "*"} <= set(observed("operations"))
    assert set(observed("operations", "int f(double a, double b) { return a < b; }")) == {"<"}


def test_what_is_a_comment_is_known_only_outside_of_strings() -> None:
    assert lexing.tokens("a /* b */ + \"/* c */\" // d\n- '\\'' /* open") == ["a", "+", '"/* c */"', "-", "'\\''"]


def test_an_open_string_ends_with_the_text() -> None:
    assert lexing.tokens('x = "abc') == ["x", "=", '"abc']


def test_java_and_an_empty_body() -> None:
    found = all_facts("class A { int count(int[] all) { return all.length; } void nothing() {} }", Language.JAVA)
    assert set(CLASSES["function-terms"].observe(found[0])) == {"count", "all", "length"}
    assert CLASSES["token-runs"].observe(found[1]) == {}


def test_the_network_reads_the_tokens_it_says_it_reads() -> None:
    rows = network.bundled().rows
    for each in all_facts(FIGURE_2 + FIGURE_3):
        written = [sorted(rows[token] for token in group if token in rows) for group in network.body_tokens(each)]
        assert [group.tolist() for group in network.body_rows(each)] == written
        assert written[0]
        assert written[1]


def test_the_name_of_a_function_is_hidden_from_its_body() -> None:
    one, other = all_facts("int search(int a) { return a + search(a - 1); }\nint f(int a) { return a + f(a - 1); }")
    assert body_meaning.observe(one) == body_meaning.observe(other)
    assert meaning.observe(one) != meaning.observe(other)


def test_the_shape_is_blind_to_names_and_comments() -> None:
    one, other = all_facts("int f(int left) { /* x */ return left * 31 + 7; }\nint f(int q) { return q * 31 + 7; }")
    assert shape_meaning.observe(one) == shape_meaning.observe(other)
    assert body_meaning.observe(one) != body_meaning.observe(other)


def test_two_binary_searches_are_closer_in_meaning_than_a_search_and_a_copy() -> None:
    search, again = all_facts(FIGURE_2)[0], all_facts(FIGURE_3)[0]
    copy = all_facts("char *copy(char *to, const char *from) { char *p = to; while ((*p++ = *from++)); return to; }")[0]
    for feature in (shape_meaning.FEATURE, body_meaning.FEATURE, meaning.FEATURE):
        seen = [feature.observe(each) for each in (search, again, copy)]
        assert feature.similarity(seen[0], seen[1]) > feature.similarity(seen[0], seen[2])
