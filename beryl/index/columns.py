"""Columns in one file in the safetensors format: written as a stream, read by mapping; nothing is copied or pickled."""

from __future__ import annotations

import json
import mmap
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_NAMES = {
    "bool": "BOOL",
    "uint8": "U8",
    "uint16": "U16",
    "int32": "I32",
    "int64": "I64",
    "uint64": "U64",
    "float32": "F32",
    "float64": "F64",
}
_KINDS = {name: np.dtype(kind) for kind, name in _NAMES.items()}
_ALIGNMENT = 8


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Size and CRC-32 of a file of the index."""

    bytes: int
    crc: int


def write(path: Path, columns: dict[str, Array]) -> FileCheck:
    """Write columns, widest numbers first so that each is aligned, and flush them to disk."""
    ordered = sorted(columns, key=lambda name: (-columns[name].itemsize, name))
    header: dict[str, Any] = {}
    position = 0
    for name in ordered:
        column = columns[name]
        end = position + column.nbytes
        header[name] = {"dtype": _NAMES[column.dtype.name], "shape": column.shape, "data_offsets": (position, end)}
        position = end
    text = json.dumps(header).encode("ascii")
    text += b" " * (-len(text) % _ALIGNMENT)
    crc, size = 0, 0
    with path.open("wb") as stream:
        parts: list[bytes | memoryview] = [len(text).to_bytes(8, "little"), text]
        parts += [_bytes(columns[name]) for name in ordered]
        for part in parts:
            stream.write(part)
            crc, size = zlib.crc32(part, crc), size + len(part)
        stream.flush()
        os.fsync(stream.fileno())
    return FileCheck(size, crc)


def _bytes(column: Array) -> memoryview:
    return np.ascontiguousarray(column).reshape(-1).view(np.uint8).data


def read(path: Path) -> dict[str, Array]:
    """The columns of a file, mapped into memory, read-only; ValueError where it is not one."""
    with path.open("rb") as stream:
        mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    start = 8 + int.from_bytes(mapped[:8], "little")
    found = {}
    for name, column in json.loads(mapped[8:start]).items():
        kind, (first, last) = _KINDS[column["dtype"]], column["data_offsets"]
        values = np.frombuffer(mapped, kind, (last - first) // kind.itemsize, start + first)
        found[name] = values.reshape(column["shape"])
    return found


def check(path: Path) -> FileCheck:
    """Size and checksum of a file as it is now."""
    crc, size = 0, 0
    with path.open("rb") as stream:
        while block := stream.read(1 << 22):
            crc, size = zlib.crc32(block, crc), size + len(block)
    return FileCheck(size, crc)
