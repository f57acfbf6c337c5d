"""`beryl eval` on the demo corpus, as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beryl import engine, paths
from beryl.cli.main import main
from beryl.index.store import BuildOptions


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> str:
    """An index of the demo corpus that has what the baselines need."""
    directory = tmp_path_factory.mktemp("demo") / "index"
    engine.build([paths.data("demo")], directory, BuildOptions(tables=("terms",), each=True, jobs=1))
    return str(directory)


def evaluate(demo: str, *options: str) -> int:
    return main(["eval", "demo", "--index", demo, "--ranking", "bm25", *options])


def test_the_table_has_every_query_and_all_baselines(demo, capsys):
    assert evaluate(demo) == 0
    printed = capsys.readouterr().out
    head = next(line for line in printed.splitlines() if line.startswith("| No."))
    assert [cell.strip() for cell in head.split("|")[3:-1]] == ["name", "bm25", "bm25-body", "random"]
    assert "| floyd-warshall " in printed
    for row in ("MRR", "Success@25", "MAP", "line-IoU of first hits"):
        assert f"\n| {row}" in printed


def test_files_for_other_tools_are_written(demo, tmp_path, capsys):
    assert evaluate(demo, "--out", str(tmp_path)) == 0
    for run in ("name", "bm25", "bm25-body", "random"):
        assert {item.name for item in (tmp_path / run).iterdir()} == {"run.trec", "qrels.trec", "result.json"}
    assert (tmp_path / "table.md").read_text() == capsys.readouterr().out
    saved = json.loads((tmp_path / "bm25" / "result.json").read_text())
    assert 0 < saved["summary"]["strict"]["RR(rel=2)"]["low"] < saved["summary"]["strict"]["RR(rel=2)"]["high"] <= 1


def test_words_of_the_query_find_more_than_chance(demo, capsys):
    assert evaluate(demo, "--json") == 0
    mrr = {
        item["setting"]["ranking"]: item["summary"]["strict"]["MRR(rel=2)"]["value"]
        for item in json.loads(capsys.readouterr().out)
    }
    assert mrr["bm25"] > mrr["bm25-body"] > mrr["random"]


def test_one_project_and_hidden_names(demo, capsys):
    assert evaluate(demo, "--setting", "one-project", "--no-names", "--form", "pcode") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("## demo, one project, names hidden, queries as p-code\n")
    assert "bm25 (names seen)" in printed
    assert "RR, mean over projects" in printed


def test_two_outputs_are_compared(demo, tmp_path, capsys):
    assert evaluate(demo, "--out", str(tmp_path)) == 0
    capsys.readouterr()
    assert main(["eval", "compare", str(tmp_path / "bm25"), str(tmp_path / "random")]) == 0
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if line.startswith("| MRR"))
    assert row.rstrip(" |").endswith("*")  # significant
    assert main(["eval", "compare", str(tmp_path), str(tmp_path), "--json"]) == 0
    same = {item["run"]: item["strict"][0]["p_value"] for item in json.loads(capsys.readouterr().out)}
    assert same == {"name": 1, "bm25": 1, "bm25-body": 1, "random": 1}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["debian-perl"], "unknown benchmark 'debian-perl'"),
        (["demo", "runs/a"], "takes no folders"),
        (["compare", "runs/a"], "takes two folders"),
        (["compare", "nowhere", "nowhere"], "holds no result.json"),
        (["demo", "--core"], "no core subset"),
        (["demo", "--ranking", "best"], "unknown ranking 'best'"),
        (["demo", "--ranking", "paper", "--features", "all"], "unknown features 'all'"),
        (["demo", "--unseen"], "names no project that it was not trained on"),
        (["debian-c"], "no project with labels of debian-c"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(demo, capsys, words, complaint):
    index = [] if words[0] == "compare" else ["--index", demo]
    assert main(["eval", *words, *index]) == 2
    assert complaint in capsys.readouterr().err


def test_the_demo_needs_no_index(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["eval", "demo", "--ranking", "bm25"]) == 0
    assert "| dijkstra " in capsys.readouterr().out


def test_a_missing_index_comes_with_advice(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(paths, "data", lambda *parts: Path(tmp_path, *parts))
    assert main(["eval", "debian-c"]) == 2
    complaint = capsys.readouterr().err
    assert "scripts/fetch_corpus.py debian-c" in complaint
    assert f"--each --out {tmp_path}/indexes/debian-c" in complaint


def test_an_encoder_without_a_graph_model_is_measured_without_graph_vectors(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["eval", "demo", "--encoder", "hashing", "--ranking", "bm25"]) == 0
    printed = capsys.readouterr()
    assert "no graph model comes with the encoder hashing" in printed.err
    assert "beryl train-gae --encoder hashing" in printed.err
    assert "encoder hashing, model none" in printed.out
