"""Trees as columns: label codes in pre- and post-order, by size, with a bound on their similarity from label counts.

The edit distance is Myers' bit-parallel one (in blocks of 64, Hyyrö 2003), for many trees at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.features.similarity import D_T
from beryl.index.bags import mix, offsets_of, positions, row_sums
from beryl.index.tokens import LABEL_COUNT

Array = NDArray[Any]
# Trees compared at once; more would leave the processor's cache.
_BATCH = 4096
# Beyond this many words of 64 labels, Python's long integers are faster than a loop over blocks.
_MOST_BLOCKS = 12
_PADDING = LABEL_COUNT
_ONE = np.uint64(1)


@dataclass(frozen=True, slots=True)
class TreeColumn:
    """Trees, equal ones once, sorted by size; similarity is Eq. 3."""

    row_of: NDArray[np.int32]
    offsets: NDArray[np.int64]
    pre: NDArray[np.uint8]
    post: NDArray[np.uint8]
    histogram: NDArray[np.uint16]
    """(labels, rows): how often each label is in each tree."""

    @staticmethod
    def of(sizes: Array, pre: Array, post: Array) -> TreeColumn:
        """The column of trees in function order."""
        place = np.arange(len(pre), dtype=np.int64) - np.repeat(offsets_of(sizes)[:-1], sizes)
        keys = (place.astype(np.uint64) << np.uint64(9)) | pre
        hashes = row_sums(mix(keys) + mix(mix((keys ^ pre) | post | np.uint64(256))), sizes)
        order = np.lexsort((hashes, sizes))
        first = np.ones(len(order), dtype=np.bool_)
        first[1:] = (hashes[order][1:] != hashes[order][:-1]) | (sizes[order][1:] != sizes[order][:-1])
        row_of = np.empty(len(order), dtype=np.int32)
        row_of[order] = np.cumsum(first) - 1
        chosen = order[first]
        taken = positions(offsets_of(sizes), chosen)
        row_sizes = sizes[chosen]
        owners = np.repeat(np.arange(len(chosen), dtype=np.int64), row_sizes)
        counts = np.bincount(pre[taken].astype(np.int64) * len(chosen) + owners, minlength=LABEL_COUNT * len(chosen))
        histogram = np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16).reshape(LABEL_COUNT, -1)
        return TreeColumn(row_of, offsets_of(row_sizes), pre[taken], post[taken], histogram)

    def raw(self, functions: Array) -> tuple[Array, Array, Array]:
        """Sizes and codes of some functions, as `of` takes them."""
        rows = self.row_of[functions].astype(np.int64)
        taken = positions(self.offsets, rows)
        sizes = (self.offsets[rows + 1] - self.offsets[rows]).astype(np.int32)
        return sizes, self.pre[taken], self.post[taken]

    def observation(self, function: int) -> tuple[bytes, bytes]:
        """The tree of one function as codes in pre- and post-order."""
        _, pre, post = self.raw(np.array([function]))
        return pre.tobytes(), post.tobytes()

    def bounds(self, tree: tuple[bytes, bytes]) -> NDArray[np.float32]:
        """At least the similarity of a tree and every row: labels that are not in both must be edited."""
        size = len(tree[0])
        sizes = np.diff(self.offsets).astype(np.int32)
        larger, smaller = np.maximum(sizes, size), np.minimum(sizes, size)
        common = np.zeros(len(sizes), dtype=np.int32)
        for label, count in enumerate(np.bincount(np.frombuffer(tree[0], dtype=np.uint8)).tolist()):
            if count:
                common += np.minimum(self.histogram[label], count)
        rough = _rough(larger, smaller)
        found: NDArray[np.float32] = np.where(rough, smaller, common).astype(np.float32)
        np.divide(found, larger, out=found, where=larger > 0)
        found[larger == 0] = 1.0
        return found

    def similarities(self, tree: tuple[bytes, bytes], rows: Array | None = None) -> NDArray[np.float32]:
        """Eq. 3 of a tree and some rows, all where none are named."""
        chosen = np.arange(len(self.offsets) - 1) if rows is None else np.asarray(rows, dtype=np.int64)
        size = len(tree[0])
        sizes = (self.offsets[chosen + 1] - self.offsets[chosen]).astype(np.int32)
        larger, smaller = np.maximum(sizes, size), np.minimum(sizes, size)
        kept = smaller.astype(np.int64)
        close = np.flatnonzero(~_rough(larger, smaller) & (larger > 0))
        close = close[np.argsort(-sizes[close], kind="stable")]
        for start in range(0, len(close), _BATCH):
            part = close[start : start + _BATCH]
            offsets, lengths = self.offsets[chosen[part]], sizes[part]
            by_pre = edit_distances(tree[0], self.pre, offsets, lengths)
            by_post = edit_distances(tree[1], self.post, offsets, lengths)
            kept[part] = larger[part] - np.maximum(by_pre, by_post)
        found: NDArray[np.float32] = kept.astype(np.float32)
        np.divide(found, larger, out=found, where=larger > 0)
        found[larger == 0] = 1.0
        return found


def _rough(larger: Array, smaller: Array) -> NDArray[np.bool_]:
    """Which pairs differ so much in size that size alone is compared."""
    found: NDArray[np.bool_] = larger - smaller >= D_T * larger
    return found


def edit_distances(pattern: bytes, codes: Array, offsets: Array, lengths: Array) -> NDArray[np.int32]:
    """The edit distance of a pattern and each of many texts, which are sorted by falling length."""
    if len(pattern) > 64 * _MOST_BLOCKS:
        starts = zip(offsets.tolist(), lengths.tolist(), strict=True)
        found = [long_distance(pattern, codes[start : start + length].tobytes()) for start, length in starts]
        return np.array(found, dtype=np.int32)
    longest = int(lengths[0]) if len(lengths) else 0
    column = np.arange(longest)[:, None]
    text = np.where(column < lengths, codes[np.minimum(offsets + column, max(len(codes) - 1, 0))], _PADDING)
    active = np.searchsorted(-lengths, -np.arange(longest), side="left").tolist()
    return _blocks(pattern, text.astype(np.uint8), active, len(lengths))


def _blocks(pattern: bytes, text: NDArray[np.uint8], active: list[int], count: int) -> NDArray[np.int32]:
    """Myers' algorithm on (position, text); the first `active[j]` texts are longer than j."""
    blocks = -(-len(pattern) // 64)
    where = np.zeros((blocks, LABEL_COUNT + 1), dtype=np.uint64)
    for place, code in enumerate(pattern):
        where[place // 64, code] |= _ONE << np.uint64(place % 64)
    top = [np.uint64(63)] * (blocks - 1) + [np.uint64((len(pattern) - 1) % 64)]
    plus = np.full((blocks, count), ~np.uint64(0))
    minus = np.zeros((blocks, count), dtype=np.uint64)
    score = np.full(count, len(pattern), dtype=np.int32)
    for step, alive in enumerate(active):
        letters = text[step, :alive]
        carry_plus: Array | np.uint64 = _ONE
        carry_minus: Array | np.uint64 = np.uint64(0)
        for block in range(blocks):
            vertical_plus, vertical_minus = plus[block, :alive], minus[block, :alive]
            equal = where[block][letters]
            either = equal | vertical_minus
            equal = equal | carry_minus
            across = (((equal & vertical_plus) + vertical_plus) ^ vertical_plus) | equal
            up = vertical_minus | ~(across | vertical_plus)
            down = vertical_plus & across
            out_plus, out_minus = (up >> top[block]) & _ONE, (down >> top[block]) & _ONE
            up = (up << _ONE) | carry_plus
            down = (down << _ONE) | carry_minus
            plus[block, :alive] = down | ~(either | up)
            minus[block, :alive] = up & either
            carry_plus, carry_minus = out_plus, out_minus
        score[:alive] += np.asarray(carry_plus).astype(np.int32) - np.asarray(carry_minus).astype(np.int32)
    return score


def long_distance(pattern: bytes, text: bytes) -> int:
    """The same for one text, on Python's long integers."""
    where: dict[int, int] = {}
    for place, code in enumerate(pattern):
        where[code] = where.get(code, 0) | 1 << place
    mask, top = (1 << len(pattern)) - 1, len(pattern) - 1
    plus, minus, score = mask, 0, len(pattern)
    for code in text:
        equal = where.get(code, 0)
        either = equal | minus
        across = (((equal & plus) + plus) ^ plus) | equal
        up, down = minus | ~(across | plus) & mask, plus & across
        score += (up >> top & 1) - (down >> top & 1)
        up, down = up << 1 | 1, down << 1
        plus, minus = (down | ~(either | up)) & mask, up & either & mask
    return score
