"""Vectors of an index's unique texts: taken over from the index before, or encoded in batches that survive a kill."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl.errors import ModelError
from beryl.index.tables import StringColumn
from beryl.types import FloatArray, Progress, TextEncoder

# Interrupted, a build loses at most one batch: half a second of the static encoder, under a minute of a transformer.
BATCH = {"static": 8192, "hashing": 8192}
SLOW_BATCH = 2048


@dataclass(frozen=True)
class Rows:
    """Vectors as int8 with one scale per row: a quarter of float32, cosines good to about 0.001."""

    codes: NDArray[np.int8]
    scale: NDArray[np.float32]

    @staticmethod
    def of(vectors: FloatArray) -> Rows:
        """Quantised vectors."""
        peak = np.abs(vectors).max(axis=1, initial=0)
        scale = (peak / 127).astype(np.float32)
        codes = np.rint(vectors / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8)
        return Rows(codes, scale)

    @staticmethod
    def of_units(vectors: FloatArray) -> Rows:
        """Quantised unit vectors, again of length 1."""
        codes = Rows.of(vectors).codes
        lengths = np.linalg.norm(codes.astype(np.float32), axis=1)
        return Rows(codes, np.where(lengths > 0, 1 / np.maximum(lengths, 1), 0).astype(np.float32))

    @property
    def dim(self) -> int:
        """Width of a vector."""
        return int(self.codes.shape[1])

    def __len__(self) -> int:
        return len(self.scale)

    def __getitem__(self, rows: NDArray[np.int64] | slice) -> FloatArray:
        return self.codes[rows] * self.scale[rows][:, None]

    def lengths(self, block: int = 65536) -> FloatArray:
        """The Euclidean length of every row."""
        parts = [np.zeros(0, dtype=np.float32)]
        for start in range(0, len(self), block):
            vectors = self[slice(start, start + block)]
            parts.append(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))
        return np.concatenate(parts)

    def write(self, directory: Path, name: str) -> None:
        """Write two columns."""
        np.save(directory / f"{name}.codes.npy", self.codes)
        np.save(directory / f"{name}.scale.npy", self.scale)

    @staticmethod
    def open(directory: Path, name: str) -> Rows:
        """Open two columns, memory-mapped."""
        codes = np.load(directory / f"{name}.codes.npy", mmap_mode="r", allow_pickle=False)
        return Rows(codes, np.load(directory / f"{name}.scale.npy", mmap_mode="r", allow_pickle=False))


def encode_units(encoder: TextEncoder, texts: Sequence[str]) -> Rows:
    """Quantised unit vectors of some texts, unless the encoder gives NaN."""
    vectors = encoder.encode(texts)
    if not np.isfinite(vectors).all():
        raise ModelError(f"the encoder {encoder.name!r} gives NaN: its weights are damaged; fetch them again")
    return Rows.of_units(vectors)


@dataclass(frozen=True)
class Known:
    """Vectors that are already there, by the digest of their text, sorted."""

    digest: NDArray[np.uint64]
    rows: Rows


def encode_texts(
    digest: NDArray[np.uint64], texts: StringColumn, encoder: TextEncoder, known: Sequence[Known], journal: Path
) -> Encoding:
    """The job of encoding all texts, what is known taken over."""
    rows = Rows(np.zeros((len(digest), encoder.dim), np.int8), np.zeros(len(digest), np.float32))
    done = np.zeros(len(digest), dtype=np.bool_)
    for source in [*known, *_read_journal(journal, encoder.dim)]:
        _take_over(digest, rows, done, source)
    return Encoding(digest, texts, encoder, rows, done, journal)


@dataclass(frozen=True)
class Encoding:
    """Texts that are being encoded."""

    digest: NDArray[np.uint64]
    texts: StringColumn
    encoder: TextEncoder
    rows: Rows
    done: NDArray[np.bool_]
    journal: Path

    def run(self, progress: Progress) -> Rows:
        """Encode what is missing, one batch after another, each kept on disk as soon as it is done."""
        todo = np.flatnonzero(~self.done)
        size = BATCH.get(self.encoder.name, SLOW_BATCH)
        for start in range(0, len(todo), size):
            progress("encoding texts", start, len(todo))
            batch = todo[start : start + size]
            part = encode_units(self.encoder, [self.texts[i] for i in batch.tolist()])
            self.rows.codes[batch], self.rows.scale[batch] = part.codes, part.scale
            if len(todo) > size:
                _write_journal(self.journal, self.digest[batch], part)
        progress("encoding texts", len(todo), len(todo))
        return self.rows

    def forget(self) -> None:
        """Drop the batches kept for a restart."""
        shutil.rmtree(self.journal, ignore_errors=True)


def _take_over(digest: NDArray[np.uint64], rows: Rows, done: NDArray[np.bool_], source: Known) -> None:
    if not len(source.digest):
        return
    place = np.minimum(np.searchsorted(source.digest, digest), len(source.digest) - 1)
    same = np.flatnonzero((source.digest[place] == digest) & ~done)
    rows.codes[same], rows.scale[same] = source.rows.codes[place[same]], source.rows.scale[place[same]]
    done[same] = True


def _write_journal(journal: Path, digest: NDArray[np.uint64], part: Rows) -> None:
    from beryl.encode.files import write_weights

    journal.mkdir(parents=True, exist_ok=True)
    name = hashlib.blake2b(digest.tobytes(), digest_size=10).hexdigest()
    write_weights(journal / f"{name}.part", {"digest": digest, "codes": part.codes, "scale": part.scale})


def _read_journal(journal: Path, dim: int) -> list[Known]:
    from beryl.encode.files import read_weights

    found = []
    for path in sorted(journal.glob("*.part")) if journal.is_dir() else []:
        try:
            part = read_weights(path)
        except ModelError:  # killed while it was written
            os.unlink(path)
            continue
        if set(part) == {"digest", "codes", "scale"} and part["codes"].shape == (len(part["digest"]), dim):
            found.append(Known(part["digest"], Rows(part["codes"], part["scale"])))
    return found
