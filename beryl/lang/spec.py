"""A language as data: which syntax kinds are which construct. What the languages share lives in statements.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from beryl.types import Language


class Construct(StrEnum):
    """What a statement kind means for control flow; each is a `visit_...` of statements.FlowBuilder."""

    STATEMENT = "statement"
    EXPRESSION = "expression"
    EMPTY = "empty"
    BLOCK = "block"
    IF = "if"
    WHILE = "while"
    DO = "do"
    FOR = "for"
    FOR_EACH = "for_each"
    SWITCH = "switch"
    CASE = "case"
    CASE_LABEL = "case_label"
    RULE = "rule"
    RETURN = "return"
    THROW = "throw"
    ASSERT = "assert"
    BREAK = "break"
    CONTINUE = "continue"
    YIELD = "yield"
    GOTO = "goto"
    LABEL = "label"
    TRY = "try"
    GUARDED = "guarded"
    PREPROCESSOR = "preprocessor"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class LanguageSpec:
    """One language: kinds of syntax nodes and the construct, role or container each is."""

    language: Language
    suffixes: tuple[str, ...]
    statements: Mapping[str, Construct]
    functions: frozenset[str]
    """Kinds that may have a body and become a function of the graph."""
    lambdas: frozenset[str]
    containers: Mapping[str, str]
    """Kinds that give a component of the qualified name, and the field that holds it."""
    calls: frozenset[str]
    head: str
    """A pattern of the lines besides comments that files begin with and that hold no code."""
    holes: frozenset[str] = frozenset()
    """Kinds whose text is not repeated in the statement around them: bodies of local and anonymous classes."""
    switches: frozenset[str] = frozenset()
    """Kinds of switch that may stand inside an expression."""
    blocks_in: tuple[str, ...] = ()
    """The kinds whose directly nested blocks are initialisers."""
    locals: tuple[str, ...] = ()
    """Kinds that declare a variable of a function, with the field `type`."""
    fields: tuple[str, ...] = ()
    """Kinds that declare a variable of a class, with the field `type`."""
    classes: tuple[str, ...] = ()
    """Kinds of type that name a class."""
    preprocessed: bool = False
    """Macros may stand where the grammar wants something else; see mend.py."""
