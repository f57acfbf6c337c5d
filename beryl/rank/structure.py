"""Loop nests, branches and operators of two pieces of code, compared without a word of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beryl.types import NodeKind

DEEPEST = 3
"""Loop nests deeper than this count as this deep."""


@dataclass(frozen=True, slots=True)
class Step:
    """A node as far as structure goes."""

    kind: NodeKind
    depth: int
    operators: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """What a piece of code looks like from afar."""

    skeleton: Counter[tuple[int, ...]]
    """(kind of the enclosing loop or branch, own kind, loop nest) of loops, branches and returns."""
    operators: Counter[tuple[int, ...]]
    """(operator class, loop nest)."""
    loops: int
    nest: int
    branches: int
    returns: int
    steps: int
    recursive: bool


def structure(steps: Sequence[Step], recursive: bool) -> Structure:
    """The structure of nodes in source order; an entered loop or branch is one whose depth is below the node's."""
    skeleton: Counter[tuple[int, ...]] = Counter()
    operators: Counter[tuple[int, ...]] = Counter()
    open_: list[tuple[int, int, int]] = []  # kind, depth, loops around what is inside
    deepest = 0
    for step in steps:
        while open_ and open_[-1][1] >= step.depth:
            open_.pop()
        parent, _, around = open_[-1] if open_ else (0, 0, 0)
        nest = min(around, DEEPEST)
        if any(step.operators):
            for position, count in enumerate(step.operators):
                if count:
                    operators[position, nest] += count
        if step.kind is NodeKind.LOOP or step.kind is NodeKind.CONDITION:
            skeleton[parent, int(step.kind), nest] += 1
            loop = step.kind is NodeKind.LOOP
            open_.append((int(step.kind), step.depth, around + loop))
            if loop:
                deepest = max(deepest, nest + 1)
        elif step.kind is NodeKind.RETURN:
            skeleton[parent, int(step.kind), nest] += 1
    kinds = Counter(step.kind for step in steps)
    counts = (kinds[NodeKind.LOOP], deepest, kinds[NodeKind.CONDITION], kinds[NodeKind.RETURN])
    return Structure(skeleton, operators, *counts, len(steps), recursive)


def overlap(first: Mapping[tuple[int, ...], int], second: Mapping[tuple[int, ...], int]) -> float:
    """Weighted Jaccard: what both have over what either has; 1 for two empty ones."""
    either = sum((max(first.get(key, 0), second.get(key, 0)) for key in {*first, *second}), 0)
    both = sum(min(count, second.get(key, 0)) for key, count in first.items())
    return both / either if either else 1.0


def contained(first: Mapping[tuple[int, ...], int], second: Mapping[tuple[int, ...], int]) -> float:
    """How much of the first the second has; 1 for an empty first."""
    total = sum(first.values())
    return sum(min(count, second.get(key, 0)) for key, count in first.items()) / total if total else 1.0


def nearness(first: float, second: float) -> float:
    """1 for equal counts, falling with their ratio."""
    return (min(first, second) + 1) / (max(first, second) + 1)


def compare(query: Structure, code: Structure) -> dict[str, float]:
    """Named likenesses in [0, 1]."""
    return {
        "skeleton": overlap(query.skeleton, code.skeleton),
        "skeleton held": contained(query.skeleton, code.skeleton),
        "operators": overlap(query.operators, code.operators),
        "operators held": contained(query.operators, code.operators),
        "loops": nearness(query.loops, code.loops),
        "nest": nearness(query.nest, code.nest),
        "branches": nearness(query.branches, code.branches),
        "size": nearness(query.steps, code.steps),
        "recursion": float(query.recursive == code.recursive),
    }
