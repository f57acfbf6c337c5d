"""The observations table: what each feature-class sees in each function, as columns that one query passes over.

Besides the columns: a random sample of functions with a similarity threshold per class, which dyn-select needs
(Source Forager §III-B), and which functions are defined where, to tell the calls of a foreign query apart.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl.errors import IndexError_
from beryl.features import FEATURES, feature_classes, network
from beryl.features import declarations as declaring
from beryl.features.facts import Declarations
from beryl.features.feature import Shape
from beryl.features.terms import STOP_LISTS
from beryl.index import columns as stored
from beryl.index.bags import BagColumn, TermColumn, offsets_of, positions, save
from beryl.index.dense import VectorColumn
from beryl.index.observe_worker import BAGS, TREES, VECTORS, Crew, declare_all, observe_all
from beryl.index.store import TABLE_INFO, BuildOptions, Index
from beryl.index.tokens import OTHER_CALLS, token_hash
from beryl.index.trees import TreeColumn
from beryl.types import Language, Progress, silent

NAME = "observations"
VERSION = "observations 6"
"""Part of the fingerprint: raised when the walk or a feature-class observes something else."""
SAMPLE_SIZE = 500
"""n_samp of §III-B; the paper does not say. 125,000 pairs estimate mean and deviation well."""
SAMPLE_SEED = 9
_WORD_LISTS = ("dictionary.txt", "lemmas.tsv", "c_library.tsv", "cpp_library.tsv", "jdk_classes.tsv", *STOP_LISTS)
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl")
_TERMS = tuple(c.name for c in feature_classes() if c.shape is Shape.TERMS)
_RESOLVED_LATER = ("unmodeled-calls", "user-calls")
_OPEN_TABLES = 4
_SUFFIX = ".safetensors"
_OTHERS = "sample" + _SUFFIX

Array = NDArray[Any]
Column = BagColumn | TermColumn | TreeColumn | VectorColumn
Rows = tuple[Array, Array, Array]
Raw = dict[str, Rows]


@dataclass(frozen=True)
class Observations:
    """The open table; columns by feature-class."""

    columns: Mapping[str, Column]
    sample: NDArray[np.int64]
    thresholds: Mapping[str, float]
    """Two observations are similar when their similarity is above it."""
    defined: NDArray[np.uint64]
    """Hashes of the names of all functions, sorted."""
    definition: NDArray[np.int32]
    """The first function of each of these names."""

    @property
    def functions(self) -> int:
        """How many functions there are."""
        return len(self.columns["skeleton-tree"].row_of)  # type: ignore[union-attr]

    @staticmethod
    def open(index: Index) -> Observations:
        """The table of an index; opened once."""
        if index.data not in _OPENED:
            directory = index.table_directory(NAME)
            if len(_OPENED) >= _OPEN_TABLES:
                _OPENED.clear()
            _OPENED[index.data] = _load(directory)
        return _OPENED[index.data]

    def defining(self, name: str) -> int:
        """The first function of this name, -1 where the index has none."""
        wanted = np.uint64(token_hash(name))
        place = int(np.searchsorted(self.defined, wanted))
        held = place < len(self.defined) and self.defined[place] == wanted
        return int(self.definition[place]) if held else -1


_OPENED: dict[Path, Observations] = {}


def fingerprint() -> str:
    """Hash of all that decides what is observed; observations of two fingerprints never meet."""
    from beryl import paths

    state = hashlib.blake2b(f"{VERSION}\n{' '.join(FEATURES)}\n".encode(), digest_size=8)
    for name in _WORD_LISTS:
        state.update(paths.data("words", name).read_bytes())
    state.update(network.fingerprint())
    return state.hexdigest()


def _load(directory: Path) -> Observations:
    info = json.loads((directory / TABLE_INFO).read_text(encoding="ascii"))
    if info["fingerprint"] != fingerprint():
        raise IndexError_(
            f"the functions of the index {directory.parent} were observed by another version of beryl; "
            "bring it up to date with `beryl index --update`"
        )

    others = stored.read(directory / _OTHERS)
    thresholds = dict(zip(FEATURES, others["thresholds"].tolist(), strict=True))
    return Observations(_columns(directory), others["sample"], thresholds, others["defined"], others["definition"])


def _columns(directory: Path) -> dict[str, Column]:
    return {name: kind(**stored.read(directory / f"{name}{_SUFFIX}")) for name, kind in _kinds().items()}


def _kinds() -> dict[str, type[Column]]:
    kinds: dict[str, type[Column]] = dict.fromkeys(BAGS, BagColumn)
    kinds |= dict.fromkeys(_TERMS, TermColumn) | dict.fromkeys(TREES, TreeColumn)
    return kinds | dict.fromkeys(VECTORS, VectorColumn)


def build(index: Index, previous: Index | None, directory: Path, options: BuildOptions, progress: Progress) -> None:
    """Write the table; files that the previous one observed, under the same headers, are not observed again."""
    surroundings = _surroundings(index)
    reused = _reusable(index, surroundings, previous)
    fresh = np.setdiff1d(np.arange(len(index.files.lines)), reused[:, 0]).tolist()
    crew = Crew(index.data, options.jobs or os.cpu_count() or 1, progress)
    known = _project_declarations(index, fresh, crew)
    parts: list[tuple[Array, Raw]] = []
    for files, arrays in observe_all(crew, fresh, known):
        parts.append((_functions_of(index, np.array(files, dtype=np.int64)), _raw(arrays)))
    if len(reused) and previous is not None:
        old = _columns(previous.table_directory(NAME))
        taken = _functions_of(previous, reused[:, 1])
        parts.append((_functions_of(index, reused[:, 0]), {name: column.raw(taken) for name, column in old.items()}))
    columns = _assembled(index, parts)
    for name, column in columns.items():
        save(column, directory / f"{name}{_SUFFIX}")
    sample = _sample(len(index.functions.file))
    defined, definition = _definitions(index)
    thresholds = _thresholds(columns, sample, progress)
    others = {"sample": sample, "thresholds": thresholds, "defined": defined, "definition": definition}
    stored.write(directory / _OTHERS, others | {"surroundings": surroundings})
    info = {"fingerprint": fingerprint(), "classes": len(FEATURES)}
    (directory / TABLE_INFO).write_text(json.dumps(info) + "\n", encoding="ascii")


def _surroundings(index: Index) -> NDArray[np.uint64]:
    """For each file, a hash of the headers of its project: with the same ones, the same observations come out."""
    headers = _headers(index)
    states = [hashlib.blake2b(digest_size=8) for _ in range(len(index.projects))]
    for file in headers:
        states[index.files.project[file]].update(index.files.digest[file].tobytes())
    hashes = np.array([int.from_bytes(s.digest(), "little") for s in states], dtype=np.uint64)
    return np.where(index.files.language == Language.JAVA.code, np.uint64(0), hashes[index.files.project])


def _headers(index: Index) -> list[int]:
    """Header files in index order."""
    names = index.files.path
    return [file for file in range(len(names)) if PurePosixPath(names[file]).suffix.lower() in _HEADERS]


def _project_declarations(index: Index, fresh: Sequence[int], crew: Crew) -> dict[int, Declarations]:
    """What the headers of each project declare, for the projects that have files to observe."""
    wanted = {int(project) for project in index.files.project[np.array(fresh, dtype=np.int64)].tolist()}
    headers = [file for file in _headers(index) if int(index.files.project[file]) in wanted]
    by_project: dict[int, list[Declarations]] = {}
    for file, found in zip(headers, declare_all(crew, headers), strict=True):
        by_project.setdefault(int(index.files.project[file]), []).append(found)
    return {project: declaring.merged(parts) for project, parts in by_project.items()}


def _reusable(index: Index, surroundings: Array, previous: Index | None) -> NDArray[np.int64]:
    """(n, 2): files of the index and those of the previous one with the same content, functions and headers."""
    nothing = np.zeros((0, 2), dtype=np.int64)
    if previous is None or previous.manifest.analyser != index.manifest.analyser:
        return nothing
    if previous.manifest.tables.get(NAME, {}).get("fingerprint") != fingerprint():
        return nothing
    old = stored.read(previous.table_directory(NAME) / _OTHERS)["surroundings"]
    known = {key: file for file, key in enumerate(_keys(previous, old))}
    found = [(file, known[key]) for file, key in enumerate(_keys(index, surroundings)) if key in known]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _keys(index: Index, surroundings: Array) -> Iterator[tuple[int, int, int, int]]:
    digests = index.files.digest
    languages = index.files.language.tolist()
    return zip(digests[:, 0].tolist(), digests[:, 1].tolist(), languages, surroundings.tolist(), strict=True)


def _functions_of(index: Index, files: Array) -> NDArray[np.int64]:
    """The functions of files, in the order of the files."""
    return positions(index.files.first_function, files)


def _raw(arrays: Mapping[str, Array]) -> Raw:
    bags = {name: tuple(arrays[f"{name}.{part}"] for part in ("sizes", "tokens", "counts")) for name in BAGS}
    trees = {name: tuple(arrays[f"{name}.{part}"] for part in ("sizes", "pre", "post")) for name in TREES}
    vectors = {name: tuple(arrays[f"{name}.{part}"] for part in ("sizes", "codes", "codes")) for name in VECTORS}
    return bags | trees | vectors  # type: ignore[return-value]


def _assembled(index: Index, parts: Sequence[tuple[Array, Raw]]) -> dict[str, Column]:
    """Every column in function order, calls told apart."""
    order = np.argsort(np.concatenate([functions for functions, _ in parts]), kind="stable")
    raw = {name: _in_order([part[name] for _, part in parts], order) for name in (*BAGS, *TREES, *VECTORS)}
    raw |= dict(zip(_RESOLVED_LATER, _told_apart(index, *raw[OTHER_CALLS][:2]), strict=True))
    projects = index.files.project[index.functions.file]
    columns: dict[str, Column] = {}
    for name, kind in _kinds().items():
        if kind is TermColumn:
            columns[name] = TermColumn.of(*raw.pop(name), projects)
        else:
            columns[name] = kind.of(*raw.pop(name))  # type: ignore[call-arg]
    return columns


def _in_order(parts: Sequence[Rows], order: Array) -> Rows:
    sizes, first, second = (np.concatenate([part[i] for part in parts]) for i in range(3))
    taken = positions(offsets_of(sizes), order)
    return sizes[order], first[taken], second[taken]


def _told_apart(index: Index, sizes: Array, tokens: Array) -> tuple[Rows, Rows]:
    """Calls of other than modeled functions: unmodeled ones, and those defined in another directory of the project."""
    names = list(dict.fromkeys(index.calls.name))
    hashes = np.array([token_hash(name) for name in names], dtype=np.uint64)
    by_hash = np.argsort(hashes, kind="stable")
    owners = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    if not len(names):
        nothing = (np.zeros_like(sizes), tokens[:0], np.zeros(0, dtype=np.uint16))
        return nothing, nothing
    place = np.minimum(np.searchsorted(hashes, tokens, sorter=by_hash), len(names) - 1)
    name_of = by_hash[place]
    numbers = {name: number for number, name in enumerate(names)}
    call_name = np.array([numbers[name] for name in index.calls.name], dtype=np.int64)
    call_key = index.nodes.function[index.calls.node].astype(np.int64) * len(names) + call_name
    known, chosen = np.unique(call_key, return_index=True)
    key = owners * len(names) + name_of
    found = np.minimum(np.searchsorted(known, key), len(known) - 1)
    in_table = (hashes[name_of] == tokens) & (known[found] == key)
    resolved = np.where(in_table, index.calls.resolved[chosen[found]], -3).astype(np.int64)
    several = np.flatnonzero(resolved == -2)
    resolved[several] = _first_definition(index, owners[several], [names[i] for i in name_of[several].tolist()])
    return _selected(index, owners, name_of, resolved, names)


def _selected(index: Index, owners: Array, name_of: Array, resolved: Array, names: Sequence[str]) -> tuple[Rows, Rows]:
    count = len(index.functions.file)
    folders = {folder: number for number, folder in enumerate(dict.fromkeys(map(_folder, index.files.path)))}
    folder_of = np.array([folders[_folder(path)] for path in index.files.path], dtype=np.int64)
    function_folder = folder_of[index.functions.file]
    elsewhere = (resolved >= 0) & (function_folder[np.maximum(resolved, 0)] != function_folder[owners])
    results = []
    for wanted in (resolved == -1, elsewhere):
        entries = np.flatnonzero(wanted)
        files = [_stem(index, function) for function in resolved[entries].tolist()]
        tokens = [f"{names[n]} {file}" for n, file in zip(name_of[entries].tolist(), files, strict=True)]
        hashes = np.array([token_hash(token) for token in tokens], dtype=np.uint64)
        keys = np.unique(np.stack([owners[entries].astype(np.uint64), hashes], axis=1), axis=0)
        sizes = np.bincount(keys[:, 0].astype(np.int64), minlength=count).astype(np.int32)
        results.append((sizes, keys[:, 1], np.ones(len(keys), dtype=np.uint16)))
    return results[0], results[1]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _stem(index: Index, function: int) -> str:
    """The name of the file that defines a function, without its suffix; a header has the same more often than not."""
    return PurePosixPath(index.files.path[int(index.functions.file[function])]).stem if function >= 0 else ""


def call_token(index: Index, name: str, function: int) -> str:
    """How a call of `function` (-1: not in the index) is written in the classes of library calls."""
    return f"{name} {_stem(index, function)}"


def _first_definition(index: Index, owners: Array, names: Sequence[str]) -> NDArray[np.int64]:
    """The first function of each name in the project of the caller."""
    projects = index.files.project[index.functions.file]
    wanted = set(names)
    first: dict[tuple[int, str], int] = {}
    for function, name in enumerate(index.functions.name):
        if name in wanted:
            first.setdefault((int(projects[function]), name), function)
    keys = zip(projects[owners].tolist(), names, strict=True)
    return np.array([first.get(key, -1) for key in keys], dtype=np.int64)


def _definitions(index: Index) -> tuple[Array, Array]:
    hashes = np.array([token_hash(name) for name in index.functions.name], dtype=np.uint64)
    defined, first = np.unique(hashes, return_index=True)
    return defined, first.astype(np.int32)


def _sample(functions: int) -> NDArray[np.int64]:
    """Random functions, the same for the same number of functions."""
    chosen = np.random.default_rng(SAMPLE_SEED).permutation(functions)[:SAMPLE_SIZE]
    return np.sort(chosen).astype(np.int64)


def _thresholds(columns: Mapping[str, Column], sample: Array, progress: Progress) -> NDArray[np.float64]:
    """Mean plus standard deviation of the similarities of all pairs of the sample, by class (§III-B)."""
    found = np.zeros(len(FEATURES), dtype=np.float64)
    for number, name in enumerate(FEATURES):
        progress("sampling similarities", number, len(FEATURES))
        part = _restricted(columns[name], sample)
        values = [
            part.similarities(part.observation(row))[_rows(part, len(sample))][row + 1 :]  # type: ignore[arg-type]
            for row in range(len(sample))
        ]
        pairs = np.concatenate(values).astype(np.float64) if values else np.zeros(0)
        found[number] = pairs.mean() + pairs.std() if len(pairs) else 0.0
    return found


def _rows(column: Column, count: int) -> Array:
    return np.arange(count) if isinstance(column, TermColumn) else column.row_of


def _restricted(column: Column, functions: Array) -> Column:
    """The column of some functions only, their weights as they are."""
    if not isinstance(column, TermColumn):
        return type(column).of(*column.raw(functions))
    taken = positions(column.offsets, functions)
    ids, weights = column.tokens[taken], column.weights[taken]
    sizes = column.offsets[functions + 1] - column.offsets[functions]
    owners = np.repeat(np.arange(len(functions), dtype=np.int32), sizes)
    order = np.argsort(ids, kind="stable")
    frequency = np.bincount(ids, minlength=len(column.vocabulary))
    posts = (offsets_of(frequency), owners[order], weights[order])
    return TermColumn(column.vocabulary, offsets_of(sizes), ids, column.counts[taken], weights, column.idf, *posts)


def restricted(table: Observations, functions: Array, sample: Array, progress: Progress = silent) -> Observations:
    """The table of some functions only, with a sample of its own (positions among these functions)."""
    columns = {name: _restricted(table.columns[name], functions) for name in FEATURES}
    found = _thresholds(columns, sample, progress)
    thresholds = dict(zip(FEATURES, found.tolist(), strict=True))
    return Observations(columns, sample, thresholds, table.defined, table.definition)
