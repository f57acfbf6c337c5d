"""Syntax tree of p-code -> ICFG: one visitor per statement, which returns the loose ends after it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beryl.icfg.builder import Builder, End
from beryl.lang.pseudo import nodes as p
from beryl.types import EdgeKind, Icfg, NodeKind, Span

_NEVER_GOES_ON = re.compile(r"(error|throw|raise|fail|abort)\b(?!\s*(=|\[|\(|\.|←|:=|\+|-|\*))")


def analyse(tree: p.Start, path: str = "", origin: Sequence[int] = (), title: str = "main") -> Icfg:
    """The ICFG of a file; `origin[i]` is the line in the user's file of p-code line i + 1 (the same where empty).

    Statements outside of any function form one called `title`.
    """
    return _Analyser(path, origin).file(tree, title)


def text_of(part: object) -> str:
    """The words of an expression, test or call, without `$` and `@`."""
    if isinstance(part, p.Math | p.NaturalLanguage):
        return part.text
    if isinstance(part, p.CallStmt):
        return f"{part.name}({', '.join(text_of(item) for item in part.parameters.items if item is not None)})"
    if isinstance(part, p.Name):
        return str(part.token)
    if isinstance(part, p.NotTest):
        return "not " * (len(part.items) - 1) + _grouped(part.items[-1])
    if isinstance(part, p.AndTest):
        return " and ".join(_grouped(item) for item in part.items)
    if isinstance(part, p.OrTest):
        return " or ".join(text_of(item) for item in part.items)
    return ""


def _grouped(part: object) -> str:
    """As text_of, in parentheses where `not` or `and` would otherwise take it apart."""
    return f"({text_of(part)})" if isinstance(part, p.AndTest | p.OrTest) else text_of(part)


def is_math(part: object) -> bool:
    """Is all of it math? A call counts as math: it is symbols."""
    if isinstance(part, p.NotTest):
        return is_math(part.items[-1])
    if isinstance(part, p.AndTest | p.OrTest):
        return all(is_math(item) for item in part.items)
    return not isinstance(part, p.NaturalLanguage)


class _Analyser:
    """The walk over one file."""

    def __init__(self, path: str, origin: Sequence[int]) -> None:
        self.path, self.origin = path, origin
        self.build = Builder()

    def span(self, start: int, end: int | None = None) -> Span:
        """Lines of the user's file for lines of the p-code."""
        first, last = (
            self.origin[min(line, len(self.origin)) - 1] if self.origin else line for line in (start, end or start)
        )
        return Span(self.path, min(first, last), max(first, last))

    def file(self, tree: p.Start, title: str) -> Icfg:
        """All functions, in order; loose statements as one function at the place of the first."""
        loose = [item for item in tree.items if not isinstance(item, p.Func)]
        done = False
        for item in tree.items:
            if isinstance(item, p.Func):
                shown = [text_of(part) for part in item.parameters.items if part is not None]
                signature = f"{item.name}({', '.join(shown)})"
                self.function(str(item.name), signature, item.body.statements, item.meta.line)
            elif not done:
                self.function(title, f"{title}()", loose, item.meta.line)
                done = True
        return self.build.finish()

    def function(self, name: str, signature: str, body: Sequence[p.Statement], line: int) -> None:
        """Entry, exit, and the body between them."""
        with self.build.function(name, signature, self.span(line, _last_line(body))) as ends:
            ends[:] = self.body(body, ends)

    def body(self, statements: Sequence[p.Statement], ends: list[End]) -> list[End]:
        """A sequence; after a jump the ends are empty, and what follows is dead code."""
        for statement in statements:
            ends = self.statement(statement, ends)
        return ends

    def statement(self, statement: p.Statement, ends: list[End]) -> list[End]:
        """Any statement, by its class."""
        visit = getattr(self, f"visit_{type(statement).__name__}")
        made: list[End] = visit(statement, ends)
        return made

    def visit_Math(self, statement: p.Math, ends: list[End]) -> list[End]:
        """`$x = 1$`."""
        return self.simple(statement, NodeKind.STATEMENT, True, ends)

    def visit_NaturalLanguage(self, statement: p.NaturalLanguage, ends: list[End]) -> list[End]:
        """`@sort A@`."""
        return self.simple(statement, NodeKind.STATEMENT, False, ends)

    def visit_CallStmt(self, statement: p.CallStmt, ends: list[End]) -> list[End]:
        """`UNION(u, v)`."""
        return self.simple(statement, NodeKind.CALL, True, ends)

    def simple(
        self, statement: p.Math | p.NaturalLanguage | p.CallStmt, kind: NodeKind, math: bool, ends: list[End]
    ) -> list[End]:
        """One node; `error "..."` does not go on but leaves the function."""
        text = text_of(statement)
        node = self.build.add(kind, text, self.span(statement.meta.line), math, ends)
        if kind is NodeKind.STATEMENT and _NEVER_GOES_ON.match(text):
            self.build.connect([(node, EdgeKind.EXCEPTION)], self.build.exit)
            return []
        return [(node, EdgeKind.FLOW)]

    def visit_ReturnStmt(self, statement: p.ReturnStmt, ends: list[End]) -> list[End]:
        """`return` goes to the exit."""
        math = None if statement.value is None else is_math(statement.value)
        text = f"return {text_of(statement.value)}".strip()
        node = self.build.add(NodeKind.RETURN, text, self.span(statement.meta.line), math, ends)
        self.build.connect([(node, EdgeKind.FLOW)], self.build.exit)
        return []

    def visit_BreakStmt(self, statement: p.BreakStmt, ends: list[End]) -> list[End]:
        """`break` leaves the innermost loop; outside of one it leaves the function."""
        node = self.build.add(NodeKind.STATEMENT, "break", self.span(statement.meta.line), None, ends)
        return self.jump(node, "breaks")

    def visit_ContinueStmt(self, statement: p.ContinueStmt, ends: list[End]) -> list[End]:
        """`continue` goes to the test of the innermost loop."""
        node = self.build.add(NodeKind.STATEMENT, "continue", self.span(statement.meta.line), None, ends)
        return self.jump(node, "continues")

    def jump(self, node: int, where: str) -> list[End]:
        """Leave a loose end in the innermost loop's frame."""
        if self.build.frames:
            getattr(self.build.frames[-1], where).append((node, EdgeKind.FLOW))
        else:
            self.build.connect([(node, EdgeKind.FLOW)], self.build.exit)
        return []

    def visit_IfStmt(self, statement: p.IfStmt, ends: list[End]) -> list[End]:
        """A condition per test; what is false goes on to the next."""
        after: list[End] = []
        clauses: list[p.IfStmt | p.ElseifClause] = [statement, *statement.clauses]
        for clause in clauses:
            node = self.build.add(
                NodeKind.CONDITION, text_of(clause.test), self.span(clause.meta.line), is_math(clause.test), ends
            )
            with self.build.branch():
                after += self.body(clause.body.statements, [(node, EdgeKind.TRUE)])
            ends = [(node, EdgeKind.FALSE)]
        if statement.otherwise is None:
            return after + ends
        with self.build.branch():
            return after + self.body(statement.otherwise.statements, ends)

    def visit_WhileStmt(self, statement: p.WhileStmt, ends: list[End]) -> list[End]:
        """`while`."""
        return self.loop(text_of(statement.test), is_math(statement.test), statement, ends)

    def visit_ForStmt(self, statement: p.ForStmt, ends: list[End]) -> list[End]:
        """`for ... to ...`: one node that counts and tests."""
        parts: list[object] = [statement.start]
        text = text_of(statement.start)
        if statement.bound is not None:
            parts.append(statement.bound.limit)
            text += f" {statement.bound.direction} {text_of(statement.bound.limit)}"
        if statement.step is not None:
            parts.append(statement.step.amount)
            text += f" by {text_of(statement.step.amount)}"
        return self.loop(text, all(is_math(part) for part in parts), statement, ends)

    def visit_ForEachStmt(self, statement: p.ForEachStmt, ends: list[End]) -> list[End]:
        """`for each`."""
        return self.loop(text_of(statement.what), is_math(statement.what), statement, ends)

    def loop(
        self, text: str, math: bool, statement: p.WhileStmt | p.ForStmt | p.ForEachStmt, ends: list[End]
    ) -> list[End]:
        """A loop that tests before its body."""
        head = self.build.add(NodeKind.LOOP, text, self.span(statement.meta.line), math, ends)
        with self.build.loop() as frame:
            last = self.body(statement.body.statements, [(head, EdgeKind.TRUE)])
            self.build.connect(last + frame.continues, head, back=True)
        return [(head, EdgeKind.FALSE), *frame.breaks]

    def visit_RepeatStmt(self, statement: p.RepeatStmt, ends: list[End]) -> list[End]:
        """`repeat ... until`: the test is a node after the body; true leaves, else back to the first statement."""
        first = len(self.build.nodes)
        with self.build.loop() as frame:
            last = self.body(statement.body.statements, ends)
        line = _line_of(statement.test) or statement.meta.end_line
        text, math = text_of(statement.test), is_math(statement.test)
        node = self.build.add(NodeKind.LOOP, text, self.span(line), math, last + frame.continues)
        self.build.connect([(node, EdgeKind.FLOW)], first, back=True)
        return [(node, EdgeKind.TRUE), *frame.breaks]


def _line_of(test: p.Test) -> int:
    """The line where a test stands."""
    while isinstance(test, p.NotTest | p.AndTest | p.OrTest):
        test = test.items[-1]  # type: ignore[assignment]
    return int(test.meta.line)


def _last_line(body: Sequence[p.Statement]) -> int:
    """The last line of a sequence of statements that says something."""
    last = body[-1]
    if isinstance(last, p.IfStmt):
        suites = [last.body, *(clause.body for clause in last.clauses), last.otherwise]
        return max(_last_line(suite.statements) for suite in suites if suite is not None)
    if isinstance(last, p.WhileStmt | p.ForStmt | p.ForEachStmt):
        return _last_line(last.body.statements)
    if isinstance(last, p.RepeatStmt):
        return _line_of(last.test)
    return int(last.meta.end_line)
