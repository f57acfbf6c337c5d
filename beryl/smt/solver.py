"""Terms -> z3, and a three-valued answer: the only file that imports z3.

Free strings and characters are sought among printable ASCII, free integers within their Java type. An operation without
a z3 counterpart becomes an unknown value of its sort, so `unsat` stays a proof; a model counts only after the plain
evaluator has confirmed it, so `sat` stays one too. A time-out, or a model that is not confirmed, is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from beryl.errors import MissingDependency
from beryl.smt.declarations import primitive
from beryl.smt.semantics import Undefined, Value
from beryl.smt.terms import LEAVES, Arg, Pool, Term, sort_of, substitute
from beryl.types import Verdict

try:
    import z3
except ModuleNotFoundError:
    raise MissingDependency("the search for free values of `beryl io`", "z3", "solver") from None

_FIRST, _LAST = " ", "~"
_RANGES = {
    "byte": (-(1 << 7), (1 << 7) - 1),
    "short": (-(1 << 15), (1 << 15) - 1),
    "char": (ord(_FIRST), ord(_LAST)),
    "int": (-(1 << 31), (1 << 31) - 1),
    "long": (-(1 << 63), (1 << 63) - 1),
}
Expression = Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, and where it is MATCH the values of the free variables."""

    verdict: Verdict
    values: dict[Term, Value] = field(default_factory=dict)


Alternatives = Sequence[Sequence[Sequence[Arg]]]
"""Groups of which each needs one of its alternatives, which is a list of conditions that all hold."""


def solve(pool: Pool, alternatives: Alternatives, types: Mapping[str, str], seconds: float) -> Answer:
    """Whether values of the free variables exist, of these Java types, that satisfy every group."""
    translation = _Translation(types)
    groups = [
        z3.Or([z3.And([translation.of(condition) for condition in conditions]) for conditions in group])
        for group in alternatives
    ]
    constraints = groups + translation.axioms
    for hints in [translation.hints, []] if translation.hints else [[]]:
        solver = z3.Solver()
        solver.set("timeout", max(1, int(1000 * seconds)))
        solver.add(*constraints, *hints)
        answer = solver.check()
        if answer == z3.sat:
            values = translation.values(solver.model())
            if _confirmed(pool, alternatives, values):
                return Answer(Verdict.MATCH, values)
        elif answer == z3.unsat and not hints:
            return Answer(Verdict.MISMATCH)
    return Answer(Verdict.UNKNOWN)


def _confirmed(pool: Pool, alternatives: Alternatives, values: dict[Term, Value]) -> bool:
    return all(any(holds(pool, conditions, values) for conditions in group) for group in alternatives)


def holds(pool: Pool, conditions: Sequence[Arg], values: dict[Term, Value]) -> bool:
    """Whether all conditions are true for these values, by the plain evaluator."""
    try:
        return all(substitute(pool, condition, values) is True for condition in conditions)
    except Undefined:
        return False


