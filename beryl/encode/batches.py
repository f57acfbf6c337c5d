"""Data of the graph autoencoder: functions of a corpus in batches of whole graphs, splits, and negative pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from beryl.errors import InputError, ModelError
from beryl.types import FloatArray, IntArray

# Of all projects one in five is never trained on; of the rest, one batch in five only validates (8:2, §6.1.2).
HELD_OUT = 0.2
# Edges of a graph that are predicted; the others carry messages. The same 8:2.
SUPERVISED = 0.2
# Entry, exit and one statement say nothing of structure.
_TRIVIAL = 3


@dataclass(frozen=True)
class Corpus:
    """Functions as ranges of nodes with their edges; columns may be memory-mapped, features come a batch at a time."""

    first_node: NDArray[np.int64]
    """n + 1 boundaries of the functions."""
    project: NDArray[np.int32]
    """By function."""
    projects: tuple[str, ...]
    edge_offsets: NDArray[np.int64]
    edge_target: NDArray[np.int32]
    features: Callable[[IntArray], FloatArray]
    """X of some nodes, row-normalised."""


@dataclass(frozen=True)
class Split:
    """Functions by use."""

    train: IntArray
    validation: IntArray
    test: IntArray
    test_projects: tuple[str, ...]


@dataclass(frozen=True)
class Batch:
    """Some whole functions as one graph: node ids of the corpus, and simple undirected edges between positions."""

    nodes: IntArray
    function: IntArray
    """By node, which function of the batch."""
    edges: IntArray
    """(2, n), the smaller end first."""


def sample(corpus: Corpus, functions: IntArray, most: int, seed: int) -> IntArray:
    """Some of the functions, together not much more than `most` nodes (all where it is 0), in random order: the same
    order whatever else is asked for, so that models of one corpus share most of their texts."""
    order = np.random.default_rng([seed, 11]).permutation(len(corpus.first_node) - 1)
    mixed: IntArray = order[np.isin(order, functions)]
    sizes = corpus.first_node[mixed + 1] - corpus.first_node[mixed]
    useful = sizes > _TRIVIAL
    mixed, sizes = mixed[useful], sizes[useful]
    return mixed[: 1 + int(np.searchsorted(np.cumsum(sizes), most))] if most else mixed


def split(corpus: Corpus, functions: IntArray, most: int, seed: int) -> Split:
    """Whole projects for the test, the other functions 8:2 for training and validation."""
    if not len(functions):
        raise InputError("the corpus holds no function of that language; name another folder or --language")
    if len(functions) == 1:
        raise InputError("the corpus holds a single function; training needs some to learn from and some to check on")
    present = np.unique(corpus.project[functions])
    mixed = np.random.default_rng([seed, 7]).permutation(present)
    chosen = np.sort(mixed[: round(len(present) * HELD_OUT)]) if len(present) > 1 else mixed[:0]
    chosen = mixed[:1] if len(present) > 1 and not len(chosen) else chosen
    held = np.isin(corpus.project[functions], chosen)
    test = sample(corpus, functions[held], int(most * HELD_OUT), seed)
    rest = sample(corpus, functions[~held], most, seed)
    cut = max(1, round(len(rest) * HELD_OUT)) if len(rest) > 1 else 0
    return Split(rest[cut:], rest[:cut], test, tuple(corpus.projects[i] for i in chosen))


def shuffled(corpus: Corpus, functions: IntArray, block: int, generator: np.random.Generator) -> IntArray:
    """The functions in random order, but in blocks of one project (a block of 1 mixes all)."""
    mixed: IntArray = generator.permutation(functions)
    mixed = mixed[np.argsort(corpus.project[mixed], kind="stable")] if block > 1 else mixed
    place = np.arange(len(mixed)) // block
    return mixed[np.argsort(generator.permutation(len(mixed) // block + 1)[place], kind="stable")]


def batches(corpus: Corpus, functions: IntArray, edges: int) -> Iterator[Batch]:
    """Consecutive functions as batches of up to about `edges` edges; a larger function is a batch of its own."""
    start, total = 0, 0
    sizes = corpus.edge_offsets[corpus.first_node[functions + 1]] - corpus.edge_offsets[corpus.first_node[functions]]
    for position, size in enumerate(sizes.tolist()):
        if total and total + size > edges:
            yield batch_of(corpus, functions[start:position])
            start, total = position, 0
        total += size
    if total:
        yield batch_of(corpus, functions[start:])


def batch_of(corpus: Corpus, functions: IntArray) -> Batch:
    """The graph of some functions; calls between two of them are edges, calls to others are cut."""
    owner, nodes = _runs(corpus.first_node[functions], corpus.first_node[functions + 1])
    source, places = _runs(corpus.edge_offsets[nodes], corpus.edge_offsets[nodes + 1])
    target = corpus.edge_target[places].astype(np.int64)
    order = np.argsort(nodes)
    inside = order[np.minimum(np.searchsorted(nodes, target, sorter=order), len(nodes) - 1)]
    kept = (nodes[inside] == target) & (inside != source)
    ends = np.sort(np.stack([source[kept], inside[kept]]), axis=0)
    keys = np.unique(ends[0] * len(nodes) + ends[1])
    return Batch(nodes, owner, np.stack([keys // len(nodes), keys % len(nodes)]))


def _runs(starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
    """The numbers of all ranges start..end one after the other, each with the number of its range."""
    sizes = ends - starts
    owner = np.repeat(np.arange(len(sizes)), sizes)
    first = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    return owner, np.arange(len(owner)) - first[owner] + starts[owner]


def supervise(batch: Batch, generator: np.random.Generator) -> tuple[IntArray, IntArray]:
    """The edges cut in two: those that carry messages and those that are predicted."""
    chosen = np.zeros(batch.edges.shape[1], dtype=np.bool_)
    count = min(max(1, round(len(chosen) * SUPERVISED)), len(chosen))
    chosen[generator.permutation(len(chosen))[:count]] = True
    return batch.edges[:, ~chosen], batch.edges[:, chosen]


def uniform_negatives(batch: Batch, count: int, generator: np.random.Generator) -> IntArray:
    """Pairs of different nodes without an edge, anywhere in the batch."""
    total = len(batch.nodes)
    return without_edges(generator.integers(0, total, (2, 2 * count + 16)), batch.edges, total, count)


def function_negatives(batch: Batch, count: int, generator: np.random.Generator) -> IntArray:
    """Pairs of different nodes without an edge that lie in the same function."""
    first = generator.integers(0, len(batch.nodes), 2 * count + 16)
    starts = np.searchsorted(batch.function, batch.function[first])
    ends = np.searchsorted(batch.function, batch.function[first], side="right")
    second = starts + (generator.random(len(first)) * (ends - starts)).astype(np.int64)
    return without_edges(np.stack([first, second]), batch.edges, len(batch.nodes), count)


def without_edges(pairs: IntArray, edges: IntArray, total: int, count: int) -> IntArray:
    """The first `count` of some pairs of `total` nodes that are of two nodes and no edges."""
    pairs = np.sort(pairs, axis=0)
    low, high = np.sort(edges, axis=0)
    taken = np.isin(pairs[0] * total + pairs[1], low * total + high)
    return pairs[:, ~taken & (pairs[0] != pairs[1])][:, :count]


def require_finite(features: FloatArray) -> FloatArray:
    """The features, unless they hold NaN."""
    if not np.isfinite(features).all():
        raise ModelError("the features hold NaN or infinity; the encoder's weights are damaged, fetch them again")
    return features
