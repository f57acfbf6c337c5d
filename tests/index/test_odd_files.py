"""Things in a source tree that are no plain files: they are left out, and the ledger says why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from beryl.index.ledger import Reason
from beryl.index.scan import Scan, ScanOptions, scan
from beryl.lang.treesitter import language_of


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "plain.c").write_text("int f(void) { return 1; }\n")
    return tmp_path / "source"


def scanned(tree: Path) -> Scan:
    return scan(ScanOptions((str(tree),), False, (), (), ()), tree.parent / "index", language_of)


def test_links_in_a_circle_are_recorded_as_links(tree: Path) -> None:
    (tree / "one.c").symlink_to("two.c")
    (tree / "two.c").symlink_to("one.c")
    (tree / "round").symlink_to("round")
    found = scanned(tree)
    assert [each.path for each in found.candidates] == ["plain.c"]
    assert {(each.path, each.reason) for each in found.ledger} == {("one.c", Reason.LINK), ("two.c", Reason.LINK)}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_the_name_of_a_source_file_is_recorded(tree: Path) -> None:
    os.mkfifo(tree / "pipe.c")
    found = scanned(tree)
    assert [each.path for each in found.candidates] == ["plain.c"]
    assert [(each.path, each.reason) for each in found.ledger] == [("pipe.c", Reason.UNREADABLE)]


def test_a_folder_with_the_name_of_a_source_file_is_a_folder(tree: Path) -> None:
    (tree / "x.c").mkdir()
    (tree / "x.c" / "inner.c").write_text("int g(void) { return 2; }\n")
    assert sorted(each.path for each in scanned(tree).candidates) == ["plain.c", "x.c/inner.c"]
