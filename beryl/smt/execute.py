"""Programs -> paths: an interpreter that runs each path from the start, forking where a condition is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from beryl.smt.arrays import ARRAY_OPERATIONS, as_array, free_array, result_term
from beryl.smt.declarations import BUILDERS, sort_of_type
from beryl.smt.machine import Bounds, Builder, Cut, FreeArray, Machine, Tally, Thrown
from beryl.smt.semantics import OPERATIONS, Undefined
from beryl.smt.terms import Arg, Pool, Term

Code = Any
"""Expressions and statements of a program: JSON-like lists, see `lower_*.py`."""


@dataclass(frozen=True, slots=True)
class Path:
    """A way through a method that returns: the branches it takes, the conditions they stand for, and the result."""

    trace: str
    conditions: tuple[Arg, ...]
    result: Arg


@dataclass(slots=True)
class Exploration:
    """All paths of a method within bounds."""

    pool: Pool
    paths: list[Path] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    fields: dict[str, str] = field(default_factory=dict)
    """Fields that were read before they were written, with their types."""

    @property
    def complete(self) -> bool:
        """Whether no path was cut."""
        return not self.tally.cut


class _Return(Exception):
    def __init__(self, value: object) -> None:
        self.value = value


class _Leave(Exception):
    def __init__(self, label: str) -> None:
        self.label = label


class _Break(_Leave):
    pass


class _Continue(_Leave):
    pass


class _Yield(_Return):
    pass


def explore(
    program: Mapping[str, Any], bindings: Mapping[str, object], bounds: Bounds, pool: Pool | None = None
) -> Exploration:
    """Run a program on known inputs (`bindings`) and free ones (all others)."""
    found = Exploration(pool or Pool())
    waiting: list[tuple[bool, ...]] = [()]
    steps, runs = bounds.steps, 0
    while waiting:
        if runs >= 2 * bounds.paths or len(found.paths) >= bounds.paths or steps <= 0:
            found.tally.cut["path limit"] += len(waiting)
            break
        machine = Machine(found.pool, bounds, waiting.pop(), steps)
        run = _Run(program, bindings, machine, found.fields)
        try:
            result = run.main()
            found.paths.append(Path("".join(machine.taken), tuple(machine.conditions), result))
        except Thrown as thrown:
            found.tally.thrown[thrown.kind] += 1
        except (Cut, Undefined) as reason:
            found.tally.cut[str(reason)] += 1
        except RecursionError:
            found.tally.cut["nesting"] += 1
        waiting.extend(machine.open)
        steps, runs = machine.steps, runs + 1
    return found


@dataclass(slots=True)
class _Run:
    """The interpreter's state on one path."""

    program: Mapping[str, Any]
    bindings: Mapping[str, object]
    machine: Machine
    reads: dict[str, str]
    frame: list[object] = field(default_factory=list)
    fields: dict[str, object] = field(default_factory=dict)
    holes: list[object] = field(default_factory=list)
    lets: list[list[object]] = field(default_factory=list)
    depth: int = 0

    def main(self) -> Arg:
        """Call the method itself."""
        arguments = [self.input(name, kind) for name, kind in self.program["parameters"]]
        result = self.call(self.program["entry"], arguments)
        out = self.program.get("out")
        return result_term(self.machine, arguments[out] if out is not None else result)

    def input(self, name: str, kind: str) -> object:
        """The value of a parameter or field: known, or a free variable."""
        if kind in BUILDERS:
            return Builder(self.machine.pool.variable(name, "S"))
        sort = sort_of_type(kind)
        if name in self.bindings:
            return as_array(self.bindings[name]) if sort == "A" else self.bindings[name]
        if sort == "A":
            return FreeArray(name, kind)
        return self.machine.pool.intern("ref", (name,), "O") if sort == "O" else self.machine.pool.variable(name, sort)

    def call(self, key: str, arguments: list[object]) -> object:
        """Run a function in a new frame."""
        function = self.program["functions"][key]
        if self.depth >= self.machine.bounds.depth:
            raise Cut("call depth")
        saved, self.frame = self.frame, [*arguments, *[None] * (function["locals"] - len(arguments))]
        self.depth += 1
        try:
            self.block(function["body"])
        except _Return as returned:
            return returned.value
        finally:
            self.frame, self.depth = saved, self.depth - 1
        return None

    def block(self, statements: Code) -> None:
        """Run statements in order."""
        for statement in statements:
            self.machine.step()
            _STATEMENTS[statement[0]](self, statement)

    def value(self, code: Code) -> Any:  # noqa: ANN401 - a constant, term, array or builder
        """Evaluate an expression."""
        if not isinstance(code, list):
            return code
        op = code[0]
        self.machine.step()
        special = _EXPRESSIONS.get(op)
        if special is not None:
            return special(self, code)
        if op in OPERATIONS:
            return self.machine.operate(op, [self.value(part) for part in code[1:]])
        return ARRAY_OPERATIONS[op](self.machine, [self.value(part) for part in code[1:]])

    def read_field(self, name: str) -> object:
        """A field of this object: what was written on this path, else an input."""
        if name not in self.fields:
            kind = self.program["fields"][name]
            self.reads.setdefault(name, kind)
            self.fields[name] = self.input(name, kind)
        return self.fields[name]

    def place(self, target: Code) -> tuple[Callable[[], object], Callable[[object], None]]:
        """How to read and write the target of an assignment, its parts evaluated once."""
        if target[0] == "local":
            frame, slot = self.frame, target[1]
            return lambda: frame[slot], lambda value: frame.__setitem__(slot, value)
        if target[0] == "this":
            name = target[1]
            return lambda: self.read_field(name), lambda value: self.fields.__setitem__(name, value)
        array, index = self.value(target[1]), self.value(target[2])
        cells = free_array(self.machine, array).cells
        position = _position(self.machine, index, len(cells))
        return lambda: cells[position], lambda value: cells.__setitem__(position, value)


