"""The declared class of the variable that a method is called on, where the text tells."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Set

from beryl.lang.parsing import SyntaxNode

_VARIABLE = re.compile(r"[\s*&.\[\]]*([A-Za-z_$][\w$]*)")
_CLASS = re.compile(r"(?:\w+\s*(?:::|\.)\s*)*([A-Za-z_$][\w$]*)")


class Receivers:
    """Variables of one file by name: locals and parameters by position, fields for the whole file."""

    def __init__(
        self, source: str, used: Set[str], local_types: Iterable[SyntaxNode], field_types: Iterable[SyntaxNode]
    ) -> None:
        """`used` are the receivers that will be asked for."""
        self._fields = {name: class_ for _, name, class_ in _declared(source, used, field_types)}
        self._positions: dict[str, list[int]] = {}
        self._classes: dict[str, list[str]] = {}
        for position, name, class_ in _declared(source, used, local_types):
            self._positions.setdefault(name, []).append(position)
            self._classes.setdefault(name, []).append(class_)
        self.names = {*self._positions, *self._fields, *(f"this.{name}" for name in self._fields)}
        """The receivers that `of` may know."""

    def of(self, receiver: str, call: int, function: int) -> str:
        """`(Class)` for a field, or a variable declared between function start and call; else as it is."""
        if receiver.startswith("this."):
            class_ = self._fields.get(receiver[5:])
            return f"({class_})" if class_ else receiver
        positions = self._positions.get(receiver)
        if positions:
            last = bisect_left(positions, call) - 1
            if last >= 0 and positions[last] >= function:
                return f"({self._classes[receiver][last]})"
        class_ = self._fields.get(receiver)
        return f"({class_})" if class_ else receiver


def _declared(source: str, used: Set[str], types: Iterable[SyntaxNode]) -> list[tuple[int, str, str]]:
    """(position, variable, class) for the first variable of each declaration, by position, where it is used."""
    result = []
    for node in types:
        variable = _VARIABLE.match(source, node.end_byte)
        if variable is None or variable[1] not in used:
            continue
        start = node.start_byte
        written = source[start : node.end_byte]
        if not (written.isascii() and written.isidentifier()):
            class_ = _CLASS.match(written)
            written = class_[1] if class_ else ""
        if written:
            result.append((start, variable[1], written))
    return sorted(result)
