"""Runs and qrels, and the same figures from ir_measures on the same files."""

from __future__ import annotations

import ir_measures
import pytest
from worked import answers

from beryl.evaluate.benchmark import LENIENT, STRICT
from beryl.evaluate.metrics import MEASURES
from beryl.evaluate.results import ir_name, per_query
from beryl.evaluate.trec import QRELS_FILE, RUN_FILE, qrels_lines, run_lines, write


def test_a_hit_has_the_id_of_its_label_and_everything_else_its_own():
    lines = list(run_lines(answers()))[:6]
    assert [line.split()[2:4] for line in lines] == [
        ["zlib/noise0.c:1-9#1", "1"],
        ["zlib/sift.c:1-9", "2"],
        ["libsort/copy%20a.c:10-29", "3"],  # the clone in zlib was hit; the group goes by its first member
        ["libsort/copy%20a.c:10-29#4", "4"],
        ["libsort/heap.c:10-29", "5"],
        ["libsort/heap.c:10-29#6", "6"],
    ]


def test_topics_hold_no_blank_and_one_project_topics_name_the_project():
    assert {line.split()[0] for line in qrels_lines(answers())} == {"heap%20sort", "kmp", "pivot"}
    topics = {line.split()[0] for line in qrels_lines(answers(one_project=True))}
    assert topics == {"heap%20sort@libsort", "heap%20sort@zlib", "kmp@zlib", "pivot@libsort"}


@pytest.mark.parametrize("least", [STRICT, LENIENT])
@pytest.mark.parametrize("measure", list(MEASURES))
def test_ir_measures_finds_the_same_figures(tmp_path, measure, least):
    judged = answers()
    write(judged, tmp_path, "worked")
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / QRELS_FILE)))
    run = list(ir_measures.read_trec_run(str(tmp_path / RUN_FILE)))
    asked = ir_measures.parse_measure(ir_name(measure, least))
    theirs = {item.query_id.replace("%20", " "): item.value for item in ir_measures.iter_calc([asked], qrels, run)}
    ours = per_query(judged, measure, least)
    assert ours == pytest.approx({query: theirs[query] for query in ours})
