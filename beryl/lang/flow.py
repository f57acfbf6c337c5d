"""Statements -> control flow: every `visit_...` takes where control comes from and returns where it goes on.

Expressions are never walked: `a ? b : c`, `&&` and `||` stay inside the node of their statement.
Conditions are not evaluated: a loop always has a way out, so entry reaches exit except past endless gotos.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from beryl.lang.parsing import SyntaxNode, grammar
from beryl.lang.spec import LanguageSpec
from beryl.types import EdgeKind, NodeKind

Exits = list[tuple[int, int]]
"""Where control leaves from: (node, kind of the edge to come)."""

_FLOW, _TRUE, _FALSE, _CASE, _BACK, _EXCEPTION = (
    int(kind)
    for kind in (
        *(EdgeKind.FLOW, EdgeKind.TRUE, EdgeKind.FALSE),
        *(EdgeKind.CASE, EdgeKind.BACK, EdgeKind.EXCEPTION),
    )
)
_STATEMENT, _CONDITION, _LOOP, _RETURN = (
    int(kind) for kind in (NodeKind.STATEMENT, NodeKind.CONDITION, NodeKind.LOOP, NodeKind.RETURN)
)


class Jump(Enum):
    """A way to leave a construct other than at its end."""

    BREAK = 0
    CONTINUE = 1
    YIELD = 2
    RETURN = 3
    THROW = 4


@dataclass(slots=True)
class Frame:
    """An enclosing construct that catches some jumps; what it caught waits here until its target exists."""

    catches: frozenset[Jump]
    label: str = ""
    """Labelled jumps stop only at the frame of that label."""
    always: bool = False
    """A finally: catches every jump and sends it on afterwards."""
    head: int = -1
    """The switch node, where case labels come from."""
    default: bool = False
    caught: dict[tuple[Jump, str], Exits] = field(default_factory=dict)

    def take(self, jump: Jump) -> Exits:
        """What arrived by this jump, labelled or not."""
        return [exit_ for (kind, _), exits in self.caught.items() if kind is jump for exit_ in exits]


_LOOP_JUMPS = frozenset({Jump.BREAK, Jump.CONTINUE})
_SWITCH_JUMPS = frozenset({Jump.BREAK, Jump.YIELD})
_LABEL_JUMPS = frozenset({Jump.BREAK})
_TRY_JUMPS = frozenset({Jump.THROW})


class FlowBuilder:
    """Nodes and edges of one file, function after function; byte ranges stand for texts and lines."""

    def __init__(self, spec: LanguageSpec) -> None:
        self.kind: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.depth: list[int] = []
        self.edge_source: list[int] = []
        self.edge_target: list[int] = []
        self.edge_kind: list[int] = []
        self.guarded: list[tuple[int, int, int]] = []
        """(first node, end, handler): calls among these nodes may throw to the handler; inner ones come first."""
        self._level = 0
        self._exit = 0
        self._frames: list[Frame] = []
        self._labels: dict[str, int] = {}
        self._gotos: list[tuple[int, str]] = []
        self._pending_label = ""
        language = grammar(spec.language)
        self._fields = {
            name: language.field_id_for_name(name) or 0
            for name in (
                *("condition", "consequence", "alternative", "body", "initializer", "init", "update", "value"),
                *("right", "label", "name", "resources", "parameters"),
            )
        }
        self._handlers = _handlers(self, spec)

    def function(self, span: tuple[int, int], before: Iterable[SyntaxNode], body: SyntaxNode, expression: bool) -> None:
        """Add one function: entry, exit, statements that run before the body, the body."""
        entry = self._add(int(NodeKind.ENTRY), span[0], span[1], [])
        self._exit = self._add(int(NodeKind.EXIT), span[1], span[1], [])
        self._level, self._frames, self._labels, self._gotos, self._pending_label = 0, [], {}, [], ""
        exits: Exits = [(entry, _FLOW)]
        for node in before:
            exits = self.visit_statement(node, exits)
        if expression:
            exits = [(self._add(_RETURN, body.start_byte, body.end_byte, exits), _FLOW)]
        else:
            exits = self._handlers[body.kind_id](body, exits)
        self._link(exits, self._exit)
        for source, label in self._gotos:
            target = self._labels.get(label, self._exit)
            self._edge(source, target, _BACK if self._exit < target <= source else _FLOW)

    def _add(self, kind: int, start: int, end: int, exits: Exits) -> int:
        node = len(self.kind)
        self.kind.append(kind)
        self.start.append(start)
        self.end.append(end)
        self.depth.append(self._level)
        for source, edge in exits:
            self.edge_source.append(source)
            self.edge_target.append(node)
            self.edge_kind.append(edge)
        return node

    def _edge(self, source: int, target: int, kind: int) -> None:
        self.edge_source.append(source)
        self.edge_target.append(target)
        self.edge_kind.append(kind)

    def _link(self, exits: Exits, target: int) -> None:
        for source, kind in exits:
            self._edge(source, target, kind)

    def _link_back(self, exits: Exits, target: int) -> None:
        for source in dict.fromkeys(source for source, _ in exits):
            self._edge(source, target, _BACK)

    def _jump(self, jump: Jump, label: str, exits: Exits) -> None:
        """Send control to the innermost frame that catches this jump; past all of them it leaves the function."""
        if not exits:
            return
        for frame in reversed(self._frames):
            if frame.always or (jump in frame.catches and (not label or label == frame.label)):
                if not (frame.label and jump is Jump.BREAK and not label and frame.head == _LABEL_ONLY):
                    frame.caught.setdefault((jump, label), []).extend(exits)
                    return
        self._link(exits, self._exit)

    def _condition(self, node: SyntaxNode, kind: int, exits: Exits) -> int:
        """The node of an if, while, do or switch: its condition without the parentheses around it."""
        condition = node.child_by_field_id(self._fields["condition"])
        if condition is None:
            body = node.child_by_field_id(self._fields["body"])
            return self._add(kind, node.start_byte, body.start_byte if body else node.end_byte, exits)
        start, end = condition.start_byte, condition.end_byte
        wrapped = condition.child_count > 1 and condition.type in ("parenthesized_expression", "condition_clause")
        return self._add(kind, start + wrapped, max(start + wrapped, end - wrapped), exits)

    def visit_statement(self, node: SyntaxNode, exits: Exits) -> Exits:
        """A plain statement; call sites are told apart later."""
        return [(self._add(_STATEMENT, node.start_byte, node.end_byte, exits), _FLOW)]

    def visit_expression(self, node: SyntaxNode, exits: Exits) -> Exits:
        """An expression statement; a lone `;` is nothing."""
        if not node.named_child_count:
            return exits
        return [(self._add(_STATEMENT, node.start_byte, node.end_byte, exits), _FLOW)]

    def visit_empty(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Comments, local types: no control flow."""
        return exits

    def visit_block(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Statements one after the other."""
        handlers = self._handlers
        for child in node.named_children:
            exits = handlers[child.kind_id](child, exits)
        return exits

    def visit_if(self, node: SyntaxNode, exits: Exits) -> Exits:
        """An if with its whole else-if chain, which stays on one level."""
        handlers, fields = self._handlers, self._fields
        leaving: Exits = []
        current: SyntaxNode | None = node
        while current is not None:
            test = self._condition(current, _CONDITION, exits)
            self._level += 1
            then = current.child_by_field_id(fields["consequence"])
            leaving += handlers[then.kind_id](then, [(test, _TRUE)]) if then else [(test, _TRUE)]
            otherwise = current.child_by_field_id(fields["alternative"])
            self._level -= 1
            exits, current = [(test, _FALSE)], None
            if otherwise is not None and otherwise.type == "else_clause":
                inner = [child for child in otherwise.named_children if not child.is_extra]
                otherwise = inner[0] if len(inner) == 1 else otherwise
            if otherwise is not None and otherwise.type == "if_statement":
                current = otherwise
            elif otherwise is not None:
                self._level += 1
                exits = handlers[otherwise.kind_id](otherwise, exits)
                self._level -= 1
        return leaving + exits

    def _loop_body(self, node: SyntaxNode, exits: Exits) -> tuple[Exits, Frame]:
        """The body of a loop; the exits are those that run into the next round."""
        frame = Frame(_LOOP_JUMPS, self._pending_label)
        self._pending_label = ""
        self._frames.append(frame)
        self._level += 1
        body = node.child_by_field_id(self._fields["body"])
        if body is not None:
            exits = self._handlers[body.kind_id](body, exits)
        self._level -= 1
        self._frames.pop()
        return exits + frame.take(Jump.CONTINUE), frame

    def visit_while(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Test, body, back to the test."""
        test = self._condition(node, _LOOP, exits)
        exits, frame = self._loop_body(node, [(test, _TRUE)])
        self._link_back(exits, test)
        return [(test, _FALSE), *frame.take(Jump.BREAK)]

    def visit_do(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Body, test, back to the body."""
        first = len(self.kind)
        exits, frame = self._loop_body(node, exits)
        test = self._condition(node, _LOOP, exits)
        self._edge(test, first, _BACK)
        return [(test, _FALSE), *frame.take(Jump.BREAK)]

    def visit_for(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Init, test and update are nodes of their own; `for (;;)` has a test of that text."""
        fields = self._fields
        starting = node.children_by_field_id(fields["initializer"]) or node.children_by_field_id(fields["init"])
        if starting:
            exits = [(self._add(_STATEMENT, starting[0].start_byte, starting[-1].end_byte, exits), _FLOW)]
        condition = node.child_by_field_id(fields["condition"])
        if condition is not None:
            test = self._add(_LOOP, condition.start_byte, condition.end_byte, exits)
        else:
            body = node.child_by_field_id(fields["body"])
            test = self._add(_LOOP, node.start_byte, body.start_byte if body else node.end_byte, exits)
        updates = node.children_by_field_id(fields["update"])
        update = self._add(_STATEMENT, updates[0].start_byte, updates[-1].end_byte, []) if updates else test
        exits, frame = self._loop_body(node, [(test, _TRUE)])
        if updates:
            self._link(exits, update)
            self._edge(update, test, _BACK)
        else:
            self._link_back(exits, test)
        return [(test, _FALSE), *frame.take(Jump.BREAK)]

    def visit_for_each(self, node: SyntaxNode, exits: Exits) -> Exits:
        """One loop node: `type name : values`."""
        last = node.child_by_field_id(self._fields["right"]) or node.child_by_field_id(self._fields["value"])
        first = node.named_children[0]
        end = last.end_byte if last is not None else first.end_byte
        test = self._add(_LOOP, first.start_byte, end, exits)
        exits, frame = self._loop_body(node, [(test, _TRUE)])
        self._link_back(exits, test)
        return [(test, _FALSE), *frame.take(Jump.BREAK)]

    def visit_switch(self, node: SyntaxNode, exits: Exits) -> Exits:
        """A condition with one case edge per label; the edge for none of them (or the default) is false."""
        head = self._condition(node, _CONDITION, exits)
        frame = Frame(_SWITCH_JUMPS, head=head)
        self._frames.append(frame)
        self._level += 1
        body = node.child_by_field_id(self._fields["body"])
        leaving = self._handlers[body.kind_id](body, []) if body is not None else []
        self._level -= 1
        self._frames.pop()
        leaving += frame.take(Jump.BREAK) + frame.take(Jump.YIELD)
        return leaving if frame.default else [*leaving, (head, _FALSE)]

    def _switch(self) -> Frame | None:
        return next((frame for frame in reversed(self._frames) if frame.head >= 0), None)

    def _arrive(self, label: SyntaxNode, is_default: bool, exits: Exits) -> Exits:
        """Control comes to a case label from the switch, besides falling through."""
        frame = self._switch()
        if frame is None:
            return exits
        frame.default = frame.default or is_default
        return [*exits, (frame.head, _FALSE if is_default else _CASE)]

    def visit_case(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`case x:` with the statements after it; also inside inner blocks, as in Duff's device."""
        handlers = self._handlers
        value = node.child_by_field_id(self._fields["value"])
        labelled = False
        for child in node.named_children:
            if child.type == "switch_label":
                exits, labelled = self._arrive(child, _is_default(child), exits), True
                continue
            if not labelled:
                exits, labelled = self._arrive(node, value is None, exits), True
                if value is not None and child.start_byte <= value.start_byte:
                    continue
            exits = handlers[child.kind_id](child, exits)
        return exits if labelled else self._arrive(node, value is None, exits)

    def visit_rule(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`case x -> ...`: no falling through."""
        frame = self._switch()
        for child in node.named_children:
            if child.type == "switch_label":
                exits = self._arrive(child, _is_default(child), [])
            else:
                exits = self._handlers[child.kind_id](child, exits)
        if frame is not None:
            frame.caught.setdefault((Jump.BREAK, ""), []).extend(exits)
        return []

    def visit_return(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To the exit, by way of enclosing finally blocks."""
        self._jump(Jump.RETURN, "", [(self._add(_RETURN, node.start_byte, node.end_byte, exits), _FLOW)])
        return []

    def visit_throw(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To the first catch around it, or the exit."""
        self._jump(Jump.THROW, "", [(self._add(_STATEMENT, node.start_byte, node.end_byte, exits), _EXCEPTION)])
        return []

    def visit_assert(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Goes on, or throws."""
        check = self._add(_STATEMENT, node.start_byte, node.end_byte, exits)
        self._jump(Jump.THROW, "", [(check, _EXCEPTION)])
        return [(check, _FLOW)]

    def _leave(self, jump: Jump, node: SyntaxNode, exits: Exits) -> Exits:
        label = node.named_children[0].text if node.named_child_count else b""
        statement = self._add(_STATEMENT, node.start_byte, node.end_byte, exits)
        self._jump(jump, (label or b"").decode(errors="replace"), [(statement, _FLOW)])
        return []

    def visit_break(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Out of the innermost loop or switch, or of the one labelled."""
        return self._leave(Jump.BREAK, node, exits)

    def visit_continue(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To the next round of the innermost loop, or of the one labelled."""
        return self._leave(Jump.CONTINUE, node, exits)

    def visit_yield(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Out of a switch expression, with its value."""
        self._jump(Jump.YIELD, "", [(self._add(_STATEMENT, node.start_byte, node.end_byte, exits), _FLOW)])
        return []

    def visit_goto(self, node: SyntaxNode, exits: Exits) -> Exits:
        """To a label, linked when the function is complete."""
        label = node.child_by_field_id(self._fields["label"])
        name = (label.text or b"").decode(errors="replace") if label is not None else ""
        self._gotos.append((self._add(_STATEMENT, node.start_byte, node.end_byte, exits), name))
        return []

    def visit_label(self, node: SyntaxNode, exits: Exits) -> Exits:
        """The label of a statement: target of goto, of labelled break and continue."""
        children = [child for child in node.named_children if not child.is_extra]
        name = (children[0].text or b"").decode(errors="replace")
        first = len(self.kind)
        frame = Frame(_LABEL_JUMPS, name, head=_LABEL_ONLY)
        self._frames.append(frame)
        self._labels.setdefault(name, first)
        for child in children[1:]:
            self._pending_label = name
            exits = self._handlers[child.kind_id](child, exits)
        self._pending_label = ""
        self._frames.pop()
        if len(self.kind) == first:
            exits = [(self._add(_STATEMENT, node.start_byte, children[0].end_byte, exits), _FLOW)]
        return exits + frame.take(Jump.BREAK)

    def visit_guarded(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`synchronized (lock)`: taking the lock is a node, then the body."""
        body = node.child_by_field_id(self._fields["body"])
        end = body.start_byte if body is not None else node.end_byte
        exits = [(self._add(_STATEMENT, node.start_byte, end, exits), _FLOW)]
        return self._handlers[body.kind_id](body, exits) if body is not None else exits

    def visit_preprocessor(self, node: SyntaxNode, exits: Exits) -> Exits:
        """`#if` halves are alternatives without a node of their own."""
        handlers, fields = self._handlers, self._fields
        told = node.child_by_field_id(fields["condition"]) or node.child_by_field_id(fields["name"])
        skip = told.start_byte if told is not None else -1
        other = node.child_by_field_id(fields["alternative"])
        inside = exits
        for child in node.named_children:
            if child.start_byte != skip and (other is None or child.start_byte != other.start_byte):
                inside = handlers[child.kind_id](child, inside)
        if node.type == "preproc_else":
            return inside
        without = handlers[other.kind_id](other, exits) if other is not None else exits
        return list(dict.fromkeys([*inside, *without])) if without is exits else inside + without

    def visit_error(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Broken text: the statements in it, or one node for all of it."""
        first = len(self.kind)
        for child in node.named_children:
            handler = self._handlers[child.kind_id]
            if handler != self.visit_statement:
                exits = handler(child, exits)
        if len(self.kind) == first and node.named_child_count:
            return self.visit_statement(node, exits)
        return exits

    def visit_try(self, node: SyntaxNode, exits: Exits) -> Exits:
        """Body, a chain of catch conditions, and one copy of the finally block that all ways out pass."""
        catches = [child for child in node.named_children if child.type == "catch_clause"]
        final = next((child for child in node.named_children if child.type == "finally_clause"), None)
        outer = Frame(frozenset(), always=True)
        if final is not None:
            self._frames.append(outer)
        first = len(self.kind)
        leaving = self._try_body(node, catches, exits)
        if final is None:
            return leaving
        self._frames.pop()
        return self._finally(final, first, leaving, outer)

    def _try_body(self, node: SyntaxNode, catches: list[SyntaxNode], exits: Exits) -> Exits:
        frame = Frame(_TRY_JUMPS)
        if catches:
            self._frames.append(frame)
        first, before = len(self.kind), exits
        resources = node.child_by_field_id(self._fields["resources"])
        for resource in resources.named_children if resources is not None else ():
            if not resource.is_extra:
                exits = self.visit_statement(resource, exits)
        body = node.child_by_field_id(self._fields["body"])
        if body is not None:
            exits = self._handlers[body.kind_id](body, exits)
        if not catches:
            return exits
        self._frames.pop()
        last = len(self.kind)
        thrown = frame.take(Jump.THROW)
        if last == first:
            thrown = [(source, _EXCEPTION) for source, _ in before]
        leaving = exits
        for index, clause in enumerate(catches):
            handler, exits, thrown = self._catch(clause, thrown)
            if index == 0 and last > first:
                self.guarded.append((first, last, handler))
            leaving = leaving + exits
        self._jump(Jump.THROW, "", [(source, _EXCEPTION) for source, _ in thrown])
        return leaving

    def _catch(self, clause: SyntaxNode, thrown: Exits) -> tuple[int, Exits, Exits]:
        """One catch: does the exception match? Its node, where its body leaves, where an unmatched one goes."""
        body = clause.child_by_field_id(self._fields["body"])
        end = body.start_byte if body is not None else clause.end_byte
        test = self._add(_CONDITION, clause.start_byte, end, thrown)
        parameters = clause.child_by_field_id(self._fields["parameters"])
        everything = parameters is not None and not parameters.named_child_count
        self._level += 1
        exits: Exits = [(test, _TRUE)]
        if body is not None:
            exits = self._handlers[body.kind_id](body, exits)
        self._level -= 1
        return test, exits, [] if everything else [(test, _FALSE)]

    def _finally(self, final: SyntaxNode, first: int, leaving: Exits, frame: Frame) -> Exits:
        jumps = [exit_ for exits in frame.caught.values() for exit_ in exits]
        begin = len(self.kind)
        exits = self.visit_block(final, leaving + jumps)
        if len(self.kind) == begin:
            for (jump, label), caught in frame.caught.items():
                self._jump(jump, label, caught)
            return leaving
        if begin > first:
            self.guarded.append((first, begin, begin))
        for jump, label in dict.fromkeys([*frame.caught, (Jump.THROW, "")]):
            kind = _EXCEPTION if jump is Jump.THROW else _FLOW
            self._jump(jump, label, [(source, kind) for source, _ in exits])
        return exits if leaving else []


_LABEL_ONLY = -2


def _is_default(label: SyntaxNode) -> bool:
    return (label.text or b"").startswith(b"default")


Handler = Callable[[SyntaxNode, Exits], Exits]


def _handlers(builder: FlowBuilder, spec: LanguageSpec) -> dict[int, Handler]:
    """The visitor of each syntax kind; what is not listed is a plain statement."""
    language = grammar(spec.language)
    plain: Handler = builder.visit_statement
    table = {kind: plain for kind in range(language.node_kind_count)}
    table[_ERROR_KIND] = builder.visit_error
    for kind in range(language.node_kind_count):
        name = language.node_kind_for_id(kind) or ""
        if name in spec.statements:
            table[kind] = getattr(builder, f"visit_{spec.statements[name].value}")
        elif name == "expression_statement":
            table[kind] = builder.visit_expression
    return table


_ERROR_KIND = 65535
