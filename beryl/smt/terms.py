"""Expressions over free variables: made through a Pool that folds constants and keeps equal terms one object.

On disk a pool is a list of nodes `[operation, argument, ...]` whose arguments are positions of earlier nodes:
`["k", value]` is a constant, `["var", name, sort]` a free variable, `["len", name]` and `["elem", name, k, sort]` the
length and the k-th element of a free array, `["isnull", variable]` whether a reference is null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from beryl.smt.semantics import OPERATIONS, Undefined, Value, wrap32

LEAVES = frozenset(("var", "len", "elem"))
_NON_NEGATIVE = frozenset(("length", "len"))


class Term:
    """An operation on terms and values; equal terms of a pool are the same object."""

    __slots__ = ("args", "op", "sort")

    def __init__(self, op: str, args: tuple[Arg, ...], sort: str) -> None:
        self.op, self.args, self.sort = op, args, sort

    def __repr__(self) -> str:
        """An S-expression."""
        return f"({self.op} {' '.join(map(repr, self.args))})"


Arg = Term | Value


def sort_of(arg: Arg) -> str:
    """Z, I, D, S or A (array); null is S."""
    if isinstance(arg, Term):
        return arg.sort
    return "Z" if isinstance(arg, bool) else "I" if isinstance(arg, int) else "D" if isinstance(arg, float) else "S"


def compute(op: str, *values: Value) -> Value:
    """The value of an operation. Raises Undefined where there is none."""
    try:
        return OPERATIONS[op].compute(*values)
    except (ValueError, OverflowError, TypeError, AttributeError):
        raise Undefined(op) from None


@dataclass(slots=True)
class Pool:
    """Makes terms."""

    table: dict[tuple[object, ...], Term] = field(default_factory=dict)

    def make(self, op: str, *args: Arg) -> Arg:
        """The value of an operation where all arguments are known, else its term. May raise Undefined."""
        if not any(isinstance(arg, Term) for arg in args):
            return compute(op, *args)  # type: ignore[arg-type]
        rule = _RULES.get(op)
        if rule is not None:
            simpler = rule(self, args)
            if simpler is not None:
                return simpler[0]
        return self.intern(op, args, OPERATIONS[op].sort)

    def intern(self, op: str, args: tuple[Arg, ...], sort: str) -> Term:
        """The one term of this operation and these arguments."""
        key = (op, *[arg if isinstance(arg, Term) else (type(arg), arg) for arg in args])
        term = self.table.get(key)
        if term is None:
            term = self.table[key] = Term(op, args, sort)
        return term

    def variable(self, name: str, sort: str) -> Term:
        """A free variable."""
        return self.intern("var", (name,), sort)

    def length(self, name: str) -> Term:
        """The length of a free array."""
        return self.intern("len", (name,), "I")

    def element(self, name: str, position: int, sort: str) -> Term:
        """An element of a free array."""
        return self.intern("elem", (name, position), sort)

    def is_null(self, arg: Arg) -> Arg:
        """Whether a reference is null: open for variables and elements only."""
        if isinstance(arg, Term) and arg.op in ("var", "elem", "ref"):
            return self.intern("isnull", (arg,), "Z")
        return arg is None

    def negate(self, arg: Arg) -> Arg:
        """Logical not."""
        return self.make("not", arg)


def _boolean(unit: bool) -> Callable[[Pool, tuple[Arg, ...]], tuple[Arg] | None]:
    def rule(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
        for one, other in (args, args[::-1]):
            if one is unit:
                return (other,)
            if one is (not unit):
                return (not unit,)
        return (args[0],) if args[0] is args[1] else None

    return rule


def _not(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
    (arg,) = args
    return (arg.args[0],) if isinstance(arg, Term) and arg.op == "not" else None


def _equal(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
    one, other = args
    if one is other and sort_of(one) != "D":
        return (True,)
    for a, b in ((one, other), (other, one)):
        if b is True:
            return (a,)
        if b is False:
            return (pool.negate(a),)
        if a is None and isinstance(b, Term):
            return (pool.is_null(b),)
        if isinstance(a, str) and isinstance(b, Term) and b.op == "concat" and not _can_be(b, a):
            return (False,)
    return None


# What the pieces of a concatenation can look like, by operation; anything else can be any text.
_PIECES = {"chartext": "(?s:.)", "inttext": r"-?\d+", "booltext": "(?:true|false)"}


def _can_be(term: Term, text: str) -> bool:
    """Whether a concatenation can be this text, judged by its constant pieces: spares the solver most mismatches."""
    pieces: list[str] = []
    stack: list[Arg] = [term]
    while stack:
        item = stack.pop()
        if isinstance(item, Term) and item.op == "concat":
            stack += [item.args[1], item.args[0]]
        elif isinstance(item, str):
            pieces.append(re.escape(item))
        else:
            pieces.append(_PIECES.get(item.op if isinstance(item, Term) else "", "(?s:.*)"))
    return re.fullmatch("".join(pieces), text) is not None


def _concat(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
    one, other = args
    if other == "":
        return (one,)
    if one == "":
        return (other,)
    if isinstance(other, str) and isinstance(one, Term) and one.op == "concat" and isinstance(one.args[1], str):
        return (pool.make("concat", one.args[0], one.args[1] + other),)
    return None


def _length(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
    (arg,) = args
    if isinstance(arg, Term) and arg.op == "chartext":
        return (1,)
    return None


def _add(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
    one, other = args
    if other == 0:
        return (one,)
    if one == 0:
        return (other,)
    if isinstance(one, Term) and one.op == "iadd" and isinstance(one.args[1], int) and isinstance(other, int):
        return (pool.make("iadd", one.args[0], wrap32(one.args[1] + other)),)
    return None


def _text(pool: Pool, args: tuple[Arg, ...]) -> tuple[Arg] | None:
    (arg,) = args
    return None if isinstance(arg, Term) and arg.op in ("var", "elem") else (arg,)


_RULES: dict[str, Callable[[Pool, tuple[Arg, ...]], tuple[Arg] | None]] = {
    "and": _boolean(True),
    "or": _boolean(False),
    "not": _not,
    "eq": _equal,
    "equals": _equal,
    "concat": _concat,
    "length": _length,
    "iadd": _add,
    "text": _text,
}


def lower_bound(term: Term) -> int | None:
    """What an integer term cannot be below, where its form says so."""
    return 0 if term.op in _NON_NEGATIVE else -1 if term.op in ("indexof", "lastindexof") else None


@dataclass(slots=True)
class Writer:
    """Terms to the list of nodes that is stored."""

    nodes: list[list[object]] = field(default_factory=list)
    places: dict[object, int] = field(default_factory=dict)

    def add(self, arg: Arg) -> int:
        """The position of a term, written with all it needs."""
        stack = [arg]
        while stack:
            item = stack[-1]
            if self._key(item) in self.places:
                stack.pop()
                continue
            waiting = [part for part in _parts(item) if self._key(part) not in self.places]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            self._write(item)
            stack.pop()
        return self.places[self._key(arg)]

    @staticmethod
    def _key(arg: Arg) -> object:
        return arg if isinstance(arg, Term) else (type(arg), repr(arg))

    def _write(self, item: Arg) -> None:
        if not isinstance(item, Term):
            node: list[object] = ["k", item]
        elif item.op in LEAVES or item.op == "ref":
            node = [item.op, *item.args, item.sort]
        else:
            node = [item.op, *[self.places[self._key(part)] for part in item.args]]
        self.places[self._key(item)] = len(self.nodes)
        self.nodes.append(node)


def _parts(item: Arg) -> Iterable[Arg]:
    return item.args if isinstance(item, Term) and item.op not in LEAVES and item.op != "ref" else ()


@dataclass(slots=True)
class Reader:
    """Stored nodes under a binding of some variables: values where all is known, else terms."""

    nodes: list[list[object]]
    bindings: Mapping[str, object]
    pool: Pool
    known: dict[int, Arg] = field(default_factory=dict)

    def get(self, position: int) -> Arg:
        """The node at a position. May raise Undefined."""
        if position in self.known:
            return self.known[position]
        op, *args = self.nodes[position]
        value: Arg
        if op == "k":
            value = args[0]  # type: ignore[assignment]
        elif op in LEAVES or op == "ref":
            value = self._leaf(str(op), args)
        elif op == "isnull":
            value = self.pool.is_null(self.get(int(args[0])))  # type: ignore[call-overload]
        else:
            parts = [self.get(part) for part in args]  # type: ignore[arg-type]
            value = self._array(parts) if op == "array" else self.pool.make(str(op), *parts)
        self.known[position] = value
        return value

    def _array(self, parts: list[Arg]) -> Arg:
        return self.pool.intern("array", tuple(parts), "A")

    def _leaf(self, op: str, args: list[object]) -> Arg:
        name, sort = str(args[0]), str(args[-1])
        if name in self.bindings:
            bound = self.bindings[name]
            if op == "len":
                return len(bound)  # type: ignore[arg-type]
            if op == "elem":
                return bound[args[1]]  # type: ignore[index,no-any-return]
            return bound  # type: ignore[return-value]
        return self.pool.intern(op, tuple(args[:-1]), sort)  # type: ignore[arg-type]


def variables(args: Iterable[Arg]) -> Iterator[Term]:
    """The free variables of some terms, each once, in order of appearance."""
    seen: set[Term] = set()
    stack = list(args)[::-1]
    while stack:
        item = stack.pop()
        if not isinstance(item, Term) or item in seen:
            continue
        seen.add(item)
        if item.op in LEAVES or item.op == "ref":
            yield item
        else:
            stack.extend(reversed(item.args))


def substitute(pool: Pool, arg: Arg, values: Mapping[Term, Value]) -> Arg:
    """A term with values put in for variables (and for `isnull` of variables). May raise Undefined."""
    known: dict[Term, Arg] = dict(values)
    stack = [arg]
    while stack:
        item = stack[-1]
        if not isinstance(item, Term) or item in known:
            stack.pop()
            continue
        if item.op in LEAVES or item.op in ("ref", "isnull"):
            known[item] = False if item.op == "isnull" else item
            stack.pop()
            continue
        waiting = [part for part in item.args if isinstance(part, Term) and part not in known]
        if waiting:
            stack.extend(waiting)
            continue
        parts = [known[part] if isinstance(part, Term) else part for part in item.args]
        known[item] = pool.intern("array", tuple(parts), "A") if item.op == "array" else pool.make(item.op, *parts)
        stack.pop()
    return known[arg] if isinstance(arg, Term) else arg


def equate(pool: Pool, result: Arg, expected: object) -> Arg:
    """The condition that a result is the expected value."""
    if isinstance(expected, list):
        if not isinstance(result, Term) or result.op != "array" or len(result.args) != len(expected):
            return False
        condition: Arg = True
        for part, value in zip(result.args, expected, strict=True):
            condition = pool.make("and", condition, equate(pool, part, value))
        return condition
    if expected is None:
        return pool.is_null(result)
    if not isinstance(result, Term):
        both_nan = result != result and expected != expected
        return result is not None and type(result) is type(expected) and (result == expected or both_nan)
    if result.sort != sort_of(expected):  # type: ignore[arg-type]
        return False
    return pool.make("equals" if isinstance(expected, str) else "eq", result, expected)  # type: ignore[arg-type]
