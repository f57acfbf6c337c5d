"""One run of a program along one path: the decisions taken so far, and what they imply."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from beryl.smt.semantics import DOMAINS
from beryl.smt.terms import Arg, Pool, Term, lower_bound

_INFINITY = 1 << 70
_COMPARISONS = frozenset(("lt", "le", "eq"))


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far execution goes before a path is cut."""

    paths: int
    """Paths of one method."""
    loops: int
    """Iterations of one loop whose course depends on a free variable."""
    arrays: int
    """Length of a free array, and of an array or index that depends on a free variable."""
    depth: int
    """Calls within calls."""
    steps: int
    """Expressions and statements in all, over all paths."""


# While indexing everything is free, and paths multiply; with the inputs of an example known a path is one.
INDEX_BOUNDS = Bounds(paths=24, loops=3, arrays=2, depth=4, steps=6_000)
QUERY_BOUNDS = Bounds(paths=24, loops=6, arrays=3, depth=60, steps=40_000)


class Cut(Exception):
    """A path that goes beyond the bounds or uses what is not modelled."""


class Thrown(Exception):
    """The program throws."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(slots=True, eq=False)
class Array:
    """A Java array: a list of cells that is changed in place."""

    cells: list[object]


@dataclass(slots=True, eq=False)
class Builder:
    """A StringBuilder."""

    text: Arg


@dataclass(frozen=True, slots=True)
class FreeArray:
    """An array that is an input, not yet looked at."""

    name: str
    type: str


@dataclass(slots=True)
class Machine:
    """Takes the decisions of one path: first those of `prefix`, then always true, leaving the others in `open`."""

    pool: Pool
    bounds: Bounds
    prefix: tuple[bool, ...]
    steps: int
    trace: list[bool] = field(default_factory=list)
    """The forks, as in `prefix`."""
    taken: list[str] = field(default_factory=list)
    """Every branch of the source, forked or not: what tells one path from another, whatever is known of the inputs."""
    conditions: list[Arg] = field(default_factory=list)
    open: list[tuple[bool, ...]] = field(default_factory=list)
    known: dict[Term, bool] = field(default_factory=dict)
    ranges: dict[Term, tuple[int, int]] = field(default_factory=dict)
    arrays: dict[str, Array | None] = field(default_factory=dict)

    def step(self) -> None:
        """Count one expression or statement."""
        self.steps -= 1
        if self.steps < 0:
            raise Cut("step limit")

    def decide(self, condition: Arg) -> bool:
        """Whether a condition holds on this path; an open one is a fork."""
        if not isinstance(condition, Term):
            return bool(condition)
        if condition.op == "not":
            return not self.decide(condition.args[0])
        implied = self.known.get(condition)
        if implied is None:
            implied = self._implied(condition)
        if implied is not None:
            return implied
        if len(self.trace) < len(self.prefix):
            choice = self.prefix[len(self.trace)]
        else:
            choice = True
            self.open.append((*self.trace, False))
        self.trace.append(choice)
        self.conditions.append(condition if choice else self.pool.negate(condition))
        self.known[condition] = choice
        self._learn(condition, choice)
        return choice

    def branch(self, condition: Arg) -> bool:
        """Which way a branch of the source goes."""
        choice = self.decide(condition)
        self.taken.append("1" if choice else "0")
        return choice

    def require(self, condition: Arg, exception: str) -> None:
        """Throw unless the condition holds."""
        if isinstance(condition, Term) and condition.op == "and":
            for part in condition.args:
                self.require(part, exception)
            return
        if not self.decide(condition):
            raise Thrown(exception)

    def operate(self, op: str, args: list[Arg]) -> Arg:
        """An operation, after its domain was made sure of."""
        if op in DOMAINS:
            domain, exception = DOMAINS[op]
            self.require(self._domain(domain, args), exception)
        return self.pool.make(op, *args)

    def _domain(self, domain: str, args: list[Arg]) -> Arg:
        make = self.pool.make
        if domain == "nonzero":
            return self.pool.negate(make("eq", args[1], 0))
        if domain == "notnegative":
            return make("le", 0, args[1])
        if domain == "inside":
            return make("and", make("le", 0, args[1]), make("lt", args[1], make("length", args[0])))
        if domain == "range":
            text, start, end = args
            ordered = make("and", make("le", 0, start), make("le", start, end))
            return make("and", ordered, make("le", end, make("length", text)))
        return make(domain, *args)

    def concretise(self, value: Arg, low: int, high: int) -> int:
        """A known integer for a value, by forking over low..high; the rest is cut."""
        if not isinstance(value, Term):
            return int(value)  # type: ignore[arg-type]
        for guess in range(low, high + 1):
            if self.decide(self.pool.make("eq", value, guess)):
                return guess
        raise Cut("array bound")

    def _implied(self, condition: Term) -> bool | None:
        comparison = _against_constant(condition)
        if comparison is None:
            return None
        term, op, constant = comparison
        low, high = self._range(term)
        if op == "eq":
            return False if not low <= constant <= high else True if low == high else None
        if op == "le":
            return True if high <= constant else False if low > constant else None
        return True if low >= constant else False if high < constant else None

    def _learn(self, condition: Term, choice: bool) -> None:
        comparison = _against_constant(condition)
        if comparison is None:
            return
        term, op, constant = comparison
        low, high = self._range(term)
        if op == "eq":
            if choice:
                low = high = constant
            else:
                low, high = low + (low == constant), high - (high == constant)
        elif op == "le":
            low, high = (low, min(high, constant)) if choice else (max(low, constant + 1), high)
        else:
            low, high = (max(low, constant), high) if choice else (low, min(high, constant - 1))
        self.ranges[term] = (low, high)

    def _range(self, term: Term) -> tuple[int, int]:
        if term in self.ranges:
            return self.ranges[term]
        bound = lower_bound(term)
        return (-_INFINITY if bound is None else bound), _INFINITY


def _against_constant(condition: Term) -> tuple[Term, str, int] | None:
    """`term <= c` as (term, "le", c), `term >= c` as (term, "ge", c), `term == c` as (term, "eq", c)."""
    if condition.op not in _COMPARISONS:
        return None
    one, other = condition.args
    strict = condition.op == "lt"
    if isinstance(one, Term) and one.sort == "I" and type(other) is int:
        return one, ("eq" if condition.op == "eq" else "le"), other - strict
    if isinstance(other, Term) and other.sort == "I" and type(one) is int:
        return other, ("eq" if condition.op == "eq" else "ge"), one + strict
    return None


@dataclass(slots=True)
class Tally:
    """What became of the paths that did not return."""

    thrown: Counter[str] = field(default_factory=Counter)
    cut: Counter[str] = field(default_factory=Counter)
