"""MAP of code-to-code search, worked out by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from beryl import engine, paths
from beryl.evaluate import pairs, similar
from beryl.evaluate.pairs import QuerySet
from beryl.features import FEATURES
from beryl.index.observations import Observations, restricted
from beryl.index.store import BuildOptions

SETS = QuerySet("toy", (10, 11, 12, 13), ("sort", "sort", "find", "find"))


def compared(first_class: list[list[float]]) -> similar.Compared:
    """Four queries against themselves and two distractors; only the first class says anything."""
    values = np.zeros((4, len(FEATURES), 6), dtype=np.float32)
    values[:, 0, :] = first_class
    weights = np.ones((4, len(FEATURES)))
    return similar.Compared(SETS, values, weights, np.arange(6))


ROWS = [
    [1.0, 0.9, 0.1, 0.2, 0.3, 0.0],  # sort finds sort first: AP 1
    [0.5, 1.0, 0.1, 0.2, 0.6, 0.7],  # two distractors are before it: AP 1/3
    [0.0, 0.0, 1.0, 0.4, 0.4, 0.1],  # tied with a distractor that comes later in the order of ties: AP 1
    [0.9, 0.0, 0.3, 1.0, 0.4, 0.1],  # one of the set and one distractor are before it: AP 1/3
]
FIRST = np.eye(len(FEATURES))[0]


def test_map_is_the_mean_over_queries_and_leaves_the_query_out() -> None:
    whole = similar.whole_set(compared(ROWS))
    assert similar.mean_precision(whole, FIRST, 2) == pytest.approx((1 + 1 / 3 + 1 + 1 / 3) / 4)


def test_fewer_distractors_can_only_help() -> None:
    whole = similar.whole_set(compared(ROWS))
    assert similar.mean_precision(whole, FIRST, 0) == pytest.approx((1 + 1 + 1 + 1 / 2) / 4)


def test_one_by_one_the_other_categories_of_the_set_are_not_in_the_way() -> None:
    # In the last query of the whole set one of `sort` is before the relevant one, here only the distractor is: AP 1/2.
    apart = compared(ROWS)
    assert similar.mean_precision(apart, FIRST, 2) == pytest.approx((1 + 1 / 3 + 1 + 1 / 2) / 4)
    assert similar.mean_precision(apart, FIRST, 0) == 1.0


def test_pairs_of_one_category_are_alike() -> None:
    rows, labels = similar.vectors(compared(ROWS), [0, 1, 2])
    assert rows[:, 0].tolist() == pytest.approx([0.9, 0.1, 0.1])
    assert labels.tolist() == [1, 0, 0]


def test_relevant_are_the_others_of_the_category() -> None:
    assert SETS.relevant(2) == [3]


def test_algo_qs_has_at_least_seven_tasks_of_five_implementations_by_reference() -> None:
    tasks = pairs.read(paths.data("benchmark", pairs.SETS["algo-qs"]))
    assert len(tasks) >= 7
    assert all(sum(not row.get("also") for row in rows) >= 5 for rows in tasks.values())
    assert all(set(row) >= {"package", "path", "start", "end"} for rows in tasks.values() for row in rows)


def test_no_task_of_algo_qs_has_two_functions_of_one_package() -> None:
    for rows in pairs.read(paths.data("benchmark", pairs.SETS["algo-qs"])).values():
        packages = [row["package"] for row in rows if not row.get("also")]
        assert len(set(packages)) == len(packages)


def test_algo_qs_has_no_function_of_libc_qs_so_that_cross_weights_stay_foreign() -> None:
    places = {
        (row["package"], row["path"], row["start"])
        for rows in pairs.read(paths.data("benchmark", pairs.SETS["libc-qs"])).values()
        for row in rows
    }
    tasks = pairs.read(paths.data("benchmark", pairs.SETS["algo-qs"]))
    assert not any((row["package"], row["path"], row["start"]) in places for rows in tasks.values() for row in rows)


def test_what_also_does_a_task_is_neither_query_nor_distractor(tmp_path: Path) -> None:
    source = tmp_path / "sorts" / "a.c"
    source.parent.mkdir()
    source.write_text("".join(f"int f{n}(int x)\n{{ return x + {n}; }}\n" for n in range(6)), encoding="ascii")
    index = engine.build([source.parent], tmp_path / "index", BuildOptions(tables=("observations",))).index
    rows = [{"package": "sorts", "path": "a.c", "start": 2 * n + 1, "end": 2 * n + 2} for n in range(3)]
    queries = pairs.locate(index, "toy", {"adding": [*rows[:2], {**rows[2], "also": True}]})
    assert (queries.functions, queries.others, queries.missing) == ((0, 1), (2,), 0)
    assert sorted(pairs.distractors(index, [queries], 1)) == [3, 4, 5]


@pytest.mark.parametrize("library", pairs.MORE_LIBC_PROJECTS)
def test_no_c_library_is_among_the_distractors(library: str, tmp_path: Path) -> None:
    source = tmp_path / library / "a.c"
    source.parent.mkdir()
    source.write_text("int one(void)\n{ return 1; }\nint two(void)\n{ return 2; }\n", encoding="ascii")
    index = engine.build([source.parent], tmp_path / "index", BuildOptions(tables=("observations",))).index
    assert pairs.distractors(index, [], 1) == []


def test_short_functions_and_incomplete_categories_are_left_out() -> None:
    ends = np.array([5, 9, 4, 9, 9, 0])  # the first line is 1: `find` has a function of four lines
    index = SimpleNamespace(functions=SimpleNamespace(start_line=np.ones(6, int), end_line=ends))
    queries = QuerySet("toy", (0, 1, 2, 3, 4), ("sort", "sort", "find", "find", "alone"))
    values = np.arange(5 * len(FEATURES) * 6, dtype=np.float32).reshape(5, len(FEATURES), 6)
    whole = similar.Compared(queries, values, np.ones((5, len(FEATURES))), np.arange(6))
    kept = similar.longer(index, whole)  # type: ignore[arg-type]
    assert kept.queries.functions == (0, 1)
    assert kept.ties.tolist() == [0, 1, 5]
    assert kept.similarities[1, 0].tolist() == values[1, 0, [0, 1, 5]].tolist()


def test_cross_weights_learn_nothing_from_the_set_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar, "fold_weights", lambda *_: np.zeros((4, len(FEATURES))))
    rows = similar._rows(compared(ROWS), ["type-operation-coupling"], np.full(len(FEATURES), 0.25))
    assert rows["cross-weights"].tolist() == [0.25] * len(FEATURES)


def test_dyn_select_samples_the_database_of_figure_6_and_not_the_fillers_of_figure_7(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = engine.build([paths.data("demo")], tmp_path, BuildOptions(tables=("observations",), each=True)).index
    samples = []

    def watched(table: Observations, functions: NDArray[np.int64], sample: NDArray[np.int64]) -> Observations:
        samples.append(sample.tolist())
        return restricted(table, functions, sample)

    monkeypatch.setattr(similar, "restricted", watched)
    monkeypatch.setattr(similar, "DISTRACTORS", 5)
    similar.compare(Observations.open(index), SETS, range(20, 120))
    assert samples == [list(range(4 + 5))]


def test_the_curves_are_drawn(tmp_path: Path) -> None:
    curve = {"dyn-select": {10: 0.9, 100: 0.5}, "svm-weights": {10: 0.9, 100: 0.8}}
    found = similar.Figures({}, {"libc-qs": curve, "algo-qs": curve}, {}, {"libc-qs": 4, "algo-qs": 4})
    similar.picture(found, tmp_path / "similar.png")
    assert (tmp_path / "similar.png").read_bytes()[1:4] == b"PNG"
