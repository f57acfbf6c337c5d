"""The terms table: which function holds which word, how often, and in which field; and how much it is used.

One document per function with the fields of FIELDS kept apart, stored as postings by term. The paper's documents are
files (function ranking §3.1): their postings, idf and vector lengths are here as well, PageRank (§3.3), and for phrases
the words in the order of the text.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl import registry
from beryl.errors import IndexError_
from beryl.index import word_order, words
from beryl.index.lexing import DOCUMENTS, TEXT_FIELDS, Matrix
from beryl.index.store import TABLE_INFO, BuildOptions, Index
from beryl.index.tables import StringColumn
from beryl.index.term_worker import Lexed, lex_all
from beryl.types import EdgeKind, Progress

NAME = "terms"
FIELDS = (*TEXT_FIELDS, "file")
"""name: the function's; scope: its classes and namespaces; file: name and folders; the others are read off the text."""
SUBDOCUMENT_FIELDS = ("name", "comment_leading", "comment_inner", "identifiers", "calls")
"""What the paper's subdocuments hold: comments, function name and identifiers (function ranking §4.2)."""

Array = NDArray[Any]
_MOST = int(np.iinfo(np.uint16).max)
_OPEN_TABLES = 4
_ORDER = "order"
_ORDERS = tuple(word_order.COLUMN + part for part in word_order.PARTS)


