"""Trains the network of `beryl.features.network`: bodies close to their names, and to bodies of that name elsewhere.

Two contrastive losses (InfoNCE, both directions): bodies and names among functions of a few projects, so that knowing
the project does not help; and pairs of bodies from two projects whose names have the same words.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import InputError

HIDDEN, DIM = 192, 128
BODY, NAME = ("i", "s", "c"), ("w", "g")
RUNS_WEIGHT = 0.3
"""As in `beryl.features.network`."""
_PROJECTS, _OF_EACH, _PAIRS, _LEAST_OF_PROJECT = 6, 112, 320, 64
# How often a whole group of tokens is hidden, so that none is relied on alone, and a single token.
_GROUP_DROPPED, _TOKEN_DROPPED = {"i": 0.35, "s": 0.1, "c": 0.6}, {"i": 0.15, "s": 0.3, "c": 0.15}
_COMMON, _FEW = 0.04, 8
_LEAST_TOKENS = 12
_REPORT_EVERY = 50
_RATE, _WARM_UP, _SHARPNESS, _SHARPEST = 4e-3, 100, 14.0, 60.0

Array = NDArray[Any]


@dataclass(frozen=True)
class Data:
    """Token ids of functions by group, the size of each group's vocabulary, projects, and who may be learned from."""

    offsets: Mapping[str, Array]
    ids: Mapping[str, Array]
    sizes: Mapping[str, int]
    projects: Array
    usable: Array


def without_project_words(data: Data) -> Data:
    """Names without the words that many names of their project have: its prefix says nothing about a function."""
    count = len(data.projects)
    owner = np.repeat(np.arange(count), np.diff(data.offsets["w"]))
    key = data.projects[owner] * data.sizes["w"] + data.ids["w"]
    _, place, times = np.unique(key, return_inverse=True, return_counts=True)
    often = times[place]
    kept = (often < _COMMON * np.bincount(data.projects)[data.projects[owner]]) | (often < _FEW)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=count))])
    return Data(
        {**data.offsets, "w": offsets}, {**data.ids, "w": data.ids["w"][kept]}, data.sizes, data.projects, data.usable
    )


