"""Input/output examples as text -> typed values: `"log.txt" -> "log"`, `[3, 1, 2] -> [1, 2, 3]`, `'5' -> true`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from beryl.errors import InputError, ParseError
from beryl.smt.characters import units
from beryl.smt.semantics import wrap64

# The letter of each type (Table 3 has string, int, char and boolean); `?` is the element type of an empty array.
KINDS = {"S": "String", "I": "int", "C": "char", "Z": "boolean", "D": "double", "N": "null", "?": "anything"}
_NUMBER = re.compile(r"[+-]?(\d+\.\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[lL]?)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\\": "\\", '"': '"', "'": "'"}
_WORDS: dict[str, tuple[str, object]] = {"true": ("Z", True), "false": ("Z", False), "null": ("N", None)}


@dataclass(frozen=True, slots=True)
class Literal:
    """A value with its type: a letter of KINDS and `[]` for each array level. Arrays are lists, characters ints."""

    kind: str
    value: object


@dataclass(frozen=True, slots=True)
class Example:
    """One input/output pair."""

    text: str
    inputs: tuple[Literal, ...]
    output: Literal


@dataclass(frozen=True, slots=True)
class Specification:
    """The pairs of a query with their common type signature (LS and TS of the paper, §3.1)."""

    examples: tuple[Example, ...]
    inputs: tuple[str, ...]
    output: str

    @property
    def signature(self) -> str:
        """The type signature as Java writes it: `(String, String) -> boolean`."""
        return signature_text(self.inputs, self.output)


def kind_text(kind: str) -> str:
    """A kind as Java names it."""
    base = kind.rstrip("[]")
    return KINDS.get(base, base) + kind[len(base) :]


def signature_text(inputs: Sequence[str], output: str) -> str:
    """A type signature in words."""
    return f"({', '.join(map(kind_text, inputs))}) -> {kind_text(output)}"


def read_specification(texts: Sequence[str]) -> Specification:
    """All examples of a query; says where they are ill-typed or contradict each other."""
    if not texts:
        raise InputError('no example given; write one like \'"log.txt" -> "log"\'')
    examples = tuple(read_example(text) for text in texts)
    first = examples[0]
    for example in examples[1:]:
        if len(example.inputs) != len(first.inputs):
            raise InputError(
                f"examples of one query need the same number of inputs: {first.text!r} has {len(first.inputs)}, "
                f"{example.text!r} has {len(example.inputs)}"
            )
    places = range(len(first.inputs))
    inputs = tuple(_common([example.inputs[place] for example in examples], examples) for place in places)
    output = _common([example.output for example in examples], examples)
    _check_contradictions(examples)
    return Specification(examples, inputs, output)


def _common(literals: Sequence[Literal], examples: Sequence[Example]) -> str:
    kind, source = literals[0].kind, examples[0]
    for literal, example in zip(literals, examples, strict=True):
        joined = _join(kind, literal.kind)
        if joined is None:
            raise InputError(
                f"mixed types: {kind_text(kind)} in {source.text!r} but {kind_text(literal.kind)} in {example.text!r}; "
                "give the same type in the same place of every example"
            )
        if joined != kind:
            kind, source = joined, example
    return kind


def _join(one: str, other: str) -> str | None:
    if one == other or other == "N":
        return one if one == other or one == "N" or _nullable(one) else None
    if one == "N":
        return other if _nullable(other) else None
    for a, b in ((one, other), (other, one)):
        if a.startswith("?[]") and b.endswith("[]"):
            return b if b.count("[]") >= a.count("[]") else None
    return None


def _nullable(kind: str) -> bool:
    return kind == "S" or kind.endswith("[]")


def _check_contradictions(examples: Sequence[Example]) -> None:
    seen: dict[str, Example] = {}
    for example in examples:
        key = repr([literal.value for literal in example.inputs])
        other = seen.setdefault(key, example)
        if other.output.value != example.output.value:
            raise InputError(f"contradictory examples: {other.text!r} and {example.text!r} have the same input")


def read_example(text: str) -> Example:
    """One example; a syntax error points at the character."""
    reader = _Reader(text)
    inputs = []
    if not reader.at("->"):
        inputs.append(reader.literal())
        while reader.at(","):
            reader.take(",")
            inputs.append(reader.literal())
    reader.take("->")
    output = reader.literal()
    reader.end()
    return Example(text, tuple(inputs), output)


class _Reader:
    """A place in an example's text."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def fail(self, message: str, place: int | None = None) -> ParseError:
        place = self.place if place is None else place
        shown = self.text.replace("\n", " ").replace("\t", " ")
        return ParseError(message, "example", 1, place + 1, context=f"  {shown}\n  {' ' * place}^")

    def skip(self) -> None:
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1

    def at(self, token: str) -> bool:
        self.skip()
        return self.text.startswith(token, self.place)

    def take(self, token: str) -> None:
        if not self.at(token):
            raise self.fail(f"expected {token!r}")
        self.place += len(token)

    def end(self) -> None:
        self.skip()
        if self.place < len(self.text):
            raise self.fail("expected nothing more")

    def literal(self) -> Literal:
        self.skip()
        if self.place >= len(self.text):
            raise self.fail("expected a value")
        char = self.text[self.place]
        if char == '"':
            return Literal("S", units(self.quoted('"')))
        if char == "'":
            return self.character()
        if char in "[{":
            return self.array("]" if char == "[" else "}")
        return self.word() if char.isalpha() or char == "_" else self.number()

    def quoted(self, quote: str) -> str:
        start = self.place
        self.place += 1
        parts: list[str] = []
        while self.place < len(self.text) and self.text[self.place] != quote:
            parts.append(self.escape() if self.text[self.place] == "\\" else self.text[self.place])
            self.place += 1
        if self.place >= len(self.text):
            raise self.fail(f"no closing {quote}", start)
        self.place += 1
        return "".join(parts)

    def escape(self) -> str:
        match = re.compile(r"\\(u+([0-9a-fA-F]{4})|.)", re.DOTALL).match(self.text, self.place)
        code = match.group(1) if match else ""
        if match is None or (code[0] not in _ESCAPES and not match.group(2)):
            raise self.fail("unknown escape")
        self.place = match.end() - 1
        return chr(int(match.group(2), 16)) if match.group(2) else _ESCAPES[code]

    def character(self) -> Literal:
        start = self.place
        value = units(self.quoted("'"))
        if len(value) != 1:
            raise self.fail("a character needs exactly one character between its quotes", start)
        return Literal("C", ord(value))

    def array(self, close: str) -> Literal:
        start = self.place
        self.place += 1
        items: list[Literal] = []
        while not self.at(close):
            if items:
                self.take(",")
            self.skip()
            place = self.place
            items.append(self.literal())
            if _join(items[0].kind, items[-1].kind) is None:
                raise self.fail("items of an array need one type", place)
        self.take(close)
        kind = "?"
        for item in items:
            kind = item.kind if kind == "?" else _join(kind, item.kind) or kind
        if kind.startswith("N"):
            raise self.fail("an array of nulls has no type", start)
        return Literal(kind + "[]", [item.value for item in items])

    def word(self) -> Literal:
        match = _WORD.match(self.text, self.place)
        word = match.group() if match else self.text[self.place]
        if word not in _WORDS:
            raise self.fail(f"unknown word {word!r}; strings need double quotes")
        self.place += len(word)
        return Literal(*_WORDS[word])

    def number(self) -> Literal:
        match = _NUMBER.match(self.text, self.place)
        if match is None:
            raise self.fail("expected a value")
        text = match.group()
        after = self.text[match.end() : match.end() + 1]
        if after.isalnum() or after in ("_", "."):
            raise self.fail("unexpected character", match.end())
        if re.search(r"[.eE]", text):
            value: Literal = Literal("D", float(text))
        else:
            number = int(text.rstrip("lL"))
            if wrap64(number) != number:
                raise self.fail("an integer beyond 64 bits")
            value = Literal("I", number)
        self.place = match.end()
        return value
