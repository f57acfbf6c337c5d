"""Measures of a ranked list, under the names that ir_measures uses: RR, Success@k, AP; and F-rank (Beryllium §6.1.5).

A list is a tuple of gains, best rank first: the grade of the label that a result is the first to hit, 0 for no hit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

CUT = 100
"""Results below this rank do not count; the paper writes `>100`."""
BEYOND = CUT + 1
"""What `>100` counts as in a mean of F-ranks."""
BOOTSTRAP_ROUNDS = 2_000


def first_rank(gains: Sequence[int], least: int) -> int:
    """F-rank: the rank of the first result of at least this grade, BEYOND where there is none."""
    for rank, gain in enumerate(gains[:CUT], 1):
        if gain >= least:
            return rank
    return BEYOND


def reciprocal_rank(gains: Sequence[int], least: int) -> float:
    """RR: 1 / F-rank, 0 where nothing was found."""
    rank = first_rank(gains, least)
    return 0.0 if rank == BEYOND else 1.0 / rank


def success(gains: Sequence[int], least: int, k: int) -> float:
    """Success@k: 1 where the first k hold a hit."""
    return 1.0 if first_rank(gains, least) <= k else 0.0


def precision(gains: Sequence[int], least: int, k: int) -> float:
    """P@k: the share of the first k that are hits; a shorter list counts as if filled up with misses."""
    return sum(gain >= least for gain in gains[:k]) / k


def average_precision(gains: Sequence[int], least: int, relevant: int) -> float:
    """AP: the mean, over all relevant labels, of the precision at the rank where each is found."""
    found = 0
    total = 0.0
    for rank, gain in enumerate(gains[:CUT], 1):
        if gain >= least:
            found += 1
            total += found / rank
    return total / relevant if relevant else 0.0


def mean(values: Sequence[float]) -> float:
    """The plain mean, 0 for none."""
    return sum(values) / len(values) if values else 0.0


def bootstrap(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """The 95% percentile interval of the mean over resampled queries."""
    import numpy as np

    if not values:
        return 0.0, 0.0
    array = np.asarray(values, dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(array), size=(BOOTSTRAP_ROUNDS, len(array)))
    low, high = np.percentile(array[draws].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def paired_p_value(first: Sequence[float], second: Sequence[float], seed: int = 0) -> float:
    """Two-sided randomisation test of the difference of two means over the same queries."""
    import numpy as np

    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    observed = abs(float(difference.mean()))
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), size=(10_000, len(difference)))
    means = np.abs((signs * difference).mean(axis=1))
    return float((np.count_nonzero(means >= observed - 1e-12) + 1) / (len(means) + 1))


MEASURES: dict[str, Callable[[Sequence[int], int, int], float]] = {
    "RR": lambda gains, least, relevant: reciprocal_rank(gains, least),
    "Success@1": lambda gains, least, relevant: success(gains, least, 1),
    "Success@5": lambda gains, least, relevant: success(gains, least, 5),
    "Success@10": lambda gains, least, relevant: success(gains, least, 10),
    "Success@25": lambda gains, least, relevant: success(gains, least, 25),
    "AP": average_precision,
}
