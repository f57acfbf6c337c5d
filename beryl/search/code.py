"""A function -> similar functions, by the sixteen feature-classes of Source Forager and ten more.

dyn-select     the classes in which the query is distinctive, alike (§III-B)
svm-weights    weights learned from labelled pairs (§III-C); the default
equal-all      every class alike
rand-select    a random subset, drawn from the text of the query
solo:CLASS     one class alone
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from beryl import paths
from beryl.errors import InputError
from beryl.features import FEATURES, feature_classes
from beryl.features.extract import Place, extract, graph_of
from beryl.features.facts import Facts
from beryl.features.similarity import Tree
from beryl.index.observations import Observations, call_token
from beryl.index.reading import digest
from beryl.index.store import Index
from beryl.index.tokens import token_hash
from beryl.lang import treesitter
from beryl.rank import select
from beryl.search.clock import Clock
from beryl.search.comparison import Comparison, of_facts, of_index
from beryl.search.fragments import Verdict, fragment
from beryl.types import CodeQuery, FileUnit, Fragment, FunctionFlag, FunctionRow, Language, SearchResult

RANKINGS = ("svm-weights", "dyn-select", "equal-all", "rand-select")
SOLO = "solo:"
DEFAULT_WEIGHTS = "algo"
_SHOWN_NAMES = 12
_SHOWN_TOKENS = 6
_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Asked:
    """The function that was asked for, and which ones have the same name."""

    facts: Facts
    row: FunctionRow
    notes: tuple[str, ...]


def search(index: Index, query: CodeQuery) -> SearchResult:
    """The functions of the index most similar to one in a source text."""
    check_ranking(query.ranking)
    if query.k < 1:
        raise InputError(f"k is {query.k}; at least one result must be asked for")
    clock = Clock()
    with clock("observe"):
        asked = read_function(query)
    fragments: list[Fragment] = []
    if len(index.functions.file):
        fragments = _ranked(index, query, asked, clock)
    text = query.source.text.encode("utf-8", "surrogatepass")[asked.row.start_byte : asked.row.end_byte]
    name = asked.row.qualified or asked.row.name
    shown = text.decode("utf-8", "replace")
    return SearchResult(name, query.source.path, "similar", clock.total, tuple(fragments), shown, clock.stages)


def check_ranking(ranking: str) -> None:
    """InputError where there is no such ranking."""
    if ranking in RANKINGS or (ranking.startswith(SOLO) and ranking.removeprefix(SOLO) in FEATURES):
        return
    if ranking.startswith(SOLO):
        known = ", ".join(FEATURES)
        raise InputError(f"unknown feature-class {ranking.removeprefix(SOLO)!r}; known: {known}")
    raise InputError(f"unknown ranking {ranking!r}; known: {', '.join(RANKINGS)}, {SOLO}CLASS")


def _ranked(index: Index, query: CodeQuery, asked: Asked, clock: Clock) -> list[Fragment]:
    table = Observations.open(index)
    with clock("compare"):
        itself = _itself(index, query, asked.row)
        facts = _calls_told_apart(index, table, query, asked.facts)
        seen = of_index(table, itself) if itself >= 0 else of_facts(table, facts)
        comparison = Comparison(table, seen)
    with clock("select"):
        weights = weights_of(query, comparison)
    with clock("rank"):
        allowed = index.allowed_functions(query.filters)
        functions, scores = comparison.best(weights, query.k, allowed)
    with clock("explain"):
        parts = {name: comparison.exact(name, functions) for name in FEATURES}
        found = []
        for rank, function in enumerate(functions.tolist()):
            own = {name: float(values[rank]) for name, values in parts.items()}
            notes = (*asked.notes, *(("the query itself",) if function == itself else ()))
            notes += (_weighing(weights), *_shared(table, facts, function, own))
            found.append(_fragment(index, function, Verdict(float(scores[rank]), own, notes)))
    return found


def weights_of(query: CodeQuery, comparison: Comparison) -> select.Weights:
    """The weights of the classes for this query."""
    names, empty = list(FEATURES), comparison.empty()
    if query.ranking.startswith(SOLO):
        chosen = query.ranking.removeprefix(SOLO)
        if chosen in empty:
            raise InputError(f"{chosen} sees nothing in the query; there is nothing to compare by {query.ranking}")
        return select.solo(names, chosen)
    if query.ranking == "svm-weights":
        return select.observed(read_weights(query.weights or DEFAULT_WEIGHTS), empty)
    if query.ranking == "equal-all":
        return select.observed(select.equal_all(names), empty)
    if query.ranking == "rand-select":
        seed = zlib.crc32(query.source.text.encode("utf-8", "surrogatepass"))
        return select.observed(select.rand_select(names, seed), empty)
    return select.dyn_select(comparison.sampled(), comparison.table.thresholds, empty)


def read_weights(name: str) -> select.Weights:
    """Weights from a file that `beryl train-weights` wrote, or shipped ones by name: algo, libc."""
    shipped = paths.model(f"similar/{name}.json")
    path = shipped if shipped.is_file() else Path(name)
    try:
        body: Any = json.loads(path.read_text(encoding="utf-8"))
        weights = {feature: float(body["weights"].get(feature, 0.0)) for feature in FEATURES}
    except OSError as error:
        raise InputError(f"cannot read the weights {name}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{name} holds no weights; make some with `beryl train-weights LABELS`") from None
    if not all(np.isfinite(w) and w >= 0 for w in weights.values()) or not any(weights.values()):
        raise InputError(f"{name}: weights must be at least 0, and one of them more")
    return weights


def read_function(query: CodeQuery) -> Asked:
    """The function that the query names, by name, by line, or the only one."""
    text = query.source.text.encode("utf-8", "surrogatepass")
    unit = treesitter.analyse(text, query.source.language, _TIMEOUT)
    row, notes = _chosen(unit, query)
    if row.flags & FunctionFlag.DAMAGED:
        notes = (*notes, f"{row.name} has a syntax error inside; what could be read of it was compared")
    edges = list(zip(unit.edge_source, unit.edge_target, unit.edge_kind, strict=True))
    own = [edge for edge in edges if row.first_node <= edge[0] < row.last_node]
    graph = graph_of(row.first_node, row.last_node, own)
    place = Place(row.name, row.start_byte, row.end_byte, row.comment_start, row.comment_end, graph)
    facts = extract(text, query.source.language, [place], timeout=_TIMEOUT)[0]
    if _is_empty(row):
        raise InputError(f"{_where(query)}: the body of {row.name} is empty; there is nothing to compare")
    defined = {each.name for each in unit.functions}
    return Asked(replace(facts, other_calls=facts.other_calls - defined), row, notes)


def _where(query: CodeQuery) -> str:
    return {"-": "standard input", "": "the query"}.get(query.source.path, query.source.path)


def _chosen(unit: FileUnit, query: CodeQuery) -> tuple[FunctionRow, tuple[str, ...]]:
    """The function asked for, and what to say about the choice."""
    rows, where = unit.functions, _where(query)
    macro = bool(query.function) and _is_macro(query.source.text, query.function)
    if not rows and macro:
        raise InputError(f"{where}: {query.function} is a macro, and only functions are compared; it holds none")
    if not rows:
        hint = "it may be a macro, a declaration or broken code" if unit.parse_errors else "only functions are compared"
        raise InputError(f"{where} holds no function with a body that {query.source.language} can read; {hint}")
    if query.line:
        around = [row for row in rows if row.start_line <= query.line <= row.end_line]
        if not around:
            known = ", ".join(f"{row.name} ({row.start_line}-{row.end_line})" for row in rows[:_SHOWN_NAMES])
            raise InputError(f"{where}: no function is at line {query.line}; there are: {known}{_more(rows)}")
        return min(around, key=lambda row: row.end_line - row.start_line), ()
    named = [row for row in rows if not query.function or _answers_to(row, query.function)]
    if not named:
        known = ", ".join(dict.fromkeys(row.qualified for row in rows[:_SHOWN_NAMES]))
        hint = f"{query.function} is a macro there, and only functions are compared" if macro else ""
        said = hint or f"there is no function {query.function!r} in it"
        raise InputError(f"{where}: {said}; its functions: {known}{_more(rows)}")
    if len(named) == 1:
        return named[0], ()
    if not query.function:
        longest = max(named, key=lambda row: row.last_node - row.first_node)
        taken = f"the largest, {longest.qualified} at line {longest.start_line}, was taken: name one with FILE:FUNCTION"
        return longest, (f"{where} has {len(named)} functions; {taken}",)
    lines = ", ".join(str(row.start_line) for row in named[:_SHOWN_NAMES])
    first = next((row for row in named if not _is_empty(row)), named[0])
    note = (
        f"{len(named)} functions are called {query.function} (lines {lines}{_more(named)}); "
        f"the one at line {first.start_line} was taken: choose with FILE:LINE"
    )
    return first, (note,)


def _is_empty(row: FunctionRow) -> bool:
    """Whether there is nothing between entry and exit."""
    return row.last_node - row.first_node <= 2


def _is_macro(text: str, name: str) -> bool:
    return re.search(rf"^[ \t]*#[ \t]*define[ \t]+{re.escape(name)}\b", text, re.MULTILINE) is not None


def _answers_to(row: FunctionRow, name: str) -> bool:
    wanted = name.replace("::", ".").replace("#", ".")
    return wanted in (row.name, row.qualified) or row.qualified.endswith("." + wanted)


def _more(rows: Sequence[FunctionRow]) -> str:
    return f" and {len(rows) - _SHOWN_NAMES} more" if len(rows) > _SHOWN_NAMES else ""


def _itself(index: Index, query: CodeQuery, row: FunctionRow) -> int:
    """The query's own function in the index, -1 where its file is not there as it is."""
    wanted = np.frombuffer(digest(query.source.text.encode("utf-8", "surrogatepass")), dtype=np.uint64)
    same = np.flatnonzero(
        (index.files.digest == wanted).all(axis=1) & (index.files.language == query.source.language.code)
    )
    for file in same.tolist():
        first, last = (int(x) for x in index.files.first_function[file : file + 2])
        starts: list[int] = index.functions.start_byte[first:last].tolist()
        if row.start_byte in starts:
            return first + starts.index(row.start_byte)
    return -1


