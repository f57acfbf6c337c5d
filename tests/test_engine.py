"""The public door: beryl.build and beryl.open."""

from types import SimpleNamespace

import pytest

import beryl
from beryl.engine import Engine
from beryl.errors import IndexError_
from beryl.index.store import BuildOptions
from beryl.types import CodeQuery, ExampleQuery, KeywordQuery, Language, PseudocodeQuery, SearchResult, Source

SOURCE = "int add(int a, int b) {\n    return a + b;\n}\n"


def test_build_then_open_gives_the_same_index(tmp_path):
    (tmp_path / "calc").mkdir()
    (tmp_path / "calc/add.c").write_text(SOURCE)
    built = beryl.build([tmp_path / "calc"], tmp_path / "ix", BuildOptions(tables=()))
    opened = beryl.open(str(tmp_path / "ix"))
    assert opened.index.manifest == built.index.manifest
    assert opened.index.source(0) == SOURCE


def test_open_of_nothing_is_told(tmp_path):
    with pytest.raises(IndexError_, match="there is no index"):
        beryl.open(tmp_path)


@pytest.mark.parametrize(
    ("room", "ask", "query"),
    [
        ("pseudocode", lambda e: e.query("x <- 1", k=3), PseudocodeQuery("x <- 1", k=3)),
        (
            "code",
            lambda e: e.similar(Source(SOURCE, Language.C), "add", k=2),
            CodeQuery(Source(SOURCE, Language.C), "add", k=2),
        ),
        ("examples", lambda e: e.io('1 -> "1"', k=4), ExampleQuery(('1 -> "1"',), k=4)),
        ("keyword", lambda e: e.find("heap", "sort", k=5), KeywordQuery(("heap", "sort"), k=5)),
    ],
)
def test_each_question_goes_to_its_own_search(monkeypatch, room, ask, query):
    asked = []

    def search(index, given):
        asked.append((index, given))
        return SearchResult("", "", room, 0.0, ())

    monkeypatch.setitem(__import__("sys").modules, f"beryl.search.{room}", SimpleNamespace(search=search))
    monkeypatch.setattr(f"beryl.search.{room}", SimpleNamespace(search=search), raising=False)
    index = object()
    assert ask(Engine(index)) == []
    assert asked == [(index, query)]
