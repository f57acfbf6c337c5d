"""Opening an index: what is in it, and what is refused in one sentence."""

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from beryl.errors import BerylError, IndexError_
from beryl.index import store
from beryl.index.build import build_index
from beryl.index.store import BuildOptions, Index, manifest_bytes, open_index, read_manifest
from beryl.types import EdgeKind, Filters, FunctionFlag, Language, NodeKind

PLAIN = BuildOptions(tables=())


@pytest.fixture
def index(tree: Path, tmp_path: Path) -> Index:
    return build_index([tree / "cee", tree / "jay"], tmp_path / "ix", PLAIN)


def named(index: Index, name: str) -> int:
    return list(index.functions.name).index(name)


def test_files_are_in_order_with_project_language_and_text(index, tree):
    assert list(index.projects) == ["cee", "jay"]
    assert list(index.files.path) == ["box/stack.hpp", "src/sort.c", "src/swap.h", "maths/Gcd.java"]
    assert index.files.project.tolist() == [0, 0, 0, 1]
    assert [list(Language)[code] for code in index.files.language] == [
        Language.CPP,
        Language.C,
        Language.C,
        Language.JAVA,
    ]
    assert index.source(1) == (tree / "cee/src/sort.c").read_text()
    assert index.lines(1, 4, 5) == ["void bubble_sort(int *a, int n) {", "    for (int i = 0; i < n; i++) {"]


def test_functions_have_their_nodes_lines_and_comment(index):
    function = named(index, "bubble_sort")
    assert index.functions.start_line[function] == 4
    assert index.functions.end_line[function] == 12
    text = index.source(int(index.functions.file[function])).encode()
    start, end = index.functions.comment_start[function], index.functions.comment_end[function]
    assert text[start:end] == b"/* Sorts by exchanging neighbours. */"
    first, last = index.functions.first_node[function : function + 2]
    assert index.nodes.kind[first] == NodeKind.ENTRY
    assert index.nodes.kind[first + 1] == NodeKind.EXIT
    texts = [index.texts.text[i] for i in index.nodes.text[first:last]]
    assert "a[j] > a[j + 1]" in texts
    assert set(index.nodes.function[first:last].tolist()) == {function}


def test_calls_are_joined_across_files_of_a_project(index):
    caller, callee = named(index, "bubble_sort"), named(index, "swap")
    call = list(index.calls.name).index("swap")
    assert index.calls.resolved[call] == callee
    node = int(index.calls.node[call])
    assert index.nodes.function[node] == caller
    edges = slice(*index.edges.offsets[node : node + 2])
    targets = index.edges.target[edges][index.edges.kind[edges] == EdgeKind.CALL]
    assert targets.tolist() == [int(index.functions.first_node[callee])]
    assert index.functions.flags[callee] & FunctionFlag.STATIC


def test_texts_are_unique_and_sorted_by_hash(index):
    digests = index.texts.digest
    assert np.all(digests[1:] > digests[:-1])
    assert len(set(index.texts.text)) == len(digests)


def test_filters_choose_functions(index):
    def names(filters: Filters) -> set[str]:
        return {name for name, ok in zip(index.functions.name, index.allowed_functions(filters), strict=True) if ok}

    assert names(Filters()) == set(index.functions.name)
    assert names(Filters(languages=(Language.JAVA,))) == {"gcd", "lcm"}
    assert names(Filters(projects=("jay",))) == {"gcd", "lcm"}
    assert names(Filters(path="*.h")) == {"swap"}
    assert names(Filters(path="src/")) == {"bubble_sort", "swap"}
    assert names(Filters(projects=("nobody",))) == set()


def test_an_index_can_be_moved_and_read_without_its_sources(index, tree, tmp_path):
    expected = index.source(0)
    shutil.rmtree(tree)
    shutil.move(tmp_path / "ix", tmp_path / "elsewhere")
    assert open_index(tmp_path / "elsewhere").source(0) == expected


def test_nothing_in_it_is_pickled(index):
    assert {path.name for path in index.data.iterdir()} == {"base.safetensors", "sources.safetensors", "ledger.json"}
    loaded = load_file(index.data / store.BASE)  # any reader of the format can read it
    np.testing.assert_array_equal(loaded["nodes.kind"], index.nodes.kind)
    np.testing.assert_array_equal(loaded["files.digest"], index.files.digest)


