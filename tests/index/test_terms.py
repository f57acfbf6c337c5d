"""The terms table: what stands in which field, the same bytes however it was obtained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beryl.errors import IndexError_
from beryl.index import term_worker, words
from beryl.index.build import build_index
from beryl.index.lexing import DOCUMENTS, TEXT_FIELDS, FileSpans, Lexer
from beryl.index.store import BuildOptions, Index
from beryl.index.terms import FIELDS, Terms

OPTIONS = BuildOptions(each=True, jobs=1, tables=("terms",))
SHAPES_JAVA = """\
package draw;
/** Shapes of the board. */
class Shapes {
    /** Finds the edit distance. @param s first */
    int editDistance(String s) { // inner remark
        int bestCost = helper(s, 0xFF);
        log("too long");
        return bestCost;
    }
    int helper(String s, int n) { return editDistance(s) + editDistance(s); }
}
"""


def write_tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def spans(text: bytes, *functions: tuple[str, bytes, bytes]) -> FileSpans:
    names = [name for name, _, _ in functions]
    starts = [text.index(first) for _, first, _ in functions]
    ends = [text.index(last) + len(last) for _, _, last in functions]
    return FileSpans(names, names, starts, ends, starts, starts)


def rows(text: bytes, where: FileSpans) -> dict[str, list[dict[str, int]]]:
    lexer = Lexer()
    lexer.read(text, where)
    vocabulary, matrices = lexer.finish()
    return {
        name: [
            {vocabulary[term]: int(count) for term, count in zip(row.indices, row.data, strict=True)} for row in matrix
        ]
        for name, matrix in matrices.items()
    }


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("HTMLParser_state", ["html", "parser", "state"]),
        ("quickSortRanges", ["quick", "sort", "rang"]),
        ("crc32", ["crc", "crc32", "32"]),
        ("sha256_update", ["sha", "sha256", "256", "updat"]),
        ("x", []),
        ("theReturn", []),
        ("Größe", ["größe"]),
        ("0xFF", ["255"]),
        ("1103515245UL", ["1103515245"]),
        ("7", []),
    ],
)
def test_identifiers_are_split_stemmed_and_rid_of_stop_words(identifier, expected):
    assert list(words.terms(identifier)) == expected


def test_neighbours_of_a_name_are_joined():
    assert words.name_terms("quick_sort") == ("quick", "sort", "quicksort")


@settings(deadline=None)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12))
def test_the_shortcut_never_differs_from_the_stemmer(word):
    assert words.stem(word) == words._stemmer().stemWord(word)


def test_fields_of_a_function():
    text = b'int total;\nint area(int w) { // of a box\n  return scale(w, 1234, "wide\\nopen") * side_len; }\n'
    found = rows(text, spans(text, ("area", b"int area", b"}")))
    assert found["name"] == [{"area": 1}]
    assert found["comment_inner"] == [{"box": 1}]
    assert found["identifiers"] == [{"side": 1, "len": 1}]
    assert found["calls"] == [{"scale": 1}]
    assert found["literals"] == [{"1234": 1, "wide": 1, "open": 1}]
    assert found[DOCUMENTS][0]["total"] == 1, "words outside functions are words of the file"
    assert "wide" not in found[DOCUMENTS][0], "literals are not part of the paper's documents"


def test_a_recursive_call_is_a_call_and_the_header_is_none():
    text = b"int f_up(int n) { return f_up(n - 1) + f_up(n - 2); }"
    found = rows(text, spans(text, ("f_up", b"int", b"}")))
    assert found["calls"] == [{"up": 2}]


def test_words_of_a_lambda_are_words_of_the_function_around_it():
    text = b"void outer() { run(() -> { inner_call(); /* deep */ }); tail_part(); }"
    where = spans(text, ("outer", b"void", b"tail_part(); }"), ("lambda", b"() ->", b"/* deep */ }"))
    found = rows(text, where)
    assert set(found["calls"][0]) == {"run", "inner", "call", "innercall", "tail", "part", "tailpart"}
    assert set(found["calls"][1]) == {"inner", "call", "innercall"}
    assert found["comment_inner"] == [{"deep": 1}, {"deep": 1}]
    assert found[DOCUMENTS][0]["inner"] == 1, "a file counts each word once"


def test_tags_are_no_words():
    text = b"void f_go() { /** Use <b>bold</b> {@link Thing} &amp; a<limit @param count */ }"
    found = rows(text, spans(text, ("f_go", b"void", b"*/ }")))["comment_inner"][0]
    assert set(found) == {"use", "bold", "thing", "limit", "count"}


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_rows(data):
    size = len(data)
    found = rows(data, FileSpans(["f"], ["f"], [size // 4], [size // 2], [0], [size // 4]))
    assert all(len(found[name]) == 1 for name in (*TEXT_FIELDS, DOCUMENTS))


def build(tree: Path, out: Path, update: bool = False) -> Index:
    return build_index([tree], out, OPTIONS, update)


def held(index: Index, field: str, word: str) -> dict[str, int]:
    """Function -> how often it holds a word in a field."""
    terms = Terms.open(index)
    identifier = terms.identify(words.stem(word))
    if identifier < 0:
        return {}
    functions, counts = terms.postings(field, identifier)
    return {index.functions.name[int(f)]: int(c) for f, c in zip(functions, counts, strict=True)}


def test_the_table_of_an_index(tree, tmp_path):
    write_tree(tree, {"jay/draw/Shapes.java": SHAPES_JAVA})
    index = build(tree, tmp_path / "index")
    assert held(index, "name", "distance") == {"editDistance": 1}
    assert held(index, "comment_leading", "exchanging") == {"bubble_sort": 1}
    assert held(index, "comment_leading", "distance") == {"editDistance": 1}
    assert held(index, "calls", "edit") == {"helper": 2}
    assert held(index, "scope", "gcd") == {"gcd": 1, "lcm": 1}
    assert held(index, "file", "draw") == {"editDistance": 1, "helper": 1}
    terms = Terms.open(index)
    assert list(terms.vocabulary) == sorted(terms.vocabulary)
    for field in FIELDS:
        total = np.bincount(terms.fields[field].documents, terms.fields[field].counts, terms.documents)
        assert total.tolist() == terms.lengths[field].tolist()


def test_pagerank_follows_the_calls(tree, tmp_path):
    index = build(tree, tmp_path / "index")
    rank = dict(zip(index.functions.name, Terms.open(index).pagerank, strict=True))
    assert rank["swap"] > rank["bubble_sort"]
    assert rank["gcd"] > rank["lcm"]
    assert sum(rank.values()) == pytest.approx(1)


def test_file_vectors_have_the_lengths_of_the_paper(tree, tmp_path):
    index = build(tree, tmp_path / "index")
    terms = Terms.open(index)
    squares = np.zeros(len(index.files.lines))
    for term in range(len(terms.vocabulary)):
        files, counts = terms.files[term]
        squares[files] += (counts * float(np.log(len(squares) / len(files)) if len(files) else 0.0)) ** 2
    assert terms.file_norm == pytest.approx(np.sqrt(squares), rel=1e-4)


def bytes_of(index: Index) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (index.data / "terms").iterdir()}


def test_an_update_gives_the_same_bytes_as_a_fresh_build_and_reads_only_what_changed(tree, tmp_path, monkeypatch):
    build(tree, tmp_path / "index")
    write_tree(tree, {"jay/draw/Shapes.java": SHAPES_JAVA, "cee/src/swap.h": "static void swap(int *p) { turn(p); }\n"})
    (tree / "cee/box/stack.hpp").rename(tree / "cee/box/pile.hpp")
    read: list[int] = []
    lex = term_worker.lex

    def watched(base, files, report):
        read.extend(files)
        return lex(base, files, report)

    monkeypatch.setattr(term_worker, "lex", watched)
    updated = build(tree, tmp_path / "index", update=True)
    assert sorted(updated.files.path[file] for file in read) == ["draw/Shapes.java", "src/swap.h"]
    assert bytes_of(updated) == bytes_of(build(tree, tmp_path / "fresh"))


def test_reading_in_processes_gives_the_same(tree, tmp_path, monkeypatch):
    write_tree(tree, {f"cee/more/unit{n}.c": f"int get_{n}_th(void) {{ return {n}{n}{n}; }}\n" for n in range(9)})
    here = bytes_of(build(tree, tmp_path / "here"))
    monkeypatch.setattr(term_worker, "_LEAST_BYTES_PER_PROCESS", 100)
    options = BuildOptions(each=True, jobs=2, tables=("terms",))
    assert bytes_of(build_index([tree], tmp_path / "there", options)) == here


def test_words_of_another_version_are_refused(tree, tmp_path, monkeypatch):
    index = build(tree, tmp_path / "index")
    monkeypatch.setattr(words, "fingerprint", lambda: "another")
    with pytest.raises(IndexError_, match="beryl index --update"):
        Terms.open(index)
