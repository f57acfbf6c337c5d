"""When a fragment hits a label, and what a list of fragments is worth."""

from __future__ import annotations

import pytest

from beryl import paths
from beryl.evaluate.benchmark import BENCHES, families, tasks
from beryl.evaluate.labels import Judged, Label, hits, judge, line_iou, marked, read, read_marks, relevant
from beryl.evaluate.metrics import (
    BEYOND,
    average_precision,
    bootstrap,
    first_rank,
    paired_p_value,
    reciprocal_rank,
    success,
)
from beryl.types import Fragment, FunctionSpan, Language


def fragment(start: int, end: int, path: str = "sort.c", project: str = "libsort") -> Fragment:
    span = FunctionSpan(path, "f", start, end)
    return Fragment(1.0, {}, project, Language.C, path, start, end, ("f",), (span,))


def label(start: int, end: int, grade: int = 2, group: str = "", lines: tuple[int, int] | None = None) -> Label:
    return Label("q", "c", "libsort", "sort.c", "f", start, end, grade, group or f"{start}", lines)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (100, 119, True),  # the whole function
        (105, 112, True),  # lines within it
        (105, 106, False),  # fewer than three lines
        (90, 100, False),  # one line in common
        (95, 104, True),  # 5 of the fragment's 10 lines
        (94, 103, False),  # 4 of its 10
        (80, 145, False),  # 66 lines for a label of 20: over three times
        (90, 149, True),  # 60 lines: exactly three times
        (1, 2000, False),  # the whole file
    ],
)
def test_a_hit_needs_enough_of_the_label_and_not_much_else(start, end, expected):
    assert hits(fragment(start, end), label(100, 119)) is expected


def test_a_hit_covers_a_fifth_of_the_label():
    assert not hits(fragment(100, 103), label(100, 139))
    assert hits(fragment(100, 107), label(100, 139))


def test_project_and_file_must_agree():
    assert not hits(fragment(100, 119, path="other.c"), label(100, 119))
    assert not hits(fragment(100, 119, project="fork"), label(100, 119))


def test_one_label_is_hit_once_and_a_clone_group_counts_once():
    labels = [label(100, 119), label(200, 219, group="clones"), label(300, 319, group="clones"), label(400, 419, 1)]
    ranked = [fragment(100, 119), fragment(101, 118), fragment(1, 9), fragment(300, 319), fragment(200, 219)]
    assert judge(ranked, labels).gains == (2, 0, 0, 2, 0)
    assert relevant(labels, 2) == 2
    assert relevant(labels, 1) == 3


def test_the_better_grade_is_hit_first():
    inner, outer = label(100, 119, 1), label(98, 121, 2)
    judged = judge([fragment(100, 119), fragment(100, 119)], [inner, outer])
    assert judged == Judged((2, 1), (outer, inner))


def test_measures_of_a_list_by_hand():
    gains = (0, 1, 2, 0, 2)
    assert first_rank(gains, 2) == 3
    assert first_rank(gains, 1) == 2
    assert reciprocal_rank(gains, 2) == pytest.approx(1 / 3)
    assert success(gains, 2, 1) == 0
    assert success(gains, 2, 5) == 1
    # hits at ranks 3 and 5 of four relevant: (1/3 + 2/5) / 4
    assert average_precision(gains, 2, 4) == pytest.approx((1 / 3 + 2 / 5) / 4)


def test_nothing_found_is_beyond_the_cut():
    assert first_rank((0,) * 150 + (2,), 2) == BEYOND
    assert reciprocal_rank((0,) * 150 + (2,), 2) == 0


def test_line_iou():
    marked = label(100, 159, lines=(120, 139))
    assert line_iou(fragment(120, 139), marked) == 1
    assert line_iou(fragment(110, 129), marked) == pytest.approx(10 / 30)


def test_bootstrap_holds_the_mean_and_a_clear_difference_is_significant():
    low, high = bootstrap([0.0, 1.0, 1.0, 0.0, 1.0])
    assert low < 0.6 < high
    assert paired_p_value([1.0] * 12, [0.0] * 12) < 0.01
    assert paired_p_value([1.0, 0.0], [0.0, 1.0]) == pytest.approx(1.0)


def test_the_limit_of_size_is_the_function_where_the_label_is_only_a_part_of_it():
    part = Label("q", "c", "libsort", "sort.c", "f", 100, 109, 2, "100", within=(80, 129))
    assert hits(fragment(80, 129), part)
    assert hits(fragment(60, 209), part)  # 150 lines: three times the function
    assert not hits(fragment(60, 210), part)


def test_a_helper_does_not_use_up_the_implementation_it_belongs_to(tmp_path):
    record = '{"query": "q", "language": "c", "package": "libsort", "path": "s.c", "function": "f", "clone_group": 1,'
    file = tmp_path / "labels.jsonl"
    file.write_text(f'{record} "start": 1, "end": 9, "grade": 1}}\n{record} "start": 20, "end": 29, "grade": 2}}\n')
    assert judge([fragment(1, 9, "s.c"), fragment(20, 29, "s.c")], read(file)).gains == (1, 2)


def test_line_marks_belong_to_labels():
    marks = read_marks(paths.data("benchmark", "lines.jsonl"))
    labels = [item for name in ("labels_c", "labels_java") for item in read(paths.data("benchmark", f"{name}.jsonl"))]
    found = [item for item in marked(labels, marks) if item.lines]
    assert len(found) == len(marks) >= 60
    for item in found:
        assert item.lines is not None
        assert item.start <= item.lines[0] <= item.lines[1] <= item.end
        assert 2 * (item.lines[1] - item.lines[0] + 1) <= item.end - item.start + 1


@pytest.mark.parametrize("language", ["c", "java"])
def test_qrels_are_the_labels_in_another_form(language):
    labels = read(paths.data("benchmark", f"labels_{language}.jsonl"))
    rows = paths.data("benchmark", f"qrels_{language}.tsv").read_text(encoding="utf-8").splitlines()
    assert rows == ["query-id\tcorpus-id\tscore", *(f"{item.query}\t{item.key}\t{item.grade}" for item in labels)]


@pytest.mark.parametrize("name", [name for name in BENCHES if not BENCHES[name].elsewhere])
def test_every_bench_has_queries_with_labels_of_its_own_id(name):
    found = tasks(BENCHES[name])
    assert len(found) >= 20
    for task in found:
        keys = {item.group: item.key for item in task.labels}
        assert len(set(keys.values())) == len(keys)
        assert (task.name in families()) == (name != "held-out")
    if BENCHES[name].both:
        assert all({item.language for item in task.labels} == {"c", "java"} for task in found)
