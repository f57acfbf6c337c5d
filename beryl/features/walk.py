"""The shared walk: one pass over a function's syntax tree that reads off what the feature-classes observe.

A handler per kind of syntax node; it returns the type of an expression ("" unknown, `#int` a literal). CodeSonar saw
preprocessed code and knew every type; here types come from declarations in the file and in the project's headers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from beryl.features import libraries, literals
from beryl.features.facts import Declarations, Facts
from beryl.features.similarity import Tree
from beryl.features.typenames import LITERAL, common, declared, normalise, pointee
from beryl.lang.parsing import SyntaxNode, grammar
from beryl.types import Language

_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||", "and", "or"})
_LONGEST_TYPEDEF_CHAIN = 8
_SEQUENCE = "seq"
_CONTROLS = {
    "if_statement": "if",
    "while_statement": "while",
    "do_statement": "do",
    "for_statement": "for",
    "for_range_loop": "for",
    "enhanced_for_statement": "for",
    "switch_statement": "switch",
    "switch_expression": "switch",
}
# tree-sitter's number for ERROR nodes: beyond the kinds of any grammar.
_ERROR_KIND = 0xFFFF
_BODY_FIELDS = ("body", "consequence", "alternative")


class Walk:
    """The walk over one function; `facts` gives what it found."""

    def __init__(self, text: bytes, language: Language, own: Declarations, project: Declarations) -> None:
        self.text = text
        self.java = language is Language.JAVA
        self.own, self.project = own, project
        self.truth = "bool" if self.java else "int"
        self._handlers = _handlers(language)
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
        self._sequence(body)
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
        )

    # Declarations

    def word(self, node: SyntaxNode) -> str:
        """The text of a node."""
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def kind_of(self, node: SyntaxNode | None) -> str:
        """The normalised name of a type, typedefs of the project followed."""
        if node is None:
            return ""
        return self.followed(normalise(self.text[node.start_byte : node.end_byte]))

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
        if kind in ("identifier", "comment", "variadic_parameter", "line_comment", "block_comment", "receiver_parameter"):
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

    def _sequence(self, node: SyntaxNode) -> None:
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


def _token(walk: Walk, node: SyntaxNode) -> str:
    return ""


def _inside(walk: Walk, node: SyntaxNode) -> str:
    kind = ""
    for child in node.children:
        found = walk.visit(child)
        if found:
            kind = found
    return kind


def _statement(walk: Walk, node: SyntaxNode) -> str:
    for child in node.children:
        walk.visit(child)
    return ""


def _control(walk: Walk, node: SyntaxNode) -> str:
    label = _CONTROLS[node.type]
    bodies = {child.id for name in _BODY_FIELDS if (child := node.child_by_field_name(name)) is not None}
    walk.pre.append(label)
    walk.skeleton_pre.append(label)
    if node.type in ("enhanced_for_statement", "for_range_loop"):
        _loop_variable(walk, node)
    for child in node.children:
        if child.id in bodies:
            walk._sequence(child)
        else:
            walk.visit(child)
    walk.post.append(label)
    walk.skeleton_post.append(label)
    return ""


def _loop_variable(walk: Walk, node: SyntaxNode) -> None:
    kind = walk.kind_of(node.child_by_field_name("type"))
    if walk.java:
        name = node.child_by_field_name("name")
        if name is not None:
            walk.local(walk.word(name), kind)
        return
    label, kind = declared(walk.text, kind, node.child_by_field_name("declarator"))
    if label:
        walk.local(label, kind)


def _declaration(walk: Walk, node: SyntaxNode) -> str:
    written = walk.kind_of(node.child_by_field_name("type"))
    for child in node.children_by_field_name("declarator"):
        value = child.child_by_field_name("value") if child.type in ("init_declarator", "variable_declarator") else None
        target = child
        if child.type == "variable_declarator":
            name_node = child.child_by_field_name("name")
            name = walk.word(name_node) if name_node is not None else ""
            kind = written + ("*" if child.child_by_field_name("dimensions") is not None else "")
        else:
            name, kind = declared(walk.text, written, target)
        if name and not kind.endswith("()"):
            walk.local(name, kind)
        if value is not None:
            walk.visit(value)
    for child in node.named_children:
        if child.type in ("comment", "line_comment", "block_comment"):
            walk.visit(child)
    return ""


def _caught(walk: Walk, node: SyntaxNode) -> str:
    """A parameter of a lambda or of a catch: local to the function around it."""
    kind = walk.kind_of(node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    if walk.java and name is not None:
        walk.local(walk.word(name), kind)
    elif not walk.java:
        label, kind = declared(walk.text, kind, node.child_by_field_name("declarator"))
        if label:
            walk.local(label, kind)
    return ""


def _binary(walk: Walk, node: SyntaxNode) -> str:
    children = node.children
    if len(children) != 3:
        return _inside(walk, node)
    operator = children[1].type
    walk.pre.append(operator)
    first = walk.visit(children[0])
    kind = common(first, walk.visit(children[2]))
    walk.post.append(operator)
    walk.operations.add((kind.removeprefix(LITERAL), operator))
    return walk.truth if operator in _COMPARISONS else kind


def _assignment(walk: Walk, node: SyntaxNode) -> str:
    children = node.children
    if len(children) != 3:
        return _inside(walk, node)
    operator = children[1].type
    if operator == "=":
        kind = walk.visit(children[0])
        walk.visit(children[2])
        return kind
    kind = walk.operate(operator, children[0], children[2])[0]
    walk.operations.add((kind, operator.removesuffix("=")))
    return kind


def _unary(walk: Walk, node: SyntaxNode) -> str:
    children = node.children
    if len(children) != 2:
        return _inside(walk, node)
    operator = children[0].type
    label = f"unary{operator}" if operator in "+-" else operator
    operand = children[1]
    if operator == "-" and operand.type in _NUMBERS:
        written = walk.word(operand)
        walk.numbers.add("-" + literals.number(written))
        walk.pre.append(label)
        walk.post.append(label)
        kind = LITERAL + literals.number_kind(written)
    else:
        kind = walk.operate(label, operand)[0]
    walk.operations.add((kind.removeprefix(LITERAL), label))
    return walk.truth if operator == "!" else kind


def _update(walk: Walk, node: SyntaxNode) -> str:
    operand = next((child for child in node.children if child.is_named), None)
    if operand is None:
        return ""
    label = "--" if walk.text[node.start_byte : node.end_byte].strip().startswith(b"--") else "++"
    if node.children[-1].type == "--":
        label = "--"
    kind = walk.operate(label, operand)[0]
    walk.operations.add((kind, label))
    return kind


def _pointer(walk: Walk, node: SyntaxNode) -> str:
    children = node.children
    if len(children) != 2:
        return _inside(walk, node)
    if children[0].type == "&":
        kind = walk.visit(children[1])
        return kind + "*" if kind else ""
    return pointee(walk.operate("unary*", children[1])[0])


def _subscript(walk: Walk, node: SyntaxNode) -> str:
    operands = [child for child in node.children if child.is_named]
    if not operands:
        return ""
    kind = walk.operate("[]", *operands)[0]
    walk.operations.add((kind, "+"))  # v[i] is *(v + i): the paper prints (int*, +)
    return pointee(kind)


def _field(walk: Walk, node: SyntaxNode) -> str:
    owner = node.child_by_field_name("object" if walk.java else "argument")
    field = node.child_by_field_name("field")
    if owner is None or field is None:
        return _inside(walk, node)
    base = walk.visit(owner)
    if not walk.java:  # p->x and s.x are the same field
        base = base.rstrip("*")
    name = walk.word(field)
    walk.operations.add((base, "." + name))
    key = f"{base}.{name}"
    kind = walk.own.fields.get(key) or walk.project.fields.get(key, "")
    if not kind and owner.type == "this":
        kind = walk.own.globals.get(name, "")
    return walk.followed(kind) if kind else ""


def _identifier(walk: Walk, node: SyntaxNode) -> str:
    name = walk.text[node.start_byte : node.end_byte].decode("utf-8", "replace")
    kind = walk.types.get(name)
    if kind is not None:
        return kind
    value = walk.own.macros.get(name) or walk.project.macros.get(name)
    if value:
        walk.numbers.add(value)
        return LITERAL + literals.number_kind(value)
    kind = walk.own.globals.get(name) or walk.project.globals.get(name, "")
    return walk.followed(kind) if kind else ""


def _call(walk: Walk, node: SyntaxNode) -> str:
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    kind = ""
    if function is not None:
        kind = _callee(walk, function)
    if arguments is not None:
        walk.visit(arguments)
    return kind


def _callee(walk: Walk, function: SyntaxNode) -> str:
    """Note a C or C++ call; the type that it returns."""
    what = function.type
    if what == "template_function":
        inner = function.child_by_field_name("name")
        return _callee(walk, inner) if inner is not None else ""
    if what == "field_expression":
        walk.visit(function)
        owner, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
        if owner is None or field is None:
            return ""
        base = walk.types.get(walk.word(owner), "").rstrip("*")
        name = walk.word(field)
        header = libraries.std_class(base)
        if header:
            walk.modeled.add((f"{base}.{name}", header))
        else:
            walk.others.add(name)
        return ""
    if what not in ("identifier", "qualified_identifier"):
        return walk.visit(function)
    scope, _, name = walk.word(function).rpartition("::")
    name = name.partition("<")[0].strip()
    if name in walk.types:  # through a function pointer
        return ""
    header = libraries.c_library().get(name)
    if scope in ("std", "::std"):
        header = libraries.cpp_library().get(name) or header or "std"
    if header and scope in ("", "std", "::std"):
        walk.modeled.add((name, header))
    else:
        walk.others.add(name)
    kind = walk.own.returns.get(name) or walk.project.returns.get(name, "")
    return walk.followed(kind) if kind else ""


def _method(walk: Walk, node: SyntaxNode) -> str:
    """Note a Java call; the type that it returns where the file says so."""
    owner, identifier = node.child_by_field_name("object"), node.child_by_field_name("name")
    arguments = node.child_by_field_name("arguments")
    name = walk.word(identifier) if identifier is not None else ""
    base = ""
    if owner is not None:
        base = walk.visit(owner).removeprefix(LITERAL)
        if not base and owner.type == "identifier":
            word = walk.word(owner)
            base = word if word[:1].isupper() else ""
        walk.operations.add((base, "." + name))
    package = libraries.jdk_classes().get(base)
    if package:
        walk.modeled.add((f"{base}.{name}", package))
    else:
        walk.others.add(name)
    if arguments is not None:
        walk.visit(arguments)
    return walk.own.returns.get(name, "") if owner is None or owner.type == "this" else ""


def _creation(walk: Walk, node: SyntaxNode) -> str:
    kind = walk.kind_of(node.child_by_field_name("type"))
    if walk.java and node.type == "object_creation_expression":
        package = libraries.jdk_classes().get(kind)
        if package:
            walk.modeled.add((f"new {kind}", package))
        else:
            walk.others.add(kind)
    for child in node.named_children:
        if "type" not in child.type:
            walk.visit(child)
    return kind + "*"  if not walk.java or node.type == "array_creation_expression" else kind


def _cast(walk: Walk, node: SyntaxNode) -> str:
    value = node.child_by_field_name("value")
    if value is not None:
        walk.visit(value)
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "type_descriptor":
        base = walk.kind_of(kind.child_by_field_name("type"))
        return declared(walk.text, base, kind.child_by_field_name("declarator"))[1]
    return walk.kind_of(kind)


def _conditional(walk: Walk, node: SyntaxNode) -> str:
    kinds = walk.operate("?:", *(child for child in node.children if child.is_named))
    return kinds[-1] if kinds else ""


def _sizeof(walk: Walk, node: SyntaxNode) -> str:
    value = node.child_by_field_name("value")
    walk.operate("sizeof", *([value] if value is not None else []))
    return "size_t"


def _number(walk: Walk, node: SyntaxNode) -> str:
    written = walk.word(node)
    if written and written[0] in "+-":  # C's grammar takes the sign into the literal; to a compiler it is an operation
        label = f"unary{written[0]}"
        walk.pre.append(label)
        walk.post.append(label)
        walk.operations.add((literals.number_kind(written), label))
    walk.numbers.add(literals.number(written))
    return LITERAL + literals.number_kind(written)


def _character(walk: Walk, node: SyntaxNode) -> str:
    walk.numbers.add(literals.character(walk.word(node)))
    return LITERAL + "char"


def _string(walk: Walk, node: SyntaxNode) -> str:
    walk.strings.add(literals.string(walk.word(node)))
    return "String" if walk.java else "char*"


def _comment(walk: Walk, node: SyntaxNode) -> str:
    walk.comments.append(walk.word(node))
    return ""


def _truth(walk: Walk, node: SyntaxNode) -> str:
    return LITERAL + "bool"


_NUMBERS = frozenset(
    "number_literal decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal "
    "decimal_floating_point_literal hex_floating_point_literal".split()
)
_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_CONTROLS, _control),
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(("declaration", "local_variable_declaration"), _declaration),
    **dict.fromkeys(("formal_parameter", "catch_formal_parameter", "parameter_declaration"), _caught),
    **dict.fromkeys(("comment", "line_comment", "block_comment"), _comment),
    **dict.fromkeys(("char_literal", "character_literal"), _character),
    **dict.fromkeys(("string_literal", "raw_string_literal", "system_lib_string"), _string),
    **dict.fromkeys(("true", "false"), _truth),
    **dict.fromkeys(("subscript_expression", "array_access"), _subscript),
    **dict.fromkeys(("field_expression", "field_access"), _field),
    **dict.fromkeys(("conditional_expression", "ternary_expression"), _conditional),
    **dict.fromkeys(
        ("new_expression", "object_creation_expression", "array_creation_expression", "compound_literal_expression"),
        _creation,
    ),
    **dict.fromkeys(
        ("preproc_def", "preproc_function_def", "preproc_include", "preproc_call", "type_definition"), _token
    ),
    **dict.fromkeys(("parenthesized_expression", "subscript_argument_list", "condition_clause"), _inside),
    "binary_expression": _binary,
    "assignment_expression": _assignment,
    "unary_expression": _unary,
    "update_expression": _update,
    "pointer_expression": _pointer,
    "identifier": _identifier,
    "call_expression": _call,
    "method_invocation": _method,
    "cast_expression": _cast,
    "sizeof_expression": _sizeof,
}
# Nothing below these is an expression: types, labels and names are read where they matter.
_LEAVES = frozenset(
    "primitive_type type_identifier sized_type_specifier statement_identifier field_identifier type_descriptor "
    "modifiers generic_type scoped_type_identifier integral_type floating_point_type boolean_type void_type array_type "
    "qualified_identifier namespace_identifier marker_annotation annotation type_arguments".split()
)


@cache
def _handlers(language: Language) -> tuple[Handler, ...]:
    """The handler of every kind of node, by its number in the grammar."""
    known = grammar(language)
    table: list[Handler] = []
    for number in range(known.node_kind_count):
        name = known.node_kind_for_id(number) or ""
        if not known.node_kind_is_named(number) or name in _LEAVES:
            table.append(_token)
        else:
            table.append(_HANDLERS.get(name, _statement))
    table += [_statement] * (_ERROR_KIND + 1 - len(table))
    return tuple(table)
