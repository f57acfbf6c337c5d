"""Search by examples over a small index of two Java projects."""

import json
import sys

import numpy as np
import pytest

from beryl.errors import InputError, MissingDependency
from beryl.index.build import build_index
from beryl.index.store import BuildOptions
from beryl.search.examples import search, verdicts
from beryl.smt.table import Paths
from beryl.types import ExampleQuery, Filters, Verdict, silent

TEXTS = """
package a;
public class Texts {
    private String reserved;
    public static String capitalize(String s) {
        if (s == null || s.isEmpty()) return s;
        return Character.toUpperCase(s.charAt(0)) + s.substring(1);
    }
    public boolean isReserved(String str) { return reserved.contains(str.toLowerCase()); }
    public static String cut(String s, int e) { return s.substring(0, e); }
    public static String foo(String s) { return "Foo"; }
    public static String identity(String s) { return s; }
    public static boolean isDigit(char c) { return c >= '0' && c <= '9'; }
    public void print(String s) { System.out.println(s); }
}
"""
NUMBERS = """
package b;
public class Numbers {
    static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
    static int twice(int a) { return Helper.add(a, a); }
    static boolean isPositive(int n) { return n > 0; }
}
"""
HELPER = "package b; class Helper { static int add(int a, int b) { return a + b; } }"
C = "int twice(int a) { return a + a; }\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("sources")
    files = {"one/Texts.java": TEXTS, "two/Numbers.java": NUMBERS, "two/Helper.java": HELPER, "two/twice.c": C}
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def index(folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("index") / "io"
    return build_index([folder / "one", folder / "two"], out, BuildOptions(tables=("paths",), jobs=1), False, silent)


def names(result):
    return [fragment.functions[0] for fragment in result.results]


def function(index, name):
    return list(index.functions.qualified).index(name)


def test_the_method_that_satisfies_all_examples_comes_first(index):
    result = search(index, ExampleQuery(('"foo" -> "Foo"', '"bar" -> "Bar"')))
    assert names(result)[0] == "Texts.capitalize"
    first = result.results[0]
    assert first.extra["joint"] == "match"
    assert first.extra["strength"] == "over"
    assert "return s;" in first.code


def test_a_method_that_ignores_its_input_ranks_below_one_that_uses_it(index):
    assert names(search(index, ExampleQuery(('"foo" -> "Foo"',))))[:2] == ["Texts.capitalize", "Texts.foo"]


def test_wider_signatures_come_after_equal_ones_with_the_values_chosen(index):
    result = search(index, ExampleQuery(('"log.txt" -> "log"',)))
    assert names(result) == ["Texts.cut"]
    assert result.results[0].extra["signature"] == "wider"
    assert result.results[0].extra["pairs"][0]["free"] == {"e": 3}


def test_satsy_ranked_takes_equal_signatures_only(index):
    assert names(search(index, ExampleQuery(('"log.txt" -> "log"',), ranking="satsy"))) == []
    assert names(search(index, ExampleQuery(('"log.txt" -> "log"',), ranking="satsy-rr"))) == ["Texts.cut"]


def test_round_robin_shows_partial_matches_too(index):
    query = ('"foo" -> "Foo"', '"bar" -> "bar"')
    partial = search(index, ExampleQuery(query, ranking="satsy-rr"))
    assert {"Texts.capitalize", "Texts.foo", "Texts.identity"} <= set(names(partial))
    assert names(search(index, ExampleQuery(query))) == []


def test_callees_in_other_files_of_the_project_are_inlined(index):
    assert names(search(index, ExampleQuery(("21 -> 42",))))[0] == "Numbers.twice"


def test_filters_hold(index):
    query = ExampleQuery(("2 -> true", "-4 -> false"), filters=Filters(projects=("one",)))
    assert names(search(index, query)) == []


def test_at_most_k(index):
    assert len(search(index, ExampleQuery(('"a" -> "a"',), k=1)).results) == 1


def test_verdicts_are_kept_apart(index):
    asked = ("Numbers.twice", "Helper.add", "Texts.print", "Numbers.isPositive", "twice")
    ids = [function(index, name) for name in asked]
    found = verdicts(index, ids, ("3 -> 6", "5 -> 10"), 1.0, 10.0)
    assert found == [
        Verdict.MATCH,
        Verdict.MISMATCH,  # one free summand cannot serve both pairs
        Verdict.UNSUPPORTED,
        Verdict.MISMATCH,
        Verdict.UNSUPPORTED,
    ]


def test_an_unknown_signature_names_the_nearest(index):
    with pytest.raises(InputError, match=r"\(char, char\) -> boolean; the nearest are \(char\) -> boolean: 1"):
        search(index, ExampleQuery(("'a', 'b' -> true",)))


@pytest.mark.parametrize(
    ("query", "word"),
    [
        (ExampleQuery(("1 -> 2",), budget=0), "zero"),
        (ExampleQuery(("1 -> 2",), ranking="best"), "unknown ranking"),
        (ExampleQuery(("1 -> 2", "1 -> 3")), "contradictory"),
    ],
)
def test_bad_queries_get_one_sentence(index, query, word):
    with pytest.raises(InputError, match=word):
        search(index, query)


def test_a_missing_solver_says_what_to_install(index, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match="beryl\\[solver\\]"):
        search(index, ExampleQuery(("1 -> 2",)))


def test_concrete_queries_never_load_the_solver(index):
    for name in [name for name in sys.modules if name == "z3" or name == "beryl.smt.solver"]:
        sys.modules.pop(name)
    search(index, ExampleQuery(("2 -> true", "-4 -> false"), ranking="satsy"))
    assert "beryl.smt.solver" not in sys.modules


def test_the_table_says_what_could_not_be_encoded(index):
    paths = Paths.open(index)
    assert paths.why_not(function(index, "Texts.print")) == "no result"
    info = index.manifest.tables["paths"]
    assert info["methods"] == 11
    assert info["encoded"] == 10
    assert info["reasons"] == {"no result": 1}


def test_an_update_gives_the_same_bytes_as_a_fresh_build(folder, index, tmp_path):
    options = BuildOptions(tables=("paths",), jobs=1)
    out = tmp_path / "index"
    build_index([folder / "one", folder / "two"], out, options, False, silent)
    updated = build_index([folder / "one", folder / "two"], out, options, True, silent)
    for name in ("function", "signature", "offsets", "records", "reasons"):
        one, other = (np.load(item.data / "paths" / f"{name}.npy") for item in (index, updated))
        assert np.array_equal(one, other)


def test_records_are_plain_json(index):
    paths = Paths.open(index)
    record = json.loads(paths.raw(paths.row_of(function(index, "Numbers.isPositive"))))
    assert record["nodes"] == [["k", 0], ["var", "n", "I"], ["lt", 0, 1]]
    assert record["paths"] == [["", [], 2]]
