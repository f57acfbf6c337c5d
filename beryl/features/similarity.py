"""The similarity functions of Source Forager, Eqs. 1, 3 and 4 and the cosine, plain: the oracle of the columns.

Two empty sets, multisets or vectors score 0: Eqs. 1 and 4 and the cosine are 0/0 there, and what two functions both
lack says nothing about what they do. Two empty trees score 1: in the paper functions without loops and conditionals
"look identical" (§III-B).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

D_T = 0.5
"""Trees whose sizes differ by this part are compared by size alone (§III-A)."""


class Tree(NamedTuple):
    """A tree as the labels of its pre-order and of its post-order traversal."""

    pre: tuple[str, ...]
    post: tuple[str, ...]


def jaccard(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    """Eq. 1 over the tokens; how often they occur does not matter."""
    common = len(first.keys() & second.keys())
    either = len(first) + len(second) - common
    return common / either if either else 0.0


def generalised_jaccard(first: Mapping[str, int], second: Mapping[str, int]) -> float:
    """Eq. 4: sums of minima over sums of maxima."""
    least = sum(min(count, second[token]) for token, count in first.items() if token in second)
    most = sum(first.values()) + sum(second.values()) - least
    return least / most if most else 0.0


def cosine(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """The cosine of two weighted sets of terms."""
    if not first or not second:
        return 0.0
    product = sum(weight * second[term] for term, weight in first.items() if term in second)
    lengths = math.sqrt(sum(w * w for w in first.values())) * math.sqrt(sum(w * w for w in second.values()))
    return min(1.0, product / lengths)


def vector_cosine(first: bytes, second: bytes) -> float:
    """The cosine of two vectors of int8; what points away is as unlike as what has nothing in common."""
    if not any(first) or not any(second):
        return 0.0
    a, b = memoryview(first).cast("b"), memoryview(second).cast("b")
    product = sum(x * y for x, y in zip(a, b, strict=True))
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b))
    return min(1.0, max(0.0, product / lengths))


def tree_similarity(first: Tree, second: Tree) -> float:
    """Eq. 3 with the approximation of the tree edit distance by pre- and post-order."""
    larger = max(len(first.pre), len(second.pre))
    if not larger:
        return 1.0
    rough = abs(len(first.pre) - len(second.pre)) / larger
    if rough >= D_T:
        return 1.0 - rough
    distance = max(edit_distance(first.pre, second.pre), edit_distance(first.post, second.post))
    return 1.0 - distance / larger


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The word edit distance: insertions, deletions and replacements of one word."""
    row = list(range(len(second) + 1))
    for i, word in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]
