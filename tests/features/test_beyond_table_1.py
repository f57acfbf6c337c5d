"""The feature-classes that are not in the paper, on small functions."""

from __future__ import annotations

from forager_functions import all_facts, facts

from beryl.features import feature_classes, lexing
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
