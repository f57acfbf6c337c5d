"""The shared walk: one pass over a function's syntax tree that reads off what the feature-classes observe.

A handler per kind of syntax node; it returns the type of an expression ("" unknown, `#int` a literal). CodeSonar saw
preprocessed code and knew every type; here types come from declarations in the file and in the project's headers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from beryl.features import lexing
from beryl.features.facts import Declarations, Facts
from beryl.features.similarity import Tree
from beryl.features.typenames import declared, normalise
from beryl.lang.parsing import SyntaxNode
from beryl.types import Language

_LONGEST_TYPEDEF_CHAIN = 8
_SEQUENCE = "seq"
_NO_PARAMETERS = frozenset(
    ("identifier", "comment", "variadic_parameter", "line_comment", "block_comment", "receiver_parameter")
)


@dataclass(frozen=True, slots=True)
class Scene:
    """A file, what it declares itself, and what the headers of its project declare."""

    text: bytes
    language: Language
    own: Declarations
    project: Declarations


class Walk:
    """The walk over one function; `facts` gives what it found."""

    def __init__(self, scene: Scene, handlers: tuple[Handler, ...]) -> None:
        self.text = scene.text
        self.java = scene.language is Language.JAVA
        self.own, self.project = scene.own, scene.project
        self.truth = "bool" if self.java else "int"
        self._handlers = handlers
        self._reset()

    def _reset(self) -> None:
        self.name = ""
        self.types: dict[str, str] = {}
        self.variables: dict[str, None] = {}
        self.comments: list[str] = []
        self.operations: set[tuple[str, str]] = set()
        self.pre: list[str] = []
        self.post: list[str] = []
        self.skeleton_pre: list[str] = []
        self.skeleton_post: list[str] = []
        self.modeled: set[tuple[str, str]] = set()
        self.others: set[str] = set()
        self.signature: list[str] = []
        self.local_types: set[str] = set()
        self.numbers: set[str] = set()
        self.strings: set[str] = set()
        self.mentioned: set[str] = set()

    def facts(self, node: SyntaxNode, name: str, comment: str = "") -> Facts:
        """What one function's syntax tree says; `comment` is the one that stands before it."""
        self._reset()
        self.name = name
        if comment:
            self.comments.append(comment)
        body = node.child_by_field_name("body")
        if body is None:
            body = node
        else:
            self._header(node, body)
        self.sequence(body)
        header = lexing.tokens(self.text[node.start_byte : body.start_byte].decode("utf-8", "replace"))
        inside = lexing.tokens(self.word(body))
        return Facts(
            name=name,
            variables=tuple(self.variables),
            comments=tuple(self.comments),
            type_operations=frozenset(self.operations),
            skeleton=Tree(tuple(self.skeleton_pre), tuple(self.skeleton_post)),
            decorated=Tree(tuple(self.pre), tuple(self.post)),
            modeled_calls=frozenset(self.modeled),
            other_calls=frozenset(self.others),
            signature=tuple(self.signature),
            local_types=frozenset(self.local_types),
            numbers=frozenset(self.numbers),
            strings=frozenset(self.strings),
            mentioned=frozenset(self.mentioned),
            identifiers=lexing.identifiers([name, *header, *inside] if name else [*header, *inside]),
            tokens=lexing.anonymous(inside),
            header=lexing.anonymous(header),
        )

    # Declarations

    def word(self, node: SyntaxNode) -> str:
        """The text of a node."""
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def kind_of(self, node: SyntaxNode | None) -> str:
        """The normalised name of a type, typedefs of the project followed."""
        if node is None:
            return ""
        kind = normalise(self.text[node.start_byte : node.end_byte])
        self.mentioned.add(kind)
        return self.followed(kind)

    def followed(self, kind: str) -> str:
        """What a typedef stands for."""
        for _ in range(_LONGEST_TYPEDEF_CHAIN):
            name = kind.rstrip("*")
            target = self.own.typedefs.get(name) or self.project.typedefs.get(name)
            if not target or target == name:
                break
            kind = target + kind[len(name) :]
        return kind

    def _header(self, node: SyntaxNode, body: SyntaxNode) -> None:
        """Return type, parameters and what else stands before the body."""
        returned = self.kind_of(node.child_by_field_name("type"))
        declarator = node.child_by_field_name("declarator")
        function = declarator
        while function is not None and function.type != "function_declarator":
            if function.type == "pointer_declarator":
                returned += "*"
            inner = function.child_by_field_name("declarator")
            if inner is None:
                inner = next((c for c in function.named_children if "declarator" in c.type), None)
            function = inner
        self.signature.append(returned)
        owner = node if function is None else function
        parameters = owner.child_by_field_name("parameters")
        if parameters is not None:
            for parameter in parameters.named_children:
                self._parameter(parameter)
        for child in node.named_children:
            if child.start_byte >= body.start_byte:
                break
            if child.type == "declaration":  # K&R: the types of the parameters stand after the list
                self._old_style(child)
            elif child.type == "field_initializer_list":
                self.visit(child)

    def _parameter(self, node: SyntaxNode) -> None:
        kind = node.type
        if kind in _NO_PARAMETERS:
            return
        written = self.kind_of(node.child_by_field_name("type"))
        if self.java:
            identifier = node.child_by_field_name("name")
            if identifier is None:  # a spread parameter holds a declarator
                declarator = next((c for c in node.named_children if c.type == "variable_declarator"), None)
                identifier = declarator.child_by_field_name("name") if declarator is not None else None
                types = [c for c in node.named_children if c.type.endswith("type") or c.type == "type_identifier"]
                written = self.kind_of(types[0]) + "*" if types else ""
            written += "*" * (1 if node.child_by_field_name("dimensions") is not None else 0)
            name = self.word(identifier) if identifier is not None else ""
        else:
            name, written = declared(self.text, written, node.child_by_field_name("declarator"))
            if written == "void" and not name:
                return
        self.signature.append(written)
        if name:
            self.types[name] = written
            self.variables[name] = None

    def _old_style(self, node: SyntaxNode) -> None:
        written = self.kind_of(node.child_by_field_name("type"))
        for declarator in node.children_by_field_name("declarator"):
            name, kind = declared(self.text, written, declarator)
            self.signature.append(kind)
            if name:
                self.types[name] = kind
                self.variables[name] = None

    def local(self, name: str, kind: str) -> None:
        """A local variable."""
        self.types[name] = kind
        self.variables[name] = None
        self.local_types.add(kind)

    # Walking

    def visit(self, node: SyntaxNode) -> str:
        """Walk a node; the type of an expression."""
        return self._handlers[node.kind_id](self, node)

    def sequence(self, node: SyntaxNode) -> None:
        """A body: below a `seq` node, which is dropped where nothing is in it."""
        start, skeleton_start = len(self.pre), len(self.skeleton_pre)
        self.pre.append(_SEQUENCE)
        self.skeleton_pre.append(_SEQUENCE)
        self.visit(node)
        if len(self.pre) == start + 1:
            self.pre.pop()
        else:
            self.post.append(_SEQUENCE)
        if len(self.skeleton_pre) == skeleton_start + 1:
            self.skeleton_pre.pop()
        else:
            self.skeleton_post.append(_SEQUENCE)

    def operate(self, label: str, *operands: SyntaxNode) -> list[str]:
        """An operation of the decorated tree with its operands below it; their types."""
        self.pre.append(label)
        kinds = [self.visit(operand) for operand in operands]
        self.post.append(label)
        return kinds


Handler = Callable[[Walk, SyntaxNode], str]
