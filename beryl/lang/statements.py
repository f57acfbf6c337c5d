"""Statements -> control flow: every `visit_...` takes where control comes from and returns where it goes on.

Expressions are never walked: `a ? b : c`, `&&` and `||` stay inside the node of their statement.
Conditions are not evaluated: a loop always has a way out, so entry reaches exit except past endless gotos.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import cache

from beryl.lang.flow import (
    BACK,
    CASE,
    CONDITION,
    EXCEPTION,
    FALSE,
    FLOW,
    LOOP,
    RETURN,
    STATEMENT,
    TRUE,
    Exits,
    FlowGraph,
    Frame,
    FrameKind,
    Jump,
)
from beryl.lang.parsing import Grammar, SyntaxNode, grammar
from beryl.lang.spec import Construct, LanguageSpec
from beryl.registry import LANGUAGES, load
from beryl.types import Language

_FIELDS = (
    *("condition", "consequence", "alternative", "body", "initializer", "init", "update", "value"),
    *("right", "label", "name", "resources", "parameters"),
)
# tree-sitter's symbol of ERROR nodes, outside the numbering of every grammar.
_ERROR_KIND = 65535


class FlowBuilder(FlowGraph):
    """Builds the graph of one file, function after function."""

    def __init__(self, spec: LanguageSpec, source: str, switches: list[SyntaxNode]) -> None:
        super().__init__()
        self.language = spec.language
        self._source = source
        """The text as Latin-1, so that byte positions are string positions."""
        self._switches = switches
        """Switch expressions by position: those inside a statement run before it."""
        self._switch_starts = [node.start_byte for node in switches]
        self._pending_label = ""
        self._fields = _field_ids(spec.language)
        self._handlers = _handlers(spec.language)

    def function(self, node: SyntaxNode, before: Iterable[SyntaxNode], body: SyntaxNode | None) -> None:
        """Add one function: entry, exit, statements that run before the body, the body."""
        exits: Exits = [(self.begin(node.start_byte, node.end_byte), FLOW)]
        self._pending_label = ""
        for each in before:
            exits = self.visit_statement(each, exits)
        if body is not None and self._handlers[body.kind_id] is _STATEMENT:
            exits = [(self.add(RETURN, body.start_byte, body.end_byte, exits), FLOW)]
        else:
            exits = self._visit(body, exits)
        self.finish(exits)

    def _name(self, node: SyntaxNode | None) -> str:
        return self._source[node.start_byte : node.end_byte] if node is not None else ""

    def _inner(self, start: int, end: int, exits: Exits) -> Exits:
        """The switch expressions inside a statement, which run before it."""
        position = bisect_left(self._switch_starts, start)
        while position < len(self._switches) and self._switch_starts[position] < end:
            node = self._switches[position]
            exits = self.visit_switch(node, exits)
            position = bisect_left(self._switch_starts, node.end_byte)
        return exits

    def _condition(self, node: SyntaxNode, kind: int, exits: Exits) -> int:
        """The node of an if, while, do or switch: its condition without the parentheses around it."""
        condition = node.child_by_field_id(self._fields["condition"])
        if condition is None:
            body = node.child_by_field_id(self._fields["body"])
            return self.add(kind, node.start_byte, body.start_byte if body else node.end_byte, exits)
        start, end = condition.start_byte, condition.end_byte
        if condition.kind_id in self._handlers.wrapping and end - start > 1 and self._source[end - 1] == ")":
            start, end = start + 1, end - 1
        return self.add(kind, start, end, exits)

    def visit_statement(self, node: SyntaxNode, exits: Exits) -> Exits:
        """A plain statement; call sites are told apart later."""
        start, end = node.start_byte, node.end_byte
        if self._switches:
            exits = self._inner(start, end, exits)
        return [(self.add(STATEMENT, start, end, exits), FLOW)]

    def visit_expression(self, node: SyntaxNode, exits: Exits) -> Exits:
        """An expression statement; a lone `;` is nothing."""
        return self.visit_statement(node, exits) if node.named_child_count else exits

    def visit_empty(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Comments, local types: no control flow."""
        return exits

    def visit_block(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Statements one after the other; plain ones, which most are, without further calls."""
        handlers, plain, follow = self._handlers, not self._switches, self.follow
        before = -1
        for child in node.named_children:
            handler = handlers[child.kind_id]
            if plain and (handler is _EXPRESSION or handler is _STATEMENT):
                start, end = child.start_byte, child.end_byte
                if end - start > 1 or handler is _STATEMENT or child.named_child_count:
                    before = self.add(STATEMENT, start, end, exits) if before < 0 else follow(before, start, end)
                continue
            if before >= 0:
                exits, before = [(before, FLOW)], -1
            exits = handler(self, child, exits)
        return [(before, FLOW)] if before >= 0 else exits

    def _visit(self, node: SyntaxNode | None, exits: Exits) -> Exits:
        return exits if node is None else self._handlers[node.kind_id](self, node, exits)

    def visit_if(self, node: SyntaxNode, exits: Exits) -> Exits:
        """An if with its whole else-if chain, which stays on one level."""
        fields = self._fields
        leaving: Exits = []
        current: SyntaxNode | None = node
        while current is not None:
            test = self._condition(current, CONDITION, exits)
            self.level += 1
            leaving += self._visit(current.child_by_field_id(fields["consequence"]), [(test, TRUE)])
            self.level -= 1
            otherwise = current.child_by_field_id(fields["alternative"])
            exits, current = [(test, FALSE)], None
            if otherwise is not None and otherwise.kind_id in self._handlers.else_clauses:
                inner = [child for child in otherwise.named_children if not child.is_extra]
                otherwise = inner[0] if len(inner) == 1 else otherwise
            if otherwise is not None and self._handlers[otherwise.kind_id] is _IF:
                current = otherwise
            elif otherwise is not None:
                self.level += 1
                exits = self._visit(otherwise, exits)
                self.level -= 1
        return leaving + exits

    def _loop_body(self, body: SyntaxNode | None, exits: Exits) -> tuple[Exits, Frame]:
        """The body of a loop; the exits are those that run into the next round."""
        frame = Frame(FrameKind.LOOP, self._pending_label)
        self._pending_label = ""
        self.frames.append(frame)
        self.level += 1
        exits = self._visit(body, exits)
        self.level -= 1
        self.frames.pop()
        return exits + frame.take(Jump.CONTINUE), frame

    def _headed_loop(self, test: int, body: SyntaxNode | None) -> Exits:
        exits, frame = self._loop_body(body, [(test, TRUE)])
        self.link_back(exits, test)
        return [(test, FALSE), *frame.take(Jump.BREAK)]

    def visit_while(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Test, body, back to the test; a macro that loops shows its name."""
        condition = node.child_by_field_id(self._fields["condition"])
        if condition is not None and not self._source.startswith("while", node.start_byte):
            test = self.add(LOOP, node.start_byte, condition.end_byte, exits)
        else:
            test = self._condition(node, LOOP, exits)
        return self._headed_loop(test, node.child_by_field_id(self._fields["body"]))

    def visit_do(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Body, test, back to the body."""
        first = len(self.kind)
        exits, frame = self._loop_body(node.child_by_field_id(self._fields["body"]), exits)
        test = self._condition(node, LOOP, exits)
        self.edge(test, first, BACK)
        return [(test, FALSE), *frame.take(Jump.BREAK)]

    def visit_for(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Init, test and update are nodes of their own; `for (;;)` has a test of that text."""
        fields = self._fields
        starting = node.children_by_field_id(fields["initializer"]) or node.children_by_field_id(fields["init"])
        if starting:
            exits = [(self.add(STATEMENT, starting[0].start_byte, starting[-1].end_byte, exits), FLOW)]
        condition = node.child_by_field_id(fields["condition"])
        body = node.child_by_field_id(fields["body"])
        if condition is not None:
            test = self.add(LOOP, condition.start_byte, condition.end_byte, exits)
        else:
            test = self.add(LOOP, node.start_byte, body.start_byte if body is not None else node.end_byte, exits)
        updates = node.children_by_field_id(fields["update"])
        if not updates:
            return self._headed_loop(test, body)
        update = self.add(STATEMENT, updates[0].start_byte, updates[-1].end_byte, [])
        exits, frame = self._loop_body(body, [(test, TRUE)])
        self.link(exits, update)
        self.edge(update, test, BACK)
        return [(test, FALSE), *frame.take(Jump.BREAK)]

    def visit_for_each(self, node: SyntaxNode, exits: Exits) -> Exits:
        """One loop node: `type name : values`."""
        fields = self._fields
        last = node.child_by_field_id(fields["right"]) or node.child_by_field_id(fields["value"])
        first = node.named_children[0]
        test = self.add(LOOP, first.start_byte, last.end_byte if last is not None else first.end_byte, exits)
        return self._headed_loop(test, node.child_by_field_id(fields["body"]))

    def visit_switch(self, node: SyntaxNode, exits: Exits) -> Exits:
        """A condition with one case edge per label; the edge for none of them (or the default) is false."""
        head = self._condition(node, CONDITION, exits)
        frame = Frame(FrameKind.SWITCH, head=head)
        self.frames.append(frame)
        self.level += 1
        leaving = self._visit(node.child_by_field_id(self._fields["body"]), [])
        self.level -= 1
        self.frames.pop()
        leaving = leaving + frame.take(Jump.BREAK) + frame.take(Jump.YIELD)
        return leaving if frame.default else [*leaving, (head, FALSE)]

    def _arrive(self, is_default: bool, exits: Exits) -> Exits:
        """Control comes to a case label from the switch, besides falling through."""
        frame = self.switch()
        if frame is None:
            return exits
        frame.default = frame.default or is_default
        return [*exits, (frame.head, FALSE if is_default else CASE)]

    def visit_case(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`case x:` and the statements after it; also inside inner blocks, as in Duff's device."""
        value = node.child_by_field_id(self._fields["value"])
        exits = self._arrive(value is None, exits)
        # GNU's `case 1 ... 5:` is broken for the grammar, before the colon.
        colon = self._source.find(":", node.start_byte if value is None else value.end_byte, node.end_byte)
        for child in node.named_children:
            if child.start_byte > colon:
                exits = self._handlers[child.kind_id](self, child, exits)
        return exits

    def visit_case_label(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Java's label itself, before `:` or `->`; also `case null, default`."""
        return self._arrive(self._source.endswith("default", node.start_byte, node.end_byte), exits)

    def visit_rule(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`case x -> ...`: no falling through."""
        frame = self.switch()
        exits = self.visit_block(node, [])
        if frame is not None:
            frame.caught.setdefault((Jump.BREAK, ""), []).extend(exits)
        return []

    def visit_return(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To the exit, by way of enclosing finally blocks."""
        start, end = node.start_byte, node.end_byte
        if self._switches:
            exits = self._inner(start, end, exits)
        self.jump(Jump.RETURN, "", [(self.add(RETURN, start, end, exits), FLOW)])
        return []

    def visit_throw(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To the first catch around it, or the exit."""
        self.jump(Jump.THROW, "", [(self.add(STATEMENT, node.start_byte, node.end_byte, exits), EXCEPTION)])
        return []

    def visit_assert(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Goes on, or throws."""
        check = self.add(STATEMENT, node.start_byte, node.end_byte, exits)
        self.jump(Jump.THROW, "", [(check, EXCEPTION)])
        return [(check, FLOW)]

    def _leave(self, jump: Jump, node: SyntaxNode, exits: Exits) -> Exits:
        label = self._name(node.named_children[0]) if node.named_child_count else ""
        self.jump(jump, label, [(self.add(STATEMENT, node.start_byte, node.end_byte, exits), FLOW)])
        return []

    def visit_break(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Out of the innermost loop or switch, or of the statement labelled."""
        return self._leave(Jump.BREAK, node, exits)

    def visit_continue(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To the next round of the innermost loop, or of the one labelled."""
        return self._leave(Jump.CONTINUE, node, exits)

    def visit_yield(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Out of a switch expression, with its value."""
        self.jump(Jump.YIELD, "", self.visit_statement(node, exits))
        return []

    def visit_goto(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To a label, linked when the function is complete."""
        name = self._name(node.child_by_field_id(self._fields["label"]))
        self.gotos.append((self.add(STATEMENT, node.start_byte, node.end_byte, exits), name))
        return []

    def visit_label(self, node: SyntaxNode, exits: Exits) -> Exits:
        """A labelled statement: target of goto, of labelled break and continue."""
        children = [child for child in node.named_children if not child.is_extra]
        name = self._name(children[0])
        first = len(self.kind)
        frame = Frame(FrameKind.LABEL, name)
        self.frames.append(frame)
        self.labels.setdefault(name, first)
        for child in children[1:]:
            self._pending_label = name
            exits = self._handlers[child.kind_id](self, child, exits)
        self._pending_label = ""
        self.frames.pop()
        if len(self.kind) == first:
            exits = [(self.add(STATEMENT, node.start_byte, children[0].end_byte, exits), FLOW)]
        return exits + frame.take(Jump.BREAK)

    def visit_guarded(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`synchronized (lock)`: taking the lock is a node, then the body."""
        body = node.child_by_field_id(self._fields["body"])
        end = body.start_byte if body is not None else node.end_byte
        return self._visit(body, [(self.add(STATEMENT, node.start_byte, end, exits), FLOW)])

    def visit_preprocessor(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`#if` halves are alternatives without a node of their own."""
        fields = self._fields
        told = node.child_by_field_id(fields["condition"]) or node.child_by_field_id(fields["name"])
        other = node.child_by_field_id(fields["alternative"])
        skipped = {each.start_byte for each in (told, other) if each is not None}
        inside = exits
        for child in node.named_children:
            if child.start_byte not in skipped:
                inside = self._handlers[child.kind_id](self, child, inside)
        if node.type == "preproc_else":
            return inside
        without = self._visit(other, exits)
        return inside + [each for each in without if each not in inside]

    def visit_error(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Broken text: the statements in it, or one node for all of it."""
        first = len(self.kind)
        for child in node.named_children:
            handler = self._handlers[child.kind_id]
            if handler is not FlowBuilder.visit_statement:
                exits = handler(self, child, exits)
        if len(self.kind) == first and node.named_child_count:
            return self.visit_statement(node, exits)
        return exits

    def visit_try(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Body, a chain of catch conditions, and one copy of the finally block that all ways out pass."""
        children = node.named_children
        catches = [child for child in children if child.type == "catch_clause"]
        final = next((child for child in children if child.type == "finally_clause"), None)
        if final is None:
            return self._guarded_body(node, catches, exits)
        frame = Frame(FrameKind.FINALLY)
        self.frames.append(frame)
        first = len(self.kind)
        leaving = self._guarded_body(node, catches, exits)
        self.frames.pop()
        return self._finally(final, first, leaving, frame)

    def _guarded_body(self, node: SyntaxNode, catches: list[SyntaxNode], exits: Exits) -> Exits:
        """Resources, body and catches of a try."""
        frame = Frame(FrameKind.TRY)
        if catches:
            self.frames.append(frame)
        first, thrown = len(self.kind), [(source, EXCEPTION) for source, _ in exits]
        resources = node.child_by_field_id(self._fields["resources"])
        for resource in resources.named_children if resources is not None else ():
            if not resource.is_extra:
                exits = self.visit_statement(resource, exits)
        leaving = self._visit(node.child_by_field_id(self._fields["body"]), exits)
        if not catches:
            return leaving
        self.frames.pop()
        if len(self.kind) > first:
            thrown = frame.take(Jump.THROW)
            self.guarded.append((first, len(self.kind), len(self.kind)))
        for clause in catches:
            exits, thrown = self._catch(clause, thrown)
            leaving = leaving + exits
        self.jump(Jump.THROW, "", [(source, EXCEPTION) for source, _ in thrown])
        return leaving

    def _catch(self, clause: SyntaxNode, thrown: Exits) -> tuple[Exits, Exits]:
        """One catch: does the exception match? Where its body leaves, and where an unmatched one goes on from."""
        body = clause.child_by_field_id(self._fields["body"])
        end = body.start_byte if body is not None else clause.end_byte
        test = self.add(CONDITION, clause.start_byte, end, thrown)
        parameters = clause.child_by_field_id(self._fields["parameters"])
        everything = parameters is not None and not parameters.named_child_count
        self.level += 1
        exits = self._visit(body, [(test, TRUE)])
        self.level -= 1
        return exits, [] if everything else [(test, FALSE)]

    def _finally(self, final: SyntaxNode, first: int, leaving: Exits, frame: Frame) -> Exits:
        """The block that all exits pass; afterwards each jump goes on where it was heading."""
        begin = len(self.kind)
        exits = self.visit_block(final, leaving + [each for caught in frame.caught.values() for each in caught])
        if len(self.kind) == begin:
            for (jump, label), caught in frame.caught.items():
                self.jump(jump, label, caught)
            return leaving
        if begin > first:
            self.guarded.append((first, begin, begin))
        for jump, label in dict.fromkeys([*frame.caught, (Jump.THROW, "")]):
            kind = EXCEPTION if jump is Jump.THROW else FLOW
            self.jump(jump, label, [(source, kind) for source, _ in exits])
        return exits if leaving else []


Handler = Callable[[FlowBuilder, SyntaxNode, Exits], Exits]
_STATEMENT: Handler = FlowBuilder.visit_statement
_EXPRESSION: Handler = FlowBuilder.visit_expression
_IF: Handler = FlowBuilder.visit_if


class Handlers(list[Handler]):
    """The visitor of each syntax kind by its number."""

    wrapping: frozenset[int] = frozenset()
    """Kinds that put a condition in parentheses."""
    else_clauses: frozenset[int] = frozenset()


@cache
def _field_ids(language: Language) -> dict[str, int]:
    return {name: grammar(language).field_id_for_name(name) or 0 for name in _FIELDS}


@cache
def _handlers(language: Language) -> Handlers:
    """What is not listed in the language's specification is a plain statement."""
    spec: LanguageSpec = load(LANGUAGES, language.value, "language")
    symbols = grammar(language)
    table = Handlers([FlowBuilder.visit_statement] * (_ERROR_KIND + 1))
    for kind in range(symbols.node_kind_count):
        construct = spec.statements.get(symbols.node_kind_for_id(kind) or "", Construct.STATEMENT)
        table[kind] = getattr(FlowBuilder, f"visit_{construct.value}")
    table[_ERROR_KIND] = FlowBuilder.visit_error
    table.wrapping = _kinds(symbols, "parenthesized_expression", "condition_clause")
    table.else_clauses = _kinds(symbols, "else_clause")
    return table


def _kinds(symbols: Grammar, *names: str) -> frozenset[int]:
    return frozenset(kind for kind in range(symbols.node_kind_count) if symbols.node_kind_for_id(kind) in names)