class _Translation:
    """Terms seen so far as z3 expressions, what must hold of them, and what is worth trying first."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self.types = types
        self.known: dict[Term, Expression] = {}
        self.axioms: list[Expression] = []
        self.hints: list[Expression] = []

    def of(self, arg: Arg) -> Expression:
        if not isinstance(arg, Term):
            return _constant(arg)
        stack = [arg]
        while stack:
            item = stack[-1]
            if item in self.known:
                stack.pop()
                continue
            parts = () if item.op in LEAVES or item.op == "ref" else item.args
            waiting = [part for part in parts if isinstance(part, Term) and part not in self.known]
            if waiting:
                stack.extend(waiting)
                continue
            self.known[item] = self._translate(item)
            stack.pop()
        return self.known[arg]

    def _translate(self, item: Term) -> Expression:
        if item.op in LEAVES:
            return self._leaf(item)
        if item.op == "ref":
            return None
        if item.op == "isnull":
            return z3.Bool(f"null {item.args[0]!r}")
        if item.op == "text" and isinstance(item.args[0], Term):
            null = z3.Bool(f"null {item.args[0]!r}")
            return z3.If(null, z3.StringVal("null"), self.known[item.args[0]])
        args = [self.known[arg] if isinstance(arg, Term) else _constant(arg) for arg in item.args]
        if item.op in ("equals", "equalsignorecase"):
            return self._equals(item, args)
        rule = (_DOUBLE if sort_of(item.args[0]) == "D" else _RULES).get(item.op)
        made = rule(item, args) if rule is not None else None
        return made if made is not None else self._unknown(item, args)

    def _leaf(self, item: Term) -> Expression:
        variable = z3.Const(repr(item), _sort(item.sort))
        if item.op == "len":
            self.axioms += [variable >= 0, variable <= _RANGES["int"][1]]
        elif item.sort == "I":
            kind = primitive(self.types.get(str(item.args[0]), "int").rstrip("[]"))
            low, high = _RANGES.get(kind, _RANGES["int"])
            self.axioms += [variable >= low, variable <= high]
        elif item.sort == "S":
            self.axioms.append(z3.InRe(variable, z3.Star(z3.Range(_FIRST, _LAST))))
        return variable

    def _equals(self, item: Term, args: list[Expression]) -> Expression:
        if item.op == "equalsignorecase":
            args = [self._unknown(item, [arg], like="lower") for arg in args]
        nulls = [z3.Not(z3.Bool(f"null {arg!r}")) for arg in item.args if isinstance(arg, Term) and arg.op in LEAVES]
        return z3.And(args[0] == args[1], *nulls)

    def _unknown(self, item: Term, args: list[Expression], like: str = "") -> Expression:
        name = like or item.op
        value = z3.FreshConst(_sort("S" if like else item.sort), name)
        hint = _HINTS.get(name)
        if hint is not None:
            self.hints += hint(value, args)
        if name in ("lower", "upper"):
            self.axioms.append(z3.Length(value) == z3.Length(args[0]))
        return value

    def values(self, model: Expression) -> dict[Term, Value]:
        """The model's values of free variables."""
        found: dict[Term, Value] = {}
        for item, expression in self.known.items():
            if item.op in LEAVES or item.op == "isnull":
                found[item] = _value(model.eval(expression, model_completion=True), item.sort)
        return found


def _value(value: Expression, sort: str) -> Value:
    if sort == "Z":
        return bool(z3.is_true(value))
    if sort == "I":
        return int(value.as_long())
    if sort == "D":
        return _double(value)
    return _string(value)


def _double(value: Expression) -> float:
    import struct

    if value.isNaN():
        return float("nan")
    bits = z3.simplify(z3.fpToIEEEBV(value)).as_long()
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def _string(value: Expression) -> str:
    import re

    text = value.as_string()
    return re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda match: chr(int(match.group(1), 16)), text)


def _sort(letter: str) -> Expression:
    if letter == "D":
        return z3.Float64()
    return {"Z": z3.BoolSort(), "I": z3.IntSort(), "S": z3.StringSort()}[letter]


def _constant(value: Arg) -> Expression:
    if isinstance(value, bool):
        return z3.BoolVal(value)
    if isinstance(value, int):
        return z3.IntVal(value)
    if isinstance(value, float):
        return z3.FPVal(value, z3.Float64())
    text = "" if value is None else str(value)
    plain = [char if " " <= char <= "~" and char != "\\" else f"\\u{{{ord(char):x}}}" for char in text]
    return z3.StringVal("".join(plain))


def _wrap(bits: int, value: Expression) -> Expression:
    half, full = 1 << (bits - 1), 1 << bits
    return z3.If(z3.And(value >= -half, value < half), value, (value + half) % full - half)


def _truncated(a: Expression, b: Expression) -> Expression:
    return z3.If(a >= 0, a / b, -((-a) / b))


def _remainder(a: Expression, b: Expression) -> Expression:
    return z3.If(a >= 0, a % b, -((-a) % b))


def _bits(operate: Callable[[Any, Any], Any]) -> Callable[[Term, list[Expression]], Expression]:
    def rule(item: Term, args: list[Expression]) -> Expression:
        one, other = (z3.Int2BV(arg, 64) for arg in args)
        return z3.BV2Int(operate(one, other), is_signed=True)

    return rule


def _shift(bits: int, left: bool) -> Callable[[Term, list[Expression]], Expression]:
    def rule(item: Term, args: list[Expression]) -> Expression:
        count = item.args[1]
        if not isinstance(count, int):
            return None
        factor = 1 << (count & (bits - 1))
        return _wrap(bits, args[0] * factor) if left else args[0] / factor

    return rule


