"""What the shared walk reads off one function; every feature-class observes this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from beryl.features.similarity import Tree

Graph = tuple[tuple[int, ...], ...]
"""The successors of each CFG node, true branch first."""

EMPTY_TREE = Tree((), ())


@dataclass(frozen=True, slots=True)
class Facts:
    """A function as the feature-classes see it. Types are normalised names such as `int*`; "" is unknown."""

    name: str
    variables: tuple[str, ...] = ()
    """Names of parameters and local variables."""
    comments: tuple[str, ...] = ()
    """The texts of the comments inside and directly before it."""
    type_operations: frozenset[tuple[str, str]] = frozenset()
    skeleton: Tree = EMPTY_TREE
    decorated: Tree = EMPTY_TREE
    modeled_calls: frozenset[tuple[str, str]] = frozenset()
    """(function, header): calls of the standard libraries of C, C++ and Java."""
    other_calls: frozenset[str] = frozenset()
    """Names of all other functions called; which are unmodeled and which user-defined takes a project to say."""
    unmodeled_calls: frozenset[tuple[str, str]] = frozenset()
    user_calls: frozenset[tuple[str, str]] = frozenset()
    signature: tuple[str, ...] = ()
    local_types: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    strings: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    """Names that it uses but does not declare: functions, fields, types, globals, macros."""
    identifiers: frozenset[str] = frozenset()
    """Every name in it, its own included."""
    tokens: tuple[str, ...] = ()
    """Its body, token by token, all names alike and all strings alike."""
    header: tuple[str, ...] = ()
    """The same of what stands before the body: its type and its parameters."""
    graph: Graph = ()


@dataclass(frozen=True, slots=True)
class Declarations:
    """What other files of a project declare: the part of a compiler's knowledge that can be read off its headers."""

    typedefs: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    """`Type.field` -> type."""
    returns: Mapping[str, str] = field(default_factory=dict)
    globals: Mapping[str, str] = field(default_factory=dict)
    macros: Mapping[str, str] = field(default_factory=dict)
    """Object-like macros that stand for a number."""
