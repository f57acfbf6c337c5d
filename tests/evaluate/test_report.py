"""Tables, and the comparison of two runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from worked import answers

from beryl.evaluate import report
from beryl.evaluate.baselines import BASELINES, PUBLISHED
from beryl.evaluate.benchmark import Setting
from beryl.evaluate.results import result
from beryl.evaluate.session import columns


def results(bench: str = "demo", names: bool = True):
    first = result(bench, Setting("paper", names=names), answers(), {})
    better = {"strict": {"heap sort": 1, "kmp": 2}, "lenient": {}}
    return [first, replace(first, setting=Setting("bm25"), f_rank=better)]


def test_the_papers_table_has_f_ranks_and_mrr_in_the_last_row():
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.f_rank_table(results()).splitlines()]
    assert rows[0] == ["No.", "Query", "paper", "bm25"]
    assert rows[2:] == [["1", "heap sort", "3", "1"], ["2", "kmp", ">100", "2"], ["", "MRR", "0.167", "0.750"]]


def test_every_column_of_a_table_has_one_width():
    lines = report.measure_table(results()).splitlines()
    assert len({len(line) for line in lines}) == 1


def test_experiment_3_has_a_row_of_precision():
    about = {"precision": {"strict": {"value": 0.25, "low": 0.1, "high": 0.4}}, "unjudged": 3}
    judged = [replace(item, bench="elsewhere", about=about) for item in results()]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report.measure_table(judged).splitlines()]
    assert ["P@10", "0.250 [0.100, 0.400]", "0.250 [0.100, 0.400]"] in rows
    assert ["results nobody judged", "3", "3"] in rows


def test_a_document_has_the_papers_figures_and_says_that_corpora_differ():
    text = report.document(results("debian-java"))
    assert "0.819" in text
    assert "corpora, projects and labels differ" in text
    assert "DCS is absent" in text
    assert "OCoR is absent" in text
    assert "MRR in the paper" not in report.document(results("demo"))


def test_the_papers_figures_are_those_of_the_issue():
    figures = {name: (p.one_project, p.multi_project, p.github) for name, p in PUBLISHED.items()}
    assert {name: tuple(kind["Beryllium"] for kind in kinds) for name, kinds in figures.items()} == {
        "debian-java": (0.819, 0.606, 0.58),
        "debian-c": (0.522, 0.316, 0.321),
        "mixed": (0.498, 0.313, 0.345),
    }


def test_baselines_that_see_names_say_so_among_rankings_that_do_not():
    assert report.headings(results(names=False)) == ["paper", "bm25 (names seen)"]
    assert report.headings(results()) == ["paper", "bm25"]


def test_comparison_counts_queries_and_tests_the_difference():
    first, second = results()
    found = report.compare(first, second, "MRR")
    assert (found.better, found.worse, found.queries) == (0, 2, 2)
    assert found.first - found.second == pytest.approx(1 / 6 - 3 / 4)
    assert 0.4 < found.p_value <= 1  # two queries cannot be significant: half of the sign flips are as extreme
    assert report.compare(first, first, "MRR").p_value == 1


def test_columns_of_a_table():
    found = [item.column for item in columns(Setting(), ["fused", "paper", "bm25"], ["cb", "cb+g", "full"])]
    assert found == ["fused", "paper cb", "paper cb+g", "paper", "paper distinct", *BASELINES]


def test_hidden_names_stay_hidden_but_for_the_baselines_that_live_on_them():
    hidden = columns(Setting(names=False), ["fused"], ["full"])
    assert [(item.ranking, item.names) for item in hidden] == [
        ("fused", False),
        ("name", True),
        ("bm25", True),
        ("bm25-body", False),
        ("random", False),
    ]
