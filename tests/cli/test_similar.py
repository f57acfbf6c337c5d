"""`beryl similar` and `beryl train-weights` as typed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from beryl import engine, paths
from beryl.cli.main import main
from beryl.cli.options import split_name
from beryl.index.store import BuildOptions

C = (
    "int largest(const int *v, int n) { int best = v[0]; "
    "for (int i = 1; i < n; i++) if (v[i] > best) best = v[i]; return best; }\n"
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("similar") / "index"
    engine.build([paths.data("demo")], folder, BuildOptions(tables=("observations",), each=True))
    return str(folder)


@pytest.fixture
def query(tmp_path: Path) -> Path:
    path = tmp_path / "query.c"
    path.write_text(C + "int other(int a) { return a - 1; }\n")
    return path


def test_json_has_the_similarity_of_every_class(index: str, query: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["similar", f"{query}:largest", "--index", index, "-k", "3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["mode"] == "similar"
    assert answer["query"] == "largest"
    assert [hit["rank"] for hit in answer["results"]] == [1, 2, 3]
    assert "nl-terms" in answer["results"][0]["parts"]


def test_a_line_names_the_function(index: str, query: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["similar", f"{query}:2", "--index", index, "--jsonl"]) == 0
    assert json.loads(capsys.readouterr().out)["query"] == "other"


def test_code_on_standard_input(
    index: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "class A { int sum(int[] v) { int s = 0; for (int x : v) { s += x; } return s; } }"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["similar", "-", "--index", index, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["query"] == "A.sum"


@pytest.mark.parametrize(("asked", "taken"), [("-:other", "other"), ("-:1", "largest"), ("-", "largest")])
def test_a_function_or_line_of_standard_input(
    index: str, query: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, asked: str, taken: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(query.read_bytes())))
    assert main(["similar", asked, "--index", index, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["query"], answer["file"]) == (taken, "-")


@pytest.mark.parametrize(
    ("asked", "words"),
    [(["-"], "standard input holds no function"), (["-:f", "-:g"], "can be read once")],
)
def test_errors_on_standard_input_name_it(
    index: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    asked: list[str],
    words: str,
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["similar", *asked, "--index", index]) == 2
    assert words in capsys.readouterr().err


def test_text_explains(index: str, query: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["similar", f"{query}:largest", "--index", index, "--explain"]) == 0
    assert "weights: " in capsys.readouterr().out


def test_which_function_was_taken_is_said(index: str, query: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["similar", str(query), "--index", index]) == 0
    assert "largest at line 1, was taken" in capsys.readouterr().err


def test_nothing_allowed_is_nothing_found(index: str, query: Path) -> None:
    assert main(["similar", f"{query}:largest", "--index", index, "--path", "no/such/*"]) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.c:f"], "no file missing.c"),
        (["{query}:absent"], "absent"),
        (["{query}:0"], "lines count from 1"),
        (["{query}:99"], "no function is at line 99; there are: largest (1-1)"),
        (["{query}:largest", "--ranking", "best"], "dyn-select"),
        (["{query}:largest", "--ranking", "equal-all", "--weights", "x.json"], "--ranking svm-weights"),
        (["{query}:largest", "--weights", "x.json"], "x.json"),
        (["{query}:largest", "--ranking", "svm-weights", "--weights", "x.json"], "x.json"),
        (["{text}"], "--query-language"),
    ],
)
def test_errors_are_one_sentence_and_exit_2(
    index: str, query: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    text = query.with_suffix(".text")
    text.write_text(C)
    filled = [argument.format(query=query, text=text) for argument in arguments]
    assert main(["similar", *filled, "--index", index]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error


def test_names_with_colons(tmp_path: Path) -> None:
    assert split_name("a.c:f") == ("a.c", "f", 0)
    assert split_name("a.c:12") == ("a.c", "", 12)
    assert split_name("a.cpp:A::f") == ("a.cpp", "A::f", 0)
    assert split_name("a.c") == ("a.c", "", 0)
    strange = tmp_path / "a:b.c"
    strange.write_text(C)
    assert split_name(str(strange)) == (str(strange), "", 0)


def test_train_weights_writes_what_similar_reads(
    index: str, query: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in paths.data("demo", "labels.jsonl").read_text().splitlines()]
    labels: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        if row["grade"] == 2:
            place = {"package": row["project"], **{name: row[name] for name in ("path", "start", "end")}}
            labels.setdefault(row["query"], []).append(place)
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(labels))
    out = str(tmp_path / "weights.json")
    assert main(["train-weights", str(path), "--index", index, "--out", out]) == 0
    assert "told apart" in capsys.readouterr().out
    assert main(["similar", f"{query}:largest", "--index", index, "--ranking", "svm-weights", "--weights", out]) == 0


def test_train_weights_refuses_what_is_not_labels(
    index: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.json").write_text("[1, 2]")
    assert main(["train-weights", str(tmp_path / "labels.json"), "--index", index]) == 2
    assert "not a set of labels" in capsys.readouterr().err
