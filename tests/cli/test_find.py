"""The command `beryl find`: what is printed, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from beryl.cli.find import arguments, quoted
from beryl.cli.main import main
from beryl.index.build import build_index
from beryl.index.store import BuildOptions

HEAP_C = """\
/* Restore the heap below a node. */
void sift_down(int *heap, int size, int node) {
    swap_nodes(heap, node, size);
}
void swap_nodes(int *heap, int first, int second) {
    int kept = heap[first];
    heap[first] = heap[second];
    heap[second] = kept;
}
void heap_sort(int *heap, int size) {
    for (int i = size; i > 0; i--)
        sift_down(heap, i, 0);
}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("find")
    (root / "sorts").mkdir()
    Path(root / "sorts" / "heap.c").write_text(HEAP_C)
    build_index([root / "sorts"], root / "index", BuildOptions(jobs=1, tables=("terms",)))
    return str(root / "index")


def test_text_shows_place_code_and_usages(index, capsys):
    assert main(["find", "sift", "-k", "1", "--index", index]) == 0
    out = capsys.readouterr().out
    assert "sorts/heap.c:2" in out
    assert "swap_nodes(heap, node, size);" in out
    assert "called by\n      heap.c:12  heap_sort" in out
    assert "calls\n      heap.c:3  swap_nodes" in out


def test_json_has_the_documented_shape(index, capsys):
    assert main(["find", "restore", "heap", "--index", index, "--json", "--callers", "2"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["mode"] == "find"
    assert answer["query"] == "restore heap"
    best = answer["results"][0]
    assert (best["path"], best["start"], best["end"], best["functions"]) == ("heap.c", 2, 4, ["sift_down"])
    assert set(best["parts"]) == {"file", "function", "pagerank", "damping"}
    assert best["callers"][0]["call"] == "heap.c:12"


def test_words_may_be_excluded_and_options_may_stand_between(index, capsys):
    assert main(["find", "heap", "-k", "5", "--index", index, "-sort", "--jsonl"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {result["functions"][0] for result in found["results"]} == {"sift_down", "swap_nodes"}
    assert main(["find", "--index", index, "-k2", "heap", "node", "--jsonl"]) == 0
    assert len(json.loads(capsys.readouterr().out)["results"]) == 2


def test_nothing_found_is_1_with_near_spellings(index, capsys):
    assert main(["find", "sfit", "--index", index]) == 1
    assert "near spellings: sift" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["the"], "only words that stand in every function"),
        (["title:heap"], "unknown prefix 'title:'"),
        (["word"] * 10_000, "10,000 words"),
        (["-heap"], "only excludes"),
    ],
)
def test_bad_questions_are_2_and_one_sentence(index, capsys, words, message):
    assert main(["find", *words, "--index", index]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_shell_takes_quotes_away():
    assert quoted("sift down") == '"sift down"'
    assert quoted("name:sift down") == 'name:"sift down"'
    assert quoted("-sift down") == '-"sift down"'
    assert quoted('"sift down"') == '"sift down"'
    assert quoted("sift") == "sift"


def test_only_options_keep_their_dash_in_front():
    given = ["heap", "-sort", "-k", "3", "-k3", "-h", "--json", "-name:sort", "-kernel"]
    assert arguments(given) == ["heap", " -sort", "-k", "3", "-k3", "-h", "--json", " -name:sort", " -kernel"]


def test_files(index, capsys):
    assert main(["find", "heap", "--kind", "file", "--index", index]) == 0
    assert "sorts/heap.c:1" in capsys.readouterr().out
