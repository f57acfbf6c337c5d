"""The held-out algorithms: none is in the benchmark, each can be read, each is labelled where it is implemented."""

from __future__ import annotations

from beryl import paths
from beryl.evaluate.benchmark import BENCHES, STRICT, Setting, families, tasks, unseen_weights
from beryl.lang.pseudo import frontend
from beryl.search.fragments import searchable

HELD_OUT = BENCHES["held-out"]


def test_no_algorithm_of_the_benchmark_is_among_them():
    names = {task.name for task in tasks(HELD_OUT)}
    known = {path.stem for path in paths.data("queries").glob("*.txt")}
    assert len(names) >= 24
    assert not names & known
    assert not names & set(families())


def test_every_query_can_be_read_and_has_a_clear_implementation():
    written = {path.stem for path in paths.data("queries-held-out").glob("*.txt")}
    found = tasks(HELD_OUT)
    assert {task.name for task in found} == written
    for task in found:
        assert searchable(frontend.read(task.text, task.name).icfg.nodes)
        assert any(label.grade == STRICT for label in task.labels), task.name


def test_they_are_searched_in_the_mixed_index_with_the_shipped_model():
    assert HELD_OUT.index == "mixed"
    assert unseen_weights("bresenham-line", Setting()) == ""
