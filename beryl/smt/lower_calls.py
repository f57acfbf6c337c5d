"""Java method calls -> code: JDK methods from the library, small methods of the same project by inlining."""

from __future__ import annotations

from collections.abc import Sequence

from beryl.lang.parsing import SyntaxNode
from beryl.smt.declarations import BOXED, BUILDERS, STRINGS, Method, element_of, is_array, text_of
from beryl.smt.library import Row, builder_rows, fill, static_rows, string_rows
from beryl.smt.lower_expressions import arguments_of, as_text, field, lower, names_class
from beryl.smt.scope import Code, Scope, Typed, Unsupported, assignable, convert, unboxed

_ARRAY_COPY_ARGUMENTS = 5
# Printing has no say in what a method returns.
_PRINTERS = frozenset(("System.out", "System.err"))


def lower_call(scope: Scope, node: SyntaxNode) -> Typed:
    """A method invocation."""
    name, subject = text_of(field(node, "name")), node.child_by_field_name("object")
    if subject is not None and text_of(subject) in _PRINTERS and name.startswith("print"):
        return Typed(["first", None, None], "void")
    if subject is not None and subject.type == "super":
        raise Unsupported("super call")
    arguments = [lower(scope, child) for child in arguments_of(node)]
    if subject is None or subject.type == "this":
        return _project_call(scope, scope.owner.methods_of(name), arguments)
    if names_class(scope, subject):
        return _static_call(scope, text_of(subject).rpartition(".")[2], name, arguments)
    return _member_call(scope, lower(scope, subject), name, arguments)


def _static_call(scope: Scope, label: str, name: str, arguments: list[Typed]) -> Typed:
    row = choose(static_rows(f"{label}.{name}"), arguments)
    if row is not None:
        return Typed(fill(row.code, _converted(row, arguments)), row.result)
    owner = scope.owner if label == scope.owner.name else scope.owner.project(label)
    if owner is not None and name in owner.methods:
        return _project_call(scope, owner.methods[name], arguments)
    return _special_static(f"{label}.{name}", arguments)


def choose(rows: Sequence[Row], arguments: Sequence[Typed]) -> Row | None:
    """The row whose parameters the arguments fit best."""
    best: tuple[int, Row] | None = None
    for row in rows:
        cost = _cost(row.parameters, arguments)
        if cost is not None and (best is None or cost < best[0]):
            best = (cost, row)
    return best[1] if best else None


def _cost(parameters: Sequence[str], arguments: Sequence[Typed]) -> int | None:
    if len(parameters) != len(arguments):
        return None
    costs = [assignable(argument.type, kind) for argument, kind in zip(arguments, parameters, strict=True)]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _converted(row: Row, arguments: Sequence[Typed]) -> list[Code]:
    codes = []
    for argument, kind in zip(arguments, row.parameters, strict=True):
        code = convert(argument, kind)
        nullable = kind == "String" and not isinstance(code, str) and not row.code.startswith(('["text', '["equals'))
        numeric = ["NumberFormatException"] if row.code.startswith(('["iparse', '["lparse')) else []
        codes.append(["nonnull", code, *numeric] if nullable else code)
    return codes


def _project_call(scope: Scope, methods: Sequence[Method], arguments: list[Typed]) -> Typed:
    ranked = []
    for method in methods:
        cost = _cost([kind for _, kind in method.parameters], arguments)
        if cost is not None:
            ranked.append((cost, method.key, method))
    if not ranked:
        raise Unsupported("call of an unknown method")
    ranked.sort(key=lambda item: item[:2])
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        raise Unsupported("ambiguous call")
    method = ranked[0][2]
    codes = [convert(argument, kind) for argument, (_, kind) in zip(arguments, method.parameters, strict=True)]
    return Typed(["call", scope.unit.include(method), codes], method.result)


def _special_static(name: str, arguments: list[Typed]) -> Typed:
    kinds = [argument.type for argument in arguments]
    codes = [argument.code for argument in arguments]
    if name in ("String.valueOf", "String.copyValueOf") and kinds in (["char[]"], ["char[]", "int", "int"]):
        return Typed(["joinchars", *codes], "String")
    if name == "System.arraycopy" and len(codes) == _ARRAY_COPY_ARGUMENTS:
        return Typed(["arraycopy", *codes], "void")
    if name == "Objects.requireNonNull" and len(codes) == 1:
        return Typed(["nonnull", codes[0]], kinds[0])
    if name == "Boolean.parseBoolean" and kinds and kinds[0] in STRINGS:
        return Typed(["equalsignorecase", "true", codes[0]], "boolean")
    if name == "String.join" and len(kinds) == 2 and kinds[1] == "String[]":
        return Typed(["jointexts", ["nonnull", codes[0]], codes[1]], "String")
    if name.startswith("Arrays.") and kinds and is_array(kinds[0]):
        return _arrays(name, arguments)
    raise Unsupported("call of an unmodelled method")


