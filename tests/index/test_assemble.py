"""Bundles put together: by hand, and for any files in any division."""

import dataclasses
import hashlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beryl.index import bundle
from beryl.index.assemble import Base, Placed, assemble, gather
from beryl.index.bundle import Analysed, text_digest
from beryl.index.joining import join_calls
from beryl.index.store import files_of
from beryl.types import CallRow, EdgeKind, FileUnit, FunctionRow, Language, NodeKind, silent


def function(name: str, first: int, last: int) -> FunctionRow:
    return FunctionRow(name, name, f"int {name}()", 0, 1, 2, 0, 9, 0, 0, 0, first, last)


def unit(functions: list[tuple[str, list[str]]], calls: tuple[CallRow, ...] = ()) -> FileUnit:
    """Straight-line functions: entry, exit, then one node per text, in a row."""
    rows, kinds, texts, sources, targets = [], [], [], [], []
    for name, body in functions:
        first = len(kinds)
        kinds += [NodeKind.ENTRY, NodeKind.EXIT, *[NodeKind.STATEMENT] * len(body)]
        texts += [name, "", *body]
        path = [first, *range(first + 2, first + 2 + len(body)), first + 1]
        sources += path[:-1][::-1]  # not sorted on purpose
        targets += path[1:][::-1]
        rows.append(function(name, first, len(kinds)))
    lines = list(range(1, len(kinds) + 1))
    kinds = [int(kind) for kind in kinds]
    flow = [int(EdgeKind.FLOW)] * len(sources)
    return FileUnit(
        Language.C, tuple(rows), kinds, texts, lines, lines, [0] * len(kinds), sources, targets, flow, calls, 0
    )


def analysed(one: FileUnit, text: bytes = b"x\n") -> Analysed:
    return Analysed(bytes(16), text, one)


def test_two_files_by_hand():
    first = unit([("f", ["a", "b"])], (CallRow(3, "g", 0, ""),))
    second = unit([("g", ["b"])])
    placed = [Placed("p", "one.c", 0, 0), Placed("p", "two.c", 0, 1)]
    base = assemble(placed, [bundle.of_units([analysed(first), analysed(second)])])
    base = join_calls(base, None, silent)

    assert base.files.first_function.tolist() == [0, 1, 2]
    assert base.functions.first_node.tolist() == [0, 4, 7]
    assert base.functions.file.tolist() == [0, 1]
    assert base.nodes.function.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert [base.texts.text[i] for i in base.nodes.text] == ["f", "", "a", "b", "g", "", "b"]
    assert sorted(base.texts.text) == ["", "a", "b", "f", "g"]
    assert base.calls.node.tolist() == [3]
    assert base.calls.resolved.tolist() == [1]

    edges = [
        (source, int(base.edges.target[row]), EdgeKind(base.edges.kind[row]).label)
        for source in range(7)
        for row in range(base.edges.offsets[source], base.edges.offsets[source + 1])
    ]
    assert edges == [
        (0, 2, "flow"),
        (2, 3, "flow"),
        (3, 1, "flow"),
        (3, 4, "call"),
        (4, 6, "flow"),
        (5, 1, "return"),
        (6, 5, "flow"),
    ]


def test_texts_are_hashed_by_content_alone():
    expected = hashlib.blake2b(b"i < n", digest_size=8).digest()
    assert text_digest("i < n") == int.from_bytes(expected, "little")


def test_bytes_are_gathered_range_by_range():
    buffer = np.frombuffer(b"abcdefgh", dtype=np.uint8)
    assert gather(buffer, np.array([5, 0, 3]), np.array([2, 3, 0])).tobytes() == b"fgabc"
    assert gather(buffer, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)).tobytes() == b""


def test_neighbouring_ranges_are_gathered_as_one():
    buffer = np.frombuffer(bytes(range(97, 123)) * 8, dtype=np.uint8)
    starts = np.array([*range(100, 140), *range(20), 150, 30])
    lengths = np.array([*[1] * 39, 0, *[1] * 20, 5, 2])
    expected = b"".join(buffer[s : s + n].tobytes() for s, n in zip(starts, lengths, strict=True))
    assert gather(buffer, starts, lengths).tobytes() == expected


def test_a_bundle_survives_its_file(tmp_path: Path):
    one = bundle.of_units([analysed(unit([("f", ["é", "b"])], (CallRow(2, "g", 1, "x"),)))])
    path = tmp_path / bundle.save(one, tmp_path)
    again = bundle.read(path)
    assert again.columns.keys() == one.columns.keys()
    for name, column in one.columns.items():
        np.testing.assert_array_equal(again[name], column)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="is not a whole bundle"):
        bundle.read(path)


NAMES = st.sampled_from(["f", "g", "h", "sort", "größe"])
TEXTS = st.sampled_from(["", "a", "b = 1", "i < n", "return x", "ü"])


@st.composite
def units(draw) -> FileUnit:
    functions = draw(st.lists(st.tuples(NAMES, st.lists(TEXTS, max_size=4)), max_size=3))
    size = sum(2 + len(body) for _, body in functions)
    nodes = st.integers(0, max(size - 1, 0))
    calls = draw(st.lists(st.builds(CallRow, nodes, NAMES, st.integers(0, 1), st.just("")), max_size=4)) if size else []
    return unit(functions, tuple(calls))


def flat(base: Base) -> dict[str, np.ndarray]:
    files = files_of(base.projects, base.tables)
    return {name: column for columns in files.values() for name, column in columns.items()}


def assert_same(one: Base, other: Base) -> None:
    first, second = flat(one), flat(other)
    for name, column in first.items():
        assert column.dtype == second[name].dtype, name
        np.testing.assert_array_equal(column, second[name], err_msg=name)


@settings(max_examples=60, deadline=None)
@given(st.lists(units(), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_how_files_are_bundled_does_not_matter(found, random):
    files = [analysed(one, f"file {number}\n".encode()) for number, one in enumerate(found)]
    names = [("pq"[number % 2], f"{number}.c") for number in range(len(files))]
    order = sorted(range(len(files)), key=lambda number: names[number])
    whole = assemble([Placed(*names[n], 0, n) for n in order], [bundle.of_units(files)])
    groups: list[list[int]] = [[] for _ in range(3)]
    for number in random.sample(range(len(files)), len(files)):
        groups[random.randrange(3)].append(number)
    bundles = [bundle.of_units([files[n] for n in group]) for group in groups]
    where = {n: (b, row) for b, group in enumerate(groups) for row, n in enumerate(group)}
    divided = assemble([Placed(*names[n], *where[n]) for n in order], bundles)
    assert_same(join_calls(whole, None, silent), join_calls(divided, None, silent))


@settings(max_examples=60, deadline=None)
@given(st.lists(units(), min_size=1, max_size=6))
def test_an_index_taken_apart_and_put_together_is_the_same(found):
    files = [analysed(one) for one in found]
    placed = [Placed("p", f"{number}.c", 0, number) for number in range(len(files))]
    base = join_calls(assemble(placed, [bundle.of_units(files)]), None, silent)
    old = SimpleNamespace(**{item.name: getattr(base, item.name) for item in dataclasses.fields(base)})
    again = assemble(placed, [bundle.of_index(old)])
    assert_same(base, join_calls(again, old, silent))
    assert_same(base, join_calls(again, None, silent))
