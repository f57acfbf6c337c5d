"""Every query of a bench is asked of a model that never saw its family."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beryl import paths
from beryl.evaluate.benchmark import Setting, Task, families, query_text, run
from beryl.types import PseudocodeQuery


def asked(name: str, setting: Setting) -> list[PseudocodeQuery]:
    """The queries that a bench of this one task puts to the search."""
    seen: list[PseudocodeQuery] = []

    def search(query: PseudocodeQuery) -> list[object]:
        seen.append(query)
        return []

    run(search, [Task(name, query_text(name), ())], setting)  # type: ignore[arg-type]
    return seen


@pytest.mark.parametrize(("names", "prefix"), [(True, "names"), (False, "no_names")])
@pytest.mark.parametrize("name", ["shell-sort", "dijkstra", "gcd"])
def test_fused_is_scored_by_the_fold_that_never_saw_the_family(name, names, prefix):
    folds = paths.model("ranking") / "folds"
    table = json.loads((folds / f"{prefix}.json").read_text(encoding="utf-8"))
    (query,) = asked(name, Setting("fused", names=names))
    assert Path(query.weights) == folds / table[families()[name]]
    assert Path(query.weights).is_file()


def test_rankings_that_learn_nothing_get_no_model():
    assert [query.weights for query in asked("shell-sort", Setting("bm25"))] == [""]