def _index_of(item: Term, args: list[Expression]) -> Expression:
    text, part, start = args
    begin = z3.If(start < 0, z3.IntVal(0), start)
    past = z3.And(part == z3.StringVal(""), begin > z3.Length(text))
    return z3.If(past, z3.Length(text), z3.IndexOf(text, part, begin))


def _last_index_of(item: Term, args: list[Expression]) -> Expression:
    text, part, start = args
    reach = z3.SubString(text, 0, start + z3.Length(part))
    return z3.If(start < 0, z3.IntVal(-1), z3.LastIndexOf(reach, part))


def _starts_with(item: Term, args: list[Expression]) -> Expression:
    text, part, start = args
    if item.args[2] == 0:
        return z3.PrefixOf(part, text)
    inside = z3.And(start >= 0, start <= z3.Length(text) - z3.Length(part))
    return z3.And(inside, z3.SubString(text, start, z3.Length(part)) == part)


def _between(low: str, high: str) -> Callable[[Expression], Expression]:
    return lambda code: z3.And(code >= ord(low), code <= ord(high))


_IS_DIGIT, _IS_UPPER, _IS_LOWER = _between("0", "9"), _between("A", "Z"), _between("a", "z")


def _letter(code: Expression) -> Expression:
    return z3.Or(_IS_UPPER(code), _IS_LOWER(code))


def _integer_rules(prefix: str, bits: int) -> dict[str, Callable[[Term, list[Expression]], Expression]]:
    return {
        prefix + "add": lambda item, args: _wrap(bits, args[0] + args[1]),
        prefix + "sub": lambda item, args: _wrap(bits, args[0] - args[1]),
        prefix + "mul": lambda item, args: _wrap(bits, args[0] * args[1]),
        prefix + "div": lambda item, args: _wrap(bits, _truncated(args[0], args[1])),
        prefix + "rem": lambda item, args: _remainder(args[0], args[1]),
        prefix + "neg": lambda item, args: _wrap(bits, -args[0]),
        prefix + "abs": lambda item, args: _wrap(bits, z3.If(args[0] < 0, -args[0], args[0])),
        prefix + "shl": _shift(bits, left=True),
        prefix + "shr": _shift(bits, left=False),
    }


