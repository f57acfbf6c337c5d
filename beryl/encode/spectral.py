"""First weights of the graph autoencoder, from one pass over the data.

Random weights need thousands of steps before the inner product of two nodes says more than their commonest words.
Linear algebra gives a good start: of all linear maps of the twice averaged features, the one whose directions agree
most across edges (whitening, then principal directions of the correlation between the two ends of an edge). And
ReLU(x) - ReLU(-x) = x carries it through the hidden layer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from beryl.encode.batches import Batch, Corpus, require_finite, supervise
from beryl.encode.gcn import normalised_adjacency
from beryl.types import FloatArray

# Nodes are enough to estimate a few hundred directions.
MOST_NODES = 60_000
# Logit of an average edge at the start: large enough for gradients, far from saturation.
POSITIVE_LOGIT = 4.0
# Directions with less variance than this are noise.
LEAST_VARIANCE = 1e-5
# Lets the columns of the second layer that begin empty learn something.
NOISE = 0.005


Matrix = NDArray[np.float64]


class Start(NamedTuple):
    """First weights of the two layers."""

    first: FloatArray
    second: FloatArray


def spectral_start(corpus: Corpus, batches: Iterable[Batch], hidden: int, seed: int) -> Start:
    """Weights of both layers for features as wide as the corpus gives them."""
    generator = np.random.default_rng([seed, 5])
    square, edges, nodes, pairs = np.zeros(()), np.zeros(()), 0, 0
    for batch in batches:
        messages, positive = supervise(batch, generator)
        adjacency = normalised_adjacency(len(batch.nodes), messages[0], messages[1])
        averaged = (adjacency @ (adjacency @ require_finite(corpus.features(batch.nodes)))).astype(np.float64)
        square = square + averaged.T @ averaged
        edges = edges + averaged[positive[0]].T @ averaged[positive[1]]
        nodes, pairs = nodes + len(averaged), pairs + positive.shape[1]
        if nodes > MOST_NODES:
            break
    return _split(_agreeing(square / nodes, (edges + edges.T) / 2 / pairs, hidden // 2), hidden, generator)


def _agreeing(square: Matrix, edges: Matrix, most: int) -> Matrix:
    """The map whose directions agree most between the ends of an edge, each weighted by how much."""
    variances, axes = np.linalg.eigh(square)
    white = axes / np.sqrt(np.maximum(variances, LEAST_VARIANCE))
    agreement, turned = np.linalg.eigh(white.T @ edges @ white)
    order = np.argsort(agreement)[::-1][:most]
    order = order[agreement[order] > 0]
    weights = (white @ turned[:, order]) * np.sqrt(agreement[order])
    logit = max(float(np.trace(weights.T @ edges @ weights)), LEAST_VARIANCE)
    result: Matrix = weights * np.sqrt(POSITIVE_LOGIT / logit)
    return result


def _split(weights: Matrix, hidden: int, generator: np.random.Generator) -> Start:
    """The linear map as two layers with a ReLU between."""
    rank = weights.shape[1]
    first = np.zeros((len(weights), hidden), np.float32)
    second = generator.normal(0, NOISE, (hidden, hidden)).astype(np.float32)
    first[:, :rank], first[:, rank : 2 * rank] = weights, -weights
    places = np.arange(rank)
    second[places, places] += 1
    second[places + rank, places] -= 1
    return Start(first, second)
