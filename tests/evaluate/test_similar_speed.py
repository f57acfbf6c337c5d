"""The speed bench of code-to-code search, on a small index."""

from __future__ import annotations

from pathlib import Path

from beryl import engine, paths
from beryl.evaluate import similar_speed
from beryl.index.observations import Observations
from beryl.index.store import BuildOptions, open_index


def test_copies_differ_and_answers_are_those_of_comparing_everything(tmp_path: Path) -> None:
    projects = sorted(path for path in paths.data("demo").iterdir() if path.is_dir())
    engine.build(projects, tmp_path / "index", BuildOptions(tables=("observations",)))
    own = Observations.open(open_index(tmp_path / "index"))
    many = similar_speed.replicated(own, 3000)
    assert many.functions == 3000 > own.functions
    first = own.columns["decorated-skeleton-tree"]
    assert len(many.columns["decorated-skeleton-tree"].offsets) > 2 * len(first.offsets)
    timing = similar_speed.run(tmp_path / "index", 3000, queries=6, k=10, check=5)
    assert timing.identical
    assert [len(times) for times in timing.milliseconds.values()] == [6, 6, 6]
    assert [len(times) for times in timing.plain.values()] == [5, 5, 5]
    assert "15 answers identical" in similar_speed.report(timing)
