"""Settings of `beryl find` (configs/find.toml), and what is worked out once for an index and its settings."""

from __future__ import annotations

import fnmatch
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from beryl import config, paths
from beryl.errors import InputError
from beryl.index.store import Index
from beryl.index.terms import Terms, calls
from beryl.rank.bm25 import Scorer
from beryl.rank.concepts import Discounts
from beryl.rank.pagerank import DAMPING, CallGraph, pagerank, prior
from beryl.types import KeywordQuery


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """What each field of a function weighs."""

    name: float = 1.0
    scope: float = 1.0
    comment_leading: float = 1.0
    comment_inner: float = 1.0
    identifiers: float = 1.0
    calls: float = 1.0
    literals: float = 1.0
    file: float = 1.0


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """What is added to the similarity of a function."""

    file: float = 0.0
    pagerank: float = 0.0
    damping: float = DAMPING
    """Of PageRank; another one than the index holds is worked out when it is asked for."""
    k1: float = 1.2
    b: float = 0.75


@dataclass(frozen=True, slots=True)
class Support:
    """Support libraries (function ranking §4.3): their score is multiplied by `weight`."""

    weight: float = 0.5
    patterns: tuple[str, ...] = ()
    """`folder/` is a glob for the name of a folder, anything else one for the name of a file."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All of configs/find.toml."""

    fields: FieldWeights
    spellings: Discounts
    signals: SignalWeights
    support: Support


@lru_cache(maxsize=8)
def read(path: Path) -> Settings:
    """The settings of a file; unknown sections and keys raise."""
    settings = Settings(
        config.read(FieldWeights, path, "fields"),
        config.read(Discounts, path, "spellings"),
        config.read(SignalWeights, path, "signals"),
        config.read(Support, path, "support"),
    )
    known = [item.name for item in fields(Settings)]
    unknown = sorted(set(tomllib.loads(path.read_text(encoding="utf-8"))) - set(known))
    if unknown:
        raise InputError(f"{path}: unknown section {unknown[0]!r}; known: {', '.join(known)}")
    return settings


def settings_of(query: KeywordQuery) -> Settings:
    """The settings that a query names, or the shipped ones."""
    return read(Path(query.config) if query.config else paths.config("find.toml"))


@dataclass(frozen=True, slots=True)
class Prepared:
    """An index made ready for questions."""

    settings: Settings
    terms: Terms
    scorer: Scorer
    file_of: NDArray[np.int64]
    """The file of each function."""
    support: NDArray[np.float32]
    """1, or the weight of support libraries, by function."""
    pagerank: NDArray[np.float32]
    """On a logarithmic scale, in [0, 1], by function."""
    popularity: NDArray[np.float32]
    """PageRank divided by its largest value: the scale of the plain sum."""


_PREPARED: dict[tuple[Path, Settings], Prepared] = {}
_MOST_PREPARED = 4


def prepare(index: Index, settings: Settings) -> Prepared:
    """Open the table and work out what does not depend on the question; once."""
    key = (index.data, settings)
    if key not in _PREPARED:
        if len(_PREPARED) >= _MOST_PREPARED:
            _PREPARED.clear()
        _PREPARED[key] = prepared(index, Terms.open(index), settings)
    return _PREPARED[key]


def prepared(index: Index, terms: Terms, settings: Settings) -> Prepared:
    """The same for any table of terms of the index."""
    rank = terms.pagerank
    if settings.signals.damping != DAMPING:
        rank = pagerank(CallGraph.of(*calls(index)), settings.signals.damping)
    file_of = index.functions.file.astype(np.int64)
    weight = np.where(support_files(index.files.path, settings.support), settings.support.weight, 1.0)
    scorer = Scorer(terms, asdict(settings.fields), settings.signals.k1, settings.signals.b)
    support = weight.astype(np.float32)[file_of]
    popularity = (rank / rank.max()).astype(np.float32) if len(rank) else prior(rank)
    return Prepared(settings, terms, scorer, file_of, support, prior(rank), popularity)


def support_files(files: Iterable[str], support: Support) -> NDArray[np.bool_]:
    """Which paths are of support libraries."""
    folder = _matcher(tuple(pattern.rstrip("/") for pattern in support.patterns if pattern.endswith("/")))
    file = _matcher(tuple(pattern for pattern in support.patterns if not pattern.endswith("/")))
    found = []
    for path in files:
        *folders, name = path.split("/")
        found.append(any(map(folder, folders)) or file(name))
    return np.array(found, dtype=np.bool_)


@lru_cache(maxsize=8)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a name matches one of some globs; each name is looked at once."""
    expression = re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns) or r"(?!)")

    @cache
    def matches(name: str) -> bool:
        return expression.match(name) is not None

    return matches
