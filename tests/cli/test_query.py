"""`beryl query` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from beryl import paths
from beryl.cli.main import main

ROOT = Path(__file__).resolve().parent.parent.parent
QUERY = str(ROOT / "data" / "queries" / "floyd-warshall.txt")
SCHEMA = json.loads((ROOT / "docs" / "result.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def query(demo_index_directory, capsys):
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["query", *words, "--index", str(demo_index_directory)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.mark.parametrize("ranking", ["fused", "paper", "bm25"])
def test_json_follows_the_schema(query, ranking):
    code, out, _ = query(QUERY, "--json", "--ranking", ranking)
    body = json.loads(out)
    jsonschema.validate(body, SCHEMA)
    assert code == 0
    assert (body["query"], body["mode"], body["file"]) == ("floyd-warshall", "query", QUERY)
    assert [result["rank"] for result in body["results"]] == list(range(1, len(body["results"]) + 1))


def test_several_files_are_several_objects(query):
    other = str(ROOT / "data" / "queries" / "gcd.txt")
    _, out, _ = query(QUERY, other, "--jsonl", "-k", "1")
    assert [json.loads(line)["query"] for line in out.splitlines()] == ["floyd-warshall", "gcd"]


def test_of_several_files_one_that_cannot_be_used_is_named_and_the_others_are_answered(query, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    code, out, err = query(str(tmp_path / "missing.txt"), QUERY, str(empty), "--json", "-k", "1")
    missing, found, nothing = json.loads(out)
    assert code == 2
    assert [len(each["results"]) for each in (missing, found, nothing)] == [0, 1, 0]
    assert "there is no file" in missing["notes"][0]
    assert err.count("beryl: ") == 2
    for each in (missing, found, nothing):
        jsonschema.validate(each, SCHEMA)


def test_text_shows_a_place_that_an_editor_opens_and_the_matched_lines(query):
    code, out, _ = query(QUERY, "-k", "3", "--explain")
    assert code == 0
    assert "routekit/src/" in out
    assert "◂" in out
    assert "\033[" not in out


def test_nothing_found_is_exit_1(query):
    code, out, _ = query(QUERY, "--path", "no/such/*")
    assert code == 1
    assert "nothing found" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("missing.txt",), "there is no file missing.txt"),
        ((QUERY, "--language", "cobol"), "unknown language 'cobol'"),
        ((str(ROOT / "data" / "queries"),), "cannot be read"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(query, words, sentence):
    code, _, err = query(*words)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize("k", ["0", "-1", "ten"])
def test_k_below_one_is_exit_2(query, k, capsys):
    with pytest.raises(SystemExit) as stopped:
        query(QUERY, "-k", k)
    assert stopped.value.code == 2


def test_no_index_anywhere_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["query", QUERY]) == 2
    assert "beryl index" in capsys.readouterr().err


def test_a_tree_is_indexed_on_the_fly(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.c").write_text(
        "int gcd(int a, int b) {\n  while (b) {\n    int t = a % b;\n    a = b;\n    b = t;\n  }\n  return a;\n}\n"
    )
    assert main(["query", str(ROOT / "data" / "queries" / "gcd.txt"), "--source", str(tree), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["functions"] == ["gcd"]


def test_examples_keep_only_the_method_that_satisfies_them(tmp_path, capsys):
    source = tmp_path / "project"
    source.mkdir()
    (source / "Whole.java").write_text(
        "class Whole {\n"
        "    static int measure(int a, int b) { while (b != 0) { int r = a % b; a = b; b = r; } return a; }\n"
        "    static int other(int a, int b) { while (b != 0) { int r = a % b; a = r; b = b - 1; } return a + 1; }\n"
        "}\n",
        encoding="utf-8",
    )
    index = str(tmp_path / "index")
    assert main(["index", str(source), "--out", index, "--with", "io"]) == 0
    ask = ["query", str(paths.data("queries", "gcd.txt")), "--index", index, "--json"]
    capsys.readouterr()
    assert main([*ask, "--io", "12, 18 -> 6"]) == 0
    assert [result["functions"] for result in json.loads(capsys.readouterr().out)["results"]] == [["Whole.measure"]]
    assert main([*ask, "--io", "12, 18 -> 7"]) == 1
    assert "no fragment found for gcd satisfies the examples" in capsys.readouterr().err
