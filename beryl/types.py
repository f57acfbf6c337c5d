"""Every noun that two rooms share. Knows nobody: the standard library, and NumPy in annotations only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float32]
    IntArray = NDArray[np.int64]
else:  # importing NumPy would cost `beryl --help` a third of its time; annotations are never evaluated
    FloatArray = IntArray = object


class Language(StrEnum):
    """Languages that become ICFGs; the position in the list is the code used in index columns."""

    PSEUDOCODE = "pseudocode"
    C = "c"
    CPP = "cpp"
    JAVA = "java"

    @property
    def code(self) -> int:
        """The small integer stored in index columns."""
        return list(Language).index(self)


class NodeKind(IntEnum):
    """What an ICFG node is; where two fit: return > loop > condition > call > statement."""

    ENTRY = 0
    EXIT = 1
    STATEMENT = 2
    CONDITION = 3
    LOOP = 4
    CALL = 5
    RETURN = 6

    @property
    def label(self) -> str:
        """The name used in JSON and pictures."""
        return self.name.lower()


class EdgeKind(IntEnum):
    """Why control may pass from one node to another."""

    FLOW = 0
    TRUE = 1
    FALSE = 2
    CASE = 3
    BACK = 4
    CALL = 5
    RETURN = 6
    EXCEPTION = 7

    @property
    def label(self) -> str:
        """The name used in JSON and pictures."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file, both ends included, counted from 1."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Source:
    """A text with its language."""

    text: str
    language: Language
    path: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """One ICFG node. The id is its position in `Icfg.nodes`."""

    id: int
    kind: NodeKind
    text: str
    span: Span
    function: int
    math: bool | None = None
    """Pseudocode only: math (True) or prose (False); None for structure and for source code."""
    depth: int = 0
    """How many loops and branches enclose it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Control may pass from `source` to `target`; `uncertain` marks one of several candidate callees."""

    source: int
    target: int
    kind: EdgeKind
    uncertain: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """The unit of the other three modes; its nodes are `range(first_node, last_node)`, entry first, exit second."""

    name: str
    qualified: str
    signature: str
    span: Span
    first_node: int
    last_node: int
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Icfg:
    """An interprocedural control-flow graph: tuples, ids are positions."""

    functions: tuple[Function, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


class FunctionRow(NamedTuple):
    """A function as one file of source gives it; lines from 1, bytes in the UTF-8 text, nodes local to the file."""

    name: str
    qualified: str
    """Class or namespace path and name joined by '.', e.g. `Outer.Inner.run`; C: the bare name."""
    signature: str
    """One line: return type, name, parameters as written."""
    parameters: int
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    comment_start: int
    """Byte range of the comment directly before it; equal ends where there is none."""
    comment_end: int
    flags: int
    """FunctionFlag bits."""
    first_node: int
    last_node: int


class FunctionFlag(IntEnum):
    """Bits of `FunctionRow.flags`."""

    DAMAGED = 1
    LAMBDA = 2
    STATIC = 4
    """C: file scope; Java: a static method."""
    CONSTRUCTOR = 8
    INITIALISER = 16
    VARIADIC = 32


class CallRow(NamedTuple):
    """A call that stands in a node, by name; resolved to callees later, over the whole project."""

    node: int
    name: str
    arguments: int
    receiver: str
    """Class, namespace or object text before the name, '' where there is none; `(Class)` for a variable declared of
    that class, `new` for a constructor call, `?` for the value of an expression."""


@dataclass(frozen=True, slots=True)
class FileUnit:
    """All that one source file gives to an index, as plain picklable columns; ids are local to the file."""

    language: Language
    functions: tuple[FunctionRow, ...]
    node_kind: list[int]
    node_text: list[str]
    node_line: NDArray[np.int64]
    node_end_line: NDArray[np.int64]
    node_depth: list[int]
    edge_source: list[int]
    edge_target: list[int]
    edge_kind: list[int]
    calls: tuple[CallRow, ...]
    parse_errors: int


@dataclass(frozen=True, slots=True)
class Filters:
    """Which code may be searched; applied before any cut to the top k. Empty means all."""

    languages: tuple[Language, ...] = ()
    projects: tuple[str, ...] = ()
    path: str = ""
    """A glob against the path relative to the project."""


@dataclass(frozen=True, slots=True)
class PseudocodeQuery:
    """Pseudocode or p-code as text."""

    text: str
    name: str = ""
    k: int = 10
    filters: Filters = Filters()
    ranking: str = "fused"
    features: str = "full"
    names: bool = True
    """False hides headers, comments and the names of functions, classes and files (`--no-names`)."""
    distinct: bool | None = None
    """Drop nested and overlapping fragments; None means: as the ranking prefers."""
    paths: str = "undirected"
    """How --ranking paper measures distance: undirected, directed, or intraprocedural (within functions)."""
    weights: str = ""
    """A model file for the fused ranking instead of the shipped one."""
    examples: tuple[str, ...] = ()
    """Keep only fragments whose function satisfies these input/output examples; what cannot be decided is kept."""


@dataclass(frozen=True, slots=True)
class CodeQuery:
    """A function in a C, C++ or Java source text."""

    source: Source
    function: str = ""
    line: int = 0
    k: int = 10
    filters: Filters = Filters()
    ranking: str = "svm-weights"
    weights: str = ""


@dataclass(frozen=True, slots=True)
class ExampleQuery:
    """Input/output examples, as written: `"log.txt" -> "log"`."""

    examples: tuple[str, ...]
    k: int = 10
    filters: Filters = Filters()
    ranking: str = "fused"
    timeout: float = 0.25
    """Seconds for one check by the solver."""
    budget: float = 5.0
    """Seconds for the whole query."""


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Words, phrases and prefixes, as typed into a search box."""

    words: tuple[str, ...]
    k: int = 10
    filters: Filters = Filters()
    ranking: str = "default"
    kind: str = "function"
    callers: int = 1
    """Levels of callers shown with each hit."""
    callees: int = 1
    config: str = ""
    """A TOML file like configs/find.toml; empty for the shipped one."""


class Verdict(StrEnum):
    """A solver's answer, kept three-valued and apart from what could not be encoded."""

    MATCH = "match"
    MISMATCH = "mismatch"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class FunctionSpan:
    """Lines of one function that belong to a fragment."""

    path: str
    function: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """A query line and the code line that it matches."""

    query_line: int
    query_text: str
    path: str
    line: int
    code_text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class QueryLine:
    """A line of the query."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a search returns: spans of code, its score with named parts, and how it matches the query."""

    score: float
    parts: Mapping[str, float]
    project: str
    language: Language
    path: str
    start: int
    end: int
    functions: tuple[str, ...]
    spans: tuple[FunctionSpan, ...]
    matches: tuple[Match, ...] = ()
    uncovered: tuple[QueryLine, ...] = ()
    nodes: tuple[int, ...] = ()
    """Index node ids, sorted."""
    notes: tuple[str, ...] = ()
    """Why it ranks where it does, in words; shown by --explain."""
    code: str = ""
    """The source lines start..end of `path`."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """What one mode adds to the JSON of a result: callers, verdicts."""
    snippets: tuple[str, ...] = ()
    """The source lines of each of `spans`; filled by `search.detail` for those who draw, never in the JSON."""
    graph: Icfg | None = None
    """The ICFG nodes on the lines of `spans`; filled by `search.detail`."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one query."""

    query: str
    file: str
    mode: str
    took_ms: float
    results: tuple[Fragment, ...]
    query_text: str = ""
    stages: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds by stage."""
    notes: tuple[str, ...] = ()
    """What to know of the search as a whole, such as a budget that ran out."""


class Progress(Protocol):
    """Told how far a long job is; the command line draws a bar, a library stays silent."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """`done` of `total` units of `what`."""


def silent(what: str, done: int, total: int) -> None:
    """The default Progress: says nothing."""


class TextEncoder(Protocol):
    """Texts to row-normalised float32 vectors; batching and devices are its own business."""

    name: str
    dim: int

    @property
    def fingerprint(self) -> str:
        """Hash of weights and settings; vectors of two fingerprints never meet."""

    def encode(self, texts: Sequence[str], prose: Sequence[bool] | None = None) -> FloatArray:
        """One row per text; `prose` says which are natural language (all code where None)."""


class VectorIndex(Protocol):
    """Nearest vectors by inner product."""

    def search(
        self, queries: FloatArray, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[FloatArray, IntArray]:
        """Scores and ids, best first, (len(queries), k); ids are -1 where there are fewer than k."""
