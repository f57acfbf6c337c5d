"""What lowering knows at a point of a method: names in scope, the program being made, and how types convert."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from beryl.smt.declarations import (
    BOXED,
    BUILDERS,
    INTEGRAL,
    NUMERIC,
    STRINGS,
    ClassTable,
    Field,
    Method,
    is_array,
    is_value,
    primitive,
)

Code = Any

# A callee within a callee within a callee: beyond that a method is no longer small.
_DEEPEST_CALLEE = 4
_MOST_FUNCTIONS = 12


class Unsupported(Exception):
    """A construct that cannot be encoded."""


class Typed(NamedTuple):
    """An expression's code and static type."""

    code: Code
    type: str


@dataclass(slots=True)
class Unit:
    """The program of one method: its functions and the fields they read."""

    lower_body: Callable[[Scope, Method], list[Code]]
    owner: ClassTable
    """The class whose fields are written `this.x`."""
    functions: dict[str, dict[str, Any]] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    methods: list[Method] = field(default_factory=list)
    """The method itself and all that it calls."""
    constants: list[tuple[ClassTable, Field]] = field(default_factory=list)
    """Fields whose initial values were put in."""
    depth: int = 0

    def include(self, method: Method) -> str:
        """Make a method callable, with all it calls."""
        key = method.key
        if key in self.functions:
            return key
        if self.depth >= _DEEPEST_CALLEE or len(self.functions) >= _MOST_FUNCTIONS:
            raise Unsupported("deep calls")
        function: dict[str, Any] = {"locals": 0, "body": []}
        self.functions[key] = function
        self.methods.append(method)
        self.depth += 1
        scope = Scope(method.owner, self)
        for name, kind in method.parameters:
            scope.declare(name, kind)
        function["body"] = self.lower_body(scope, method)
        function["locals"] = scope.slots
        self.depth -= 1
        return key


@dataclass(slots=True)
class Scope:
    """Local names of one method; blocks open and close levels."""

    owner: ClassTable
    unit: Unit
    levels: list[dict[str, tuple[int, str]]] = field(default_factory=lambda: [{}])
    slots: int = 0

    def declare(self, name: str, kind: str) -> Code:
        """A new local variable."""
        self.levels[-1][name] = (self.slots, kind)
        self.slots += 1
        return ["local", self.slots - 1]

    def find(self, name: str) -> Typed | None:
        """A local variable by name."""
        for level in reversed(self.levels):
            if name in level:
                slot, kind = level[name]
                return Typed(["local", slot], kind)
        return None


def unboxed(value: Typed) -> Typed:
    """A boxed value as its primitive; null throws."""
    return Typed(["nonnull", value.code], BOXED[value.type]) if value.type in BOXED else value


def is_reference(kind: str) -> bool:
    """Whether values of the type can be null."""
    return kind not in NUMERIC and kind not in ("boolean", "void")


def is_opaque(kind: str) -> bool:
    """Whether nothing is known of the type but that it is a reference."""
    return is_reference(kind) and not is_value(kind) and not is_array(kind) and kind not in BUILDERS


def cast(code: Code, source: str, target: str) -> Code:
    """A primitive numeric conversion."""
    if source == target:
        return code
    if source not in NUMERIC or target not in NUMERIC:
        raise Unsupported("conversion")
    if target in ("float", "double"):
        wide = ["i2d", code] if source in INTEGRAL else code
        return ["d2f", wide] if target == "float" else wide
    if source in ("float", "double"):
        whole = ["d2l", code] if target == "long" else ["d2i", code]
        return whole if target in ("int", "long") else cast(whole, "int", target)
    if target == "int":
        return ["l2i", code] if source == "long" else code
    if target == "long" or (source == "byte" and target == "short"):
        return code
    return [{"byte": "i2b", "short": "i2s", "char": "i2c"}[target], code]


def assignable(source: str, target: str) -> int | None:
    """How far a type is from another it can be assigned to: 0 the same, None not at all."""
    if source == target or (source in STRINGS and target in STRINGS):
        return 0
    if source in BOXED and target in BOXED:
        return None
    if primitive(source) in NUMERIC and primitive(target) in NUMERIC:
        boxing = (source in BOXED) + (target in BOXED)
        one, other = primitive(source), primitive(target)
        if one == other:
            return 20 * boxing
        narrow = other == "char" or (one == "char" and other in ("byte", "short"))
        if target in BOXED or narrow or NUMERIC.index(one) > NUMERIC.index(other):
            return None
        return NUMERIC.index(other) - NUMERIC.index(one) + 20 * boxing
    if primitive(source) == primitive(target) == "boolean":
        return 20
    if is_opaque(target) and is_reference(source):
        return 30 if is_opaque(source) or source == "null" else 40
    if source == "null" and is_reference(target):
        return 10
    return None


def convert(value: Typed, target: str) -> Code:
    """Code of a value assigned to a variable of a type."""
    if isinstance(value.code, int) and not isinstance(value.code, bool) and target in INTEGRAL:
        return value.code
    if isinstance(value.code, int) and value.type in INTEGRAL and BOXED.get(target) in INTEGRAL:
        return value.code
    if assignable(value.type, target) is None:
        raise Unsupported("conversion")
    if value.type == target or is_opaque(target) or value.type == "null":
        return value.code
    if target in BOXED or value.type in BOXED:
        plain = unboxed(value)
        return plain.code if primitive(target) == plain.type else cast(plain.code, plain.type, primitive(target))
    return cast(value.code, value.type, target) if target in NUMERIC else value.code


def promoted(one: str, other: str) -> str:
    """Binary numeric promotion."""
    for kind in ("double", "float", "long"):
        if kind in (one, other):
            return kind
    return "int"
