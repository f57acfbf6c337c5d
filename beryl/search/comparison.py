"""One function against all of an index: the similarity in every feature-class, and the k best by Eq. 2.

Trees are the only costly class. Their similarity is bounded from label counts; functions are taken in the order of the
bound of the whole score until no other can reach the k best. The result is that of comparing everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.features import FEATURES, feature_classes
from beryl.features.facts import Facts
from beryl.features.similarity import Tree
from beryl.index.bags import TermColumn
from beryl.index.observations import Column, Observations
from beryl.index.tokens import label_codes, token_hash
from beryl.index.trees import TreeColumn
from beryl.rank import select

Array = NDArray[Any]
Hashed = dict[int, Any] | tuple[bytes, bytes] | bytes
"""An observation as the columns know it: token hashes with counts or weights, label codes, or a vector."""

# How many trees are compared at first, and by how much more each time the bound does not yet hold.
_FIRST_LOOK = 256
_GROWTH = 4


def of_index(table: Observations, function: int) -> dict[str, Hashed]:
    """The observations of a function of the index."""
    return {name: table.columns[name].observation(function) for name in FEATURES}


def of_facts(table: Observations, facts: Facts) -> dict[str, Hashed]:
    """The observations of a function that is not in the index."""
    found: dict[str, Hashed] = {}
    for feature in feature_classes():
        observation = feature.observe(facts)
        if isinstance(observation, Tree):
            found[feature.name] = (label_codes(observation.pre), label_codes(observation.post))
            continue
        if isinstance(observation, bytes):
            found[feature.name] = observation
            continue
        hashed = {token_hash(token): count for token, count in observation.items()}
        column = table.columns[feature.name]
        found[feature.name] = column.weighted(hashed) if isinstance(column, TermColumn) else hashed
    return found


@dataclass(slots=True)
class Comparison:
    """The similarities of one query and all functions, by class; trees only as far as they were asked for."""

    table: Observations
    query: Mapping[str, Hashed]
    _rows: dict[str, Array] = field(default_factory=dict)
    _bounds: dict[str, Array] = field(default_factory=dict)

    def exact(self, name: str, functions: Array) -> NDArray[np.float32]:
        """The similarity of the query and some functions in one class."""
        column = self.table.columns[name]
        if not isinstance(column, TreeColumn):
            return self._by_row(name)[self._row(column, functions)]
        wanted = column.row_of[functions]
        known = self._rows.setdefault(name, np.full(len(column.offsets) - 1, np.nan, dtype=np.float32))
        missing = np.unique(wanted[np.isnan(known[wanted])])
        if len(missing):
            known[missing] = column.similarities(self.query[name], missing)  # type: ignore[arg-type]
        found: NDArray[np.float32] = known[wanted]
        return found

    def everywhere(self, name: str) -> NDArray[np.float32]:
        """The similarity of the query and every function in one class, exact."""
        return self.exact(name, np.arange(self.table.functions))

    def bound(self, name: str) -> NDArray[np.float32]:
        """At least the similarity of the query and every function in one class; exact but for trees."""
        column = self.table.columns[name]
        if not isinstance(column, TreeColumn):
            values = self._by_row(name)
            return values if isinstance(column, TermColumn) else values[column.row_of]
        if name not in self._bounds:
            self._bounds[name] = column.bounds(self.query[name])  # type: ignore[arg-type]
        found: NDArray[np.float32] = self._bounds[name][column.row_of]
        return found

    def sampled(self) -> dict[str, NDArray[np.float32]]:
        """The similarities of the query and the functions of the sample."""
        return {name: self.exact(name, self.table.sample) for name in FEATURES}

    def empty(self) -> set[str]:
        """The classes that see nothing in the query; a tree without nodes is an observation, it says "no loops"."""
        return {name for name, seen in self.query.items() if not isinstance(seen, tuple) and not seen}

    def _by_row(self, name: str) -> NDArray[np.float32]:
        if name not in self._rows:
            self._rows[name] = self.table.columns[name].similarities(self.query[name])  # type: ignore[arg-type]
        return self._rows[name]

    @staticmethod
    def _row(column: Column, functions: Array) -> Array:
        return functions if isinstance(column, TermColumn) else column.row_of[functions]

    def scores(self, weights: Mapping[str, float], functions: Array) -> NDArray[np.float64]:
        """Eq. 2 of the query and some functions, exact."""
        used = {name: self.exact(name, functions) for name, weight in weights.items() if weight > 0}
        return select.combined(used or {"": np.zeros(len(functions))}, dict(weights))

    def best(self, weights: Mapping[str, float], k: int, allowed: NDArray[np.bool_]) -> tuple[Array, Array]:
        """The k functions with the highest scores, best first, of equals the first in the index; and their scores."""
        if not allowed.any():
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        used = [name for name, weight in weights.items() if weight > 0]
        bounds = select.combined({name: self.bound(name) for name in used}, dict(weights))
        bounds[~allowed] = -1.0
        count = min(len(bounds), int(np.count_nonzero(allowed)))
        look = min(max(_FIRST_LOOK, 2 * k), count)
        while True:
            chosen = _largest(bounds, look)
            scores = self.scores(weights, chosen)
            order = np.lexsort((chosen, -scores))[:k]
            if look >= count:
                break
            reach = int(np.count_nonzero(bounds >= scores[order[-1]])) if len(order) == k else count
            if reach <= look:
                break
            look = min(count, reach, look * _GROWTH)
        return chosen[order], scores[order]

    def plain_best(self, weights: Mapping[str, float], k: int, allowed: NDArray[np.bool_]) -> tuple[Array, Array]:
        """The same by comparing everything: the oracle of `best`."""
        functions = np.flatnonzero(allowed)
        scores = self.scores(weights, functions)
        order = np.lexsort((functions, -scores))[:k]
        return functions[order], scores[order]


def _largest(values: Array, count: int) -> Array:
    """The positions of the largest values and of all that equal the smallest of them."""
    if count >= len(values):
        return np.flatnonzero(values >= 0)
    limit = np.partition(values, len(values) - count)[len(values) - count]
    return np.flatnonzero((values >= limit) & (values >= 0))
