"""The table `shapes`: the shape of every unique statement, by statement and inverted, for whole-corpus comparison."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import cpu_count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl.encode import shape
from beryl.encode.shape import BUCKETS, Shapes
from beryl.errors import IndexError_
from beryl.index import shape_worker
from beryl.index.store import BuildOptions, Index
from beryl.types import FloatArray, IntArray, Progress

NAME = "shapes"
INFO = "info.json"
# Below this, starting processes costs more than they save.
_WORTH_PROCESSES = 40_000


@dataclass(frozen=True)
class ShapeTable:
    """Shapes of `index.texts`; memory-mapped."""

    offsets: IntArray
    grams: NDArray[np.int32]
    idioms: NDArray[np.uint32]
    gram_offsets: IntArray
    gram_texts: NDArray[np.int32]
    norm: NDArray[np.float32]
    """Length of each statement's idf-weighted gram vector."""

    @staticmethod
    def open(index: Index) -> ShapeTable:
        """The table of an open index."""
        folder = index.table_directory(NAME)
        if json.loads((folder / INFO).read_text(encoding="utf-8"))["version"] != shape.VERSION:
            raise IndexError_(f"{index.directory} holds shapes of another version of beryl; run `beryl index --update`")
        columns = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in ShapeTable.__dataclass_fields__}
        return ShapeTable(**columns)

    def idf(self, grams: IntArray) -> NDArray[np.float64]:
        """How telling each window is: the log of how few statements have it."""
        count = len(self.idioms)
        return np.log((count + 1) / (self.gram_offsets[grams + 1] - self.gram_offsets[grams] + 0.5))

    @cached_property
    def idiom_weights(self) -> FloatArray:
        """How telling each idiom is: the log of how few statements have it."""
        bits = np.arange(len(shape.IDIOMS), dtype=np.uint32)
        share = np.array([((np.asarray(self.idioms) >> bit) & 1).sum() for bit in bits]) / max(len(self.idioms), 1)
        return -np.log(np.maximum(share, 1e-6)).astype(np.float32)

    def similarity(self, query: Shapes) -> FloatArray:
        """Cosine of idf-weighted shapes: (query statements, all unique statements)."""
        rows = np.zeros((len(query.idioms), len(self.idioms)), dtype=np.float32)
        for position, row in enumerate(rows):
            grams = _row(query, position)
            weights = self.idf(grams) ** 2
            for gram, weight in zip(grams.tolist(), weights.tolist(), strict=True):
                row[self.gram_texts[self.gram_offsets[gram] : self.gram_offsets[gram + 1]]] += weight
            length = float(np.sqrt(weights.sum()))
            if length > 0:
                row /= np.maximum(self.norm, 1e-6) * length
        return rows

    def between(self, query: Shapes, other: Shapes) -> FloatArray:
        """The same for statements that are not in the index."""
        result = np.zeros((len(query.idioms), len(other.idioms)), dtype=np.float32)
        asked = [_row(query, position) for position in range(len(query.idioms))]
        lengths = [float(np.sqrt((self.idf(grams) ** 2).sum())) for grams in asked]
        for column in range(len(other.idioms)):
            theirs = _row(other, column)
            length = float(np.sqrt((self.idf(theirs) ** 2).sum()))
            for row, grams in enumerate(asked):
                common = np.intersect1d(grams, theirs, assume_unique=True)
                if len(common):
                    result[row, column] = float((self.idf(common) ** 2).sum()) / max(lengths[row] * length, 1e-6)
        return result


def _row(shapes: Shapes, position: int) -> IntArray:
    return shapes.grams[shapes.offsets[position] : shapes.offsets[position + 1]].astype(np.int64)


def build(index: Index, previous: Index | None, directory: Path, options: BuildOptions, progress: Progress) -> None:
    """Compute the shapes of new statements, take the others from the previous index, invert, write."""
    old, missing = _known(index, previous)
    made = _compute([index.texts.text[int(i)] for i in missing], options.jobs or cpu_count() or 1, progress)
    table = _merge(len(index.texts.digest), old, missing, made)
    owners = np.repeat(np.arange(len(table.idioms), dtype=np.int32), np.diff(table.offsets))
    order = np.argsort(table.grams, kind="stable")
    gram_offsets = np.searchsorted(table.grams[order], np.arange(BUCKETS + 1)).astype(np.int64)
    columns = {**table._asdict(), "gram_offsets": gram_offsets, "gram_texts": owners[order]}
    idf = np.log((len(table.idioms) + 1) / (np.diff(gram_offsets) + 0.5))
    squares = np.concatenate([[0.0], np.cumsum(idf[table.grams] ** 2)])
    columns["norm"] = np.sqrt(squares[table.offsets[1:]] - squares[table.offsets[:-1]]).astype(np.float32)
    for name, column in columns.items():
        np.save(directory / f"{name}.npy", column)
    (directory / INFO).write_text(json.dumps({"version": shape.VERSION}), encoding="utf-8")


def _known(index: Index, previous: Index | None) -> tuple[tuple[IntArray, IntArray, ShapeTable] | None, IntArray]:
    """Statements whose shape the previous index has: (here, there, its table); and those it has not."""
    everything = np.arange(len(index.texts.digest), dtype=np.int64)
    if previous is None or NAME not in previous.manifest.tables or not len(previous.texts.digest):
        return None, everything
    try:
        table = ShapeTable.open(previous)
    except IndexError_:
        return None, everything
    place = np.minimum(np.searchsorted(previous.texts.digest, index.texts.digest), len(previous.texts.digest) - 1)
    same = np.asarray(previous.texts.digest)[place] == index.texts.digest
    return (everything[same], place[same].astype(np.int64), table), everything[~same]


def _compute(texts: Sequence[str], jobs: int, progress: Progress) -> list[Shapes]:
    if len(texts) < _WORTH_PROCESSES or jobs < 2:
        return [shape.shapes(texts)]
    return shape_worker.shapes_of(texts, jobs, progress)


def _merge(
    count: int, old: tuple[IntArray, IntArray, ShapeTable] | None, missing: IntArray, made: Sequence[Shapes]
) -> Shapes:
    """One table in the order of the texts."""
    lengths = np.zeros(count, dtype=np.int64)
    idioms = np.zeros(count, dtype=np.uint32)
    if old is not None:
        here, there, table = old
        lengths[here] = table.offsets[there + 1] - table.offsets[there]
        idioms[here] = table.idioms[there]
    if len(missing):
        lengths[missing] = np.concatenate([np.diff(part.offsets) for part in made])
        idioms[missing] = np.concatenate([part.idioms for part in made])
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    grams = np.zeros(int(offsets[-1]), dtype=np.int32)
    if old is not None:
        grams[_ranges(offsets, here)] = table.grams[_ranges(table.offsets, there)]
    if len(missing):
        grams[_ranges(offsets, missing)] = np.concatenate([part.grams for part in made])
    return Shapes(offsets, grams, idioms)


def _ranges(offsets: IntArray, rows: IntArray) -> IntArray:
    """Positions of the entries of some CSR rows, concatenated."""
    starts, lengths = offsets[rows], offsets[rows + 1] - offsets[rows]
    shift = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64), lengths)
    return np.arange(int(lengths.sum()), dtype=np.int64) + shift
