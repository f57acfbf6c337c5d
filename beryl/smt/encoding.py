"""A method as it is stored: its inputs, its paths as nodes of terms, and its program where paths had to be cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from beryl.smt.declarations import Method, is_array, primitive, sort_of_type
from beryl.smt.execute import Exploration, explore
from beryl.smt.lower_statements import lower_method
from beryl.smt.machine import INDEX_BOUNDS
from beryl.smt.scope import Unsupported
from beryl.smt.terms import Arg, Term, Writer, variables


@dataclass(frozen=True, slots=True)
class Encoding:
    """One encoded method."""

    inputs: tuple[tuple[str, str], ...]
    """Name and Java type: parameters, then fields that are read (`this.x`)."""
    parameters: int
    result: str
    """Java type of the result."""
    complete: bool
    """No path was cut: the stored paths are all there are."""
    thrown: int
    """Paths that end in an exception, dropped (§3.2)."""
    cut: dict[str, int]
    """Paths that were cut, by reason."""
    nodes: list[list[object]]
    paths: tuple[tuple[str, tuple[int, ...], int], ...]
    """Branches taken, conditions and result, the latter two as positions in the nodes."""
    program: dict[str, Any] | None
    """What is run at query time where not complete."""
    uses_inputs: bool
    """Whether the result or a condition depends on any input at all."""

    @property
    def size(self) -> int:
        """How much there is: nodes of terms, or operations of the program."""
        return len(self.nodes) if self.program is None else _operations(self.program["functions"])

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each input, as `examples` names them; O for what no example can speak of."""
        return tuple(kind_of_type(kind) for _, kind in self.inputs)


def _operations(code: object) -> int:
    if isinstance(code, dict):
        return sum(_operations(part) for part in code.values())
    return 1 + sum(_operations(part) for part in code) if isinstance(code, list) else 0


def kind_of_type(kind: str) -> str:
    """The letter of a Java type: int, long, short and byte are all I; arrays add `[]`."""
    base = kind.rstrip("[]")
    if is_array(kind):
        return kind_of_type(base) + kind[len(base) :]
    return "C" if primitive(kind) == "char" else sort_of_type(kind)


def signature_key(kinds: Sequence[str], result: str) -> str:
    """The type signature that the table is grouped by: input kinds sorted, then the result's."""
    return ",".join(sorted(kinds)) + ">" + result


def encode(method: Method) -> dict[str, Any]:
    """The record of a method, ready for JSON. Raises Unsupported with the construct that stopped it."""
    program = lower_method(method)
    found = explore(program, {}, INDEX_BOUNDS)
    if not found.paths and not found.tally.cut:
        raise Unsupported("only exceptions")
    if not found.paths and set(found.tally.cut) <= {"power that need not be exact", "large array"}:
        raise Unsupported(next(iter(found.tally.cut)))
    return _record(program, found)


def _record(program: dict[str, Any], found: Exploration) -> dict[str, Any]:
    writer = Writer()
    paths = []
    for path in found.paths:
        conditions = [writer.add(condition) for condition in path.conditions]
        paths.append([path.trace, conditions, writer.add(path.result)])
    fields = program["fields"] if not found.complete else found.fields
    return {
        "inputs": program["parameters"] + [[name, fields[name]] for name in sorted(fields)],
        "parameters": len(program["parameters"]),
        "result": program["result"],
        "complete": found.complete,
        "thrown": sum(found.tally.thrown.values()),
        "cut": dict(sorted(found.tally.cut.items())),
        "nodes": writer.nodes,
        "paths": paths,
        "program": None if found.complete else program,
        "uses_inputs": not found.complete or _uses_inputs(found),
    }


def _uses_inputs(found: Exploration) -> bool:
    parts: list[Arg] = [part for path in found.paths for part in (path.result, *path.conditions)]
    # A null check alone says nothing of a value.
    parts = [part for part in parts if not (isinstance(part, Term) and _is_null_check(part))]
    return any(True for _ in variables(parts))


def _is_null_check(term: Term) -> bool:
    inner = term.args[0] if term.op == "not" else term
    return isinstance(inner, Term) and inner.op == "isnull"


def read(record: dict[str, Any]) -> Encoding:
    """An encoding from its record."""
    return Encoding(
        tuple((name, kind) for name, kind in record["inputs"]),
        record["parameters"],
        record["result"],
        record["complete"],
        record["thrown"],
        record["cut"],
        record["nodes"],
        tuple((trace, tuple(conditions), result) for trace, conditions, result in record["paths"]),
        record["program"],
        record["uses_inputs"],
    )
