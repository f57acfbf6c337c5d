"""An encoded method and a specification -> verdicts for each pair, the joint check, and the bucket of Table 2."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import permutations

from beryl.smt.declarations import primitive
from beryl.smt.encoding import Encoding
from beryl.smt.examples import Example, Specification
from beryl.smt.execute import Path, explore
from beryl.smt.machine import QUERY_BOUNDS
from beryl.smt.semantics import Undefined, Value, to_float
from beryl.smt.terms import Arg, Pool, Reader, Term, equate
from beryl.types import Verdict

# Of n same-typed inputs and m variables there are m!/(m-n)! mappings; beyond this many the rest is not tried.
_MOST_MAPPINGS = 24
_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_Conditions = tuple[Arg, ...]


class Strength(StrEnum):
    """How a method and a specification cover each other (Table 1)."""

    FULL = "full"
    OVER = "over"
    UNDER = "under"
    SPLINTERED = "splintered"


@dataclass(slots=True)
class Budget:
    """Time for one check and for the whole query."""

    timeout: float
    deadline: float

    @staticmethod
    def of(timeout: float, seconds: float) -> Budget:
        """A budget that starts now."""
        return Budget(timeout, time.monotonic() + seconds)

    @property
    def slice(self) -> float:
        """Seconds the next check may take."""
        return min(self.timeout, self.deadline - time.monotonic())

    @property
    def spent(self) -> bool:
        """Whether the query's time is over."""
        return time.monotonic() >= self.deadline


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """What became of one input/output pair: the path that satisfied it, the mapping and the free values chosen."""

    verdict: Verdict
    path: str = ""
    mapping: tuple[str, ...] = ()
    """The variable that each input of the example stands for."""
    free: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A method against a specification."""

    pairs: tuple[PairOutcome, ...]
    joint: Verdict
    """One mapping and the same free values over all pairs (§2.2)."""
    satisfied_paths: int
    """|Q_sat|."""
    paths: int
    """|Q_P| as far as known; a method with cut paths has more."""
    bucket: int
    """Of Table 2, 1..10; 0 is no match."""
    strength: Strength | None

    @property
    def verdict(self) -> Verdict:
        """MATCH where the joint check holds."""
        return self.joint


@dataclass(slots=True)
class _Open:
    """A path that is not ruled out for a pair: no conditions left means that it is satisfied."""

    path: str
    conditions: _Conditions


@dataclass(slots=True)
class _Checked:
    """All paths left for one pair under one mapping, and whether something could not be told."""

    open: list[_Open]
    unknown: bool


class Check:
    """One method against one specification; `filtered=False` leaves every decision to the solver."""

    def __init__(self, encoding: Encoding, specification: Specification, budget: Budget, filtered: bool = True) -> None:
        self.encoding, self.specification, self.budget, self.filtered = encoding, specification, budget, filtered
        self.pool = Pool()
        self.types = dict(encoding.inputs)
        self.mappings = find_mappings(specification.inputs, encoding.kinds)
        self.checked: dict[tuple[int, tuple[int, ...], bool], _Checked] = {}

    def run(self, all_pairs: bool = False) -> Outcome | None:
        """The outcome, or None where nothing matches (with `all_pairs`: where a pair is not satisfied)."""
        pairs: list[PairOutcome] = []
        satisfied: set[str] = set()
        for place in range(len(self.specification.examples)):
            outcome, paths = self._pair(place)
            if all_pairs and outcome.verdict is Verdict.MISMATCH:
                return None
            pairs.append(outcome)
            satisfied |= paths
        verdicts = [pair.verdict for pair in pairs]
        if Verdict.MATCH not in verdicts and Verdict.UNKNOWN not in verdicts:
            return None
        joint, joint_pairs = self._joint(verdicts)
        return self._outcome(joint_pairs or pairs, joint, satisfied)

    def verdict(self) -> Verdict:
        """The joint verdict alone."""
        verdicts = []
        for place in range(len(self.specification.examples)):
            verdicts.append(self._any_path(place))
            if verdicts[-1] is Verdict.MISMATCH:
                return Verdict.MISMATCH
        return self._joint(verdicts)[0]

    def _any_path(self, place: int) -> Verdict:
        """MISMATCH where all paths of a pair are ruled out without the solver, else UNKNOWN."""
        checked = [self._check(place, mapping, filtered=True) for mapping in self.mappings]
        return Verdict.UNKNOWN if any(item.open or item.unknown for item in checked) else Verdict.MISMATCH

    def _outcome(self, pairs: Sequence[PairOutcome], joint: Verdict, satisfied: set[str]) -> Outcome:
        total = len({trace for trace, _, _ in self.encoding.paths})
        covered = self.encoding.complete and len(satisfied) >= total
        matched = sum(pair.verdict is Verdict.MATCH for pair in pairs)
        number = bucket(len(pairs), matched, len(satisfied), covered) if matched else 0
        return Outcome(tuple(pairs), joint, len(satisfied), total, number, _strength(number))

    def _pair(self, place: int) -> tuple[PairOutcome, set[str]]:
        """The verdict of one pair: each path checked by itself under every mapping (Definitions 1-3)."""
        best = PairOutcome(Verdict.MISMATCH)
        satisfied: set[str] = set()
        for mapping in self.mappings:
            checked = self._check(place, mapping, self.filtered)
            if checked.unknown and best.verdict is Verdict.MISMATCH:
                best = PairOutcome(Verdict.UNKNOWN)
            for item in checked.open:
                if item.path in satisfied:
                    continue
                verdict, values = self._solve([[item.conditions]])
                if verdict is Verdict.MATCH:
                    satisfied.add(item.path)
                if verdict is Verdict.MATCH and best.verdict is not Verdict.MATCH:
                    best = PairOutcome(verdict, item.path, self._names(mapping), self._free(values))
                elif verdict is Verdict.UNKNOWN and best.verdict is Verdict.MISMATCH:
                    best = PairOutcome(Verdict.UNKNOWN)
        return best, satisfied

    def _joint(self, verdicts: Sequence[Verdict]) -> tuple[Verdict, list[PairOutcome]]:
        if Verdict.MISMATCH in verdicts:
            return Verdict.MISMATCH, []
        unknown = False
        for mapping in self.mappings:
            groups = [self._check(place, mapping, filtered=True) for place in range(len(verdicts))]
            unknown = unknown or any(group.unknown for group in groups)
            if not all(group.open for group in groups):
                continue
            verdict, values = self._solve([[item.conditions for item in group.open] for group in groups])
            if verdict is Verdict.MATCH:
                return verdict, self._explained(mapping, groups, values)
            unknown = unknown or verdict is Verdict.UNKNOWN
        return (Verdict.UNKNOWN if unknown else Verdict.MISMATCH), []

    def _explained(
        self, mapping: tuple[int, ...], groups: Sequence[_Checked], values: dict[Term, Value]
    ) -> list[PairOutcome]:
        pairs = []
        for group in groups:
            path = next((item.path for item in group.open if self._holds(item.conditions, values)), "")
            pairs.append(PairOutcome(Verdict.MATCH, path, self._names(mapping), self._free(values)))
        return pairs

    def _holds(self, conditions: _Conditions, values: dict[Term, Value]) -> bool:
        if not conditions:
            return True
        from beryl.smt.solver import holds

        return holds(self.pool, conditions, values)

    def _solve(self, groups: Sequence[Sequence[_Conditions]]) -> tuple[Verdict, dict[Term, Value]]:
        if all(any(not conditions for conditions in group) for group in groups):
            return Verdict.MATCH, {}
        seconds = self.budget.slice
        if seconds <= 0:
            return Verdict.UNKNOWN, {}
        from beryl.smt.solver import solve

        answer = solve(self.pool, groups, self.types, seconds)
        return answer.verdict, answer.values

    def _check(self, place: int, mapping: tuple[int, ...], filtered: bool) -> _Checked:
        key = (place, mapping, filtered)
        if key not in self.checked:
            example = self.specification.examples[place]
            names = self._names(mapping)
            bindings = {name: literal.value for name, literal in zip(names, example.inputs, strict=True)}
            if not all(_representable(self.types[name], value) for name, value in bindings.items()):
                self.checked[key] = _Checked([], False)
            else:
                self.checked[key] = self._stored(bindings, example, filtered or not self.encoding.complete)
        return self.checked[key]

    def _stored(self, bindings: Mapping[str, object], example: Example, filtered: bool) -> _Checked:
        """The paths under known inputs: worked out here, or (unfiltered, stored ones) stated for the solver.

        Where paths were cut the program is run instead: loops go as far as the example takes them.
        """
        given: list[Arg] = [] if filtered else self._given(bindings)
        executed, unknown = self._paths(bindings if filtered else {})
        found = _Checked([], unknown)
        for path in executed:
            kept = _conditions([*path.conditions, equate(self.pool, path.result, example.output.value)], given)
            if kept is not None:
                found.open.append(_Open(path.trace, tuple(kept)))
        return found

    def _paths(self, bindings: Mapping[str, object]) -> tuple[list[Path], bool]:
        """The paths that some inputs leave open, and whether something could not be told."""
        if not self.encoding.complete:
            assert self.encoding.program is not None
            explored = explore(self.encoding.program, bindings, QUERY_BOUNDS, self.pool)
            return explored.paths, not explored.complete
        reader = Reader(self.encoding.nodes, bindings, self.pool)
        found: list[Path] = []
        unknown = False
        for trace, conditions, result in self.encoding.paths:
            try:
                kept = _conditions((reader.get(position) for position in conditions), [])
                if kept is not None:
                    found.append(Path(trace, tuple(kept), reader.get(result)))
            except Undefined:
                unknown = True
        return found, unknown

    def determined(self, mapping: Sequence[str]) -> bool:
        """Whether the examples' inputs alone give their outputs, whatever the free values are."""
        for example in self.specification.examples:
            bindings = {name: literal.value for name, literal in zip(mapping, example.inputs, strict=True)}
            executed, unknown = self._paths(bindings)
            if unknown:
                return False
            for path in executed:
                right = equate(self.pool, path.result, example.output.value)
                kept = _conditions([*path.conditions, self.pool.negate(right)], [])
                if kept is not None and self._solve([[tuple(kept)]])[0] is not Verdict.MISMATCH:
                    return False
        return True

    def _given(self, bindings: Mapping[str, object]) -> list[Arg]:
        given: list[Arg] = []
        for node in self.encoding.nodes:
            if node[0] in ("var", "len", "elem", "ref") and node[1] in bindings:
                leaf = Reader([node], {}, self.pool).get(0)
                value = Reader([node], bindings, self.pool).get(0)
                if node[0] != "ref":
                    given.append(equate(self.pool, leaf, value))
                given.append(self.pool.make("eq", self.pool.is_null(leaf), value is None))
        return [condition for condition in given if condition is not True]

    def _names(self, mapping: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.encoding.inputs[position][0] for position in mapping)

    def _free(self, values: Mapping[Term, Value]) -> dict[str, Value]:
        return {_leaf_name(term): value for term, value in values.items() if term.op != "isnull" or value}


