"""LaTeX algorithm sources (algorithmic, algpseudocode, algorithm2e) -> lines of plain pseudocode."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace

from beryl.lang.pseudo.layout import Line

_SYMBOLS = {
    **dict.fromkeys(("gets", "leftarrow", "longleftarrow", "Leftarrow"), "←"),
    **dict.fromkeys(("leq", "le", "leqslant"), "≤"),
    **dict.fromkeys(("geq", "ge", "geqslant"), "≥"),
    **dict.fromkeys(("neq", "ne"), "≠"),
    **dict.fromkeys(("emptyset", "varnothing"), "∅"),
    **dict.fromkeys(("dots", "ldots", "cdots", "dotsc"), "…"),
    **dict.fromkeys(("land", "wedge", "And", "AND", "KwAnd"), " and "),
    **dict.fromkeys(("lor", "vee", "Or", "OR", "KwOr"), " or "),
    **dict.fromkeys(("lnot", "neg", "Not", "NOT", "KwNot"), " not "),
    **dict.fromkeys(("TO", "To", "KwTo"), " to "),
    **dict.fromkeys(("DOWNTO", "DownTo", "KwDownTo"), " downto "),
    **dict.fromkeys(("TRUE", "True", "KwTrue", "top"), " true "),
    **dict.fromkeys(("FALSE", "False", "KwFalse", "bot"), " false "),
    **dict.fromkeys(("bmod", "mod", "pmod"), " mod "),
    **dict.fromkeys(("to", "rightarrow"), "→"),
    **dict.fromkeys(("quad", "qquad", "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "xspace"), " "),
    **dict.fromkeys(("PRINT", "Print", "KwPrint"), " print "),
    "leftrightarrow": "↔", "in": "∈", "notin": "∉", "cup": "∪", "cap": "∩", "setminus": "\\", "subseteq": "⊆",
    "subset": "⊂", "infty": "∞", "cdot": "·", "times": "×", "div": "÷", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈",
    "rceil": "⌉", "sum": "Σ", "prod": "∏", "mid": "|", "vert": "|", "equiv": "≡", "forall": "∀", "exists": "∃",
    "oplus": "⊕", "nabla": "∇", "partial": "∂", "pm": "±", "approx": "≈", "Vert": "‖", "lVert": "‖", "rVert": "‖",
    "sim": "~",
    "langle": "⟨", "rangle": "⟩", "circ": "∘", "bigcup": "∪", "cdotp": "·", "ast": "*", "star": "*",
    "prime": "'", "ell": "ℓ", "lbrace": "{", "rbrace": "}", "ll": "<<", "gg": ">>", "colon": ":",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "lambda": "λ", "mu": "μ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "theta": "θ", "phi": "φ", "omega": "ω", "Sigma": "Σ", "Delta": "Δ",
    "Gamma": "Γ", "Pi": "Π", "Omega": "Ω", "Theta": "Θ", "eta": "η", "kappa": "κ", "nu": "ν", "xi": "ξ", "psi": "ψ",
}  # fmt: skip
_KEEP_ARGUMENT = (
    *("text", "textbf", "textit", "textsc", "texttt", "textrm", "textsf", "emph", "mbox", "mathit", "mathrm", "mathbf"),
    *("mathsf", "mathcal", "mathtt", "mathbb", "operatorname", "underline", "ensuremath", "hat", "bar", "tilde", "vec"),
    *("FuncSty", "KwSty", "ArgSty", "DataSty"),
)
_BLACKBOARD = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ"}

_OPEN = {
    **dict.fromkeys(("If", "IF", "uIf", "lIf", "eIf", "leIf"), ("if", "then")),
    **dict.fromkeys(("ElsIf", "ELSIF", "ELSEIF", "ElseIf", "uElseIf", "lElseIf"), ("else if", "then")),
    **dict.fromkeys(("While", "WHILE", "lWhile"), ("while", "do")),
    **dict.fromkeys(("For", "FOR", "lFor"), ("for", "do")),
    **dict.fromkeys(("ForAll", "FORALL", "ForEach", "FOREACH", "lForEach", "lForAll", "ForEachp"), ("for each", "do")),
}
_PLAIN_OPEN = {
    **dict.fromkeys(("Else", "ELSE", "uElse", "lElse"), "else"),
    **dict.fromkeys(("Loop", "LOOP"), "loop"),
    **dict.fromkeys(("Repeat", "REPEAT"), "repeat"),
}
_FUNCTIONS = ("Procedure", "PROCEDURE", "Function", "FUNCTION", "Algorithm", "Method")
_NOTES = (
    "Require",
    "REQUIRE",
    "Ensure",
    "ENSURE",
    "Input",
    "INPUT",
    "Output",
    "OUTPUT",
    "KwIn",
    "KwOut",
    "KwData",
    "KwResult",
)
_COMMENTS = ("Comment", "COMMENT", "tcp", "tcc", "tcp*", "tcc*", "Comment*", "LComment")
_STATEMENTS = ("State", "STATE", "Statex", "StateX", ";", "\\", "item")
_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)


def is_latex(text: str) -> bool:
    """Is this the source of a LaTeX algorithm?"""
    return bool(re.search(r"\\(begin\{algo|State\b|STATE\b|(?:If|While|For|ForEach|ForAll|eIf)\s*\{|;|Return\b)", text))


@dataclass(slots=True)
class _Reader:
    """The scan of one source: a position, the depth of blocks, and the statement being collected."""

    text: str
    position: int = 0
    depth: int = 0
    buffer: str = ""
    start: int = -1
    rows: list[Line] = field(default_factory=list)
    functions: dict[str, str] = field(default_factory=dict)
    programs: set[str] = field(default_factory=set)
    caption: str = ""
    started: bool = False
    breaks: list[int] = field(default_factory=list)
    """Where the lines end."""

    def line(self, position: int) -> int:
        """The line of a position, from 1."""
        return bisect_right(self.breaks, position - 1) + 1

    def flush(self) -> None:
        """End the statement being collected."""
        words = plain(self.buffer, self.functions)
        if words:
            self.emit(words, self.start)
        self.buffer, self.start = "", -1

    def emit(self, words: str, position: int, comment: str = "") -> None:
        """A line of plain pseudocode at the current depth."""
        self.rows.append(Line(self.line(max(position, 0)), 2 * self.depth, words, comment, 0, "  " * self.depth))

    def note(self, words: str, position: int) -> None:
        """A comment: on the statement before it where that is on the same line, else on a line of its own."""
        number = self.line(position)
        last = self.rows[-1] if self.rows else None
        if last is not None and last.number == number and last.text and not last.comment:
            self.rows[-1] = replace(last, comment=words)
        else:
            self.emit("", position, words)

    def group(self) -> str:
        """The `{...}` at the position, without its braces; empty where there is none."""
        self.skip_space()
        if self.text[self.position : self.position + 1] != "{":
            return ""
        depth, start = 0, self.position
        for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(self.text, start):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth == 0:
                self.position = match.end()
                return self.text[start + 1 : match.start()]
        self.position = len(self.text)
        return self.text[start + 1 :]

    def skip_space(self) -> None:
        """Go to the next thing that is no white space."""
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1

    def at_group(self) -> bool:
        """Does a `{` follow?"""
        self.skip_space()
        return self.text[self.position : self.position + 1] == "{"


def lines(text: str) -> tuple[list[Line], str]:
    """Lines of plain pseudocode, indented by the structure of the source, and the caption."""
    reader = _Reader(_blank_comments(text))
    reader.breaks = [found.start() for found in re.finditer("\n", text)]
    reader.functions = {match[1]: match[2] for match in re.finditer(r"\\SetKwFunction\{(\w+)\}\{([^{}]*)\}", text)}
    reader.programs = {match[1] for match in re.finditer(r"\\SetKwProg\{(\w+)\}", text)}
    _block(reader)
    reader.flush()
    return reader.rows, reader.caption


def _blank_comments(text: str) -> str:
    """The text without `%` comments, every character at its place."""
    return re.sub(r"(?<!\\)%[^\n]*", lambda match: " " * len(match[0]), text)


def _block(reader: _Reader) -> None:
    """Read to the end of the text or to the `}` that closes the block around."""
    math = False
    while reader.position < len(reader.text):
        character = reader.text[reader.position]
        if character == "\\":
            command = _COMMAND.match(reader.text, reader.position)
            name = command[1] if command else ""
            if not math and command and _is_structure(reader, name):
                reader.position = command.end()
                _structure(reader, name, command.start())
                continue
            step = len(command[0]) if command else 1
            _collect(reader, reader.text[reader.position : reader.position + step])
            if not math and reader.text[reader.position : reader.position + 1] == "{":
                inside = reader.group()
                reader.buffer += "{" + inside + "}"
        elif character == "}" and not math:
            reader.position += 1
            return
        elif character == "{" and not math:
            start = reader.position
            reader.buffer += "{" + reader.group() + "}"
            reader.start = start if reader.start < 0 else reader.start
        else:
            math ^= character == "$"
            _collect(reader, character)


def _collect(reader: _Reader, piece: str) -> None:
    """Add to the statement being collected."""
    if reader.start < 0 and piece.strip():
        reader.start = reader.position
    reader.buffer += piece
    reader.position += len(piece)


def _is_structure(reader: _Reader, name: str) -> bool:
    """Does this command begin, end or annotate a statement, rather than stand inside one?"""
    known = (*_OPEN, *_PLAIN_OPEN, *_FUNCTIONS, *_NOTES, *_COMMENTS, *_STATEMENTS)
    others = (
        "begin",
        "end",
        "caption",
        "label",
        "Until",
        "UNTIL",
        "Return",
        "RETURN",
        "KwRet",
        "Indp",
        "Indm",
        "BlankLine",
    )
    if name in known or name in others or name in reader.programs:
        return True
    return name.startswith(
        ("End", "END", "SetKw", "SetAlg", "Dont", "Linesnumbered", "LinesNumbered", "SetArg", "SetFunc")
    )


def _structure(reader: _Reader, name: str, start: int) -> None:
    """Act on one command of structure."""
    if name in _COMMENTS:
        reader.buffer = _comment(reader, start)
        return
    if name in ("Return", "RETURN", "KwRet"):
        if reader.buffer.strip():
            reader.flush()
        reader.start = start
        value = reader.group() if reader.at_group() else ""
        reader.buffer = f"return {value} "
        return
    reader.flush()
    if name in _OPEN:
        _open(reader, name, start)
    elif name in _PLAIN_OPEN:
        _plain_open(reader, name, start)
    elif name in ("Until", "UNTIL"):
        reader.depth = max(reader.depth - 1, 0)
        reader.emit(f"until {plain(reader.group(), reader.functions)}", start)
    elif name in _FUNCTIONS or name in reader.programs:
        _function(reader, name, start)
    elif name in _NOTES:
        _note(reader, name, start)
    elif name.startswith(("End", "END")):
        reader.depth = max(reader.depth - 1, 0)
    elif name == "caption":
        reader.caption = plain(reader.group(), reader.functions)
    elif name in ("begin", "end", "label") or name.startswith(
        ("SetKw", "SetAlg", "Dont", "Lines", "SetArg", "SetFunc")
    ):
        while reader.text[reader.position : reader.position + 1] in ("{", "["):
            if reader.text[reader.position] == "[":
                reader.position = reader.text.find("]", reader.position) + 1 or len(reader.text)
            else:
                reader.group()


def _comment(reader: _Reader, start: int) -> str:
    """A comment command; the statement before it goes on to be collected."""
    words = plain(reader.group(), reader.functions)
    before = reader.buffer
    if before.strip():
        reader.flush()
    reader.note(words, start)
    return ""


def _open(reader: _Reader, name: str, start: int) -> None:
    """A branch or loop with a test; its body is a group (algorithm2e) or runs to its End (algorithmic)."""
    keyword, closing = _OPEN[name]
    test = plain(reader.group(), reader.functions)
    if keyword == "for" and re.match(r"(each|all)\b", test):
        keyword, test = "for each", re.sub(r"^(each|all)\s+", "", test)
    reader.emit(f"{keyword} {test} {closing}", start)
    _body(reader)
    if name in ("eIf", "leIf"):
        reader.emit("else", reader.position)
        _body(reader)


def _plain_open(reader: _Reader, name: str, start: int) -> None:
    """`else`, `loop` and `repeat`; in algorithm2e `\\Repeat{test}{body}` names its test first."""
    if name in ("Else", "ELSE") and not reader.at_group():
        reader.depth = max(reader.depth - 1, 0)
    keyword = _PLAIN_OPEN[name]
    test = reader.group() if keyword == "repeat" and reader.at_group() else None
    reader.emit(keyword, start)
    _body(reader)
    if test is not None:
        reader.emit(f"until {plain(test, reader.functions)}", reader.position)


def _body(reader: _Reader) -> None:
    """The body of a block: a group, or what follows until its End command."""
    if reader.rows and reader.rows[-1].text.startswith("else if") and not reader.at_group():
        last = reader.rows.pop()
        reader.depth = max(reader.depth - 1, 0)
        reader.rows.append(Line(last.number, 2 * reader.depth, last.text, last.comment, 0, "  " * reader.depth))
    reader.depth += 1
    if reader.at_group():
        reader.position += 1
        _block(reader)
        reader.flush()
        reader.depth -= 1


def _function(reader: _Reader, name: str, start: int) -> None:
    """A header: `\\Function{Name}{args}`, or `\\Fn{Name(args)}{body}` of algorithm2e."""
    title = plain(reader.group(), reader.functions)
    if name in reader.programs:
        reader.emit(f"function {title}" if "(" in title else f"function {title}()", start)
    else:
        reader.emit(f"function {title.replace(' ', '-')}({plain(reader.group(), reader.functions)})", start)
    _body(reader)


def _note(reader: _Reader, name: str, start: int) -> None:
    """`\\Require ...`, `\\KwIn{...}`: what goes in and out, kept as a comment."""
    if reader.at_group():
        words = reader.group()
    else:
        stop = reader.text.find("\n", reader.position)
        end = len(reader.text) if stop < 0 else stop
        words, reader.position = reader.text[reader.position : end], end
    reader.note(f"{name.removeprefix('Kw').lower()}: {plain(words, reader.functions)}", start)


def plain(text: str, functions: dict[str, str] | None = None) -> str:
    """LaTeX text and math as plain pseudocode: symbols in Unicode, styles dropped, `$` removed."""
    for name, title in (functions or {}).items():
        text = re.sub(rf"\\{name}\s*\{{((?:[^{{}}]|\{{[^{{}}]*\}})*)\}}", rf"{title}(\1)", text)
        text = re.sub(rf"\\{name}\b", title, text)
    group = r"\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
    for _ in range(4):
        text = re.sub(r"\\Call" + group + group, r"\1(\2)", text)
        text = re.sub(r"\\mathbb\{(\w)\}", lambda found: _BLACKBOARD.get(found[1], found[1]), text)
        text = re.sub(r"\\[dt]?frac" + group + group, r"(\1) / (\2)", text)
        text = re.sub(r"\\sqrt" + group, r"sqrt(\1)", text)
        text = re.sub(r"\\(?:" + "|".join(_KEEP_ARGUMENT) + ")" + group, r"\1", text)
    text = re.sub(r"\\Return\b", "return ", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda found: _SYMBOLS.get(found[1], found[1]), text)
    text = re.sub(r"\\([{}_&%$#])", r"\1", text)
    text = re.sub(r"\\[;,:!>~ ]|~", " ", text)
    text = (
        text.replace("``", '"')
        .replace("''", '"')
        .replace("\\(", "")
        .replace("\\)", "")
        .replace("$", "")
        .replace("--", "-")
    )
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"^\{([^{}]*)\}$", r"\1", text)
    return text
