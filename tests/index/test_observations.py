"""Observations as columns: the same similarities as the plain functions, the same bytes however they came about."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beryl import engine
from beryl.errors import IndexError_
from beryl.features import FEATURES
from beryl.features.similarity import Tree, cosine, edit_distance, generalised_jaccard, tree_similarity, vector_cosine
from beryl.index.bags import BagColumn, TermColumn
from beryl.index.dense import VectorColumn
from beryl.index.observations import SAMPLE_SIZE, Observations
from beryl.index.store import BuildOptions
from beryl.index.tokens import LABEL_COUNT, TREE_LABELS, label_codes, token_hash
from beryl.index.trees import TreeColumn, edit_distances, long_distance

UNHURRIED = settings(deadline=None)
bags = st.lists(st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 4), max_size=5), min_size=1, max_size=12)
trees = st.lists(st.lists(st.sampled_from(TREE_LABELS[:5]), max_size=8).map(tuple), min_size=1, max_size=8)


def flat(rows: list[dict[str, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes, hashes and counts, as columns take them."""
    sizes = np.array([len(row) for row in rows], dtype=np.int32)
    tokens = np.array([token_hash(token) for row in rows for token in row], dtype=np.uint64)
    return sizes, tokens, np.array([count for row in rows for count in row.values()], dtype=np.uint16)


@UNHURRIED
@given(bags)
def test_a_column_of_bags_agrees_with_the_plain_similarity(rows: list[dict[str, int]]) -> None:
    column = BagColumn.of(*flat(rows))
    for query in (*rows, {"a": 2, "unknown": 3}, {}):
        found = column.similarities({token_hash(token): count for token, count in query.items()})[column.row_of]
        assert found.tolist() == pytest.approx([generalised_jaccard(query, row) for row in rows])


@UNHURRIED
@given(bags)
def test_equal_bags_share_a_row(rows: list[dict[str, int]]) -> None:
    column = BagColumn.of(*flat(rows))
    assert len(column.totals) == len({frozenset(row.items()) for row in rows})


@UNHURRIED
@given(bags)
def test_a_column_of_terms_agrees_with_the_cosine_of_tf_idf(rows: list[dict[str, int]]) -> None:
    column = TermColumn.of(*flat(rows), np.zeros(len(rows), dtype=np.int32))
    total = len(rows)
    holders = {token: sum(token in row for row in rows) for token in "abcdefg"}
    idf = {token: np.log((1 + total) / (1 + count)) + 1 for token, count in holders.items()}
    weighted = [{token: count * idf[token] for token, count in row.items()} for row in rows]
    for position, query in enumerate(weighted):
        found = column.similarities(column.observation(position)).tolist()
        assert found == pytest.approx([cosine(query, row) for row in weighted], abs=1e-5)


def test_idf_is_that_of_the_functions_own_project() -> None:
    rows = [{"a": 1, "b": 1}, {"a": 1}, {"b": 1}]
    column = TermColumn.of(*flat(rows), np.array([0, 0, 1], dtype=np.int32))
    weights = column.observation(0)
    # In project 0, with two functions, `a` is in both and `b` in one.
    assert weights[token_hash("b")] / weights[token_hash("a")] == pytest.approx(np.log(3 / 2) + 1)


def column_of(trees_: list[Tree]) -> TreeColumn:
    """Trees as a column."""
    sizes = np.array([len(tree.pre) for tree in trees_], dtype=np.int32)
    pre = np.frombuffer(b"".join(label_codes(tree.pre) for tree in trees_), dtype=np.uint8)
    post = np.frombuffer(b"".join(label_codes(tree.post) for tree in trees_), dtype=np.uint8)
    return TreeColumn.of(sizes, pre, post)


@UNHURRIED
@given(trees)
def test_a_column_of_trees_agrees_with_the_plain_similarity_and_its_bound_holds(rows: list[tuple[str, ...]]) -> None:
    drawn = [Tree(row, row[::-1]) for row in rows]
    column = column_of(drawn)
    for query in drawn:
        codes = (label_codes(query.pre), label_codes(query.post))
        exact = column.similarities(codes)[column.row_of]
        assert exact.tolist() == pytest.approx([tree_similarity(query, tree) for tree in drawn])
        assert (column.bounds(codes)[column.row_of] >= exact).all()


vectors = st.lists(st.one_of(st.just(b""), st.binary(min_size=6, max_size=6)), min_size=1, max_size=8)


@UNHURRIED
@given(vectors)
def test_a_column_of_vectors_agrees_with_the_plain_cosine(rows: list[bytes]) -> None:
    sizes = np.array([len(row) for row in rows], dtype=np.int32)
    codes = np.frombuffer(b"".join(rows), dtype=np.uint8)
    column = VectorColumn.of(sizes, codes, codes)
    for position, query in enumerate(rows):
        found = column.similarities(column.observation(position))[column.row_of].tolist()
        assert found == pytest.approx([vector_cosine(query, row) for row in rows], abs=1e-5)
    again = VectorColumn.of(*column.raw(np.arange(len(rows))))
    assert [again.observation(i) for i in range(len(rows))] == [column.observation(i) for i in range(len(rows))]