def _representable(kind: str, value: object) -> bool:
    """Whether a variable of a Java type can hold a value: a big number is no int, most doubles are no float."""
    if isinstance(value, list):
        return all(_representable(kind.removesuffix("[]"), item) for item in value)
    kind = primitive(kind)
    if kind in _BITS and isinstance(value, int):
        return -(1 << (_BITS[kind] - 1)) <= value < 1 << (_BITS[kind] - 1)
    return kind != "float" or not isinstance(value, float) or to_float(value) == value


def _leaf_name(term: Term) -> str:
    if term.op == "isnull":
        inner = term.args[0]
        return f"{_leaf_name(inner)} == null" if isinstance(inner, Term) else ""
    name = str(term.args[0])
    return f"{name}.length" if term.op == "len" else f"{name}[{term.args[1]}]" if term.op == "elem" else name


def _conditions(found: Iterable[Arg], kept: list[Arg]) -> list[Arg] | None:
    """The open conditions added to those kept; None as soon as one is false."""
    kept = list(kept)
    for condition in found:
        if condition is False:
            return None
        if condition is not True:
            kept.append(condition)
    return kept


def find_mappings(wanted: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, ...]]:
    """All ways to give each input a variable of its type (§4.2), as positions in `kinds`."""
    candidates = [place for place, kind in enumerate(kinds) if any(fits(want, kind) for want in wanted)]
    if len(candidates) < len(wanted):
        return []
    found: list[tuple[int, ...]] = []
    for choice in permutations(candidates, len(wanted)):
        if all(fits(want, kinds[place]) for want, place in zip(wanted, choice, strict=True)):
            found.append(choice)
            if len(found) >= _MOST_MAPPINGS:
                break
    return found


def fits(want: str, kind: str) -> bool:
    """Whether a value of one kind can be given to a variable of another: equal, null to any reference, [] to arrays."""
    if want == kind:
        return True
    if want == "N":
        return kind == "S" or kind.endswith("[]")
    return want.startswith("?[]") and kind.endswith("[]") and kind.count("[]") >= want.count("[]")


def bucket(pairs: int, matched: int, satisfied_paths: int, covered: bool) -> int:
    """Table 2; `covered` is Q_sat = Q_P. With a single pair the right-hand column holds."""
    if matched == pairs:
        saturated = pairs > satisfied_paths
        return (2 if saturated else 1) if covered else (4 if saturated else 3)
    if matched == 1:
        return 9 if covered else 10
    saturated = matched > satisfied_paths
    return (6 if saturated else 5) if covered else (8 if saturated else 7)


def _strength(number: int) -> Strength | None:
    if number == 0:
        return None
    if number <= 2:
        return Strength.FULL
    if number <= 4:
        return Strength.OVER
    return Strength.UNDER if number in (5, 6, 9) else Strength.SPLINTERED
