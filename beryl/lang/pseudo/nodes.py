"""The typed syntax tree of the p-language: one dataclass per rule of `grammars/p.lark`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lark import Token
from lark.ast_utils import AsList, Ast, WithMeta
from lark.tree import Meta


@dataclass(frozen=True)
class Math(Ast, WithMeta):
    """`$ ... $`."""

    meta: Meta
    token: Token

    @property
    def text(self) -> str:
        """What is between the marks."""
        return str(self.token)[1:-1].strip()


@dataclass(frozen=True)
class NaturalLanguage(Ast, WithMeta):
    """`@ ... @`."""

    meta: Meta
    token: Token

    @property
    def text(self) -> str:
        """What is between the marks."""
        return str(self.token)[1:-1].strip()


@dataclass(frozen=True)
class Name(Ast):
    """A bare name or number in a parameter list."""

    token: Token


@dataclass(frozen=True)
class Parameters(Ast, AsList):
    """`( ... )`, perhaps empty."""

    items: list[Name | Math | NaturalLanguage | CallStmt | None]


@dataclass(frozen=True)
class CallStmt(Ast, WithMeta):
    """`NAME(...)`: a statement, a test, an argument or a returned value."""

    meta: Meta
    name: Token
    parameters: Parameters


@dataclass(frozen=True)
class NotTest(Ast, AsList):
    """`not` once or more, then a test."""

    items: list[Token | Test]


@dataclass(frozen=True)
class AndTest(Ast, AsList):
    """Tests joined by `and`."""

    items: list[Test]


@dataclass(frozen=True)
class OrTest(Ast, AsList):
    """Tests joined by `or`."""

    items: list[Test]


Expr: TypeAlias = Math | NaturalLanguage
Test: TypeAlias = Math | NaturalLanguage | CallStmt | NotTest | AndTest | OrTest


@dataclass(frozen=True)
class Suite(Ast, AsList):
    """The body of a function, branch or loop."""

    statements: list[Statement]


@dataclass(frozen=True)
class ReturnStmt(Ast, WithMeta):
    """`return`, with or without a value."""

    meta: Meta
    value: Math | NaturalLanguage | CallStmt | None = None


@dataclass(frozen=True)
class BreakStmt(Ast, WithMeta):
    """`break`."""

    meta: Meta


@dataclass(frozen=True)
class ContinueStmt(Ast, WithMeta):
    """`continue`."""

    meta: Meta


@dataclass(frozen=True)
class ElseifClause(Ast, WithMeta):
    """`elseif test suite`."""

    meta: Meta
    test: Test
    body: Suite


@dataclass(frozen=True)
class ElseClause(Ast):
    """`else suite`."""

    body: Suite


@dataclass(frozen=True, init=False)
class IfStmt(Ast, WithMeta):
    """`if test suite`, its `elseif`s and its `else`."""

    meta: Meta
    test: Test
    body: Suite
    clauses: tuple[ElseifClause, ...]
    otherwise: Suite | None

    def __init__(self, meta: Meta, test: Test, body: Suite, *rest: ElseifClause | ElseClause | None) -> None:
        last = rest[-1] if rest else None
        values = {
            "meta": meta,
            "test": test,
            "body": body,
            "clauses": tuple(clause for clause in rest if isinstance(clause, ElseifClause)),
            "otherwise": last.body if isinstance(last, ElseClause) else None,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class WhileStmt(Ast, WithMeta):
    """`while test suite`."""

    meta: Meta
    test: Test
    body: Suite


@dataclass(frozen=True)
class Bound(Ast):
    """`to expr` or `downto expr`."""

    direction: Token
    limit: Expr


@dataclass(frozen=True)
class Step(Ast):
    """`by expr`."""

    amount: Expr


@dataclass(frozen=True)
class ForStmt(Ast, WithMeta):
    """`for expr [to|downto expr] [by expr] suite`."""

    meta: Meta
    start: Expr
    bound: Bound | None
    step: Step | None
    body: Suite


@dataclass(frozen=True)
class ForEachStmt(Ast, WithMeta):
    """`for each expr suite`."""

    meta: Meta
    what: Expr
    body: Suite


@dataclass(frozen=True)
class RepeatStmt(Ast, WithMeta):
    """`repeat suite until test`; the test is judged after the body."""

    meta: Meta
    body: Suite
    test: Test


Statement: TypeAlias = (
    Math
    | NaturalLanguage
    | CallStmt
    | ReturnStmt
    | BreakStmt
    | ContinueStmt
    | IfStmt
    | WhileStmt
    | ForStmt
    | ForEachStmt
    | RepeatStmt
)


@dataclass(frozen=True)
class Func(Ast, WithMeta):
    """`NAME parameters suite`."""

    meta: Meta
    name: Token
    parameters: Parameters
    body: Suite


@dataclass(frozen=True)
class Start(Ast, AsList):
    """A file: functions, and statements outside of any."""

    items: list[Func | Statement]
