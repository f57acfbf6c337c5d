"""Pseudocode over the demo corpus: what is found, how it is cut, and what filters and hidden names do."""

from __future__ import annotations

import pytest

from beryl.errors import InputError
from beryl.evaluate.benchmark import query_text
from beryl.types import Filters, Language, PseudocodeQuery

RANKINGS = ("fused", "paper", "bm25", "bm25-body", "random")


def ask(demo, name, **options):
    return demo.search(PseudocodeQuery(query_text(name), name=name, **options)).results


@pytest.mark.parametrize("ranking", RANKINGS)
def test_at_most_k_results_sorted_and_inside_the_corpus(demo, ranking):
    found = ask(demo, "binary-search", k=7, ranking=ranking)
    assert 0 < len(found) <= 7
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)
    for fragment in found:
        assert fragment.start <= fragment.end
        assert fragment.code.count("\n") == fragment.end - fragment.start
        for match in fragment.matches:
            assert match.code_text


@pytest.mark.parametrize("name", ["gcd", "matrix-multiplication", "rabin-karp", "dijkstra"])
def test_an_implementation_that_no_name_gives_away_is_among_the_first(demo, name):
    labels = demo_labels(name)
    found = ask(demo, name, k=5)
    places = {(fragment.project, fragment.path) for fragment in found}
    assert places & {(label.project, label.path) for label in labels}


def demo_labels(name):
    from beryl import paths
    from beryl.evaluate import labels

    return [label for label in labels.read(paths.data("demo", "labels.jsonl")) if label.query == name]


def test_the_same_question_gets_the_same_answer(demo):
    assert ask(demo, "kruskal") == ask(demo, "kruskal")


def test_distinct_results_are_different_places(demo):
    for ranking in ("fused", "paper"):
        found = ask(demo, "quicksort", ranking=ranking, distinct=True, k=10)
        taken: set[tuple[str, str, int]] = set()
        for fragment in found:
            lines = {(fragment.project, s.path, line) for s in fragment.spans for line in range(s.start, s.end + 1)}
            assert not taken & lines
            taken |= lines


def test_the_paper_keeps_every_merge_step(demo):
    assert len(ask(demo, "quicksort", ranking="paper", k=5_000)) > len(
        ask(demo, "quicksort", ranking="paper", k=5_000, distinct=True)
    )


def test_the_score_of_the_paper_is_coverage_plus_closeness(demo):
    for fragment in ask(demo, "gcd", ranking="paper", k=20):
        assert fragment.score == pytest.approx(fragment.parts["coverage"] + fragment.parts["closeness"])
        assert fragment.parts["closeness"] <= 1.0
        assert fragment.parts["coverage"] == len(fragment.matches)


def test_the_parts_of_the_fused_score_add_up(demo):
    for fragment in ask(demo, "gcd"):
        assert sum(fragment.parts.values()) == pytest.approx(fragment.score, abs=1e-4)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_filters_apply_before_the_cut(demo, ranking):
    java = ask(demo, "binary-search", ranking=ranking, filters=Filters(languages=(Language.JAVA,)))
    assert java
    assert {fragment.language for fragment in java} == {Language.JAVA}
    one = ask(demo, "binary-search", ranking=ranking, filters=Filters(projects=("routekit",)))
    assert {fragment.project for fragment in one} <= {"routekit"}
    assert ask(demo, "binary-search", ranking=ranking, filters=Filters(path="no/such/*")) == ()


def test_hidden_names_do_not_depend_on_the_header(demo):
    text = query_text("gcd")
    other = text.replace("gcd", "frobnicate").replace("GCD", "FROBNICATE").replace("Euclid", "Frob")
    assert other != text
    hidden = [[(f.path, f.start) for f in demo.search(PseudocodeQuery(t, names=False)).results] for t in (text, other)]
    assert hidden[0] == hidden[1]


@pytest.mark.parametrize("ranking", ["fused", "paper"])
def test_covered_and_uncovered_lines_make_up_the_query(demo, ranking):
    from beryl.lang.pseudo.frontend import read
    from beryl.search.fragments import searchable

    lines = {node.span.start_line for node in searchable(read(query_text("insertion-sort")).icfg.nodes)}
    for fragment in ask(demo, "insertion-sort", ranking=ranking, k=3):
        assert {match.query_line for match in fragment.matches} | {line.line for line in fragment.uncovered} == lines


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"ranking": "magic"}, "unknown ranking"), ({"features": "x"}, "unknown features"), ({"k": 0}, "at least one")],
)
def test_bad_options_are_one_sentence(demo, options, sentence):
    with pytest.raises(InputError, match=sentence):
        ask(demo, "gcd", **options)


def test_a_query_without_a_usable_node_is_refused(demo):
    with pytest.raises(InputError):
        demo.search(PseudocodeQuery("// only a comment\n"))


def test_two_thousand_lines_are_answered(demo):
    lines = "\n".join(f"  x{i} = x{i} + {i} * y[{i}]" for i in range(2_000))
    assert demo.search(PseudocodeQuery(f"LONG(x, y)\n{lines}\n", k=3)).results


def test_a_fragment_across_functions_says_who_calls_whom(demo):
    across = [f for f in ask(demo, "quicksort", ranking="paper", k=200) if len(f.spans) > 1 and "call_path" in f.extra]
    assert across
    for fragment in across:
        names = {span.function for span in fragment.spans}
        for call in fragment.extra["call_path"]:
            assert {call["caller"], call["callee"]} <= names


def test_within_functions_only_no_fragment_spans_two(demo):
    found = ask(demo, "quicksort", ranking="paper", k=200, paths="intraprocedural")
    assert found
    assert {len(fragment.spans) for fragment in found} == {1}


def test_directed_paths_connect_no_more_than_undirected_ones(demo):
    directed = ask(demo, "quicksort", ranking="paper", k=1, paths="directed")
    assert directed[0].score <= ask(demo, "quicksort", ranking="paper", k=1)[0].score


def test_a_function_without_statements_is_never_found(tmp_path):
    from beryl import engine
    from beryl.index.store import BuildOptions

    loop = "    while (b != 0) {\n      int r = a % b;\n      a = b;\n      b = r;\n    }\n    return a;\n"
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "Gcd.java").write_text(
        "class Gcd {\n  Gcd() {\n  }\n  int gcd(int a, int b) {\n" + loop + "  }\n}\n"
    )
    options = BuildOptions(tables=("terms", "shapes", "vectors"), jobs=1)
    built = engine.build([tmp_path / "project"], tmp_path / "index", options)
    assert len(built.index.functions.file) == 2
    assert [found.start for found in built.query(query_text("gcd"))] == [4]
