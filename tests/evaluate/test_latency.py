"""Percentiles by stage, on the demo corpus."""

from __future__ import annotations

from beryl.evaluate import latency
from beryl.evaluate.latency import PROCESSOR, RENDER, WALL, Latency


def test_percentiles_lie_between_the_measured_values():
    measured = Latency("fused", {WALL: (10.0, 20.0, 30.0, 40.0, 50.0)})
    assert measured.percentile(WALL, 0.5) == 30.0
    assert measured.percentile(WALL, 0.95) == 48.0


def test_every_query_is_measured_once_and_rendered_after_a_first_that_does_not_count(demo, pseudocode):
    queries = [(name, pseudocode(name)) for name in ("gcd", "binary-search")]
    rendered = []
    measured = latency.warm(demo, "paper", queries, rendered.append)
    assert [result.query for result in rendered] == ["gcd", "gcd", "binary-search"]
    assert {"convert", "encode", "search", "group", "score", RENDER, WALL, PROCESSOR} <= set(measured.stages)
    assert {len(values) for values in measured.stages.values()} == {2}
    parts = [name for name in measured.stages if name not in (WALL, PROCESSOR)]
    for position, whole in enumerate(measured.stages[WALL]):
        assert 0 < sum(measured.stages[name][position] for name in parts) <= whole
    assert "p95" in latency.report(measured)


def test_there_are_fifty_shipped_queries():
    names = [name for name, _ in latency.shipped_queries()]
    assert len(names) == latency.QUERIES
    assert names == sorted(names)


def test_a_cold_start_is_measured_in_a_process_of_its_own(demo_index_directory, tmp_path, pseudocode):
    (tmp_path / "gcd.txt").write_text(pseudocode("gcd"), encoding="utf-8")
    found = latency.cold(demo_index_directory, tmp_path / "gcd.txt", runs=1)
    assert found.processor > 0
    assert 0 < found.wall < 300
    assert 30 < found.megabytes < 3000
