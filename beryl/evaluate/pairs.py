"""Query sets of `beryl similar`: functions that do the same, by reference (Source Forager §IV-B)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beryl import paths
from beryl.errors import InputError
from beryl.evaluate import corpus
from beryl.index.store import Index
from beryl.types import Language

TABLE_2 = "algo-qs, Table II"
"""The paper's own seven tasks; many of its functions are in a corpus that an index need not have."""
SETS = {"libc-qs": "libc_functions.json", "algo-qs": "algo_qs.json", TABLE_2: "algo_table2.json"}
LIBC_PROJECTS = ("dietlibc", "musl", "uclibc")
"""The libraries of libc-qs."""
MORE_LIBC_PROJECTS = ("glibc", "klibc", "newlib")
"""Other C libraries: algo-qs takes functions from them; they have the functions of libc-qs too, so no distractors."""
ALGO_CORPUS = "debian-algo"
"""Files picked for the functions that TABLE_2 has in them: no distractors either."""
_LABELS = "labels_c.jsonl"


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Functions of an index by category; those of one category are similar to each other and to nothing else."""

    name: str
    functions: tuple[int, ...]
    categories: tuple[str, ...]
    """The category of each function."""
    missing: int = 0
    """References that the index does not hold."""
    others: tuple[int, ...] = ()
    """More functions that do one of these things, in no query and in no answer: they must not be distractors."""

    def relevant(self, position: int) -> list[int]:
        """Positions of the functions similar to the one at `position`."""
        wanted = self.categories[position]
        return [i for i, category in enumerate(self.categories) if category == wanted and i != position]


def read(path: Path) -> dict[str, list[Mapping[str, object]]]:
    """Category -> references (package, path, start, end) of a JSON file."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(rows, list) and all("package" in row for row in rows) for rows in body.values()):
            raise ValueError("no references")
    except OSError as error:
        raise InputError(f"cannot read the labels {path}: {error.strerror}") from None
    except (ValueError, AttributeError, TypeError):
        raise InputError(
            f"{path}: not a set of labels; expected JSON: category -> list of package, path, start, end"
        ) from None
    found: dict[str, list[Mapping[str, object]]] = body
    return found


def locate(index: Index, name: str, labels: Mapping[str, Sequence[Mapping[str, object]]]) -> QuerySet:
    """The functions of an index that the references mean; those marked "also" are only kept from the distractors."""
    places = Places(index)
    functions, categories, missing = [], [], 0
    others = [places.find(row) for rows in labels.values() for row in rows if row.get("also")]
    for category, known in labels.items():
        rows = [row for row in known if not row.get("also")]
        found = [place for row in rows if (place := places.find(row)) >= 0]
        missing += len(rows) - len(found)
        distinct = list(dict.fromkeys(found))
        if len(distinct) > 1:
            functions += distinct
            categories += [category] * len(distinct)
    if not functions:
        lacking = f"the index {index.directory} holds no two functions of one category of {name}"
        raise InputError(f"{lacking}; {advice(index.directory)}")
    return QuerySet(name, tuple(functions), tuple(categories), missing, tuple(place for place in others if place >= 0))


def shipped(index: Index, name: str) -> QuerySet:
    """One of the sets that come with beryl."""
    return locate(index, name, read(paths.data("benchmark", SETS[name])))


def left_out(index: Index, name: str) -> str:
    """Why a set is not measured on an index, empty when it is: TABLE_2 needs every project it takes a function from."""
    if name != TABLE_2:
        return ""
    labels = read(paths.data("benchmark", SETS[name]))
    wanted = {str(row["package"]) for rows in labels.values() for row in rows if not row.get("also")}
    lacking = sorted(wanted - set(index.projects))
    if not lacking:
        return ""
    return f"the index {index.directory} does not hold {', '.join(lacking)}; {advice(index.directory)}"


def advice(directory: Path) -> str:
    """How to build the index that the shipped sets need."""
    corpora = paths.data("corpora")
    sources = " ".join(f"{corpora}/{name}/*" for name in ("debian-c", "debian-libc", ALGO_CORPUS))
    return f"build one with `beryl index {sources} --tables observations --out {directory}`"


class Places:
    """Finds functions of an index by project, path and line."""

    def __init__(self, index: Index) -> None:
        self.index = index
        projects = list(index.projects)
        owners = [projects[number] for number in index.files.project.tolist()]
        self.files = {(p, path): file for file, (p, path) in enumerate(zip(owners, index.files.path, strict=True))}

    def find(self, row: Mapping[str, object]) -> int:
        """The function whose lines overlap most with a reference, -1 where there is none."""
        file = self.files.get((str(row.get("package") or row.get("project")), str(row["path"])), -1)
        if file < 0:
            return -1
        start, end = int(str(row["start"])), int(str(row["end"]))
        first, last = (int(x) for x in self.index.files.first_function[file : file + 2])
        starts = self.index.functions.start_line[first:last]
        ends = self.index.functions.end_line[first:last]
        common = np.minimum(ends, end) - np.maximum(starts, start) + 1
        if not len(common) or common.max() <= 0:
            return -1
        union = np.maximum(ends, end) - np.minimum(starts, start) + 1
        return first + int(np.argmax(common / union))


def distractors(index: Index, sets: Sequence[QuerySet], seed: int) -> list[int]:
    """Functions that are neither in a set nor, by name or label, one more implementation of it.

    C and C++ in random order, then other languages, so that these only fill up where more are asked for.
    """
    taken = {function for each in sets for function in (*each.functions, *each.others)}
    names = {category for each in sets for category in each.categories}
    taken |= set(_labelled(index, names))
    projects = list(index.projects)
    picked = corpus.read_packages(corpus.CORPORA[ALGO_CORPUS], paths.data("benchmark"))
    kept_out = {*LIBC_PROJECTS, *MORE_LIBC_PROJECTS, *(package.name for package in picked)}
    owners = index.files.project[index.functions.file].tolist()
    found = [
        function
        for function, name in enumerate(index.functions.name)
        if function not in taken and name not in names and projects[owners[function]] not in kept_out
    ]
    order = np.random.default_rng(seed).permutation(len(found))
    java = index.files.language[index.functions.file] == Language.JAVA.code
    return sorted((found[position] for position in order.tolist()), key=lambda function: bool(java[function]))


def _labelled(index: Index, names: set[str]) -> Iterator[int]:
    """Functions that the pseudocode benchmark labels with one of these algorithms."""
    places = Places(index)
    for line in paths.data("benchmark", _LABELS).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["query"] in names:
            function = places.find(row)
            if function >= 0:
                yield function
