"""Join procedures: calls by name to the functions of the same project, as call and return edges.

A call keeps its flow edges. A call edge leads from the call's node to the callee's entry, return edges lead from the
callee's exit to the flow successors of the call's node. What decides, where the text tells: name, number of arguments,
receiver class or namespace, the caller's own class, static file scope of C. Several candidates give several edges, all
`uncertain`; none, or more than MOST_CANDIDATES, leaves the call external.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from beryl.types import Edge, EdgeKind, FileUnit, FunctionFlag, Language

MOST_CANDIDATES = 8
"""A name with more candidates (`get`, `run`) says nothing about the callee."""

EXTERNAL, SEVERAL = -1, -2
"""`resolved` of a call without callee in the project, and of one with several candidates."""

_LIBRARY_WORDS = """
    String StringBuilder StringBuffer CharSequence Object Class Integer Long Double Float Boolean Character Byte
    Short Number Math Thread Runnable Iterable Comparable List ArrayList LinkedList Map HashMap TreeMap Set
    LinkedHashMap HashSet TreeSet Collection Collections Arrays Iterator ListIterator Deque ArrayDeque Queue
    PriorityQueue Vector Stack BitSet Random Scanner Date Calendar Locale Pattern Matcher File InputStream Reader
    OutputStream Writer PrintStream PrintWriter BufferedReader Exception Throwable Entry Optional Stream BigInteger
    BigDecimal string vector map set list deque queue stack pair unordered_map unordered_set ostream istream
    stringstream
"""
LIBRARY_CLASSES = frozenset(_LIBRARY_WORDS.split())
"""Classes of the standard libraries: an object of one is not of the project, unless the project defines it."""

_JAVA, _CPP = Language.JAVA.code, Language.CPP.code
# Plain integers, as in lang/flow.py.
_STATIC, _LAMBDA = int(FunctionFlag.STATIC), int(FunctionFlag.LAMBDA)
_CONSTRUCTOR, _VARIADIC = int(FunctionFlag.CONSTRUCTOR), int(FunctionFlag.VARIADIC)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Callables:
    """The functions of one project, as columns; positions are the function ids that `resolved` speaks of."""

    name: Sequence[str]
    qualified: Sequence[str]
    parameters: Sequence[int]
    flags: Sequence[int]
    file: Sequence[int]
    language: Sequence[int]
    """`Language.code` of the function's file."""
    entry: Sequence[int]
    """The entry node; the exit is the node after it."""
    header: Sequence[bool] | None = None
    """True for functions of header files, whose static functions other files see."""


@dataclass(frozen=True, slots=True)
class CallSites:
    """The calls of one project, as columns."""

    node: Sequence[int]
    name: Sequence[str]
    arguments: Sequence[int]
    receiver: Sequence[str]
    caller: Sequence[int]
    """Position of the calling function among the callables."""


@dataclass(frozen=True, slots=True)
class FlowEdges:
    """The edges inside the functions of one project, in any order."""

    source: Ints
    target: Ints
    kind: NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class JoinedCalls:
    """Call and return edges, and for each call its callee, EXTERNAL or SEVERAL."""

    source: Ints
    target: Ints
    kind: NDArray[np.uint8]
    uncertain: NDArray[np.bool_]
    resolved: NDArray[np.int32]
    crowded: int
    """How many calls stayed external because more than MOST_CANDIDATES functions fit."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Functions of one language family with one name that take one number of arguments, ordered for looking up."""

    shared: list[int] = field(default_factory=list)
    """Those that every file sees."""
    methods: list[int] = field(default_factory=list)
    constructors: list[int] = field(default_factory=list)
    by_scope: dict[str, list[int]] = field(default_factory=dict)
    by_owner: dict[str, list[int]] = field(default_factory=dict)
    by_file: dict[int, list[int]] = field(default_factory=dict)
    local: dict[int, list[int]] = field(default_factory=dict)
    """Those that only their own file sees: static functions of C, lambdas."""


def join(functions: Callables, calls: CallSites, flow: FlowEdges) -> JoinedCalls:
    """Resolve every call of a project and give the edges that follow from it."""
    resolver = _Resolver(functions)
    found = list(map(resolver.candidates, calls.name, calls.arguments, calls.receiver, calls.caller))
    count = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    crowded = count > MOST_CANDIDATES
    for position in crowded.nonzero()[0].tolist():
        found[position] = []
    count[crowded] = 0
    callee = np.fromiter(chain.from_iterable(found), dtype=np.int64, count=int(count.sum()))
    resolved = np.where(count > 1, SEVERAL, EXTERNAL).astype(np.int32)
    resolved[count == 1] = callee[np.repeat(count == 1, count)]
    source = np.repeat(np.asarray(calls.node, dtype=np.int64), count)
    entry = np.asarray(functions.entry, dtype=np.int64)[callee]
    return JoinedCalls(*_edges(source, entry, np.repeat(count > 1, count), flow), resolved, int(crowded.sum()))