@pytest.mark.parametrize("length", [1, 63, 64, 65, 200])
def test_bit_parallel_edit_distances_are_the_plain_ones(length: int) -> None:
    draw = random.Random(length)
    pattern = bytes(draw.randrange(5) for _ in range(length))
    texts = [bytes(draw.randrange(5) for _ in range(draw.randrange(2 * length + 1))) for _ in range(12)]
    texts.sort(key=len, reverse=True)
    lengths = np.array([len(text) for text in texts], dtype=np.int32)
    codes = np.frombuffer(b"".join(texts), dtype=np.uint8)
    plain = [edit_distance(pattern, text) for text in texts]
    assert edit_distances(pattern, codes, np.cumsum(lengths) - lengths, lengths).tolist() == plain
    assert [long_distance(pattern, text) for text in texts] == plain


def test_an_operator_that_is_not_in_the_table_has_a_code_of_its_own() -> None:
    assert label_codes(["seq", "<operator of the future>"]) == bytes([0, LABEL_COUNT - 1])


LIST = "struct list { struct list *next; long value; };\nlong total(struct list *head);\nvoid *grab(unsigned size);\n"
TOTAL = """#include "list.h"
long total(struct list *head) { long t = 0; while (head) { t += head->value; head = head->next; } return t; }
"""
USER = '#include "../lib/list.h"\nlong twice(struct list *l) { grab(3); puts("x"); return 2 * total(l); }\n'


def project(folder: Path) -> Path:
    """A project of two directories."""
    for name, text in {"lib/list.h": LIST, "lib/list.c": TOTAL, "app/user.c": USER}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def table_bytes(index: engine.Engine) -> dict[str, bytes]:
    """Every file of the table."""
    return {path.name: path.read_bytes() for path in sorted((index.index.data / "observations").iterdir())}


OPTIONS = BuildOptions(tables=("observations",), jobs=1)


def test_calls_are_told_apart_by_where_the_function_is_defined(tmp_path: Path) -> None:
    index = engine.build([project(tmp_path / "p")], tmp_path / "index", OPTIONS).index
    table = Observations.open(index)
    user = list(index.functions.name).index("twice")
    assert table.columns["modeled-calls"].observation(user) == {token_hash("puts stdio.h"): 1}
    assert table.columns["unmodeled-calls"].observation(user) == {token_hash("grab "): 1}
    assert table.columns["user-calls"].observation(user) == {token_hash("total list"): 1}


def test_types_come_from_the_headers_of_the_project(tmp_path: Path) -> None:
    index = engine.build([project(tmp_path / "p")], tmp_path / "index", OPTIONS).index
    table = Observations.open(index)
    user = list(index.functions.name).index("twice")
    assert token_hash("long *") in table.columns["type-operation-coupling"].observation(user)


def test_an_update_gives_the_same_bytes_as_a_fresh_build(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    engine.build([folder], tmp_path / "updated", OPTIONS)
    (folder / "app" / "more.c").write_text("int more(int a) { for (int i = 0; i < a; i++) a -= 2; return a; }\n")
    (folder / "app" / "user.c").write_text(USER.replace("2 *", "3 *"))
    updated = engine.build([folder], tmp_path / "updated", OPTIONS, update=True)
    fresh = engine.build([folder], tmp_path / "fresh", OPTIONS)
    assert table_bytes(updated) == table_bytes(fresh)


def test_a_changed_header_is_seen_by_the_files_that_did_not_change(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    engine.build([folder], tmp_path / "updated", OPTIONS)
    (folder / "lib" / "list.h").write_text(LIST.replace("long total", "short total"))
    updated = engine.build([folder], tmp_path / "updated", OPTIONS, update=True)
    fresh = engine.build([folder], tmp_path / "fresh", OPTIONS)
    assert table_bytes(updated) == table_bytes(fresh)
    user = list(updated.index.functions.name).index("twice")
    seen = Observations.open(updated.index).columns["type-operation-coupling"].observation(user)
    assert token_hash("short *") in seen


def test_worker_processes_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path / "p")
    alone = engine.build([folder], tmp_path / "alone", OPTIONS)
    monkeypatch.setattr("beryl.index.observe_worker._LEAST_BYTES_PER_PROCESS", 1)
    shared = engine.build([folder], tmp_path / "shared", BuildOptions(tables=("observations",), jobs=2))
    assert table_bytes(alone) == table_bytes(shared)


def test_thresholds_are_mean_plus_deviation_of_the_pairs_of_the_sample(tmp_path: Path) -> None:
    index = engine.build([project(tmp_path / "p")], tmp_path / "index", OPTIONS).index
    table = Observations.open(index)
    assert len(table.sample) == min(SAMPLE_SIZE, 2)
    # Two functions, one pair: the deviation is 0 and the mean its similarity, long* list* against long list*.
    assert table.thresholds["type-signature"] == pytest.approx(1.0)
    assert set(table.thresholds) == set(FEATURES)


def test_an_index_without_the_table_says_what_to_do(tmp_path: Path) -> None:
    index = engine.build([project(tmp_path / "p")], tmp_path / "index", BuildOptions(tables=())).index
    with pytest.raises(IndexError_, match="observations"):
        Observations.open(index)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 4), max_size=6))
def test_empty_trees_are_alike(codes: list[int]) -> None:
    column = column_of([Tree((), ()), Tree(tuple(TREE_LABELS[c] for c in codes), tuple(TREE_LABELS[c] for c in codes))])
    found = column.similarities((b"", b""))[column.row_of]
    assert found.tolist() == [1.0, 1.0 if not codes else 0.0]