def test_columns_cannot_be_written(index):
    with pytest.raises(ValueError, match="read-only"):
        index.nodes.kind[0] = 1


def test_a_missing_table_says_how_to_add_it(index):
    with pytest.raises(IndexError_, match="--tables terms"):
        index.table_directory("terms")
    with pytest.raises(IndexError_, match="--with io"):
        index.table_directory("paths")


def test_absent_indexes_are_refused_with_advice(tmp_path):
    with pytest.raises(IndexError_, match=r"there is no index in .*build one with"):
        open_index(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(IndexError_, match="is a file"):
        open_index(tmp_path / "file")
    (tmp_path / "half/work").mkdir(parents=True)
    with pytest.raises(IndexError_, match="never finished"):
        open_index(tmp_path / "half")


def rewrite(index: Index, **changes) -> None:
    path = index.directory / store.MANIFEST
    body = json.loads(path.read_text()) | changes
    path.write_text(json.dumps(body))


def test_a_newer_format_is_refused(index):
    rewrite(index, version=store.VERSION + 1)
    with pytest.raises(IndexError_, match=f"has format {store.VERSION + 1}.*update beryl"):
        open_index(index.directory)


@pytest.mark.parametrize("change", [{"encoder": "other"}, {"counts": {}}, {"format": "zip"}, {"generation": "x"}])
def test_a_changed_manifest_is_refused(index, change):
    rewrite(index, **change)
    with pytest.raises(IndexError_, match="is damaged: its manifest"):
        open_index(index.directory)


def test_a_missing_or_cut_column_is_named(index):
    column = index.data / store.BASE
    data = column.read_bytes()
    column.write_bytes(data[:-1])
    with pytest.raises(IndexError_, match=r"base\.safetensors has .* bytes instead of"):
        open_index(index.directory)
    column.unlink()
    with pytest.raises(IndexError_, match=r"base\.safetensors is missing"):
        open_index(index.directory)


def everything(index: Index) -> None:
    store.check(index)
    index.ledger()


def test_every_flipped_byte_is_noticed(index):
    """Many bytes of each file: an error in one sentence at opening or when it is read."""
    seed = random.Random(7)
    manifest = index.directory / store.MANIFEST
    paths = [*sorted(index.data.iterdir()), manifest]
    targets = [(path, seed.randrange(path.stat().st_size)) for path in paths for _ in range(60)]
    before = read_manifest(index.directory)
    for path, position in targets:
        good = path.read_bytes()
        flipped = bytearray(good)
        flipped[position] ^= 1 << seed.randrange(8)
        path.write_bytes(flipped)
        try:
            with pytest.raises(BerylError):
                everything(open_index(index.directory))
        except pytest.fail.Exception:  # white space of the manifest says nothing: harmless
            assert path == manifest
            assert read_manifest(index.directory) == before
        path.write_bytes(good)
    everything(open_index(index.directory))


def test_a_damaged_snippet_is_noticed_when_it_is_read(index):
    path = index.data / store.SOURCES
    data = bytearray(path.read_bytes())
    data[-3] ^= 255
    path.write_bytes(data)
    last = len(index.files.lines) - 1
    with pytest.raises(IndexError_, match=r"the text of maths/Gcd\.java cannot be read"):
        open_index(index.directory).source(last)


def test_a_reader_survives_a_writer_that_replaces_the_generation(index, tree, monkeypatch):
    old = read_manifest(index.directory)
    (tree / "cee/src/sort.c").write_text("int one(void) { return 1; }\n")
    build_index([tree / "cee", tree / "jay"], index.directory, PLAIN)
    answers = iter([old, read_manifest(index.directory)])
    monkeypatch.setattr(store, "read_manifest", lambda directory: next(answers))
    assert "one" in list(open_index(index.directory).functions.name)
    assert index.functions.name[named(index, "bubble_sort")] == "bubble_sort"  # the one opened before is still whole


def test_the_manifest_survives_a_round_trip(index):
    manifest = read_manifest(index.directory)
    assert json.loads(manifest_bytes(manifest)) == json.loads((index.directory / store.MANIFEST).read_text())
