"""The columns of an index as they are in memory: NumPy arrays, memory-mapped; ids are positions.

Order is fixed: projects by name, files by (project, path), functions by (file, start byte), nodes by function.
Texts are unique normalised statements sorted by their 64-bit content hash, so ids do not depend on history.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class StringColumn(Sequence[str]):
    """Strings as one UTF-8 buffer and offsets; `len(offsets) == len(self) + 1`."""

    offsets: NDArray[np.int64]
    buffer: NDArray[np.uint8]

    @staticmethod
    def of(values: Sequence[str]) -> StringColumn:
        """The column that holds these strings."""
        encoded = [value.encode("utf-8", "surrogatepass") for value in values]
        lengths = np.fromiter((len(item) for item in encoded), dtype=np.int64, count=len(encoded))
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])
        return StringColumn(offsets, np.frombuffer(b"".join(encoded), dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, position: int) -> str: ...

    @overload
    def __getitem__(self, position: slice) -> list[str]: ...

    def __getitem__(self, position: int | slice) -> str | list[str]:
        if isinstance(position, slice):
            first, last, step = position.indices(len(self))
            if step != 1:
                return [self[i] for i in range(first, last, step)]
            return list(self.part(slice(first, last)))
        if position < 0:
            position += len(self)
        start, end = int(self.offsets[position]), int(self.offsets[position + 1])
        return self.buffer[start:end].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        """All strings, decoded in one pass."""
        first = int(self.offsets[0])
        data = self.buffer[first : int(self.offsets[-1])].tobytes()
        bounds = (self.offsets - first).tolist()
        return _cut(data, bounds[:-1], bounds[1:])

    def where(self, chosen: NDArray[np.bool_]) -> list[str]:
        """The strings at the positions that are chosen."""
        bounds = self.offsets - self.offsets[0]
        data = self.buffer[int(self.offsets[0]) : int(self.offsets[-1])].tobytes()
        return list(_cut(data, bounds[:-1][chosen].tolist(), bounds[1:][chosen].tolist()))

    def part(self, rows: slice) -> StringColumn:
        """Consecutive strings as a column of their own, on the same buffer."""
        return StringColumn(self.offsets[rows.start : max(rows.start, rows.stop) + 1], self.buffer)


def _cut(data: bytes, starts: list[int], ends: list[int]) -> Iterator[str]:
    pieces = map(slice, starts, ends)
    if data.isascii():
        return map(data.decode("ascii").__getitem__, pieces)
    return (data[piece].decode("utf-8", "surrogatepass") for piece in pieces)


@dataclass(frozen=True, slots=True)
class FileTable:
    """Source files."""

    project: NDArray[np.int32]
    path: StringColumn
    """Relative to the project's folder, with `/`."""
    language: NDArray[np.uint8]
    """`Language.code`."""
    digest: NDArray[np.uint64]
    """(n, 2): 128-bit content hash (blake2b) of the bytes on disk."""
    lines: NDArray[np.int32]
    parse_errors: NDArray[np.int32]
    first_function: NDArray[np.int64]
    """n + 1 boundaries into the functions."""
    source_offsets: NDArray[np.int64]
    source_bytes: NDArray[np.uint8]
    """zlib-compressed UTF-8 text of each file: the snippets; read through `Index.source(file)`."""


@dataclass(frozen=True, slots=True)
class FunctionTable:
    """Functions, methods, lambdas, initialisers; see FunctionRow for each column."""

    file: NDArray[np.int32]
    name: StringColumn
    qualified: StringColumn
    signature: StringColumn
    parameters: NDArray[np.int32]
    start_line: NDArray[np.int32]
    end_line: NDArray[np.int32]
    start_byte: NDArray[np.int64]
    end_byte: NDArray[np.int64]
    comment_start: NDArray[np.int64]
    comment_end: NDArray[np.int64]
    flags: NDArray[np.uint16]
    first_node: NDArray[np.int64]
    """n + 1 boundaries into the nodes: entry first, exit second."""


@dataclass(frozen=True, slots=True)
class NodeTable:
    """ICFG nodes."""

    kind: NDArray[np.uint8]
    text: NDArray[np.int32]
    """Into the texts."""
    function: NDArray[np.int32]
    line: NDArray[np.int32]
    end_line: NDArray[np.int32]
    depth: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """All edges in CSR form, by source node; call and return edges included."""

    offsets: NDArray[np.int64]
    target: NDArray[np.int32]
    kind: NDArray[np.uint8]
    uncertain: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CallTable:
    """Every call by name, resolved or not, sorted by node."""

    node: NDArray[np.int32]
    name: StringColumn
    arguments: NDArray[np.int32]
    receiver: StringColumn
    resolved: NDArray[np.int32]
    """The callee's function id where exactly one candidate was found, -1 external, -2 several."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """Unique statement texts with their content hash (blake2b, 64 bits), sorted by it."""

    digest: NDArray[np.uint64]
    text: StringColumn
