"""`beryl index` as it is typed."""

import json
import os
import subprocess
import sys

import pytest

from beryl import paths
from beryl.cli.main import main
from beryl.index.store import open_index

GCD = "int gcd(int a, int b) {\n    while (b) { int t = b; b = a % b; a = t; }\n    return a;\n}\n"
JAVA = "class Sum {\n    int sum(int[] a) { int s = 0; for (int x : a) s += x; return s; }\n}\n"


@pytest.fixture
def tree(tmp_path):
    for name, text in (("one/gcd.c", GCD), ("two/Sum.java", JAVA), ("two/gen/Old.java", JAVA)):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    return tmp_path / "tree"


def index(tmp_path, *words: str) -> int:
    return main(["index", *map(str, words), "--out", str(tmp_path / "ix"), "--tables", ""])


def projects(tmp_path) -> list[str]:
    return list(open_index(tmp_path / "ix").projects)


def test_a_path_is_a_project_named_by_its_folder(tree, tmp_path, capsys):
    assert index(tmp_path, tree) == 0
    assert projects(tmp_path) == ["tree"]
    assert "1 project, 3 files, 10 lines, 3 functions" in capsys.readouterr().out


def test_each_makes_every_sub_folder_a_project(tree, tmp_path):
    assert index(tmp_path, tree, "--each") == 0
    assert projects(tmp_path) == ["one", "two"]


def test_several_paths_languages_and_globs(tree, tmp_path):
    assert index(tmp_path, tree / "one", tree / "two", "--exclude", "gen/", "--jobs", "1") == 0
    assert list(open_index(tmp_path / "ix").files.path) == ["gcd.c", "Sum.java"]
    assert index(tmp_path, tree / "one", tree / "two", "--language", "java", "--include", "gen/") == 0
    assert list(open_index(tmp_path / "ix").files.path) == ["gen/Old.java"]


def test_an_update_needs_no_paths_and_keeps_encoder_and_model(tree, tmp_path):
    assert index(tmp_path, tree, "--each", "--encoder", "hashing", "--model", "none") == 0
    (tree / "one/gcd.c").unlink()
    assert index(tmp_path, "--update") == 0
    manifest = open_index(tmp_path / "ix").manifest
    assert projects(tmp_path) == ["two"]
    assert (manifest.encoder, manifest.model) == ("hashing", "none")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name at least one folder to index"),
        (["nowhere"], "there is no folder"),
        (["{tree}/one/gcd.c"], "is a file; name the folder"),
        (["{tree}", "--language", "cobol"], "unknown language 'cobol'; known: c, cpp, java"),
        (["{tree}", "--language", "cpp"], "there is no C, C++ or Java source to index"),
        (["{tree}", "--tables", "nonsense"], "unknown table 'nonsense'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(tree, tmp_path, capsys, words, sentence):
    written = [word.format(tree=tree) for word in words]
    assert main(["index", "--out", str(tmp_path / "ix"), "--tables", "", *written]) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert not (tmp_path / "ix").exists()


def test_an_index_path_that_is_a_file(tree, tmp_path, capsys):
    (tmp_path / "ix").write_text("precious")
    assert index(tmp_path, tree) == 2
    assert "is a file; name a directory for the index with --out" in capsys.readouterr().err
    assert (tmp_path / "ix").read_text() == "precious"


def test_what_was_skipped_is_told(tree, tmp_path, capsys):
    (tree / "one/blob.c").write_bytes(b"\0")
    assert index(tmp_path, tree) == 0
    assert "1 binary" in capsys.readouterr().out
    ledger = json.loads((open_index(tmp_path / "ix").data / "ledger.json").read_text())
    assert ledger[0][:3] == ["tree", "one/blob.c", "binary"]


@pytest.mark.slow
def test_two_processes_build_the_same_bytes(tmp_path):
    contents = set()
    for seed in ("1", "2"):
        out = tmp_path / seed
        command = [sys.executable, "-m", "beryl", "index", str(paths.data("demo")), "--each", "--out", str(out)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*command, "--tables", ""], check=True, capture_output=True, env=environment)
        contents.add((out / "manifest.json").read_bytes())
    assert len(contents) == 1
