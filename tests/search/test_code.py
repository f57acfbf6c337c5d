"""Code-to-code search on a small project: the same answers as comparing everything, and clear words for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from beryl import engine, paths
from beryl.errors import InputError
from beryl.features import FEATURES
from beryl.index.observations import Observations
from beryl.index.store import BuildOptions
from beryl.rank import select
from beryl.search import code
from beryl.search.comparison import Comparison, of_index
from beryl.types import CodeQuery, Filters, Language, Source

SEARCHING = """
int binsearch(int x, int v[], int n) {
    int low, high, mid;
    low = 0;
    high = n - 1;
    while (low <= high) {
        mid = (low + high) / 2;
        if (x < v[mid]) {
            high = mid - 1;
        } else if (x > v[mid]) {
            low = mid + 1;
        } else { /* found match */
            return mid;
        }
    }
    return -1; /* no match */
}
"""
RECURSIVE = """
int bins(int key,int array[],int min,int max) {
  if (max < min) { return KEY_NOT_FOUND; }
  else {
    int midpoint = (int)floor((min+max)/2);
    if(array[midpoint] < key) { return bins(key, array,midpoint+1, max); }
    else if(array[midpoint] > key) { return bins(key, array, min, midpoint-1); }
    else { return midpoint; }
  }
}
"""


def question(text: str, function: str = "", **options: object) -> CodeQuery:
    """A query in C."""
    return CodeQuery(Source(text, Language.C, "query.c"), function, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> engine.Engine:
    folder = tmp_path_factory.mktemp("similar")
    return engine.build([paths.data("demo")], folder / "index", BuildOptions(tables=("observations",), each=True))


def test_binary_search_in_java_is_found_from_c(demo: engine.Engine) -> None:
    best = demo.search(question(SEARCHING)).results[0]
    assert best.functions == ("Lexicon.locate",)
    assert best.language is Language.JAVA
    assert set(best.parts) == set(FEATURES)


def test_the_recursive_variant_of_figure_3_finds_binary_search_too(demo: engine.Engine) -> None:
    found = [hit.functions[0] for hit in demo.search(question(RECURSIVE)).results]
    assert "Lexicon.locate" in found


def test_a_function_of_the_index_finds_itself_first_with_a_score_of_one(demo: engine.Engine) -> None:
    path = paths.data("demo", "packline", "src", "order.c")
    result = demo.search(CodeQuery(Source(path.read_text(), Language.C, str(path)), "push_down"))
    assert result.results[0].functions == ("push_down",)
    assert result.results[0].score == pytest.approx(1.0)
    assert "the query itself" in result.results[0].notes


@pytest.mark.parametrize("ranking", [*code.RANKINGS, *(code.SOLO + name for name in FEATURES)])
def test_the_short_list_gives_what_comparing_everything_gives(demo: engine.Engine, ranking: str) -> None:
    table = Observations.open(demo.index)
    allowed = np.ones(table.functions, dtype=np.bool_)
    compared = 0
    for function in range(0, table.functions, 20):
        query = question(SEARCHING + str(function), ranking=ranking)
        comparison = Comparison(table, of_index(table, function))
        if ranking.removeprefix(code.SOLO) in comparison.empty():
            continue
        compared += 1
        weights = code.weights_of(query, comparison)
        quick = Comparison(table, of_index(table, function)).best(weights, 10, allowed)
        plain = Comparison(table, of_index(table, function)).plain_best(weights, 10, allowed)
        assert quick[0].tolist() == plain[0].tolist()
        assert quick[1].tolist() == plain[1].tolist()
    assert compared or ranking in ("solo:user-calls", "solo:comments")  # the small projects have none


def test_few_trees_are_compared_for_the_exact_answer(demo: engine.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beryl.search.comparison._FIRST_LOOK", 8)
    table = Observations.open(demo.index)
    comparison = Comparison(table, of_index(table, 100))
    weights = select.equal_all(list(FEATURES))
    quick = comparison.best(weights, 3, np.ones(table.functions, dtype=np.bool_))
    looked = int(np.count_nonzero(~np.isnan(comparison._rows["decorated-skeleton-tree"])))
    plain = Comparison(table, of_index(table, 100)).plain_best(weights, 3, np.ones(table.functions, dtype=np.bool_))
    assert quick[0].tolist() == plain[0].tolist()
    assert looked < len(table.columns["decorated-skeleton-tree"].offsets) - 1


def test_filters_come_before_the_cut(demo: engine.Engine) -> None:
    result = demo.search(question(SEARCHING, k=4, filters=Filters(languages=(Language.CPP,))))
    assert len(result.results) == 4
    assert {hit.language for hit in result.results} == {Language.CPP}


def test_scores_fall_and_there_are_at_most_k(demo: engine.Engine) -> None:
    scores = [hit.score for hit in demo.search(question(SEARCHING, k=7)).results]
    assert len(scores) == 7
    assert scores == sorted(scores, reverse=True)


def test_eq_2_is_the_weighted_mean() -> None:
    values = {"a": np.array([1.0, 0.5]), "b": np.array([0.0, 0.5])}
    assert select.combined(values, {"a": 3.0, "b": 1.0}).tolist() == [0.75, 0.5]


def test_dyn_select_takes_classes_in_which_few_of_the_sample_are_similar() -> None:
    sample = {"rare": np.array([0.9, *[0.1] * 9], np.float32), "common": np.array([*[0.9] * 5, *[0.1] * 5], np.float32)}
    assert select.dyn_select(sample, {"rare": 0.5, "common": 0.5}) == {"rare": 1.0, "common": 0.0}


def test_dyn_select_drops_a_class_that_sees_nothing_in_the_query() -> None:
    sample = {"empty": np.zeros(10, np.float32), "rare": np.zeros(10, np.float32)}
    thresholds = {"empty": 0.1, "rare": 0.1}
    assert select.dyn_select(sample, thresholds) == {"empty": 1.0, "rare": 1.0}
    assert select.dyn_select(sample, thresholds, {"empty"}) == {"empty": 0.0, "rare": 1.0}


def test_where_only_empty_classes_would_count_the_others_do() -> None:
    assert select.observed({"a": 1.0, "b": 0.0, "c": 0.0}, {"a"}) == {"a": 0.0, "b": 1.0, "c": 1.0}


def test_a_class_that_sees_nothing_in_the_query_cannot_rank_alone(demo: engine.Engine) -> None:
    source = Source("int plain(int a) { return a + 1; }", Language.C, "q.c")
    with pytest.raises(InputError, match="comments sees nothing"):
        demo.search(CodeQuery(source, ranking="solo:comments"))


def test_dyn_select_takes_all_where_nothing_is_distinctive() -> None:
    assert select.dyn_select({"a": np.ones(4, np.float32)}, {"a": 0.5}) == {"a": 1.0}


def test_svm_weights_are_cut_at_zero_and_normalised_by_all_magnitudes() -> None:
    assert select.normalised(["a", "b", "c"], [2.0, -1.0, 1.0]) == {"a": 0.5, "b": 0.0, "c": 0.25}


def test_training_finds_the_class_that_tells_pairs_apart() -> None:
    draw = np.random.default_rng(1)
    labels = np.array([1, 0] * 50)
    vectors = np.stack([labels * 0.8 + 0.1, draw.random(100)], axis=1)
    weights, accuracy = select.train(["telling", "noise"], vectors, labels)
    assert weights["telling"] > 5 * weights["noise"]
    assert accuracy == 1.0


def test_weights_from_a_file(demo: engine.Engine, tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"weights": {"skeleton-tree": 1.0}}))
    result = demo.search(question(SEARCHING, ranking="svm-weights", weights=str(path)))
    assert result.results[0].score == pytest.approx(result.results[0].parts["skeleton-tree"])


@pytest.mark.parametrize("body", ["", "[]", '{"weights": {"skeleton-tree": -1}}', '{"weights": {}}'])
def test_a_file_without_weights_is_refused(tmp_path: Path, body: str) -> None:
    (tmp_path / "weights.json").write_text(body)
    with pytest.raises(InputError, match="weights"):
        code.read_weights(str(tmp_path / "weights.json"))


@pytest.mark.parametrize(
    ("text", "function", "words"),
    [
        ("int x;", "", "no function with a body"),
        ("int f(void) {}", "", "is empty"),
        ("#define twice(x) ((x) * 2)\nint f(int a) { return a; }", "twice", "macro"),
        ("#  define twice(x) ((x) * 2)\n", "twice", "twice is a macro"),
        ("#define twice2(x) ((x) * 2)\nint f(int a) { return a; }", "twice", "no function 'twice'"),
        ("int f(int a) { return a; }\nint g(int a) { return a; }", "h", "f, g"),
        ("class {{{", "", "no function"),
    ],
)
def test_bad_input_is_named(demo: engine.Engine, text: str, function: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        demo.search(question(text, function))


def test_of_several_functions_of_one_name_the_first_is_taken_and_said(demo: engine.Engine) -> None:
    text = "\n".join(f"int f(int a) {{ return a + {n}; }}" for n in range(10))
    note = demo.search(question(text, "f")).results[0].notes[0]
    assert "10 functions are called f" in note
    assert "line 1 was taken" in note


def test_of_several_functions_of_one_name_an_empty_one_is_not_taken(demo: engine.Engine) -> None:
    text = "int f(void) {}\nint f(int a) { return a * 2; }\n"
    note = demo.search(question(text, "f")).results[0].notes[0]
    assert "2 functions are called f (lines 1, 2); the one at line 2 was taken" in note


def test_what_both_have_is_listed_in_one_order(demo: engine.Engine) -> None:
    notes = demo.search(question(SEARCHING)).results[0].notes
    assert "Numeric Literals 1.00: both have '-1', '0', '1', '2'" in notes


def test_a_line_chooses_the_function_around_it(demo: engine.Engine) -> None:
    text = "int f(int a) { return a; }\nint g(int a) { return a * 2; }\n"
    assert demo.search(question(text, line=2)).query == "g"
    with pytest.raises(InputError, match="line 7"):
        demo.search(question(text, line=7))


def test_unknown_rankings_are_refused(demo: engine.Engine) -> None:
    with pytest.raises(InputError, match="dyn-select"):
        demo.search(question(SEARCHING, ranking="best"))
    with pytest.raises(InputError, match="nl-terms"):
        demo.search(question(SEARCHING, ranking="solo:colour"))


def test_damaged_code_is_compared_as_far_as_it_can_be_read(demo: engine.Engine) -> None:
    result = demo.search(question(SEARCHING.replace("high = n - 1;", "high = = n - @;")))
    assert result.results
    assert any("syntax error" in note for note in result.results[0].notes)
