"""What a method does beyond the examples: its answers to inputs near theirs, so that methods that agree can be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from beryl.smt.encoding import Encoding
from beryl.smt.examples import Specification
from beryl.smt.execute import explore
from beryl.smt.machine import Bounds
from beryl.smt.semantics import Undefined, wrap32
from beryl.smt.terms import Arg, Pool, Reader

THROWS = "!"
OPEN = "?"
# A probe is one of many: it gets less room than an example.
_PROBE_BOUNDS = Bounds(paths=2, loops=6, arrays=3, depth=40, steps=6_000)
_CHARACTERS = tuple(map(ord, "a0Z9 _.b"))


def answer(encoding: Encoding, bindings: Mapping[str, object], bounds: Bounds) -> Arg | str:
    """What an encoding says of a call with all inputs known: its value, THROWS, or OPEN where a bound was reached.

    Values that are strings are returned as `S...`, so that they are never taken for THROWS or OPEN.
    """
    if not encoding.complete:
        assert encoding.program is not None
        found = explore(encoding.program, bindings, bounds)
        if found.tally.cut or len(found.paths) > 1:
            return OPEN
        return _marked(found.paths[0].result) if found.paths else THROWS
    reader = Reader(encoding.nodes, bindings, Pool())
    for _, conditions, result in encoding.paths:
        try:
            if all(reader.get(position) is True for position in conditions):
                return _marked(reader.get(result))
        except Undefined:
            return OPEN
    return THROWS


def _marked(value: Arg) -> Arg | str:
    return "S" + value if isinstance(value, str) else value


def probes(specification: Specification) -> list[tuple[object, ...]]:
    """Inputs near those of the first example: one of them changed at a time."""
    first = [literal.value for literal in specification.examples[0].inputs]
    found: list[tuple[object, ...]] = []
    for place, (value, kind) in enumerate(zip(first, specification.inputs, strict=True)):
        for other in _near(value, kind):
            found.append((*first[:place], other, *first[place + 1 :]))
    return found


def _near(value: object, kind: str) -> list[object]:
    if value is None:
        return []
    if isinstance(value, list):
        return [[], value[::-1], value[1:] + value[:1], value[-1:] + value[:-1], value + value, value[:1], value[1:]]
    if isinstance(value, bool):
        return [not value]
    if kind == "C":
        return list(_CHARACTERS)
    if isinstance(value, int):
        return [0, 1, -1, 2, 3, wrap32(value + 1), wrap32(-value), 6, 100]
    if isinstance(value, float):
        return [0.0, 1.0, -1.0, -value, value + 0.5, 100.0]
    text = str(value)
    return ["", text.upper(), text.lower(), text[::-1], text + text, text[1:], text[:-1], "a b", "x.y"]


def behaviour(encoding: Encoding, names: Sequence[str], inputs: Sequence[tuple[object, ...]]) -> tuple[str, ...]:
    """The answers to all probes, each input given to the variable of that name."""
    return tuple(repr(answer(encoding, dict(zip(names, values, strict=True)), _PROBE_BOUNDS)) for values in inputs)


def agreement(behaviours: Sequence[tuple[tuple[str, ...], int]]) -> Callable[[tuple[str, ...]], float]:
    """How many projects have a method that behaves like this, against the behaviour that most projects have."""
    projects: dict[tuple[str, ...], set[int]] = {}
    for what, project in behaviours:
        projects.setdefault(what, set()).add(project)
    most = max((len(where) for where in projects.values()), default=1)
    return lambda what: len(projects.get(what, ())) / most