_RULES: dict[str, Callable[[Term, list[Expression]], Expression]] = {
    "not": lambda item, args: z3.Not(args[0]),
    "and": lambda item, args: z3.And(args[0], args[1]),
    "or": lambda item, args: z3.Or(args[0], args[1]),
    "xor": lambda item, args: z3.Xor(args[0], args[1]),
    "eq": lambda item, args: args[0] == args[1],
    "lt": lambda item, args: args[0] < args[1],
    "le": lambda item, args: args[0] <= args[1],
    "min": lambda item, args: z3.If(args[0] <= args[1], args[0], args[1]),
    "max": lambda item, args: z3.If(args[0] >= args[1], args[0], args[1]),
    "compare": lambda item, args: z3.If(args[0] < args[1], z3.IntVal(-1), z3.If(args[0] > args[1], 1, 0)),
    "signum": lambda item, args: z3.If(args[0] < 0, z3.IntVal(-1), z3.If(args[0] > 0, 1, 0)),
    "bitand": _bits(lambda a, b: a & b),
    "bitor": _bits(lambda a, b: a | b),
    "bitxor": _bits(lambda a, b: a ^ b),
    "bitnot": lambda item, args: -1 - args[0],
    "i2b": lambda item, args: _wrap(8, args[0]),
    "i2s": lambda item, args: _wrap(16, args[0]),
    "i2c": lambda item, args: args[0] % (1 << 16),
    "l2i": lambda item, args: _wrap(32, args[0]),
    "i2d": lambda item, args: z3.fpRealToFP(z3.RNE(), z3.ToReal(args[0]), z3.Float64()),
    **_integer_rules("i", 32),
    **_integer_rules("l", 64),
    "length": lambda item, args: z3.Length(args[0]),
    "charat": lambda item, args: z3.StrToCode(z3.SubString(args[0], args[1], 1)),
    "codepointat": lambda item, args: z3.StrToCode(z3.SubString(args[0], args[1], 1)),
    "concat": lambda item, args: z3.Concat(args[0], args[1]),
    "substring": lambda item, args: z3.SubString(args[0], args[1], args[2] - args[1]),
    "delete": lambda item, args: z3.Concat(
        z3.SubString(args[0], 0, args[1]), z3.SubString(args[0], args[2], z3.Length(args[0]))
    ),
    "indexof": _index_of,
    "lastindexof": _last_index_of,
    "startswith": _starts_with,
    "endswith": lambda item, args: z3.SuffixOf(args[1], args[0]),
    "contains": lambda item, args: z3.Contains(args[0], args[1]),
    "chartext": lambda item, args: z3.StrFromCode(args[0]),
    "booltext": lambda item, args: z3.If(args[0], z3.StringVal("true"), z3.StringVal("false")),
    "inttext": lambda item, args: z3.If(
        args[0] >= 0, z3.IntToStr(args[0]), z3.Concat(z3.StringVal("-"), z3.IntToStr(-args[0]))
    ),
    "isdigit": lambda item, args: _IS_DIGIT(args[0]),
    "isletter": lambda item, args: _letter(args[0]),
    "isletterordigit": lambda item, args: z3.Or(_letter(args[0]), _IS_DIGIT(args[0])),
    "isupper": lambda item, args: _IS_UPPER(args[0]),
    "islower": lambda item, args: _IS_LOWER(args[0]),
    "iswhitespace": lambda item, args: z3.Or(args[0] == ord(" "), _between("\t", "\r")(args[0])),
    "toupper": lambda item, args: z3.If(_IS_LOWER(args[0]), args[0] - 32, args[0]),
    "totitle": lambda item, args: z3.If(_IS_LOWER(args[0]), args[0] - 32, args[0]),
    "isalphabetic": lambda item, args: _letter(args[0]),
    "tolower": lambda item, args: z3.If(_IS_UPPER(args[0]), args[0] + 32, args[0]),
}
_DOUBLE: dict[str, Callable[[Term, list[Expression]], Expression]] = {
    "eq": lambda item, args: z3.fpEQ(args[0], args[1]),
    "lt": lambda item, args: z3.fpLT(args[0], args[1]),
    "le": lambda item, args: z3.fpLEQ(args[0], args[1]),
    "dadd": lambda item, args: z3.fpAdd(z3.RNE(), args[0], args[1]),
    "dsub": lambda item, args: z3.fpSub(z3.RNE(), args[0], args[1]),
    "dmul": lambda item, args: z3.fpMul(z3.RNE(), args[0], args[1]),
    "ddiv": lambda item, args: z3.fpDiv(z3.RNE(), args[0], args[1]),
    "dneg": lambda item, args: z3.fpNeg(args[0]),
    "dabs": lambda item, args: z3.fpAbs(args[0]),
    "sqrt": lambda item, args: z3.fpSqrt(z3.RNE(), args[0]),
    "isnan": lambda item, args: z3.fpIsNaN(args[0]),
}


def _without(low: str, high: str) -> Callable[[Expression, list[Expression]], list[Expression]]:
    def hint(value: Expression, args: list[Expression]) -> list[Expression]:
        others = z3.Union(z3.Range(_FIRST, chr(ord(low) - 1)), z3.Range(chr(ord(high) + 1), _LAST))
        return [value == args[0], z3.InRe(args[0], z3.Star(others))]

    return hint


def _tight(value: Expression, args: list[Expression]) -> list[Expression]:
    space = z3.StringVal(" ")
    return [value == args[0], z3.Not(z3.PrefixOf(space, args[0])), z3.Not(z3.SuffixOf(space, args[0]))]


def _parsed(value: Expression, args: list[Expression]) -> list[Expression]:
    return [value == z3.StrToInt(args[0]), value >= 0, z3.Length(args[0]) <= 9]


def _parses(value: Expression, args: list[Expression]) -> list[Expression]:
    return [value == (z3.StrToInt(args[0]) >= 0)]


# Guesses under which an operation that z3 does not know is one that it knows; a model found so is still confirmed.
_HINTS: dict[str, Callable[[Expression, list[Expression]], list[Expression]]] = {
    "lower": _without("A", "Z"),
    "upper": _without("a", "z"),
    "trim": _tight,
    "strip": _tight,
    "iparse": _parsed,
    "lparse": _parsed,
    "iparses": _parses,
    "lparses": _parses,
    "replace": lambda value, args: [value == args[0], z3.Not(z3.Contains(args[0], args[1]))],
}