def _position(machine: Machine, index: Arg, size: int) -> int:
    make = machine.pool.make
    machine.require(make("and", make("le", 0, index), make("lt", index, size)), "ArrayIndexOutOfBoundsException")
    return machine.concretise(index, 0, size - 1)


def _element(run: _Run, code: Code) -> object:
    array, index = run.value(code[1]), run.value(code[2])
    cells = free_array(run.machine, array).cells
    return cells[_position(run.machine, index, len(cells))]


def _assign(run: _Run, code: Code) -> object:
    if code[1][0] == "local":
        value = run.frame[code[1][1]] = run.value(code[2])
        return value
    _, write = run.place(code[1])
    value = run.value(code[2])
    write(value)
    return value


def _update(run: _Run, code: Code) -> object:
    read, write = run.place(code[1])
    old = read()
    run.holes.append(old)
    try:
        new = run.value(code[2])
    finally:
        run.holes.pop()
    write(new)
    return old if code[3] == "old" else new


def _both(run: _Run, code: Code) -> Arg:
    return run.machine.branch(run.value(code[1])) and run.value(code[2])


def _either(run: _Run, code: Code) -> Arg:
    return run.machine.branch(run.value(code[1])) or run.value(code[2])


def _let(run: _Run, code: Code) -> object:
    run.lets.append([run.value(part) for part in code[1]])
    try:
        return run.value(code[2])
    finally:
        run.lets.pop()


def _is_null(run: _Run, code: Code) -> Arg:
    return _null(run, run.value(code[1]))


def _null(run: _Run, value: object) -> Arg:
    if isinstance(value, FreeArray):
        value = run.machine.pool.intern("ref", (value.name,), "A")
    return run.machine.pool.is_null(value)  # type: ignore[arg-type]


def _non_null(run: _Run, code: Code) -> object:
    value = run.value(code[1])
    if value is None or isinstance(value, Term | FreeArray):
        exception = code[2] if len(code) > 2 else "NullPointerException"
        run.machine.require(run.machine.pool.negate(_null(run, value)), exception)
    return value


def _rewrite(run: _Run, code: Code) -> object:
    builder = run.value(code[1])
    if builder is None:
        raise Thrown("NullPointerException")
    run.lets.append([builder.text, *[run.value(part) for part in code[3]]])
    try:
        builder.text = run.value(code[2])
    finally:
        run.lets.pop()
    return builder


def _contents(run: _Run, code: Code) -> Arg:
    builder = run.value(code[1])
    if builder is None:
        raise Thrown("NullPointerException")
    return builder.text  # type: ignore[no-any-return]


def _first(run: _Run, code: Code) -> object:
    value = run.value(code[1])
    run.value(code[2])
    return value


def _yielding(run: _Run, code: Code) -> object:
    try:
        run.block([code[1]])
    except _Yield as yielded:
        return yielded.value
    raise Cut("switch without a value")


_EXPRESSIONS: dict[str, Callable[[_Run, Code], object]] = {
    "local": lambda run, code: run.frame[code[1]],
    "this": lambda run, code: run.read_field(code[1]),
    "hole": lambda run, code: run.holes[-1],
    "$": lambda run, code: run.lets[-1][code[1]],
    "item": _element,
    "assign": _assign,
    "update": _update,
    "cond": lambda run, code: run.value(code[2] if run.machine.branch(run.value(code[1])) else code[3]),
    "andthen": _both,
    "orelse": _either,
    "let": _let,
    "call": lambda run, code: run.call(code[1], [run.value(part) for part in code[2]]),
    "isnull": _is_null,
    "nonnull": _non_null,
    "builder": lambda run, code: Builder(run.value(code[1])),
    "contents": _contents,
    "rewrite": _rewrite,
    "first": _first,
    "yielding": _yielding,
}