def _calls_told_apart(index: Index, table: Observations, query: CodeQuery, facts: Facts) -> Facts:
    """Which calls of a foreign function the index defines; the directory of the query holds the query alone."""
    unmodeled: set[tuple[str, str]] = set()
    user: set[tuple[str, str]] = set()
    for name in facts.other_calls:
        function = table.defining(name)
        token = tuple(call_token(index, name, function).split(" ", 1))
        (user if function >= 0 else unmodeled).add((token[0], token[1]))
    return replace(facts, unmodeled_calls=frozenset(unmodeled), user_calls=frozenset(user))


def _fragment(index: Index, function: int, verdict: Verdict) -> Fragment:
    span = (function, int(index.functions.start_line[function]), int(index.functions.end_line[function]))
    return fragment(index, [span], (), (), verdict)


def _weighing(weights: select.Weights) -> str:
    used = {name: weight for name, weight in weights.items() if weight > 0}
    if len(set(used.values())) == 1:
        return f"compared by {len(used)} of {len(weights)} classes: {', '.join(used)}"
    total = sum(used.values())
    by_weight = sorted(used.items(), key=lambda item: -item[1])
    return "weights: " + ", ".join(f"{name} {weight / total:.2f}" for name, weight in by_weight)


def _shared(table: Observations, facts: Facts, function: int, parts: dict[str, float]) -> list[str]:
    """What query and result have in common, class by class."""
    notes = []
    for feature in feature_classes():
        observation = feature.observe(facts)
        if isinstance(observation, Tree | bytes) or parts[feature.name] <= 0:
            continue
        held = table.columns[feature.name].observation(function)
        common = sorted(token for token in observation if token_hash(token) in held)
        if common and not feature.name.startswith("cfg-"):
            shown = ", ".join(repr(token.strip()) for token in common[:_SHOWN_TOKENS])
            more = f" and {len(common) - _SHOWN_TOKENS} more" if len(common) > _SHOWN_TOKENS else ""
            notes.append(f"{feature.title} {parts[feature.name]:.2f}: both have {shown}{more}")
    return notes


def language_by_look(text: str) -> Language:
    """The language of code that came without a file name: the one whose grammar reads it with fewest errors."""
    best, fewest = Language.C, -1
    for language in (Language.C, Language.JAVA, Language.CPP):
        errors = treesitter.analyse(text.encode("utf-8", "surrogatepass"), language, _TIMEOUT)
        cost = errors.parse_errors * 1000 + (500 if not errors.functions else 0)
        if fewest < 0 or cost < fewest:
            best, fewest = language, cost
    return best
