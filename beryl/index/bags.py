"""Observations that are sets, multisets or weighted terms, as columns: rows by function and postings by token.

Equal observations share a row, so a similarity is computed once for all functions that look the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.index import columns

Array = NDArray[Any]


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """splitmix64: spreads every bit of the input over the output, so that sums of rows make good hashes."""
    z = values + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def row_sums(values: Array, sizes: Array) -> Array:
    """The sum of each row; integers wrap around."""
    bounds = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])
    total = np.concatenate([np.zeros(1, dtype=values.dtype), np.cumsum(values, dtype=values.dtype)])
    found: Array = total[bounds[1:]] - total[bounds[:-1]]
    return found


def offsets_of(sizes: Array) -> NDArray[np.int64]:
    """Boundaries of rows of these sizes."""
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def positions(offsets: NDArray[np.int64], rows: Array) -> NDArray[np.int64]:
    """Where the entries of some rows are, row after row."""
    sizes = offsets[rows + 1] - offsets[rows]
    starts = np.cumsum(sizes) - sizes
    found: NDArray[np.int64] = np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(offsets[rows] - starts, sizes)
    return found


def save(column: Any, path: Path) -> None:  # noqa: ANN401 - any of the column dataclasses
    """Write the arrays of a column into one file."""
    columns.write(path, {item.name: getattr(column, item.name) for item in fields(column)})


@dataclass(frozen=True, slots=True)
class BagColumn:
    """Sets and multisets; similarity is Eq. 4, which on sets is Eq. 1."""

    row_of: NDArray[np.int32]
    """The row of each function."""
    vocabulary: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int32]
    counts: NDArray[np.uint16]
    totals: NDArray[np.int32]
    post_offsets: NDArray[np.int64]
    post_rows: NDArray[np.int32]
    post_counts: NDArray[np.uint16]

    @staticmethod
    def of(sizes: Array, tokens: Array, counts: Array) -> BagColumn:
        """The column of observations in function order."""
        hashes = row_sums(mix(tokens ^ mix(counts.astype(np.uint64))), sizes)
        _, chosen, row_of = np.unique(hashes, return_index=True, return_inverse=True)
        taken = positions(offsets_of(sizes), chosen)
        vocabulary, ids = np.unique(tokens[taken], return_inverse=True)
        row_sizes = sizes[chosen]
        owners = np.repeat(np.arange(len(chosen), dtype=np.int32), row_sizes)
        order = np.lexsort((ids, owners))
        ids, kept = ids[order], counts[taken][order]
        by_token = np.argsort(ids, kind="stable")
        return BagColumn(
            row_of=row_of.astype(np.int32),
            vocabulary=vocabulary,
            offsets=offsets_of(row_sizes),
            tokens=ids.astype(np.int32),
            counts=kept,
            totals=row_sums(kept.astype(np.int64), row_sizes).astype(np.int32),
            post_offsets=offsets_of(np.bincount(ids, minlength=len(vocabulary))),
            post_rows=owners[by_token],
            post_counts=kept[by_token],
        )

    def raw(self, functions: Array) -> tuple[Array, Array, Array]:
        """Sizes, hashes and counts of some functions, as `of` takes them."""
        rows = self.row_of[functions].astype(np.int64)
        taken = positions(self.offsets, rows)
        sizes = (self.offsets[rows + 1] - self.offsets[rows]).astype(np.int32)
        return sizes, self.vocabulary[self.tokens[taken]], self.counts[taken]

    def observation(self, function: int) -> dict[int, int]:
        """The observation of one function, by token hash."""
        _, tokens, counts = self.raw(np.array([function]))
        return dict(zip(tokens.tolist(), counts.tolist(), strict=True))

    def similarities(self, observation: Mapping[int, int]) -> NDArray[np.float32]:
        """Eq. 4 of an observation and every row."""
        hashes = np.fromiter(observation.keys(), dtype=np.uint64, count=len(observation))
        wanted = list(observation.values())
        common = np.zeros(len(self.totals), dtype=np.int32)
        for place, count in zip(*self._known(hashes, wanted), strict=True):
            start, end = self.post_offsets[place], self.post_offsets[place + 1]
            counts = self.post_counts[start:end]
            common[self.post_rows[start:end]] += np.minimum(counts, count) if count > 1 else 1
        either = self.totals + np.int32(sum(wanted)) - common
        found: NDArray[np.float32] = common.astype(np.float32)
        np.divide(found, either, out=found, where=either > 0)
        return found

    def _known(self, hashes: NDArray[np.uint64], counts: list[int]) -> tuple[list[int], list[int]]:
        """The ids of the tokens that the index has, and their counts."""
        if not len(self.vocabulary):
            return [], []
        places = np.minimum(np.searchsorted(self.vocabulary, hashes), len(self.vocabulary) - 1)
        known = (self.vocabulary[places] == hashes).tolist()
        kept = [(place, count) for place, count, held in zip(places.tolist(), counts, known, strict=True) if held]
        return [place for place, _ in kept], [count for _, count in kept]


@dataclass(frozen=True, slots=True)
class TermColumn:
    """Weighted terms by function; similarity is the cosine of TF-IDF vectors, IDF by project."""

    vocabulary: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    tokens: NDArray[np.int32]
    counts: NDArray[np.uint16]
    weights: NDArray[np.float32]
    """Of each entry; rows have length 1."""
    idf: NDArray[np.float32]
    """Over the whole index, for functions that are not in it."""
    post_offsets: NDArray[np.int64]
    post_rows: NDArray[np.int32]
    post_weights: NDArray[np.float32]

    @staticmethod
    def of(sizes: Array, tokens: Array, counts: Array, projects: Array) -> TermColumn:
        """The column of observations in function order; `projects` is the project of each function."""
        vocabulary, ids = np.unique(tokens, return_inverse=True)
        owners = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        order = np.lexsort((ids, owners))
        ids, counts = ids[order], counts[order]
        idf = _project_idf(ids, projects[owners], np.bincount(projects), len(vocabulary))
        weights = counts * idf
        lengths = np.sqrt(row_sums(weights * weights, sizes))
        weights = (weights / np.repeat(lengths, sizes)).astype(np.float32)
        by_token = np.argsort(ids, kind="stable")
        frequency = np.bincount(ids, minlength=len(vocabulary))
        return TermColumn(
            vocabulary=vocabulary,
            offsets=offsets_of(sizes),
            tokens=ids.astype(np.int32),
            counts=counts,
            weights=weights,
            idf=_idf(len(sizes), frequency).astype(np.float32),
            post_offsets=offsets_of(frequency),
            post_rows=owners[by_token],
            post_weights=weights[by_token],
        )

    def raw(self, functions: Array) -> tuple[Array, Array, Array]:
        """Sizes, hashes and counts of some functions, as `of` takes them."""
        taken = positions(self.offsets, functions)
        sizes = (self.offsets[functions + 1] - self.offsets[functions]).astype(np.int32)
        return sizes, self.vocabulary[self.tokens[taken]], self.counts[taken]

    def observation(self, function: int) -> dict[int, float]:
        """The weights of one function's terms, by token hash."""
        taken = slice(int(self.offsets[function]), int(self.offsets[function + 1]))
        hashes = self.vocabulary[self.tokens[taken]]
        return dict(zip(hashes.tolist(), self.weights[taken].tolist(), strict=True))

    def weighted(self, observation: Mapping[int, int]) -> dict[int, float]:
        """The observation of a function that is not in the index, times the IDF over the index, length 1."""
        unseen = float(_idf(len(self.offsets) - 1, np.zeros(1))[0])
        weights = {}
        for token, count in observation.items():
            place = int(np.searchsorted(self.vocabulary, np.uint64(token)))
            held = place < len(self.vocabulary) and int(self.vocabulary[place]) == token
            weights[token] = count * (float(self.idf[place]) if held else unseen)
        length = sum(weight * weight for weight in weights.values()) ** 0.5
        return {token: weight / length for token, weight in weights.items()}

    def similarities(self, observation: Mapping[int, float]) -> NDArray[np.float32]:
        """The cosine of a weighted observation (length 1) and every function."""
        found = np.zeros(len(self.offsets) - 1, dtype=np.float32)
        for token, weight in sorted(observation.items()):
            place = int(np.searchsorted(self.vocabulary, np.uint64(token)))
            if place < len(self.vocabulary) and int(self.vocabulary[place]) == token:
                start, end = self.post_offsets[place], self.post_offsets[place + 1]
                found[self.post_rows[start:end]] += np.float32(weight) * self.post_weights[start:end]
        return np.minimum(found, np.float32(1.0), out=found)


def _idf(documents: Array | int, frequency: Array) -> NDArray[np.float64]:
    """ln((1 + N) / (1 + df)) + 1: never zero, so that a term of every function still counts for something."""
    found: NDArray[np.float64] = np.log((1.0 + documents) / (1.0 + frequency)) + 1.0
    return found


def _project_idf(ids: Array, projects: Array, documents: Array, terms: int) -> NDArray[np.float64]:
    """The IDF of each entry in its own project."""
    keys = projects.astype(np.int64) * max(terms, 1) + ids
    _, place, frequency = np.unique(keys, return_inverse=True, return_counts=True)
    return _idf(documents[projects], frequency[place])
