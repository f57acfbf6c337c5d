"""Java classes as tables: which fields and methods a name can mean, without compiling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from beryl.lang.parsing import SyntaxNode, parse
from beryl.types import Language

INTEGRAL = ("byte", "short", "char", "int", "long")
NUMERIC = (*INTEGRAL, "float", "double")
BOXED = {
    "Integer": "int",
    "Long": "long",
    "Short": "short",
    "Byte": "byte",
    "Character": "char",
    "Boolean": "boolean",
    "Double": "double",
    "Float": "float",
}
_DEEPEST_CLASS = 8
STRINGS = frozenset(("String", "CharSequence"))
BUILDERS = frozenset(("StringBuilder", "StringBuffer"))
_CLASSES = frozenset(("class_declaration", "interface_declaration", "enum_declaration", "record_declaration"))


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a class; `value` is its initialiser where it is constant."""

    name: str
    type: str
    final: bool
    static: bool
    value: SyntaxNode | None


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A method with a body."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    """Name and type."""
    result: str
    static: bool
    owner: ClassTable
    node: SyntaxNode

    @property
    def key(self) -> str:
        """A name that tells overloads and classes apart."""
        return f"{self.owner.name}.{self.name}({','.join(kind for _, kind in self.parameters)})"


@dataclass(slots=True, eq=False)
class ClassTable:
    """The members of a class."""

    name: str
    outer: ClassTable | None
    project: Callable[[str], ClassTable | None]
    """Finds a class of the same project by its simple name."""
    parent: str = ""
    """The simple name of the class it extends."""
    fields: dict[str, Field] = field(default_factory=dict)
    methods: dict[str, list[Method]] = field(default_factory=dict)

    def field_of(self, name: str) -> tuple[ClassTable, Field] | None:
        """The field a bare name means here or in an enclosing class."""
        for scope in self._scopes():
            if name in scope.fields:
                return scope, scope.fields[name]
        return None

    def methods_of(self, name: str) -> list[Method]:
        """The methods a bare call may mean here or in an enclosing class."""
        return next((scope.methods[name] for scope in self._scopes() if name in scope.methods), [])

    def _scopes(self) -> Iterator[ClassTable]:
        """This class and those it extends, then the same of each enclosing class."""
        outer: ClassTable | None = self
        while outer is not None:
            scope: ClassTable | None = outer
            for _ in range(_DEEPEST_CLASS):
                if scope is None:
                    break
                yield scope
                scope = scope.project(scope.parent) if scope.parent else None
            outer = outer.outer


def text_of(node: SyntaxNode | None) -> str:
    """The source text of a node."""
    return node.text.decode("utf-8", "surrogatepass") if node is not None and node.text is not None else ""


def type_name(node: SyntaxNode | None, dimensions: SyntaxNode | None = None) -> str:
    """A type as written, without type arguments, annotations and packages: `java.lang.String[]` is `String[]`."""
    if node is None:
        return ""
    if node.type == "array_type":
        inner = type_name(node.child_by_field_name("element"))
        name = inner + "[]" * text_of(node.child_by_field_name("dimensions")).count("[")
    elif node.type == "generic_type":
        name = type_name(node.named_children[0])
    elif node.type == "annotated_type":
        name = type_name(node.named_children[-1])
    elif node.type == "scoped_type_identifier":
        name = text_of(node.named_children[-1])
    else:
        name = text_of(node)
    return name + "[]" * text_of(dimensions).count("[")


def _has_modifier(node: SyntaxNode, word: str) -> bool:
    for child in node.children:
        if child.type == "modifiers":
            return any(item.type == word for item in child.children)
    return False


def read_classes(source: bytes, project: Callable[[str], ClassTable | None]) -> list[ClassTable]:
    """All classes of a file, nested and anonymous ones too."""
    found: list[ClassTable] = []
    stack: list[tuple[SyntaxNode, ClassTable | None]] = [(parse(source, Language.JAVA).root_node, None)]
    while stack:
        node, outer = stack.pop()
        if node.type in _CLASSES or (node.type == "class_body" and node.parent is not None and _anonymous(node)):
            name = text_of(node.child_by_field_name("name")) or f"{outer.name if outer else ''}$"
            table = ClassTable(name, outer, project, _parent_of(node))
            body = node if node.type == "class_body" else node.child_by_field_name("body")
            found.append(table)
            if body is not None:
                _read_members(body, table, node.type == "interface_declaration")
                stack.extend((child, table) for child in reversed(body.named_children))
        else:
            stack.extend((child, outer) for child in reversed(node.named_children))
    return found


def _parent_of(node: SyntaxNode) -> str:
    superclass = node.child_by_field_name("superclass")
    return type_name(superclass.named_children[-1]) if superclass is not None and superclass.named_children else ""


def _anonymous(body: SyntaxNode) -> bool:
    return body.parent is not None and body.parent.type in ("object_creation_expression", "enum_constant")


def _members(body: SyntaxNode) -> Iterator[SyntaxNode]:
    for child in body.named_children:
        if child.type == "enum_body_declarations":
            yield from child.named_children
        else:
            yield child


def _read_members(body: SyntaxNode, table: ClassTable, interface: bool) -> None:
    for member in _members(body):
        if member.type in ("field_declaration", "constant_declaration"):
            _read_fields(member, table, interface)
        elif member.type == "method_declaration" and member.child_by_field_name("body") is not None:
            method = Method(
                text_of(member.child_by_field_name("name")),
                tuple(read_parameters(member)),
                type_name(member.child_by_field_name("type"), member.child_by_field_name("dimensions")),
                _has_modifier(member, "static"),
                table,
                member,
            )
            table.methods.setdefault(method.name, []).append(method)


def _read_fields(member: SyntaxNode, table: ClassTable, interface: bool) -> None:
    kind = member.child_by_field_name("type")
    final = interface or _has_modifier(member, "final")
    for declarator in member.children_by_field_name("declarator"):
        name = text_of(declarator.child_by_field_name("name"))
        value = declarator.child_by_field_name("value") if final else None
        written = type_name(kind, declarator.child_by_field_name("dimensions"))
        table.fields[name] = Field(name, written, final, interface or _has_modifier(member, "static"), value)


def read_parameters(member: SyntaxNode) -> Iterator[tuple[str, str]]:
    """Name and type of each parameter; a variable-length one is an array."""
    parameters = member.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type == "formal_parameter":
            kind = type_name(child.child_by_field_name("type"), child.child_by_field_name("dimensions"))
            yield text_of(child.child_by_field_name("name")), kind
        elif child.type == "spread_parameter":
            kinds = [part for part in child.named_children if part.type not in ("modifiers", "variable_declarator")]
            names = [part for part in child.named_children if part.type == "variable_declarator"]
            yield text_of(names[0].child_by_field_name("name")), type_name(kinds[0]) + "[]"


def element_of(kind: str) -> str:
    """The type of an array's elements."""
    return kind[:-2]


def is_array(kind: str) -> bool:
    """Whether a type is an array of supported elements."""
    return kind.endswith("[]") and is_value(kind.rstrip("[]"))


def is_value(kind: str) -> bool:
    """Whether a type is one that examples can speak of: primitive, boxed or String."""
    return kind in NUMERIC or kind == "boolean" or kind in STRINGS or kind in BOXED


def primitive(kind: str) -> str:
    """A boxed type as its primitive; CharSequence as String."""
    return "String" if kind in STRINGS else BOXED.get(kind, kind)


def sort_of_type(kind: str) -> str:
    """The sort of a type's values: Z, I, D, S, A (array) or O (anything else)."""
    kind = primitive(kind)
    if kind in INTEGRAL:
        return "I"
    if kind in ("float", "double"):
        return "D"
    return {"boolean": "Z", "String": "S"}.get(kind, "A" if is_array(kind) else "O")
