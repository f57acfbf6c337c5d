"""An index as it is opened for searching: memory-mapped tables, checked against the manifest.

    .beryl/
      manifest.json     versions, options, counts, size and checksum of every file; replaced atomically
      <generation>/     base.safetensors, sources.safetensors, ledger.json, one sub-folder per derived table
      lock              held by the process that writes
      work/             analysed files of a build that was interrupted; the next build goes on from there

The manifest names the generation it belongs to, so replacing that one file is the whole commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_, IndexNewer
from beryl.index import columns, ledger
from beryl.index.columns import FileCheck
from beryl.index.tables import CallTable, EdgeTable, FileTable, FunctionTable, NodeTable, StringColumn, TextTable
from beryl.types import Filters, Language

FORMAT = "beryl-index"
VERSION = 1
MANIFEST = "manifest.json"
# A derived table may leave this beside its columns: a flat JSON object (encoder, fingerprint, ...) that goes into the
# manifest and is shown by `beryl status`.
TABLE_INFO = "info.json"
# Derived tables of a plain `beryl index`; `paths` only comes with `--with io`.
DEFAULT_TABLES: tuple[str, ...] = ("terms", "shapes", "vectors", "observations")
BASE = "base.safetensors"
# The snippets; zlib checks them itself when one is read, so opening need not touch them.
SOURCES = "sources.safetensors"
_SOURCE_COLUMN = "files.source_bytes"

Array = NDArray[Any]
Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How to build an index."""

    encoder: str = "static"
    model: str = "mixed"
    jobs: int = 0
    """Worker processes; 0 means one per processor."""
    tables: tuple[str, ...] = DEFAULT_TABLES
    each: bool = False
    """Every sub-folder of a path is a project of its own."""
    languages: tuple[Language, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    wait: float = 0.0
    """Seconds to wait for another process that writes the same index."""
    file_seconds: float = 10.0
    """Time budget of one file; beyond it the file is left out and recorded."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index says of itself."""

    analyser: str
    """Hash of the code and grammars that made the base columns; another analyser means analysing all files again."""
    roots: tuple[str, ...]
    each: bool
    languages: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    encoder: str
    model: str
    counts: dict[str, int] = field(default_factory=dict)
    files: dict[str, FileCheck] = field(default_factory=dict)
    """By path below the generation."""
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Derived tables, each with what its info.json says."""
    generation: str = ""

    @property
    def content(self) -> str:
        """Hash of all that the index holds; equal for a fresh build and an update."""
        body = {**asdict(self), "generation": ""}
        return hashlib.blake2b(_canonical(body), digest_size=10).hexdigest()

    @property
    def bytes(self) -> int:
        """Size on disk without the manifest."""
        return sum(check.bytes for check in self.files.values())


@dataclass(frozen=True, repr=False)
class Index:
    """An open index; nothing in it can be written."""

    directory: Path
    manifest: Manifest
    data: Path
    """The generation's folder."""
    projects: StringColumn
    files: FileTable
    functions: FunctionTable
    nodes: NodeTable
    edges: EdgeTable
    calls: CallTable
    texts: TextTable
    _checked: set[str] = field(default_factory=set, compare=False)
    """Derived tables whose files were compared with their checksums."""

    def __repr__(self) -> str:
        return f"Index({str(self.directory)!r}, {self.manifest.counts})"

    def source(self, file: int) -> str:
        """The whole text of a file, line ends as `\\n`."""
        start, end = int(self.files.source_offsets[file]), int(self.files.source_offsets[file + 1])
        try:
            return zlib.decompress(self.files.source_bytes[start:end].tobytes()).decode("utf-8", "surrogatepass")
        except (zlib.error, UnicodeDecodeError):
            raise _damaged(self.directory, f"the text of {self.files.path[file]} cannot be read") from None

    def lines(self, file: int, start: int, end: int) -> list[str]:
        """Lines start..end of a file, both included, counted from 1."""
        return self.source(file).split("\n")[max(start - 1, 0) : max(end, 0)]

    def allowed_functions(self, filters: Filters) -> NDArray[np.bool_]:
        """Which functions may be searched, one truth value per function."""
        allowed = np.ones(len(self.files.language), dtype=np.bool_)
        if filters.languages:
            allowed &= np.isin(self.files.language, [language.code for language in filters.languages])
        if filters.projects:
            wanted = [i for i, name in enumerate(self.projects) if name in filters.projects]
            allowed &= np.isin(self.files.project, wanted)
        if filters.path:
            from pathspec import GitIgnoreSpec

            pattern = GitIgnoreSpec.from_lines([filters.path])
            allowed &= np.fromiter((pattern.match_file(path) for path in self.files.path), np.bool_, len(allowed))
        return np.repeat(allowed, np.diff(self.files.first_function))

    def table_directory(self, name: str) -> Path:
        """The folder of a derived table, its files checked."""
        if name not in self.manifest.tables:
            option = "--with io" if name == "paths" else f"--tables {name}"
            raise IndexError_(
                f"the index {self.directory} has no table {name!r}; add it with "
                f"`beryl index --update {option} --out {self.directory}`"
            )
        if name not in self._checked:
            _check_files(self, f"{name}/")
            self._checked.add(name)
        return self.data / name

    def ledger(self) -> tuple[ledger.Entry, ...]:
        """Every file that was skipped, cut short or parsed with errors, and why."""
        try:
            return ledger.read(self.data)
        except (OSError, ValueError, LookupError, TypeError):
            raise _damaged(self.directory, "its ledger cannot be read") from None


def open_index(directory: Path) -> Index:
    """Open an index for searching; checks version, sizes and checksums, and says in one sentence what is wrong."""
    manifest = read_manifest(directory)
    for _ in range(3):
        try:
            return load(directory, manifest, directory / manifest.generation)
        except FileNotFoundError as error:
            newer = read_manifest(directory)  # a writer may have replaced the generation since the manifest was read
            if newer == manifest:
                raise _damaged(directory, f"the file {Path(error.filename).name} is missing") from None
            manifest = newer
    raise IndexError_(f"the index {directory} is being rewritten all the time; try again later")


def check(index: Index) -> None:
    """Compare every byte of the index with its checksum."""
    _check_files(index, "")
    for file in range(len(index.files.lines)):
        index.source(file)


def exists(directory: Path) -> bool:
    """Whether there is a complete index, readable or not."""
    return (directory / MANIFEST).is_file()


def read_manifest(directory: Path) -> Manifest:
    """The manifest of an index directory."""
    if directory.exists() and not directory.is_dir():
        raise IndexError_(f"{directory} is a file, not an index directory; name a directory that `beryl index` wrote")
    try:
        body = json.loads((directory / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise _absent(directory) from None
    except OSError as error:
        raise IndexError_(f"cannot read the index {directory}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _damaged(directory, "its manifest is not JSON") from None
    if not isinstance(body, dict) or body.get("format") != FORMAT or not isinstance(body.get("version"), int):
        raise _damaged(directory, "its manifest is not one of beryl's")
    if body["version"] > VERSION:
        raise IndexNewer(
            f"the index {directory} has format {body['version']}, this beryl reads up to {VERSION}; "
            "update beryl, or build the index again with `beryl index`"
        )
    if body["version"] < VERSION:
        raise IndexError_(f"the index {directory} has the old format {body['version']}; build it again: `beryl index`")
    checksum = body.pop("checksum", None)
    if checksum != _checksum(body):
        raise _damaged(directory, "its manifest does not match its own checksum")
    return _manifest_of(body)


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as it is written."""
    body = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
    return json.dumps({**body, "checksum": _checksum(body)}, indent=1, sort_keys=True).encode("ascii") + b"\n"


def load(directory: Path, manifest: Manifest, data: Path) -> Index:
    """The index whose columns are in `data`, sizes and checksums compared with the manifest."""
    for name, known in manifest.files.items():
        size = os.stat(data / name).st_size
        if size != known.bytes:
            raise _damaged(directory, f"{name} has {size:,} bytes instead of {known.bytes:,}")
    for name in (BASE, ledger.FILE_NAME):
        if name not in manifest.files or columns.check(data / name) != manifest.files[name]:
            raise _damaged(directory, f"{name} does not match its checksum")
    try:
        found = columns.read(data / BASE) | columns.read(data / SOURCES)
        tables = {table: _table(kind, table, found) for table, kind in _TABLES.items()}
        return Index(directory, manifest, data, _strings("projects", found), **tables)
    except (ValueError, LookupError, TypeError):
        raise _damaged(directory, "its columns cannot be read") from None


_TABLES: dict[str, Any] = {
    "files": FileTable,
    "functions": FunctionTable,
    "nodes": NodeTable,
    "edges": EdgeTable,
    "calls": CallTable,
    "texts": TextTable,
}


def files_of(projects: StringColumn, tables: dict[str, Any]) -> dict[str, dict[str, Array]]:
    """Every base column by file and name."""
    found: dict[str, Array] = {"projects.offsets": projects.offsets, "projects.buffer": projects.buffer}
    for table, value in tables.items():
        for item in fields(value):
            column = getattr(value, item.name)
            if isinstance(column, StringColumn):
                found[f"{table}.{item.name}.offsets"] = column.offsets
                found[f"{table}.{item.name}.buffer"] = column.buffer
            else:
                found[f"{table}.{item.name}"] = column
    return {SOURCES: {_SOURCE_COLUMN: found.pop(_SOURCE_COLUMN)}, BASE: found}


def _table(kind: type[Table], name: str, found: dict[str, Array]) -> Table:
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for item in fields(kind):  # type: ignore[arg-type]
        column = f"{name}.{item.name}"
        values[item.name] = _strings(column, found) if hints[item.name] is StringColumn else found[column]
    return kind(**values)


def _strings(name: str, found: dict[str, Array]) -> StringColumn:
    return StringColumn(found[f"{name}.offsets"], found[f"{name}.buffer"])


def _check_files(index: Index, prefix: str) -> None:
    names = [name for name in index.manifest.files if name.startswith(prefix)]
    with ThreadPoolExecutor() as threads:
        found = threads.map(columns.check, (index.data / name for name in names))
        try:
            wrong = [name for name, check in zip(names, found, strict=True) if check != index.manifest.files[name]]
        except OSError as error:
            raise _damaged(index.directory, f"{error.filename} cannot be read: {error.strerror}") from None
    if wrong:
        raise _damaged(index.directory, f"{wrong[0]} does not match its checksum")


def _manifest_of(body: dict[str, Any]) -> Manifest:
    values = {item.name: body[item.name] for item in fields(Manifest)}
    for name in ("roots", "languages", "include", "exclude"):
        values[name] = tuple(values[name])
    values["files"] = {name: FileCheck(**value) for name, value in values["files"].items()}
    return Manifest(**values)


def _canonical(body: object) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode("ascii")


def _checksum(body: object) -> str:
    return hashlib.blake2b(_canonical(body), digest_size=16).hexdigest()


def _absent(directory: Path) -> IndexError_:
    if (directory / "work").is_dir():
        return IndexError_(f"the index {directory} was never finished; run the same `beryl index` again to go on")
    return IndexError_(f"there is no index in {directory}; build one with `beryl index PATH --out {directory}`")


def _damaged(directory: Path, what: str) -> IndexError_:
    return IndexError_(f"the index {directory} is damaged: {what}; build it again with `beryl index`")
