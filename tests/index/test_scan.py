import os
from pathlib import Path

import pytest

from beryl.errors import InputError
from beryl.index.ledger import Reason
from beryl.index.scan import Scan, ScanOptions, scan
from beryl.lang.treesitter import language_of
from beryl.types import Language


def scanned(*roots: Path, **options) -> Scan:
    return scan(ScanOptions(tuple(str(root) for root in roots), **options), Path("/nowhere"), language_of)


def paths(found: Scan) -> list[str]:
    return [candidate.path for candidate in found.candidates]


def reasons(found: Scan) -> dict[str, Reason]:
    return {entry.path: entry.reason for entry in found.ledger}


def put(root: Path, name: str, text: str = "int x;\n") -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def test_files_come_in_index_order_with_their_language(tmp_path):
    for name in ("b.c", "a/z.java", "a.cpp", "readme.md"):
        put(tmp_path / "p", name)
    found = scanned(tmp_path / "p")
    assert [(c.path, c.language) for c in found.candidates] == [
        ("a.cpp", Language.CPP),
        ("a/z.java", Language.JAVA),
        ("b.c", Language.C),
    ]
    assert found.ledger == ()


def test_a_header_is_cpp_where_its_text_says_so(tmp_path):
    put(tmp_path / "p", "plain.h")
    put(tmp_path / "p", "classy.h", "namespace a {\nclass B { };\n}\n")
    assert {c.path: c.language for c in scanned(tmp_path / "p").candidates} == {
        "plain.h": Language.C,
        "classy.h": Language.CPP,
    }
    assert paths(scanned(tmp_path / "p", languages=(Language.CPP,))) == ["classy.h"]
    assert paths(scanned(tmp_path / "p", languages=(Language.C,))) == ["plain.h"]


def test_ignore_files_hold_for_their_folder_and_deeper_ones_overrule(tmp_path):
    root = tmp_path / "p"
    put(root, ".gitignore", "build/\n*_gen.c\n/top.c\n")
    put(root, "sub/.berylignore", "!keep_gen.c\nlocal.c\n")
    for name in ("build/x.c", "a_gen.c", "top.c", "sub/top.c", "sub/keep_gen.c", "sub/local.c", "local.c"):
        put(root, name)
    found = scanned(root)
    assert paths(found) == ["local.c", "sub/keep_gen.c", "sub/top.c"]
    ignored = [entry.path for entry in found.ledger if entry.reason is Reason.IGNORED]
    assert sorted(ignored) == ["a_gen.c", "build/", "sub/local.c", "top.c"]


def test_include_and_exclude(tmp_path):
    root = tmp_path / "p"
    for name in ("src/a.c", "src/b.c", "test/a.c"):
        put(root, name)
    found = scanned(root, include=("src/",), exclude=("b.c",))
    assert paths(found) == ["src/a.c"]
    assert reasons(found) == {"src/b.c": Reason.EXCLUDED, "test/a.c": Reason.EXCLUDED}


def test_links_are_not_followed(tmp_path):
    root = tmp_path / "p"
    put(root, "a.c")
    put(tmp_path, "outside/secret.c")
    os.symlink(tmp_path / "outside/secret.c", root / "file.c")
    os.symlink(tmp_path / "outside", root / "folder")
    os.symlink(root, root / "round")
    found = scanned(root)
    assert paths(found) == ["a.c"]
    assert reasons(found) == {"file.c": Reason.LINK, "folder/": Reason.LINK, "round/": Reason.LINK}


def test_a_file_over_the_cap_is_left_out(tmp_path):
    put(tmp_path / "p", "big.c", "int x;\n" * 100)
    put(tmp_path / "p", "small.c")
    found = scanned(tmp_path / "p", max_bytes=100)
    assert paths(found) == ["small.c"]
    assert found.ledger[0].reason is Reason.TOO_LARGE
    assert found.ledger[0].detail == "700 bytes, the cap is 100"


def test_each_sub_folder_is_a_project(tmp_path):
    for name in ("one/a.c", "two/b.c", "loose.c", ".git/c.c"):
        put(tmp_path / "p", name)
    found = scanned(tmp_path / "p", each=True)
    assert [(c.project, c.path) for c in found.candidates] == [("one", "a.c"), ("two", "b.c")]
    assert reasons(found) == {"loose.c": Reason.NO_PROJECT}


def test_projects_of_one_name_are_told_apart_by_their_parent(tmp_path):
    put(tmp_path, "x/src/a.c")
    put(tmp_path, "y/src/a.c")
    found = scanned(tmp_path / "x/src", tmp_path / "y/src", tmp_path / "x/src")
    assert [c.project for c in found.candidates] == ["x/src", "y/src"]


@pytest.mark.parametrize(("name", "sentence"), [("absent", "there is no folder"), ("a.c", "is a file")])
def test_a_root_that_is_no_folder_is_refused(tmp_path, name, sentence):
    put(tmp_path, "a.c")
    with pytest.raises(InputError, match=sentence):
        scanned(tmp_path / name)


def test_an_unreadable_folder_is_recorded(tmp_path, monkeypatch):
    put(tmp_path / "p", "a.c")
    put(tmp_path / "p", "locked/b.c")
    listing = os.scandir

    def refuse(folder):
        if str(folder).rstrip("/").endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return listing(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    found = scanned(tmp_path / "p")
    assert paths(found) == ["a.c"]
    assert reasons(found) == {"locked/": Reason.UNREADABLE}