def _edges(
    source: Ints, entry: Ints, uncertain: NDArray[np.bool_], flow: FlowEdges
) -> tuple[Ints, Ints, NDArray[np.uint8], NDArray[np.bool_]]:
    """Call edges, then for each the return edges to the flow successors of the call's node, without duplicates."""
    source, entry, uncertain = _unique(source, entry, uncertain)
    plain = flow.kind < EdgeKind.CALL
    order = np.argsort(flow.source[plain], kind="stable")
    starts, targets = flow.source[plain][order], flow.target[plain][order]
    low, high = np.searchsorted(starts, source, "left"), np.searchsorted(starts, source, "right")
    counts = high - low
    which = np.repeat(np.arange(len(source)), counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    leaving, next_, doubtful = _unique(entry[which] + 1, targets[low[which] + within], uncertain[which])
    kinds = np.repeat(np.array([EdgeKind.CALL, EdgeKind.RETURN], dtype=np.uint8), [len(source), len(leaving)])
    return (
        np.concatenate([source, leaving]),
        np.concatenate([entry, next_]),
        kinds,
        np.concatenate([uncertain, doubtful]),
    )


def _unique(source: Ints, target: Ints, uncertain: NDArray[np.bool_]) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Each edge once, by source and target; uncertain only where all its occurrences are."""
    order = np.lexsort((uncertain, target, source))
    source, target, uncertain = source[order], target[order], uncertain[order]
    first = np.ones(len(source), dtype=np.bool_)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    return source[first], target[first], uncertain[first]


class _Resolver:
    """Candidates of a call, narrowed by what the text tells."""

    def __init__(self, functions: Callables) -> None:
        self._functions = functions
        self._java = [code == _JAVA for code in functions.language]
        self._scope = [
            qualified[: -len(name) - 1] if len(qualified) > len(name) else ""
            for name, qualified in zip(functions.name, functions.qualified, strict=True)
        ]
        self._named: dict[tuple[bool, str], list[int]] = {}
        for position, key in enumerate(zip(self._java, functions.name, strict=True)):
            self._named.setdefault(key, []).append(position)
        paths = set(zip(self._java, self._scope, strict=True))
        self._owners = {(java, part) for java, scope in paths for part in scope.split(".")}
        self._groups: dict[tuple[bool, str, int], _Group] = {}

    def candidates(self, name: str, arguments: int, receiver: str, caller: int) -> list[int]:
        """The functions that this call may run."""
        java = self._java[caller]
        key = (java, name, arguments)
        group = self._groups.get(key)
        if group is None:
            named = self._named.get((java, name), [])
            group = self._groups[key] = self._group(self._fitting(named, arguments, java))
        if receiver == "new":
            return group.constructors
        if receiver == "super":
            return [each for each in group.methods if self._scope[each] != self._scope[caller]]
        if receiver in ("", "this"):
            return self._own(group, caller, java)
        return self._received(group, receiver, java)

    def _fitting(self, named: list[int], arguments: int, java: bool) -> list[int]:
        """Those that take so many arguments; where none does, C++ functions whose last parameters may have defaults."""
        parameters, flags = self._functions.parameters, self._functions.flags
        exact = [
            each
            for each in named
            if parameters[each] == arguments or (flags[each] & _VARIADIC and arguments >= parameters[each] - java)
        ]
        language = self._functions.language
        return exact or [each for each in named if language[each] == _CPP and arguments < parameters[each]]

    def _is_local(self, position: int) -> bool:
        """Seen by its own file only?"""
        functions, flags = self._functions, self._functions.flags[position]
        if not flags & (_STATIC | _LAMBDA):
            return False
        header = functions.header is not None and functions.header[position]
        return bool(flags & _LAMBDA) or not (self._java[position] or self._scope[position] or header)

    def _group(self, fitting: list[int]) -> _Group:
        functions, group = self._functions, _Group()
        for each in fitting:
            file, scope = functions.file[each], self._scope[each]
            if self._is_local(each):
                group.local.setdefault(file, []).append(each)
                continue
            group.shared.append(each)
            group.by_scope.setdefault(scope, []).append(each)
            group.by_owner.setdefault(scope.rpartition(".")[2], []).append(each)
            group.by_file.setdefault(file, []).append(each)
            if functions.flags[each] & _CONSTRUCTOR:
                group.constructors.append(each)
            elif scope:
                group.methods.append(each)
        return group

    def _own(self, group: _Group, caller: int, java: bool) -> list[int]:
        """Called on nothing or `this`: the nearest class around the caller that has it, then what all see."""
        scope = self._scope[caller]
        while scope and group.by_scope:
            inside = group.by_scope.get(scope)
            if inside:
                return inside
            scope = scope.rpartition(".")[0]
        if java:
            return group.methods
        file = self._functions.file[caller]
        return group.local.get(file) or group.by_file.get(file) or group.by_scope.get("") or group.shared

    def _received(self, group: _Group, receiver: str, java: bool) -> list[int]:
        """Called on a class, a namespace or an object."""
        if receiver[0] == "(":
            declared = receiver[1:-1]
            if declared in LIBRARY_CLASSES and (java, declared) not in self._owners:
                return []
            return group.by_owner.get(declared) or group.methods
        last = receiver.rpartition(".")[2]
        if (java, last) in self._owners:
            return group.by_owner.get(last, [])
        if receiver[0].isupper() or receiver == "std":
            return []
        return group.methods


def join_unit(unit: FileUnit) -> list[Edge]:
    """The call and return edges inside one file."""
    rows = unit.functions
    owner = np.searchsorted([row.last_node for row in rows], [call.node for call in unit.calls], "right")
    functions = Callables(
        [row.name for row in rows],
        [row.qualified for row in rows],
        [row.parameters for row in rows],
        [row.flags for row in rows],
        [0] * len(rows),
        [unit.language.code] * len(rows),
        [row.first_node for row in rows],
    )
    calls = CallSites(
        [call.node for call in unit.calls],
        [call.name for call in unit.calls],
        [call.arguments for call in unit.calls],
        [call.receiver for call in unit.calls],
        owner.tolist(),
    )
    flow = FlowEdges(np.array(unit.edge_source), np.array(unit.edge_target), np.array(unit.edge_kind))
    joined = join(functions, calls, flow)
    return [
        Edge(int(source), int(target), EdgeKind(kind), bool(uncertain))
        for source, target, kind, uncertain in zip(
            joined.source, joined.target, joined.kind, joined.uncertain, strict=True
        )
    ]
