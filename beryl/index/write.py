"""A new generation of an index: written aside, flushed, and made current by replacing the manifest."""

from __future__ import annotations

import errno
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from beryl.errors import IndexError_
from beryl.index import columns, ledger
from beryl.index.columns import FileCheck
from beryl.index.store import MANIFEST, TABLE_INFO, Manifest, manifest_bytes

WORK = "work"
_DRAFT = "draft-"


@contextmanager
def draft(out: Path) -> Iterator[Path]:
    """A folder for a new generation; gone afterwards unless it was committed."""
    folder = out / f"{_DRAFT}{uuid.uuid4().hex}"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def refusal(out: Path, error: OSError) -> IndexError_:
    """One sentence on why an index could not be written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, None)  # NumPy gives no number for a write cut short
    what = "the disk is full" if full else (error.strerror or str(error))
    return IndexError_(f"cannot write the index {out}: {what}; what was there before is untouched")


def write_columns(folder: Path, files: dict[str, dict[str, NDArray[Any]]]) -> dict[str, FileCheck]:
    """Write base columns, flushed to disk."""
    return {name: columns.write(folder / name, found) for name, found in files.items()}


def link_files(source: Path, names: list[str], folder: Path) -> None:
    """Take files of an older generation over as they are."""
    for name in names:
        try:
            os.link(source / name, folder / name)
        except OSError:  # a file system without links
            shutil.copyfile(source / name, folder / name)


def write_ledger(folder: Path, entries: list[ledger.Entry]) -> dict[str, FileCheck]:
    """Write the ledger, flushed to disk."""
    ledger.write(entries, folder)
    return _settle(folder, folder / ledger.FILE_NAME)


def table_files(folder: Path, name: str) -> tuple[dict[str, FileCheck], dict[str, Any]]:
    """Flush the files that a derived table has written; their checks, and what the table says of itself."""
    checks: dict[str, FileCheck] = {}
    for path in sorted((folder / name).rglob("*")):
        if path.is_file():
            checks |= _settle(folder, path)
    info = folder / name / TABLE_INFO
    return checks, json.loads(info.read_text(encoding="utf-8")) if info.is_file() else {}


def _settle(folder: Path, path: Path) -> dict[str, FileCheck]:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
    return {path.relative_to(folder).as_posix(): columns.check(path)}


def commit(out: Path, folder: Path, manifest: Manifest) -> Manifest:
    """Make a draft the current generation; at every moment the old or the new index is there."""
    generation = manifest.content
    while (out / generation).exists():  # the same content was written before: never touch what may be current
        generation += "x"
    manifest = replace(manifest, generation=generation)
    for below in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        _flush_folder(below)
    os.rename(folder, out / generation)
    _flush_folder(out)
    aside = out / f"{_DRAFT}{MANIFEST}"
    with aside.open("wb") as stream:
        stream.write(manifest_bytes(manifest))
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(aside, out / MANIFEST)
    _flush_folder(out)
    return manifest


def clean(out: Path, current: str) -> None:
    """Remove generations that are not current, and the spool; only the holder of the lock may do this."""
    clean_drafts(out, work=True)
    for path in out.iterdir():
        if path.name != current and (path / ledger.FILE_NAME).is_file():
            shutil.rmtree(path, ignore_errors=True)


def clean_drafts(out: Path, work: bool = False) -> None:
    """Remove what an earlier writer left half-done; with `work` the spool as well."""
    for path in out.glob(f"{_DRAFT}*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    if work:
        shutil.rmtree(out / WORK, ignore_errors=True)


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
