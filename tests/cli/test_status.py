"""`beryl status` as it is typed."""

import json

import pytest

from beryl.cli.main import main
from beryl.index import store

SOURCE = "int add(int a, int b) {\n    return a + b;\n}\n"


@pytest.fixture
def index(tmp_path):
    (tmp_path / "calc").mkdir()
    (tmp_path / "calc/add.c").write_text(SOURCE)
    (tmp_path / "calc/blob.c").write_bytes(b"\0")
    (tmp_path / "calc/cut.c").write_text(SOURCE + "int broken( {\n")
    assert main(["index", str(tmp_path / "calc"), "--out", str(tmp_path / "calc/.beryl"), "--tables", ""]) == 0
    return tmp_path / "calc/.beryl"


def status(capsys, *words: str) -> str:
    capsys.readouterr()
    assert main(["status", *map(str, words)]) == 0
    return capsys.readouterr().out


def test_text_says_what_is_there_and_what_was_skipped(index, capsys):
    shown = status(capsys, index)
    assert "projects           1  (calc)" in shown
    assert "files              2  (2 c)" in shown
    assert "encoder            static" in shown
    assert "  binary                     1" in shown
    assert "  parsed with errors         1" in shown
    assert "blob.c" not in shown


def test_files_lists_the_ledger(index, capsys):
    shown = status(capsys, index, "--files")
    assert "calc/blob.c: binary (a NUL byte in its head)" in shown
    assert "calc/cut.c: parsed with errors" in shown


def test_json_holds_the_same(index, capsys):
    facts = json.loads(status(capsys, index, "--json", "--files"))
    assert facts["files"] == 2
    assert facts["functions"] >= 2
    assert facts["project_names"] == ["calc"]
    assert facts["ledger"] == {"binary": 1, "parsed with errors": 1}
    assert facts["bytes"] == sum(path.stat().st_size for path in index.glob("*/*"))
    assert [entry["path"] for entry in facts["ledger_files"]] == ["blob.c", "cut.c"]


def test_the_nearest_index_upwards_is_the_default(index, capsys, monkeypatch):
    monkeypatch.chdir(index.parent)
    assert "projects           1  (calc)" in status(capsys)


def test_check_compares_every_byte(index, capsys):
    assert "every byte matches its checksum" in status(capsys, index, "--check")
    sources = next(index.rglob(store.SOURCES))
    data = bytearray(sources.read_bytes())
    data[-1] ^= 1
    sources.write_bytes(data)
    assert main(["status", str(index), "--check"]) == 2
    assert "sources.safetensors does not match its checksum" in capsys.readouterr().err


def test_no_index_is_one_sentence(tmp_path, capsys):
    assert main(["status", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "there is no index in" in told
    assert told.count("\n") == 1