def _if(run: _Run, code: Code) -> None:
    run.block(code[2] if run.machine.branch(run.value(code[1])) else code[3])


def _loop(run: _Run, code: Code) -> None:
    _, label, condition, body, update, test_first = code
    free_rounds = 0
    while True:
        seen = len(run.machine.trace)
        if test_first and not run.machine.branch(run.value(condition)):
            return
        try:
            run.block(body)
        except _Continue as leave:
            if leave.label not in ("", label):
                raise
        except _Break as leave:
            if leave.label not in ("", label):
                raise
            return
        for part in update:
            run.value(part)
        if not test_first and not run.machine.branch(run.value(condition)):
            return
        run.machine.step()
        free_rounds += len(run.machine.trace) > seen
        if free_rounds > run.machine.bounds.loops:
            raise Cut("loop bound")


def _labelled(run: _Run, code: Code) -> None:
    try:
        run.block(code[1])
    except _Break as leave:
        if leave.label != code[2]:
            raise


def _return(run: _Run, code: Code) -> None:
    raise _Return(run.value(code[1]) if len(code) > 1 else None)


def _break(run: _Run, code: Code) -> None:
    raise _Break(code[1])


def _continue(run: _Run, code: Code) -> None:
    raise _Continue(code[1])


def _throw(run: _Run, code: Code) -> None:
    raise Thrown(code[1])


def _yield(run: _Run, code: Code) -> None:
    raise _Yield(run.value(code[1]))


def _switch(run: _Run, code: Code) -> None:
    _, subject, groups, falls = code
    value = run.value(subject)
    chosen = next((i for i, (labels, _) in enumerate(groups) if _labelled_with(run, value, labels)), None)
    if chosen is None:
        chosen = next((i for i, (labels, _) in enumerate(groups) if "default" in [kind for kind, _ in labels]), None)
    if chosen is None:
        return
    try:
        for _, statements in groups[chosen:] if falls else groups[chosen : chosen + 1]:
            run.block(statements)
    except _Break as leave:
        if leave.label:
            raise


def _labelled_with(run: _Run, value: Arg, labels: list[tuple[str, Arg]]) -> bool:
    equal = [run.machine.pool.make("eq", value, run.value(label)) for kind, label in labels if kind == "case"]
    if not equal:
        return False
    condition = equal[0]
    for other in equal[1:]:
        condition = run.machine.pool.make("or", condition, other)
    return run.machine.branch(condition)


# Enough of the JDK's exceptions to tell which `catch` takes what the modelled operations throw.
_PARENTS = {
    "NumberFormatException": "IllegalArgumentException",
    "IllegalArgumentException": "RuntimeException",
    "StringIndexOutOfBoundsException": "IndexOutOfBoundsException",
    "ArrayIndexOutOfBoundsException": "IndexOutOfBoundsException",
    "IndexOutOfBoundsException": "RuntimeException",
    "NullPointerException": "RuntimeException",
    "ArithmeticException": "RuntimeException",
    "NegativeArraySizeException": "RuntimeException",
    "IllegalStateException": "RuntimeException",
    "UnsupportedOperationException": "RuntimeException",
    "RuntimeException": "Exception",
    "Exception": "Throwable",
    "Error": "Throwable",
}


def _catches(caught: str, thrown: str) -> bool:
    kind: str | None = thrown
    while kind is not None:
        if kind == caught:
            return True
        if kind not in _PARENTS and caught in ("Throwable", "Exception", "RuntimeException"):
            if caught == "Throwable":
                return True
            raise Cut("exception of unknown kind")
        kind = _PARENTS.get(kind)
    return False


def _try(run: _Run, code: Code) -> None:
    _, body, handlers, final = code
    try:
        _guarded(run, body, handlers)
    except (Thrown, _Return, _Leave):
        run.block(final)
        raise
    run.block(final)


def _guarded(run: _Run, body: Code, handlers: Code) -> None:
    try:
        run.block(body)
    except Thrown as thrown:
        for kinds, handler in handlers:
            if any(_catches(kind, thrown.kind) for kind in kinds):
                run.machine.taken.append("x")
                run.block(handler)
                return
        raise


_STATEMENTS: dict[str, Callable[[_Run, Code], None]] = {
    "expr": lambda run, code: run.value(code[1]),
    "if": _if,
    "loop": _loop,
    "block": lambda run, code: run.block(code[1]),
    "labelled": _labelled,
    "return": _return,
    "break": _break,
    "continue": _continue,
    "throw": _throw,
    "yield": _yield,
    "switch": _switch,
    "try": _try,
}