def _arrays(name: str, arguments: list[Typed]) -> Typed:
    kind = arguments[0].type
    codes = [argument.code for argument in arguments]
    if name == "Arrays.fill" and len(codes) in (2, 4):
        return Typed(["fill", *codes[:-1], convert(arguments[-1], element_of(kind))], "void")
    if name == "Arrays.sort" and len(codes) in (1, 3):
        return Typed(["sort", *codes], "void")
    if name == "Arrays.copyOf" and len(codes) == 2:
        return Typed(["copyrange", kind, codes[0], 0, codes[1]], kind)
    if name == "Arrays.copyOfRange" and len(codes) == 3:
        return Typed(["copyrange", kind, *codes], kind)
    if name == "Arrays.equals" and len(codes) == 2 and arguments[1].type == kind:
        return Typed(["sameitems", *codes], "boolean")
    raise Unsupported("call of an unmodelled method")


def _member_call(scope: Scope, receiver: Typed, name: str, arguments: list[Typed]) -> Typed:
    if receiver.type in STRINGS:
        return _string_call(["nonnull", receiver.code], name, arguments)
    if receiver.type in BUILDERS:
        return _builder_call(receiver, name, arguments)
    if is_array(receiver.type) and name == "clone":
        return Typed(["clone", receiver.code], receiver.type)
    if receiver.type in BOXED:
        return _boxed_call(receiver, name, arguments)
    raise Unsupported("call on an object")


def _string_call(text: Code, name: str, arguments: list[Typed]) -> Typed:
    kinds = [argument.type for argument in arguments]
    if name in ("equals", "contentEquals", "equalsIgnoreCase") and len(kinds) == 1:
        if kinds[0] not in STRINGS or (name == "contentEquals"):
            raise Unsupported("equality of objects")
        return Typed(["equals" if name == "equals" else "equalsignorecase", text, arguments[0].code], "boolean")
    if name == "toCharArray":
        return Typed(["chars", text], "char[]")
    if name == "split" and len(kinds) == 1:
        return Typed(["split", text, arguments[0].code], "String[]")
    if name in ("contains", "append") and kinds and kinds[0] in BUILDERS:
        arguments = [Typed(["contents", arguments[0].code], "String")]
    if name in ("toLowerCase", "toUpperCase"):
        # A locale is taken to be one that maps letters as the root locale does: all but Turkish, Azeri and Lithuanian.
        arguments = []
    row = choose(string_rows(name), arguments)
    if row is None:
        raise Unsupported("call of an unmodelled method")
    return Typed(fill(row.code, [text, *_converted(row, arguments)]), row.result)


def _builder_call(receiver: Typed, name: str, arguments: list[Typed]) -> Typed:
    if name == "append":
        if len(arguments) == 1 and arguments[0].type == "char[]":
            added: Code = ["joinchars", arguments[0].code]
        elif len(arguments) == 1:
            added = as_text(arguments[0])
        elif len(arguments) == 3 and arguments[0].type in STRINGS:
            added = ["substring", *[argument.code for argument in arguments]]
        else:
            raise Unsupported("call of an unmodelled method")
        return Typed(["rewrite", receiver.code, ["concat", ["$", 0], ["$", 1]], [added]], receiver.type)
    if name == "insert" and len(arguments) == 2:
        arguments = [arguments[0], Typed(as_text(arguments[1]), "String")]
    row = choose(builder_rows(name), arguments)
    if row is not None:
        places: list[Code] = [["$", position] for position in range(len(arguments) + 1)]
        body = fill(row.code, places)
        body = body[2] if isinstance(body, list) and body[0] == "let" else body
        return Typed(["rewrite", receiver.code, body, _converted(row, arguments)], receiver.type)
    return _string_call(["contents", receiver.code], name, arguments)


def _boxed_call(receiver: Typed, name: str, arguments: list[Typed]) -> Typed:
    value = unboxed(receiver)
    if name.endswith("Value") and not arguments:
        kind = name[: -len("Value")]
        return Typed(convert(value, kind), kind)
    if name == "equals" and len(arguments) == 1 and arguments[0].type == receiver.type:
        return Typed(["equals", value.code, arguments[0].code], "boolean")
    if name == "compareTo" and len(arguments) == 1 and value.type in ("int", "long"):
        return Typed(["compare", value.code, unboxed(arguments[0]).code], "int")
    if name == "toString" and not arguments:
        return Typed(as_text(value), "String")
    raise Unsupported("call of an unmodelled method")
