"""Fig. 3 of Source Forager, the recursive binary search, must be found from Fig. 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_code import RECURSIVE, SEARCHING, question

from beryl import engine, paths
from beryl.index.store import BuildOptions

PROJECTS = ("postgresql-15", "graphviz", "sgt-puzzles", "lua5.4")
CORPUS = paths.data("corpora", "debian-c")
OPTIONS = BuildOptions(tables=("observations",))


def rank_of_figure_3(folders: list[Path], tmp_path: Path) -> tuple[int, int]:
    """The rank of Fig. 3 for Fig. 2, and how many functions there are."""
    own = tmp_path / "figure"
    own.mkdir()
    (own / "bins.c").write_text(RECURSIVE)
    index = engine.build([own, *folders], tmp_path / "index", OPTIONS)
    names = [hit.functions[0] for hit in index.search(question(SEARCHING)).results]
    return names.index("bins") + 1 if "bins" in names else 0, len(index.index.functions.file)


def test_in_the_top_ten_among_the_functions_of_the_demo(tmp_path: Path) -> None:
    rank, _ = rank_of_figure_3([paths.data("demo", "packline"), paths.data("demo", "routekit")], tmp_path)
    assert 1 <= rank <= 10


@pytest.mark.slow
@pytest.mark.skipif(not all((CORPUS / name).is_dir() for name in PROJECTS), reason="scripts/fetch_corpus.py brings it")
def test_in_the_top_ten_among_ten_thousand(tmp_path: Path) -> None:
    rank, functions = rank_of_figure_3([CORPUS / name for name in PROJECTS], tmp_path)
    assert functions > 10_000
    assert 1 <= rank <= 10
