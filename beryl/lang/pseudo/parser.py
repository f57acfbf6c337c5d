"""p-code -> syntax tree: the Lark grammar, the indenter for both layouts, and errors in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, cast

from lark import Lark, Token, Transformer, Tree, ast_utils
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter
from lark.visitors import Transformer_NonRecursive

from beryl import paths
from beryl.errors import ParseError
from beryl.lang.pseudo import nodes
from beryl.lang.pseudo.layout import MAX_DEPTH, Line, check_tabs

_HEADER = re.compile(r"[^\W\d](?:[\w'′’]|[-.](?=\w))*\s*\([^{}]*\)$")

_BARE = "a bare word: write `$math$`, `@prose@` or a call `NAME(...)`"

# Wrong input and what to call it; the error of a user's text gets the label of the example that fails in the same way.
EXAMPLES: dict[str, list[str]] = {
    "`if` needs a suite: statements between braces or indented below it": ["F()\n if $x$\n $y$\n", "F() { if $x$ }\n"],
    "`elseif` needs a suite: statements between braces or indented below it": [
        "F()\n if $x$\n  $y$\n elseif $z$\n $y$\n",
        "F() { if $x$ { $y$ } elseif $z$ }\n",
    ],
    "`else` needs a suite: statements between braces or indented below it": [
        "F()\n if $x$\n  $y$\n else\n $y$\n",
        "F() { if $x$ { $y$ } else }\n",
    ],
    "`while` needs a suite: statements between braces or indented below it": [
        "F()\n while $x$\n $y$\n",
        "F() { while $x$ }\n",
    ],
    "`for` needs a suite: statements between braces or indented below it": [
        "F()\n for $i = 1$ to $n$\n $y$\n",
        "F()\n for $i = 1$ to $n$ by $2$\n $y$\n",
        "F()\n for $i$\n $y$\n",
        "F() { for $i = 1$ to $n$ }\n",
    ],
    "`for each` needs a suite: statements between braces or indented below it": [
        "F()\n for each @x@\n $y$\n",
        "F() { for each @x@ }\n",
    ],
    "`repeat` needs a suite: statements between braces or indented below it": [
        "F()\n repeat\n $y$\n until $x$\n",
        "F() { repeat until $x$ }\n",
    ],
    "`repeat` needs an `until` with a test after its suite": [
        "F()\n repeat\n  $x$\n $y$\n",
        "F()\n repeat\n  $x$\nG()\n $y$\n",
        "F() { repeat { $x$ } $y$ }\n",
    ],
    "`until` without a `repeat` before it": ["F()\n $x$\n until $y$\n", "until $y$\n"],
    "`else` without an `if` before it": ["F()\n $x$\n else\n  $y$\n", "else\n $y$\n"],
    "`elseif` without an `if` before it": ["F()\n $x$\n elseif $y$\n  $y$\n", "elseif $y$\n $y$\n"],
    "`if` needs a test: `$math$`, `@prose@` or a call": [
        "F()\n if\n  $x$\n",
        "F() { if { $x$ } }\n",
        "F()\n if else\n",
    ],
    "`while` needs a test: `$math$`, `@prose@` or a call": ["F()\n while\n  $x$\n", "F() { while { $x$ } }\n"],
    "`for` needs `$math$` or `@prose@` after it": ["F()\n for\n  $x$\n", "F() { for { $x$ } }\n"],
    "`for each` needs `$math$` or `@prose@` after it": ["F()\n for each\n  $x$\n", "F()\n for each x\n"],
    "`to` and `downto` need `$math$` or `@prose@` after them": ["F()\n for $i$ to\n  $x$\n", "F()\n for $i$ to n\n"],
    "`until` needs a test: `$math$`, `@prose@` or a call": [
        "F()\n repeat\n  $x$\n until\n",
        "F() { repeat { $x$ } until }",
    ],
    "`and`, `or` and `not` need a test on their right": [
        "F()\n if $x$ and\n  $y$\n",
        "F()\n if $x$ or\n  $y$\n",
        "F()\n if not\n  $y$\n",
        "F()\n if not { $y$ }\n",
    ],
    _BARE: [
        "F()\n x\n",
        "F()\n x $y$\n",
        "F()\n x y\n",
        "F() { x }\n",
        "x\n",
        "F()\n if x\n  $y$\n",
        "F()\n while x { $y$ }\n",
        "F()\n if $x$ and y\n  $y$\n",
        "F()\n return x\n",
    ],
    "two statements on one line: put each on a line of its own, or `;` between them": [
        "F()\n $x$ $y$\n",
        "F()\n $x$ @y@\n",
        "F()\n G() $y$\n",
        "F()\n return $x$ $y$\n",
        "F()\n $x$ G()\n",
    ],
    "a parameter list is not closed: `)` is missing": ["F(a\n $x$\n", "F(a, b\n $x$\n", "F()\n G(a\n", "F(a { $x$ }\n"],
    "a parameter list needs names, `$math$` or `@prose@`, separated by commas": [
        "F(a b)\n $x$\n",
        "F(a,)\n $x$\n",
        "F(,)\n",
    ],
    "the function has no body: statements between braces or indented below its header": ["F() { }\n", "F() {}"],
    "unexpected indentation: only a function, branch or loop opens a block": [
        "F()\n $x$\n   $y$\n",
        "F()\n return $x$\n   $y$\n",
        "F()\n return\n   $y$\n",
    ],
    "unbalanced braces: `}` is missing": ["F() { $x$\n", "F() { if $x$ { $y$ }\n", "F() {"],
    "unbalanced braces: `}` without a `{` before it": ["F()\n $x$\n}\n", "F() { $x$ } }\n", "}\n"],
}


class _Layout(Indenter):
    """Line ends -> _NL, _INDENT, _DEDENT in the indented layout; inside braces only the end of a statement is kept."""

    NL_type = "_NL"
    OPEN_PAREN_types: ClassVar[list[str]] = ["LPAR"]
    CLOSE_PAREN_types: ClassVar[list[str]] = ["RPAR"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    always_accept = ("_NL", "_SEMICOLON", "_LBRACE", "_RBRACE")  # the rules below look at these

    def _process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens = list(stream)
        depth = 0
        last = "_NL"
        for position, token in enumerate(tokens):
            following = tokens[position + 1].type if position + 1 < len(tokens) else ""
            for made in self._tokens(token, last, following, depth):
                last = made.type
                yield made
            depth += (token.type in ("_LBRACE", "LPAR")) - (token.type in ("_RBRACE", "RPAR"))
            if max(depth, len(self.indent_level)) > MAX_DEPTH:
                raise ParseError(f"nested deeper than {MAX_DEPTH} levels", "", token.line or 0, token.column or 0)
            last = "_NL" if token.type == "_NL" and last in ("_LBRACE", "_RBRACE") else last
        while len(self.indent_level) > 1:
            self.indent_level.pop()
            yield Token.new_borrow_pos("_DEDENT", "", tokens[-1])

    def _tokens(self, token: Token, last: str, following: str, depth: int) -> Iterator[Token]:
        """What one token of the lexer becomes."""
        statement_open = last not in ("_NL", "_LBRACE", "_RBRACE", "_INDENT", "_DEDENT")
        if token.type == "_SEMICOLON":
            if statement_open and following not in ("_NL", "_RBRACE"):
                yield Token.new_borrow_pos("_NL", "\n", token)
        elif token.type == "_RBRACE":
            if statement_open:
                yield Token.new_borrow_pos("_NL", "\n", token)
            yield token
        elif token.type != "_NL":
            yield token
        elif following == "_LBRACE":
            return
        elif depth > 0:
            if statement_open:
                yield token
        else:
            yield from self._line_end(token, statement_open)

    def _line_end(self, token: Token, statement_open: bool) -> Iterator[Token]:
        """An indentation instead of a line end, or a line end and the blocks that it closes."""
        indent = len(token.rsplit("\n", 1)[1])
        if indent > self.indent_level[-1]:
            self.indent_level.append(indent)
            yield Token.new_borrow_pos("_INDENT", "", token)
            return
        if statement_open:
            yield token
        while indent < self.indent_level[-1]:
            self.indent_level.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)
        if indent != self.indent_level[-1]:
            raise DedentError(str(token.end_line or 0))


@cache
def _transformer() -> Transformer[Token, Any]:
    return ast_utils.create_transformer(cast(Any, nodes), Transformer_NonRecursive())


@cache
def _lark() -> Lark:
    return Lark(
        paths.grammar("p.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        postlex=_Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def parse(lines: Sequence[Line], path: str = "") -> nodes.Start:
    """The syntax tree of p-code; raises ParseError with line, column, caret and a label."""
    lines = indent_flush_bodies(lines)
    if not any("{" in line.text or "}" in line.text for line in lines):
        check_tabs(lines, path)
    text = "\n".join(" " * line.indent + line.text if line.text else "" for line in lines)
    try:
        return cast(nodes.Start, _transformer().transform(_parse(text)))
    except DedentError as error:
        line = lines[int(str(error)) - 1]
        raise _error(line, line.column + 1, "this indentation matches no line above it", path) from None
    except ParseError as error:
        line = lines[max(error.line, 1) - 1]
        raise ParseError(str(error.args[0]).split(": ", 1)[-1], path, line.number, line.column + 1) from None
    except UnexpectedInput as error:
        raise _explain(error, lines, path) from None


def _parse(text: str) -> Tree[Token]:
    """Parse text moved to column 0, with a line end at its end; errors keep the columns of `text`."""
    rows = text.split("\n")
    margin = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    try:
        return _lark().parse("\n".join(row[margin:] for row in rows).rstrip() + "\n")
    except UnexpectedInput as error:
        if isinstance(error.line, int) and error.line > 0:
            error.column += margin
        raise


def _explain(error: UnexpectedInput, lines: Sequence[Line], path: str) -> ParseError:
    """The error in words, at its place in the file as given."""
    last = max((index for index, line in enumerate(lines) if line.text), default=0)
    at_end = (
        not isinstance(error.line, int)
        or error.line < 1
        or (isinstance(error, UnexpectedToken) and error.token.type == "$END")
    )
    line = lines[last] if at_end else lines[min(error.line, len(lines)) - 1]
    column = line.column + len(line.text) + 1 if at_end else line.column + max(error.column - line.indent, 1)
    return _error(line, column, _label(error, line, column - line.column - 1), path)


def _label(error: UnexpectedInput, line: Line, offset: int) -> str:
    """What to call the error: the label of the example that fails alike."""
    rest = line.text[offset:]
    if rest[:1] in ("$", "@") and not re.match(r"\$[^$]+\$|@[^@]+@", rest):
        return f"empty `{rest[:2]}`" if rest[1:2] == rest[0] else f"unclosed `{rest[0]}`"
    if not isinstance(error, UnexpectedToken):
        return _BARE  # the lexer met a sign that only stands between marks
    label = error.match_examples(_parse, EXAMPLES, use_accepts=False)
    if label:
        return str(label)
    return f"unexpected {_shown(error.token)} here"


def _shown(token: Token) -> str:
    """A token as the user sees it."""
    names = {"_NL": "end of line", "_INDENT": "indentation", "_DEDENT": "end of block", "$END": "end of file"}
    return names.get(token.type, f"`{token}`")


def _error(line: Line, column: int, message: str, path: str) -> ParseError:
    """A ParseError that shows the line with a caret below."""
    shown = " " * line.indent + line.text
    caret = " " * (line.indent + column - line.column - 1) + "^"
    return ParseError(message, path, line.number, column, f"{shown}\n{caret}")


def indent_flush_bodies(lines: Sequence[Line]) -> list[Line]:
    """Indent bodies that stand flush with their header, as in textbooks that only number the lines."""
    made = list(lines)
    filled = [index for index, line in enumerate(lines) if line.text]
    inside = False
    for order, index in enumerate(filled):
        line = lines[index]
        after = lines[filled[order + 1]] if order + 1 < len(filled) else None
        opens = bool(_HEADER.match(line.text)) and line.indent <= lines[filled[0]].indent
        flush = opens and after is not None and after.indent == line.indent and not after.text.startswith("{")
        indented = opens and after is not None and after.indent > line.indent
        starts = order == 0 or not lines[index - 1].text
        if starts and (flush or indented):
            inside = flush and not indented
        elif inside:
            made[index] = replace(line, indent=line.indent + 2, prefix=line.prefix + "  ")
    return made
