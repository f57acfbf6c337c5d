"""Arrays while a program runs: lists of cells; what depends on a free length is split into a few known lengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beryl.smt.declarations import element_of, sort_of_type
from beryl.smt.machine import Array, Builder, Cut, FreeArray, Machine, Thrown
from beryl.smt.semantics import java_regex
from beryl.smt.terms import Arg, Term

# A new array larger than this cuts the path: it is a buffer, not an answer.
_LARGEST = 5_000
_DEFAULTS: dict[str, object] = {"Z": False, "I": 0, "D": 0.0}


def as_array(value: object) -> object:
    """A list of an example as an array of its own."""
    return Array([as_array(item) for item in value]) if isinstance(value, list) else value


def free_array(machine: Machine, value: object) -> Array:
    """The array behind a value; a free one gets one of the first few lengths."""
    if isinstance(value, Array):
        return value
    if value is None:
        raise Thrown("NullPointerException")
    if not isinstance(value, FreeArray):
        raise Cut("array of unknown kind")
    if value.name not in machine.arrays:
        element = sort_of_type(element_of(value.type))
        pool = machine.pool
        machine.require(pool.negate(pool.is_null(pool.intern("ref", (value.name,), "A"))), "NullPointerException")
        size = machine.concretise(pool.length(value.name), 0, machine.bounds.arrays)
        if size and element == "A":
            raise Cut("free array of arrays")
        cells: list[object] = [pool.element(value.name, position, element) for position in range(size)]
        machine.arrays[value.name] = Array(cells)
    found = machine.arrays[value.name]
    assert found is not None
    return found


def result_term(machine: Machine, value: object) -> Arg:
    """What a method returned, as a term: arrays become `(array cell ...)`."""
    if isinstance(value, Builder):
        return value.text
    if isinstance(value, FreeArray):
        value = free_array(machine, value)
    if isinstance(value, Array):
        return machine.pool.intern("array", tuple(result_term(machine, cell) for cell in value.cells), "A")
    return value  # type: ignore[return-value]


def _size(machine: Machine, value: Arg) -> int:
    machine.require(machine.pool.make("le", 0, value), "NegativeArraySizeException")
    size = machine.concretise(value, 0, machine.bounds.arrays)
    if size > _LARGEST:
        raise Cut("large array")
    return size


def _new_array(machine: Machine, args: list[Any]) -> Array:
    kind, *sizes = args
    count = _size(machine, sizes[0])
    element = element_of(kind)
    if len(sizes) > 1:
        return Array([_new_array(machine, [element, *sizes[1:]]) for _ in range(count)])
    return Array([_DEFAULTS.get("O" if element[0].isupper() else sort_of_type(element))] * count)


def _range_of(machine: Machine, args: list[Any], size: int) -> tuple[int, int]:
    start, end = (args[0], args[1]) if len(args) == 2 else (0, size)
    make = machine.pool.make
    inside = make("and", make("and", make("le", 0, start), make("le", start, end)), make("le", end, size))
    machine.require(inside, "ArrayIndexOutOfBoundsException")
    return machine.concretise(start, 0, size), machine.concretise(end, 0, size)


def _copy_range(machine: Machine, args: list[Any]) -> Array:
    kind, source, start, end = args
    cells = free_array(machine, source).cells
    first = machine.concretise(start, 0, machine.bounds.arrays)
    last = machine.concretise(end, 0, machine.bounds.arrays)
    if not 0 <= first <= len(cells):
        raise Thrown("ArrayIndexOutOfBoundsException")
    if last < first:
        raise Thrown("IllegalArgumentException")
    if last - first > _LARGEST:
        raise Cut("large array")
    padding = _DEFAULTS.get(sort_of_type(element_of(kind)))
    copied = cells[first:last]
    return Array(copied + [padding] * (last - first - len(copied)))


def _array_copy(machine: Machine, args: list[Any]) -> None:
    source, start, target, place, count = args
    taken, given = free_array(machine, source).cells, free_array(machine, target).cells
    first, to = (machine.concretise(value, 0, machine.bounds.arrays) for value in (start, place))
    length = machine.concretise(count, 0, machine.bounds.arrays)
    if min(first, to, length) < 0 or first + length > len(taken) or to + length > len(given):
        raise Thrown("ArrayIndexOutOfBoundsException")
    given[to : to + length] = taken[first : first + length]


def _fill(machine: Machine, args: list[Any]) -> None:
    array, *limits, value = args
    cells = free_array(machine, array).cells
    start, end = _range_of(machine, limits, len(cells))
    cells[start:end] = [value] * (end - start)


def _sort(machine: Machine, args: list[Any]) -> None:
    array, *limits = args
    cells = free_array(machine, array).cells
    start, end = _range_of(machine, limits, len(cells))
    part = cells[start:end]
    if any(isinstance(cell, Term | Array) or cell is None or cell != cell for cell in part):
        raise Cut("sorting free values")
    cells[start:end] = sorted(part)  # type: ignore[type-var]


def _same_items(machine: Machine, args: list[Any]) -> Arg:
    if args[0] is None or args[1] is None:
        return args[0] is args[1]
    one, other = (free_array(machine, arg).cells for arg in args)
    if len(one) != len(other):
        return False
    result: Arg = True
    for a, b in zip(one, other, strict=True):
        if isinstance(a, Array | float) or isinstance(b, Array | float):
            raise Cut("comparing arrays")
        result = machine.pool.make("and", result, machine.pool.make("equals", a, b))  # type: ignore[arg-type]
    return result


def _chars(machine: Machine, args: list[Any]) -> Array:
    (text,) = args
    make = machine.pool.make
    size = machine.concretise(make("length", text), 0, machine.bounds.arrays)
    return Array([make("charat", text, position) for position in range(size)])


def _join_chars(machine: Machine, args: list[Any]) -> Arg:
    array, *limits = args
    cells = free_array(machine, array).cells
    start, end = 0, len(cells)
    if limits:
        start = machine.concretise(limits[0], 0, machine.bounds.arrays)
        end = start + machine.concretise(limits[1], 0, machine.bounds.arrays)
        if not 0 <= start <= end <= len(cells):
            raise Thrown("StringIndexOutOfBoundsException")
    text: Arg = ""
    for cell in cells[start:end]:
        text = machine.pool.make("concat", text, machine.pool.make("chartext", cell))  # type: ignore[arg-type]
    return text


def _split(machine: Machine, args: list[Any]) -> Array:
    text, pattern = args
    if not isinstance(text, str) or not isinstance(pattern, str):
        raise Cut("splitting a free text")
    regex = java_regex(pattern)
    if regex.groups or regex.match("") or any(char in text for char in "\r\n"):
        raise Cut("regular expression of split")
    parts = regex.split(text)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return Array(list(parts)) if text else Array([""])


def _join_texts(machine: Machine, args: list[Any]) -> Arg:
    separator, array = args
    text: Arg = ""
    for position, cell in enumerate(free_array(machine, array).cells):
        text = machine.pool.make("concat", text, separator) if position else text
        text = machine.pool.make("concat", text, machine.pool.make("text", cell))  # type: ignore[arg-type]
    return text


ARRAY_OPERATIONS: dict[str, Callable[[Machine, list[Any]], Any]] = {
    "newarray": _new_array,
    "cells": lambda machine, args: Array(args),
    "size": lambda machine, args: len(free_array(machine, args[0]).cells),
    "clone": lambda machine, args: Array(list(free_array(machine, args[0]).cells)),
    "copyrange": _copy_range,
    "arraycopy": _array_copy,
    "fill": _fill,
    "sort": _sort,
    "sameitems": _same_items,
    "chars": _chars,
    "joinchars": _join_chars,
    "split": _split,
    "jointexts": _join_texts,
}