@dataclass(frozen=True, slots=True)
class Postings:
    """A sparse matrix by term: `documents[offsets[t]:offsets[t + 1]]` hold term t, ascending."""

    offsets: NDArray[np.int64]
    documents: NDArray[np.int32]
    counts: NDArray[np.uint16]

    def __getitem__(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        start, end = self.offsets[term], self.offsets[term + 1]
        return self.documents[start:end], self.counts[start:end]


@dataclass(frozen=True)
class Terms:
    """The open table; see FIELDS."""

    vocabulary: StringColumn
    """Sorted, so that an id is found by bisection."""
    fields: Mapping[str, Postings]
    lengths: Mapping[str, NDArray[np.int32]]
    frequency: NDArray[np.int32]
    """How many functions hold each term in their name, comments or code."""
    files: Postings
    """Documents of the paper: term -> files."""
    file_idf: NDArray[np.float32]
    """log(|D| / df) over files, by term."""
    file_norm: NDArray[np.float32]
    """Length of each file's TF x IDF vector, with counts for TF: the denominator of Eq. 1 cancels in a cosine."""
    function_norm: NDArray[np.float32]
    pagerank: NDArray[np.float64]
    order: Mapping[str, word_order.Run] = field(default_factory=dict)
    """The words of each part of the text as they follow each other; empty in a table from before phrases needed it."""

    @property
    def documents(self) -> int:
        """How many functions there are."""
        return len(self.function_norm)

    @cached_property
    def known(self) -> frozenset[str]:
        """The whole vocabulary, for asking after many words."""
        return frozenset(self.vocabulary)

    def identify(self, term: str) -> int:
        """The id of a term, -1 where no function holds it."""
        position = bisect_left(self.vocabulary, term)
        found = position < len(self.vocabulary) and self.vocabulary[position] == term
        return position if found else -1

    def postings(self, field: str, term: int) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
        """The functions that hold a term in a field, ascending, and how often each does."""
        return self.fields[field][term]

    @staticmethod
    def open(index: Index) -> Terms:
        """The table of an index; opened once."""
        if index.data not in _OPENED:
            directory = index.table_directory(NAME)
            if len(_OPENED) >= _OPEN_TABLES:
                _OPENED.clear()
            _OPENED[index.data] = _load(directory)
        return _OPENED[index.data]


_OPENED: dict[Path, Terms] = {}


def _load(directory: Path) -> Terms:
    info = json.loads((directory / TABLE_INFO).read_text(encoding="ascii"))
    if info["words"] != words.fingerprint():
        raise IndexError_(
            f"the words of the index {directory.parent} were split by another version of beryl; "
            "bring it up to date with `beryl index --update`"
        )

    def column(name: str) -> Array:
        return np.asarray(np.load(directory / f"{name}.npy", mmap_mode="r"))

    def postings(name: str) -> Postings:
        return Postings(*(column(f"{name}.{part}") for part in ("offsets", "documents", "counts")))

    def run(name: str) -> word_order.Run:
        return word_order.Run(*(column(f"{name}.{part}") for part in ("offsets", "terms", "inside")))

    single = ("frequency", "file_idf", "file_norm", "function_norm", "pagerank")
    return Terms(
        vocabulary=StringColumn(column("vocabulary.offsets"), column("vocabulary.buffer")),
        fields={name: postings(name) for name in FIELDS},
        lengths={name: column(f"{name}.lengths") for name in FIELDS},
        files=postings(DOCUMENTS),
        order={name.removeprefix(word_order.COLUMN): run(name) for name in _ORDERS if info.get(_ORDER)},
        **{name: column(name) for name in single},
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows of some files in a vocabulary of their own; `functions` and `files` say whose rows they are."""

    vocabulary: Sequence[str]
    functions: NDArray[np.int64]
    files: NDArray[np.int64]
    matrices: dict[str, Matrix]


def build(index: Index, previous: Index | None, directory: Path, options: BuildOptions, progress: Progress) -> None:
    """Write the table; files whose content the previous table has read are not read again."""
    reused = _reusable(index, previous)
    fresh = np.setdiff1d(np.arange(len(index.files.lines)), reused[:, 0]).tolist()
    parts = [_lexed(index, *one) for one in lex_all(index, fresh, options.jobs or os.cpu_count() or 1, progress)]
    if len(reused) and previous is not None:
        parts.append(_taken_over(index, previous, reused))
    parts.append(_paths(index))
    vocabulary, parts = _shared(parts)
    strings = StringColumn.of(vocabulary)
    out: dict[str, Array] = {"vocabulary.offsets": strings.offsets, "vocabulary.buffer": strings.buffer}
    matrices = {name: _assembled(name, parts) for name in (*FIELDS, DOCUMENTS)}
    for name in FIELDS:
        out[f"{name}.lengths"] = np.asarray(matrices[name].sum(axis=1), dtype=np.int32).ravel()
    out |= _vectors(matrices)
    for name in list(matrices):
        by_term = matrices.pop(name).tocsc()
        out[f"{name}.offsets"] = by_term.indptr.astype(np.int64)
        out[f"{name}.documents"] = by_term.indices.astype(np.int32)
        out[f"{name}.counts"] = by_term.data.astype(np.uint16)
    out |= _in_order(parts)
    out["pagerank"] = registry.load(registry.FUNCTION_PRIORS, "pagerank", "prior")(*calls(index))
    for name, column in out.items():
        np.save(directory / f"{name}.npy", column)
    info = {"words": words.fingerprint(), "terms": len(vocabulary), _ORDER: True}
    (directory / TABLE_INFO).write_text(json.dumps(info) + "\n", encoding="ascii")


def calls(index: Index) -> tuple[int, Array, Array, NDArray[np.float64]]:
    """How many functions there are, and for each call edge caller, callee and how sure it is."""
    edges, nodes = index.edges, index.nodes
    source = np.repeat(np.arange(len(nodes.kind)), np.diff(edges.offsets))
    call = edges.kind == EdgeKind.CALL
    unsure = edges.uncertain[call]
    candidates = np.bincount(source[call], weights=unsure, minlength=len(nodes.kind))[source[call]]
    weight = np.where(unsure, 1.0 / np.maximum(candidates, 1), 1.0)
    count = len(index.functions.file)
    return count, nodes.function[source[call]], nodes.function[edges.target[call]], weight


def _reusable(index: Index, previous: Index | None) -> NDArray[np.int64]:
    """(n, 2): files of the index, and the files of the previous one that have the same content and functions."""
    nothing = np.zeros((0, 2), dtype=np.int64)
    if previous is None or previous.manifest.analyser != index.manifest.analyser:
        return nothing
    known_words = previous.manifest.tables.get(NAME, {})
    if known_words.get("words") != words.fingerprint() or not known_words.get(_ORDER):
        return nothing
    known = {key: file for file, key in enumerate(_keys(previous))}
    found = [(file, known[key]) for file, key in enumerate(_keys(index)) if key in known]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _keys(index: Index) -> Iterator[tuple[int, int, int]]:
    digests = index.files.digest
    return zip(digests[:, 0].tolist(), digests[:, 1].tolist(), index.files.language.tolist(), strict=True)


def _functions_of(index: Index, files: Array) -> NDArray[np.int64]:
    """The functions of files, in the order of the files."""
    first, last = index.files.first_function[files], index.files.first_function[files + 1]
    sizes = last - first
    starts = np.cumsum(sizes) - sizes
    found: NDArray[np.int64] = np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(first - starts, sizes)
    return found


def _lexed(index: Index, files: Sequence[int], lexed: Lexed) -> _Part:
    numbers = np.array(files, dtype=np.int64)
    return _Part(lexed.vocabulary, _functions_of(index, numbers), numbers, lexed.matrices)


def _taken_over(index: Index, previous: Index, reused: NDArray[np.int64]) -> _Part:
    from scipy.sparse import csc_matrix, csr_matrix

    old = Terms.open(previous)
    functions, width = _functions_of(previous, reused[:, 1]), len(old.vocabulary)
    matrices = {}
    for name in (*TEXT_FIELDS, DOCUMENTS):
        held = old.files if name == DOCUMENTS else old.fields[name]
        rows, count = (reused[:, 1], len(previous.files.lines)) if name == DOCUMENTS else (functions, old.documents)
        columns = (held.counts.astype(np.int32), held.documents, held.offsets)
        matrices[name] = csc_matrix(columns, shape=(count, width)).tocsr()[rows]
    for part, run in old.order.items():
        in_order = (run.inside.astype(np.int8), run.terms, run.offsets)
        matrices[word_order.COLUMN + part] = csr_matrix(in_order, shape=(old.documents, width))[functions]
    return _Part(list(old.vocabulary), _functions_of(index, reused[:, 0]), reused[:, 0], matrices)


def _paths(index: Index) -> _Part:
    """The field that does not depend on the content of a file: its name and its folders."""
    from scipy.sparse import csr_matrix

    known: dict[str, int] = {}
    terms, bounds = [], [0]
    for path in index.files.path:
        folders, _, base = path.rpartition("/")
        for term in (*words.name_terms(base.rpartition(".")[0] or base), *words.terms(folders)):
            terms.append(known.setdefault(term, len(known)))
        bounds.append(len(terms))
    shape = (len(bounds) - 1, len(known))
    matrix = csr_matrix((np.ones(len(terms), dtype=np.int32), np.array(terms, dtype=np.int32), bounds), shape=shape)
    matrix.sum_duplicates()
    functions = np.arange(len(index.functions.file), dtype=np.int64)
    return _Part(list(known), functions, np.zeros(0, dtype=np.int64), {"file": matrix[index.functions.file]})


def _shared(parts: Sequence[_Part]) -> tuple[list[str], list[_Part]]:
    """Every term that some row holds, sorted; and the parts with their columns in that order."""
    from scipy.sparse import csr_matrix

    used: set[str] = set()
    for part in parts:
        held = np.zeros(len(part.vocabulary), dtype=np.bool_)
        for matrix in part.matrices.values():
            held[matrix.indices] = True
        used.update(part.vocabulary[term] for term in np.flatnonzero(held).tolist())
    vocabulary = sorted(used)
    ids = {term: number for number, term in enumerate(vocabulary)}
    renamed = []
    for part in parts:
        new = np.array([ids.get(term, 0) for term in part.vocabulary], dtype=np.int32)
        matrices = {
            name: csr_matrix((old.data, new[old.indices], old.indptr), shape=(old.shape[0], len(vocabulary)))
            for name, old in part.matrices.items()
        }
        renamed.append(replace(part, vocabulary=vocabulary, matrices=matrices))
    return vocabulary, renamed


def _in_order(parts: Sequence[_Part]) -> dict[str, Array]:
    """The columns of the word order."""
    out: dict[str, Array] = {}
    for name in _ORDERS:
        whole = _stacked(name, parts)
        out[f"{name}.offsets"] = whole.indptr.astype(np.int64)
        out[f"{name}.terms"] = whole.indices.astype(np.int32)
        out[f"{name}.inside"] = whole.data.astype(np.bool_)
    return out


def _stacked(name: str, parts: Sequence[_Part]) -> Matrix:
    """The rows of a matrix in index order, each as it was written."""
    from scipy.sparse import vstack

    holders = [part for part in parts if name in part.matrices]
    owners = [part.files if name == DOCUMENTS else part.functions for part in holders]
    order = np.argsort(np.concatenate(owners), kind="stable")
    return vstack([part.matrices[name] for part in holders], format="csr")[order]


def _assembled(name: str, parts: Sequence[_Part]) -> Matrix:
    """The matrix of a field in index order."""
    assembled = _stacked(name, parts)
    assembled.sort_indices()
    assembled.data = np.minimum(assembled.data, _MOST)
    return assembled


def _vectors(matrices: Mapping[str, Matrix]) -> dict[str, Array]:
    """Document frequencies, idf (function ranking §3.1) and lengths of the TF x IDF vectors."""
    files = matrices[DOCUMENTS]
    total = sum((matrices[name] for name in SUBDOCUMENT_FIELDS[1:]), start=matrices[SUBDOCUMENT_FIELDS[0]])
    in_files = np.bincount(files.indices, minlength=files.shape[1])
    idf = np.where(in_files > 0, np.log(files.shape[0] / np.maximum(in_files, 1)), 0.0)
    return {
        "frequency": np.bincount(total.indices, minlength=files.shape[1]).astype(np.int32),
        "file_idf": idf.astype(np.float32),
        "file_norm": _norm(files, idf),
        "function_norm": _norm(total, idf),
    }


def _norm(matrix: Matrix, idf: NDArray[np.float64]) -> NDArray[np.float32]:
    squares = (matrix.data * idf[matrix.indices]) ** 2
    bounds = np.concatenate([np.zeros(1), np.cumsum(squares)])[matrix.indptr]
    return np.asarray(np.sqrt(np.diff(bounds)), dtype=np.float32)
