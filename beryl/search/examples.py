"""Input/output examples + index -> methods that satisfy them (Satsy)."""

from __future__ import annotations

import importlib.util
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from beryl.errors import InputError, MissingDependency
from beryl.index.store import Index
from beryl.search.clock import Clock
from beryl.smt.behaviour import behaviour, probes
from beryl.smt.encoding import Encoding
from beryl.smt.examples import Specification, read_specification, signature_text
from beryl.smt.match import Budget, Check, Outcome, find_mappings, fits
from beryl.smt.rankings import RANKINGS, Found, Ranked
from beryl.smt.table import Paths
from beryl.types import ExampleQuery, Fragment, FunctionSpan, Language, SearchResult, Verdict

_NEAREST_SHOWN = 5
# Methods with inputs left over need the solver and rank last: once there are results of equal signature, they get only
# this much of the budget.
_WIDER_SECONDS = 0.4


def search(index: Index, query: ExampleQuery) -> SearchResult:
    """Methods that satisfy the examples, best first."""
    clock = Clock()
    specification = _checked(query)
    with clock("open"):
        paths = Paths.open(index)
        candidates = _candidates(index, paths, specification, query)
    budget = Budget.of(query.timeout, query.budget)
    with clock("check"):
        progress = _Progress(time.perf_counter())
        found = _find(index, paths, specification, query, (candidates, budget, progress))
    with clock("rank"):
        background = [index.functions.name[int(paths.function[row])] for row in candidates.equal]
        ranked = RANKINGS[query.ranking](found, background)[: query.k]
        results = tuple(_fragment(index, paths, item, specification) for item in ranked)
    stages = clock.stages | ({"first_result": progress.first} if progress.first is not None else {})
    notes = _notes(progress)
    text = "\n".join(query.examples)
    return SearchResult("; ".join(query.examples), "", "io", clock.total, results, text, stages, notes)


