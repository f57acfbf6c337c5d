"""Byte positions of a file's nodes -> their lines, and the node around a position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from beryl.lang.flow import EXIT, FlowGraph


class Places:
    """Where the nodes of one file are; entries and exits have a place but are around nothing."""

    def __init__(self, graph: FlowGraph) -> None:
        self._start: NDArray[np.int64] = np.array(graph.start, dtype=np.int64)
        self._end: NDArray[np.int64] = np.array(graph.end, dtype=np.int64)
        inner = (np.array(bytearray(graph.kind)) > EXIT).nonzero()[0]
        self._order = inner[self._start[inner].argsort(kind="stable")]
        self._opened, self._closed = self._start[self._order], self._end[self._order]
        self._reach = np.maximum.accumulate(self._closed)

    def innermost(self, positions: Sequence[int]) -> list[int]:
        """For each position the innermost node around it, -1 where there is none."""
        if not len(self._order) or not positions:
            return [-1] * len(positions)
        places = np.array(positions, dtype=np.int64)
        last = self._opened.searchsorted(places, "right") - 1
        around = (last >= 0) & (self._reach[last] > places)
        beside = around & (self._closed[last] <= places)
        for index in beside.nonzero()[0].tolist():  # after a node that is inside the one that is looked for
            place, position = last[index] - 1, places[index]
            while self._closed[place] <= position:
                place -= 1
            last[index] = place
        result: list[int] = np.where(around, self._order[last], -1).tolist()
        return result

    def lines(self, text: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First and last line of each node, from 1."""
        breaks = (np.frombuffer(text, dtype=np.uint8) == ord("\n")).nonzero()[0]
        last = self._end - (self._end > self._start)
        return breaks.searchsorted(self._start) + 1, breaks.searchsorted(last) + 1