class Sampler:
    """Draws what a step learns from."""

    def __init__(self, data: Data, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        usable = data.usable & (np.diff(data.offsets["w"]) > 0) & (np.diff(data.offsets["s"]) > _LEAST_TOKENS)
        known = np.flatnonzero(usable)
        words = data.offsets["w"]
        self.key = {f: tuple(sorted(data.ids["w"][words[f] : words[f + 1]].tolist())) for f in known.tolist()}
        by_project: dict[int, list[int]] = defaultdict(list)
        by_name: dict[tuple[int, ...], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for function, key in self.key.items():
            project = int(data.projects[function])
            by_project[project].append(function)
            by_name[key][project].append(function)
        self.projects = [np.array(rows) for rows in by_project.values() if len(rows) >= _LEAST_OF_PROJECT]
        self.named = [[np.array(rows) for rows in each.values()] for each in by_name.values() if len(each) > 1]
        if not self.projects or not self.named:
            raise InputError(
                f"too little to learn from: {len(self.projects)} projects have {_LEAST_OF_PROJECT} functions, and "
                f"{len(self.named)} names are in two projects"
            )
        size = np.array([min(len(rows), 1_500) for rows in self.projects], dtype=float) ** 0.7
        self.project_odds = size / size.sum()
        spread = np.array([min(len(each), 6) for each in self.named], dtype=float)
        self.name_odds = spread / spread.sum()

    def batch(self) -> Array:
        """Functions of a few projects."""
        count = min(_PROJECTS, len(self.projects))
        chosen = self.random.choice(len(self.projects), count, p=self.project_odds, replace=False)
        parts = [self.projects[c] for c in chosen]
        return np.unique(np.concatenate([self.random.choice(p, min(len(p), _OF_EACH), replace=False) for p in parts]))

    def pairs(self) -> tuple[Array, Array]:
        """Functions of the same name in two projects each."""
        count = min(_PAIRS, len(self.named))
        first, second = [], []
        for chosen in self.random.choice(len(self.named), count, p=self.name_odds, replace=False):
            held = self.named[chosen]
            a, b = self.random.choice(len(held), 2, replace=False)
            first.append(self.random.choice(held[a]))
            second.append(self.random.choice(held[b]))
        return np.array(first), np.array(second)

    def alike(self, functions: Array) -> Array:
        """Which others have the same name: neither right nor wrong answers."""
        numbers: dict[tuple[int, ...], int] = {}
        key = np.array([numbers.setdefault(self.key[f], len(numbers)) for f in functions.tolist()])
        same: Array = key[:, None] == key[None, :]
        np.fill_diagonal(same, False)
        return same


class Learner:
    """The tables and layers, with what a step does to them."""

    def __init__(self, data: Data, begin: Mapping[str, Array]) -> None:
        import torch
        from torch import nn

        torch.manual_seed(0)
        self.data = without_project_words(data)
        self.sampler = Sampler(self.data)
        widths = {**dict.fromkeys(BODY, HIDDEN), **dict.fromkeys(NAME, DIM)}
        self.tables = {g: nn.EmbeddingBag(data.sizes[g], widths[g], mode="sum", sparse=True) for g in (*BODY, *NAME)}
        for table in self.tables.values():
            nn.init.normal_(table.weight, std=0.1)
        self.hidden, self.out = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, DIM, bias=False)
        self.sharpness = nn.Parameter(torch.full((2,), math.log(_SHARPNESS)))
        layers = {"hidden": self.hidden.weight, "bias": self.hidden.bias, "out": self.out.weight}
        self.parameters = {group: table.weight for group, table in self.tables.items()} | layers
        with torch.no_grad():
            for name, value in begin.items():
                self.parameters[name].copy_(torch.from_numpy(value))
        sparse = torch.optim.SparseAdam([table.weight for table in self.tables.values()], lr=_RATE)
        dense = torch.optim.Adam([*layers.values(), self.sharpness], lr=_RATE)
        self.optimizers = ((sparse, 1.0), (dense, 0.25))

    def summed(self, group: str, rows: Array, dropped: float = 0.0) -> Any:  # noqa: ANN401 - a tensor
        """The vectors of a group of tokens of each function, added up, over the root of their number."""
        import torch

        ids, starts, sizes = _drawn(self.data, group, rows, dropped, self.sampler.random)
        weight = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
        first, second, third = (torch.from_numpy(each) for each in (ids, starts, weight))
        return self.tables[group](first, second, per_sample_weights=third)

    def bodies(self, rows: Array) -> Any:  # noqa: ANN401
        """The vectors of bodies, some groups hidden."""
        import torch
        from torch.nn import functional

        total = 0
        for group in BODY:
            shown = (self.sampler.random.random((len(rows), 1)) >= _GROUP_DROPPED[group]).astype(np.float32)
            total = total + self.summed(group, rows, _TOKEN_DROPPED[group]) * torch.from_numpy(shown)
        return functional.normalize(self.out(total + torch.relu(self.hidden(total))), dim=1)

    def names(self, rows: Array) -> Any:  # noqa: ANN401
        """The vectors of names."""
        from torch.nn import functional

        return functional.normalize(self.summed("w", rows) + RUNS_WEIGHT * self.summed("g", rows), dim=1)

    def loss(self, first: Any, second: Any, rows: Array, which: int) -> Any:  # noqa: ANN401
        """InfoNCE in both directions; others of the same name are neither right nor wrong."""
        import torch
        from torch.nn import functional

        scores = first @ second.T * self.sharpness[which].exp().clamp(max=_SHARPEST)
        scores = scores.masked_fill(torch.from_numpy(self.sampler.alike(rows)), -1e4)
        right = torch.arange(len(rows))
        return (functional.cross_entropy(scores, right) + functional.cross_entropy(scores.T, right)) / 2

    def step(self, rate: float) -> tuple[float, float]:
        """Learn from one batch; both losses."""
        rows = self.sampler.batch()
        first, second = self.sampler.pairs()
        both = self.bodies(np.concatenate([first, second]))
        by_name = self.loss(self.bodies(rows), self.names(rows), rows, 0)
        by_pair = self.loss(both[: len(first)], both[len(first) :], first, 1)
        for optimizer, part in self.optimizers:
            optimizer.zero_grad()
            for each in optimizer.param_groups:
                each["lr"] = rate * part
        (by_name + by_pair).backward()
        for optimizer, _ in self.optimizers:
            optimizer.step()
        return by_name.item(), by_pair.item()


def train(
    data: Data, seconds: float, report: Callable[[str], None], begin: Mapping[str, Array] | None = None
) -> dict[str, Array]:
    """Vectors of all tokens and the layers, from `begin` on if given; the learning rate falls to a tenth."""
    learner = Learner(data, begin or {})
    start, step = time.monotonic(), 0
    while (spent := (time.monotonic() - start) / seconds) < 1:
        by_name, by_pair = learner.step(_RATE * min(1.0, step / _WARM_UP + 0.05) * (1 - 0.9 * spent))
        step += 1
        if step % _REPORT_EVERY == 0:
            report(f"step {step}: body and name {by_name:.3f}, two bodies {by_pair:.3f}")
    return {name: value.detach().numpy() for name, value in learner.parameters.items()}


def _drawn(data: Data, group: str, rows: Array, dropped: float, random: np.random.Generator) -> tuple[Array, ...]:
    """The token ids of some functions, where each begins, and how many it has left."""
    sizes = data.offsets[group][rows + 1] - data.offsets[group][rows]
    starts = np.cumsum(sizes) - sizes
    ids = data.ids[group][np.arange(sizes.sum()) + np.repeat(data.offsets[group][rows] - starts, sizes)]
    kept = random.random(len(ids)) >= dropped
    sizes = np.bincount(np.repeat(np.arange(len(rows)), sizes)[kept], minlength=len(rows))
    return ids[kept].astype(np.int64), (np.cumsum(sizes) - sizes).astype(np.int64), sizes


def packed(learned: Mapping[str, Array], vocabulary: Mapping[str, list[str]]) -> dict[str, Array]:
    """What `beryl.features.network` reads: int8 with a scale per row, and the tokens in the order of the rows."""
    found = {name: learned[name].astype(np.float32) for name in ("hidden", "bias", "out")}
    for name, groups in (("body", BODY), ("name", NAME)):
        rows = np.concatenate([learned[group][: len(vocabulary[group])] for group in groups]).astype(np.float32)
        scale = np.maximum(np.abs(rows).max(axis=1), 1e-6) / 127
        found[name] = np.rint(rows / scale[:, None]).astype(np.int8)
        found[f"{name}_scale"] = scale.astype(np.float32)
    tokens = "\n".join(token for group in (*BODY, *NAME) for token in vocabulary[group])
    return found | {"vocabulary": np.frombuffer(tokens.encode(), dtype=np.uint8)}