def verdicts(
    index: Index, function_ids: Sequence[int], examples: Sequence[str], timeout: float, budget: float
) -> list[Verdict]:
    """Whether each function satisfies all examples with one mapping; UNSUPPORTED where it is not encoded."""
    specification = read_specification(examples)
    paths = Paths.open(index)
    limit = Budget.of(timeout, budget)
    answers: list[Verdict] = []
    for function in function_ids:
        row = paths.row_of(function)
        if row is None:
            answers.append(Verdict.UNSUPPORTED)
            continue
        kinds, result = _split(paths.signatures[int(paths.signature[row])])
        if not fits(specification.output, result) or not find_mappings(specification.inputs, kinds):
            answers.append(Verdict.MISMATCH)
        elif limit.spent:
            answers.append(Verdict.UNKNOWN)
        else:
            answers.append(Check(paths.encoding(row), specification, limit).verdict())
    return answers


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Rows whose signature the examples fit: exactly, or with inputs left over (fewest first)."""

    equal: list[int]
    wider: list[int]


@dataclass(slots=True)
class _Progress:
    """What a search has done so far."""

    start: float
    first: float | None = None
    unchecked: int = 0
    wider: int = 0
    """Methods with inputs left over that were not checked because there are results of equal signature."""
    unknown: int = 0

    def found(self) -> None:
        """Remember when the first result was found."""
        if self.first is None:
            self.first = 1000 * (time.perf_counter() - self.start)


def _checked(query: ExampleQuery) -> Specification:
    if query.budget <= 0 or query.timeout <= 0:
        raise InputError("a budget or time-out of zero leaves no time to search; give seconds above 0")
    if query.ranking not in RANKINGS:
        raise InputError(f"unknown ranking {query.ranking!r}; known: {', '.join(sorted(RANKINGS))}")
    specification = read_specification(query.examples)
    if importlib.util.find_spec("z3") is None:
        raise MissingDependency("`beryl io`", "z3", "solver")
    return specification


def _candidates(index: Index, paths: Paths, specification: Specification, query: ExampleQuery) -> _Candidates:
    fitting: dict[int, int] = {}
    for number, key in enumerate(paths.signatures):
        kinds, result = _split(key)
        if fits(specification.output, result) and find_mappings(specification.inputs, kinds):
            fitting[number] = len(kinds) - len(specification.inputs)
    if not fitting:
        raise _no_signature(paths, specification)
    allowed = index.allowed_functions(query.filters)
    rows = np.flatnonzero(np.isin(paths.signature, list(fitting)) & allowed[paths.function])
    extra = np.array([fitting[number] for number in paths.signature[rows].tolist()], dtype=np.int64)
    order = np.argsort(extra, kind="stable")
    equal = rows[extra == 0].tolist()
    return _Candidates(equal, rows[order][len(equal) :].tolist())


def _split(key: str) -> tuple[tuple[str, ...], str]:
    inputs, _, result = key.partition(">")
    return (tuple(inputs.split(",")) if inputs else ()), result


def _no_signature(paths: Paths, specification: Specification) -> InputError:
    counts = Counter(paths.signature.tolist())
    wanted = Counter(specification.inputs)

    def distance(number: int) -> tuple[int, int]:
        kinds, result = _split(paths.signatures[number])
        have = Counter(kinds)
        missing = sum((wanted - have).values()) + sum((have - wanted).values())
        return missing + 2 * (not fits(specification.output, result)), -counts[number]

    near = sorted(counts, key=distance)[:_NEAREST_SHOWN]
    listed = "; ".join(f"{signature_text(*_split(paths.signatures[number]))}: {counts[number]:,}" for number in near)
    return InputError(
        f"no encoded method has the signature {specification.signature}; the nearest are {listed or 'none'}"
    )


_Work = tuple[_Candidates, Budget, _Progress]


def _find(index: Index, paths: Paths, specification: Specification, query: ExampleQuery, work: _Work) -> list[Found]:
    """Equal signatures first; wider ones only if they can still be among the top k."""
    candidates, budget, progress = work
    partial = query.ranking == "satsy-rr"
    found: list[Found] = []
    for rows, equal in ((candidates.equal, True), (candidates.wider, False)):
        if not equal and (query.ranking == "satsy" or _enough(found, query, partial)):
            break
        strict = not equal and not partial and any(item.uses_inputs for item in found)
        limited, unchecked = not equal and bool(found), progress.unchecked
        if limited:
            budget = Budget(budget.timeout, min(budget.deadline, time.monotonic() + _WIDER_SECONDS))
        for item in _match(paths, specification, rows, (budget, progress, partial, strict)):
            found.append(_found(index, paths, item, specification, equal))
            progress.found()
            if not equal and _enough(found, query, partial):
                break
        if limited:
            progress.wider, progress.unchecked = progress.unchecked - unchecked, unchecked
    return found


def _enough(found: Sequence[Found], query: ExampleQuery, partial: bool) -> bool:
    """Whether wider signatures can no longer be seen: k results of equal signature rank before all of them."""
    if partial:
        return len(found) >= query.k
    good = (item for item in found if item.outcome.joint is Verdict.MATCH and item.uses_inputs and not item.echo)
    return sum(1 for _ in good) >= query.k


_Matched = tuple[int, Encoding, Outcome]


def _match(
    paths: Paths, specification: Specification, rows: Sequence[int], how: tuple[Budget, _Progress, bool, bool]
) -> Iterator[_Matched]:
    """Methods that match; `strict` leaves out those that owe their answers to the values the solver chose."""
    budget, progress, partial, strict = how
    for place, row in enumerate(rows):
        if budget.spent:
            progress.unchecked += len(rows) - place
            return
        encoding = paths.encoding(row)
        check = Check(encoding, specification, budget)
        outcome = check.run(all_pairs=not partial)
        if outcome is None:
            continue
        if outcome.bucket == 0 or (not partial and outcome.bucket > 4):
            progress.unknown += 1
        elif not strict or (outcome.joint is Verdict.MATCH and check.determined(outcome.pairs[0].mapping)):
            yield row, encoding, outcome


def _found(index: Index, paths: Paths, item: _Matched, specification: Specification, equal: bool) -> Found:
    row, encoding, outcome = item
    inputs = probes(specification)
    function = int(paths.function[row])
    fields = len(encoding.inputs) - encoding.parameters
    echo = any(
        value == example.output.value and value is not None and not isinstance(value, bool)
        for pair, example in zip(outcome.pairs, specification.examples, strict=True)
        for value in pair.free.values()
    )
    name = index.functions.name[function]
    project = int(index.files.project[int(index.functions.file[function])])
    deeds = behaviour(encoding, outcome.pairs[0].mapping, inputs) if equal and outcome.joint is Verdict.MATCH else ()
    size = encoding.size
    return Found(row, function, outcome, equal, name, project, size, deeds, fields, encoding.uses_inputs, echo)


def _notes(progress: _Progress) -> tuple[str, ...]:
    notes = []
    if progress.unchecked:
        notes.append(f"time ran out: {_candidates_text(progress.unchecked)} not checked (--budget gives more)")
    if progress.wider:
        notes.append(f"{_candidates_text(progress.wider)} with more inputs not checked, for others match as they are")
    if progress.unknown:
        notes.append(f"{_candidates_text(progress.unknown)} UNKNOWN (time-out or bound) and not shown")
    return tuple(notes)


def _candidates_text(count: int) -> str:
    return "1 candidate" if count == 1 else f"{count:,} candidates"


def _fragment(index: Index, paths: Paths, item: Ranked, specification: Specification) -> Fragment:
    function = item.found.function
    file = int(index.functions.file[function])
    start, end = int(index.functions.start_line[function]), int(index.functions.end_line[function])
    path, qualified = index.files.path[file], index.functions.qualified[function]
    outcome = item.found.outcome
    return Fragment(
        score=item.score,
        parts=item.parts,
        project=index.projects[int(index.files.project[file])],
        language=Language.JAVA,
        path=path,
        start=start,
        end=end,
        functions=(qualified,),
        spans=(FunctionSpan(path, qualified, start, end),),
        nodes=tuple(range(*index.functions.first_node[function : function + 2].tolist())),
        notes=tuple(_explained(item, specification)),
        code="\n".join(index.lines(file, start, end)),
        extra={
            "strength": str(outcome.strength),
            "bucket": outcome.bucket,
            "signature": "equal" if item.found.equal else "wider",
            "joint": str(outcome.joint),
            "paths": {"satisfied": outcome.satisfied_paths, "known": outcome.paths},
            "pairs": [
                {
                    "example": example.text,
                    "verdict": str(pair.verdict),
                    "path": pair.path,
                    "mapping": list(pair.mapping),
                    "free": dict(pair.free),
                }
                for example, pair in zip(specification.examples, outcome.pairs, strict=True)
            ],
        },
    )


def _explained(item: Ranked, specification: Specification) -> Iterator[str]:
    outcome = item.found.outcome
    yield (
        f"{outcome.strength} match (bucket {outcome.bucket} of Table 2), "
        f"{'equal' if item.found.equal else 'wider'} signature, joint check: {outcome.joint}"
    )
    for example, pair in zip(specification.examples, outcome.pairs, strict=True):
        given = ", ".join(pair.mapping) or "no input"
        free = ", ".join(f"{name} = {value!r}" for name, value in pair.free.items())
        chosen = f", with {free}" if free else ""
        branches = pair.path if len(pair.path) <= 40 else f"{pair.path[:40]}... ({len(pair.path)} branches)"
        yield f"{example.text}: {pair.verdict} by inputs {given} on path [{branches}]{chosen}"
