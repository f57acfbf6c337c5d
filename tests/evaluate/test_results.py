"""Judged lists to figures, by hand."""

from __future__ import annotations

import pytest
from worked import answers

from beryl.errors import InputError
from beryl.evaluate.benchmark import Setting
from beryl.evaluate.results import (
    cut,
    f_ranks,
    ir_name,
    per_query,
    precision,
    read,
    result,
    saved_runs,
    show_rank,
    write,
)


def worked_result(one_project: bool = False):
    return result("demo", Setting("worked", one_project=one_project), answers(one_project), {"commit": "abc"})


def test_f_rank_over_all_projects():
    assert f_ranks(answers(), 2) == {"heap sort": 3, "kmp": 101}
    assert f_ranks(answers(), 1) == {"heap sort": 2, "kmp": 101, "pivot": 1}


def test_one_project_f_rank_is_the_mean_over_labelled_projects():
    # libsort: copy a.c is first; zlib: noise, sift.c (grade 1), copy.c is third
    assert f_ranks(answers(one_project=True), 2) == {"heap sort": 2, "kmp": 101}


def test_mrr_of_one_project_is_the_inverse_of_the_mean_f_rank_as_in_the_paper():
    found = worked_result(one_project=True)
    assert found.values("MRR") == {"heap sort": 1 / 2, "kmp": 0}
    assert found.values("RR") == {"heap sort": pytest.approx((1 + 1 / 3) / 2), "kmp": 0}


def test_unanswered_queries_count_as_zero():
    found = worked_result()
    assert found.figure("MRR").value == pytest.approx((1 / 3 + 0) / 2)
    assert found.figure("MRR", "lenient").value == pytest.approx((1 / 2 + 0 + 1) / 3)


def test_average_precision_counts_clones_once():
    # strict: two implementations (heap.c, the copies), found at ranks 3 and 5
    assert per_query(answers(), "AP", 2)["heap sort"] == pytest.approx((1 / 3 + 2 / 5) / 2)
    # lenient: and sift.c at rank 2
    assert per_query(answers(), "AP", 1)["heap sort"] == pytest.approx((1 / 2 + 2 / 3 + 3 / 5) / 3)


def test_precision_counts_clones_once_and_fills_short_lists_with_misses():
    found = precision(answers(), 10)
    assert found["strict"]["value"] == pytest.approx((2 / 10 + 0 + 0) / 3)
    assert found["lenient"]["value"] == pytest.approx((3 / 10 + 0 + 1 / 10) / 3)


def test_line_iou_is_of_the_first_fragment_that_hits_a_marked_label():
    found = cut(answers())
    assert (found.hit, found.marked) == (1, 1)
    assert found.figure.value == pytest.approx(10 / 20)  # 12-31 against 12-21


def test_a_result_is_read_back_as_it_was_written(tmp_path):
    found = worked_result()
    write(found, tmp_path / "worked")
    assert read(tmp_path / "worked") == found
    assert list(saved_runs(tmp_path)) == ["worked"]
    assert list(saved_runs(tmp_path / "worked")) == ["worked"]


def test_folders_without_results_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"holds no result\.json"):
        saved_runs(tmp_path)
    (tmp_path / "result.json").write_text('{"bench": "demo"}')
    with pytest.raises(InputError, match="not a result"):
        read(tmp_path)


@pytest.mark.parametrize(("rank", "text"), [(1.0, "1"), (2.25, "2.25"), (51, "51"), (4 / 3, "1.33"), (101, ">100")])
def test_ranks_are_printed_as_in_the_paper(rank, text):
    assert show_rank(rank) == text


def test_measures_are_named_as_in_ir_measures():
    import ir_measures

    for name in ("RR", "AP", "Success@5"):
        assert str(ir_measures.parse_measure(ir_name(name, 2))) == ir_name(name, 2)
