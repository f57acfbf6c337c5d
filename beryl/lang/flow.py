"""The graph under construction: nodes as byte ranges, edges, and the frames that catch jumps."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from beryl.types import EdgeKind, NodeKind

Exits = list[tuple[int, int]]
"""Where control leaves from: (node, kind of the edge to come)."""

# Plain integers: an IntEnum member costs more to hash and compare, and there is one per edge.
FLOW, TRUE, FALSE = int(EdgeKind.FLOW), int(EdgeKind.TRUE), int(EdgeKind.FALSE)
CASE, BACK, EXCEPTION = int(EdgeKind.CASE), int(EdgeKind.BACK), int(EdgeKind.EXCEPTION)
ENTRY, EXIT, STATEMENT = int(NodeKind.ENTRY), int(NodeKind.EXIT), int(NodeKind.STATEMENT)
CONDITION, LOOP, RETURN = int(NodeKind.CONDITION), int(NodeKind.LOOP), int(NodeKind.RETURN)
CALL = int(NodeKind.CALL)


class Jump(IntEnum):
    """A way to leave a construct other than at its end."""

    BREAK = 0
    CONTINUE = 1
    YIELD = 2
    RETURN = 3
    THROW = 4


class FrameKind(Enum):
    """Constructs that catch jumps, and which."""

    LOOP = frozenset({Jump.BREAK, Jump.CONTINUE})
    SWITCH = frozenset({Jump.BREAK, Jump.YIELD})
    LABEL = frozenset[Jump]()
    """A labelled statement: only `break` with its label."""
    TRY = frozenset({Jump.THROW})
    FINALLY = frozenset(Jump)
    """Catches all and sends them on after its block."""


@dataclass(slots=True)
class Frame:
    """An enclosing construct; the jumps it caught wait here until their target exists."""

    kind: FrameKind
    label: str = ""
    head: int = -1
    """The node of a switch, where case labels come from."""
    default: bool = False
    """The switch has a default label."""
    caught: dict[tuple[Jump, str], Exits] = field(default_factory=dict)

    def catches(self, jump: Jump, label: str) -> bool:
        """A labelled jump stops at its label, a finally stops all."""
        if self.kind is FrameKind.FINALLY:
            return True
        if not label:
            return jump in self.kind.value
        if self.kind is FrameKind.LABEL:
            return jump is Jump.BREAK and label == self.label
        return self.kind is FrameKind.LOOP and jump is Jump.CONTINUE and label == self.label

    def take(self, jump: Jump) -> Exits:
        """What arrived by this jump, labelled or not."""
        if not self.caught:
            return []
        return [exit_ for (kind, _), exits in self.caught.items() if kind is jump for exit_ in exits]


class FlowGraph:
    """Nodes and edges of one file, function after function; byte ranges stand for texts and lines."""

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.depth: list[int] = []
        self.edge_source: list[int] = []
        self.edge_target: list[int] = []
        self.edge_kind: list[int] = []
        self.guarded: list[tuple[int, int, int]] = []
        """(first node, end, handler): calls among these nodes may throw to the handler; inner ones come first."""
        self.level = 0
        self.exit = 0
        self.frames: list[Frame] = []
        self.labels: dict[str, int] = {}
        self.gotos: list[tuple[int, str]] = []

    def begin(self, start: int, end: int) -> int:
        """Start a function: its entry and, right after it, its exit."""
        entry = self.add(ENTRY, start, end, [])
        self.exit = self.add(EXIT, end, end, [])
        self.level, self.frames, self.labels, self.gotos = 0, [], {}, []
        return entry

    def finish(self, exits: Exits) -> None:
        """End a function: the rest falls off its end, gotos find their labels."""
        self.link(exits, self.exit)
        for source, label in self.gotos:
            target = self.labels.get(label, self.exit)
            self.edge(source, target, BACK if self.exit < target <= source else FLOW)

    def add(self, kind: int, start: int, end: int, exits: Exits) -> int:
        """A new node that these exits lead to."""
        node = len(self.kind)
        self.kind.append(kind)
        self.start.append(start)
        self.end.append(end)
        self.depth.append(self.level)
        for source, edge in exits:
            self.edge_source.append(source)
            self.edge_target.append(node)
            self.edge_kind.append(edge)
        return node

    def follow(self, source: int, start: int, end: int) -> int:
        """A new plain statement right after a node; what most of all nodes are."""
        node = len(self.kind)
        self.kind.append(STATEMENT)
        self.start.append(start)
        self.end.append(end)
        self.depth.append(self.level)
        self.edge_source.append(source)
        self.edge_target.append(node)
        self.edge_kind.append(FLOW)
        return node

    def edge(self, source: int, target: int, kind: int) -> None:
        """One more edge."""
        self.edge_source.append(source)
        self.edge_target.append(target)
        self.edge_kind.append(kind)

    def link(self, exits: Exits, target: int) -> None:
        """Lead these exits to a node."""
        for source, kind in exits:
            self.edge(source, target, kind)

    def link_back(self, exits: Exits, target: int) -> None:
        """Lead these exits to the head of their loop: whatever branch they end, the edge is a back edge."""
        for source in dict.fromkeys(source for source, _ in exits):
            self.edge(source, target, BACK)

    def jump(self, jump: Jump, label: str, exits: Exits) -> None:
        """Send control to the innermost frame that catches this jump; past all of them it leaves the function."""
        if not exits:
            return
        for frame in reversed(self.frames):
            if frame.catches(jump, label):
                frame.caught.setdefault((jump, label), []).extend(exits)
                return
        self.link(exits, self.exit)

    def switch(self) -> Frame | None:
        """The innermost switch."""
        return next((frame for frame in reversed(self.frames) if frame.kind is FrameKind.SWITCH), None)
