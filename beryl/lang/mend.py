"""C as it is written: macros that are no C until they are expanded, rewritten for the parser byte for byte.

Every mend keeps all positions: texts and lines always come from the source as it is.
"""

from __future__ import annotations

import re

_KEYWORDS = (
    rb"(?:auto|break|case|catch|char|class|const|continue|default|delete|do|double|else|enum|explicit|extern|float|for|"
    rb"friend|goto|if|inline|int|long|namespace|new|operator|private|protected|public|register|restrict|return|short|"
    rb"signed|sizeof|static|struct|switch|template|this|throw|try|typedef|typename|union|unsigned|using|virtual|void|"
    rb"volatile|while|_Bool|bool|asm|__asm__|__attribute__|__extension__|__volatile__|__inline|__inline__|defined)\b"
)
NAME = rb"(?!" + _KEYWORDS + rb")[A-Za-z_]\w*"
_BUILT_IN = rb"void|bool|char|short|int|long|float|double|signed|unsigned"

# An indented line that is nothing but UPPER_CASE or UPPER_CASE(...), between statements, without its `;`.
_STATEMENT_MACRO = re.compile(
    rb"\n[ \t]++[A-Z_][A-Z0-9_]{2,}+(?:[ \t]*\([^\n;{}]*\))?[ \t]*(?=\n\s*(?:[A-Za-z_*]|\}\s*[^;,\s]))"
)
_EACH = re.compile(rb"(?:for_?each|FOR_?EACH)\w*(?=\s*\()")
_EACH_WORDS = (b"foreach", b"for_each", b"FOREACH", b"FOR_EACH")
# `__isl_give isl_set *f`: two underscores before a type and a name are no C, whatever they are.
_ATTRIBUTE = re.compile(
    rb"__(?<!\w__)[a-z]\w*+(?=[ \t]++(?!const\b|volatile\b|restrict\b)[A-Za-z_]\w*+(?:[ \t]*+\*|[ \t]++[A-Za-z_]))"
)
# How far the closing parenthesis of a macro loop may be.
_LONGEST_HEADER = 400

# `STATIC int`, `int CALLBACK f`, `void __iomem *p`, `FOO isl_set *s`: a name where C allows none. Few words pass the
# look ahead, which is cheap.
_ODD_NAME = re.compile(
    rb"\b(?=[A-Za-z_]\w*+\s++[A-Za-z_])(?:"
    rb"(?P<before>" + NAME + rb")(?=\s+(?:" + _BUILT_IN + rb"|struct|union|enum|static|extern|inline)\b)"
    rb"|(?:(?:" + _BUILT_IN + rb")|(?:struct|union|enum)\s+\w+)\s+(?P<after>" + NAME + rb")(?=\s*\*|\s+[A-Za-z_])"
    rb"|(?=\w+\s+\w+(?:\s*\*|\s+[A-Za-z_]))"
    rb"(?P<first>" + NAME + rb")\s+(?P<second>" + NAME + rb")(?=\s*\*+\s*" + NAME + rb"|\s+" + NAME + rb"))"
)
_TYPE_AS_ARGUMENT = re.compile(
    rb",\s*((?:(?:const|struct|union|enum|" + _BUILT_IN + rb")\b\s*)+(?:" + NAME + rb")?[\s*]*)(?=[,)])"
)
# The grammar knows old-style parameters only after a plain return type.
_OLD_POINTER = re.compile(rb"\A[\w\s]*?(\*[\s*]*)" + NAME + rb"\s*\([\w\s,]*\)(?=\s*[A-Za-z_])")
DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b((?:[^\n\\]|\\.|\\\n)*)$", re.MULTILINE)
_BLANK = bytes(each if each == ord("\n") else ord(" ") for each in range(256))


def mend_statements(text: bytes) -> bytes:
    """Macros that no parser knows: `CHECK(x)` gets its `;`, `list_for_each(...)` becomes a while, `__init` goes."""
    changes = [(match.end(), b";") for match in _STATEMENT_MACRO.finditer(text) if _begins(text, match.start())]
    if (b"each" in text or b"EACH" in text) and any(word in text for word in _EACH_WORDS):
        loops = [(_word_start(text, match.start()), match.end()) for match in _EACH.finditer(text)]
        changes += [(start, b"while".ljust(end - start)) for start, end in loops if _heads(text, start, end)]
    changes += [
        (match.start(), blank(match)) for match in _ATTRIBUTE.finditer(text) if not _tagged(text, match.start())
    ]
    if not changes:
        return text
    mended = bytearray(text)
    for position, replacement in changes:
        mended[position : position + len(replacement)] = replacement
    return bytes(mended)


def _begins(text: bytes, position: int) -> bool:
    """Does a statement begin here, by what stands before it?"""
    return text[max(0, position - _LONGEST_HEADER) : position].rstrip()[-1:] in (b";", b"{", b"}", b")", b":", b"/")


def _tagged(text: bytes, position: int) -> bool:
    """Is this the name of a struct, union or enum?"""
    return text[max(0, position - 10) : position].rstrip().endswith((b"struct", b"union", b"enum"))


def _word_start(text: bytes, position: int) -> int:
    """Where the word that `position` is in begins."""
    while position and (text[position - 1 : position].isalnum() or text[position - 1] == ord("_")):
        position -= 1
    return position


def _heads(text: bytes, start: int, end: int) -> bool:
    """Does this macro stand where a statement begins, with a statement after its parentheses?"""
    if text[start - 1 : start] == b"\n" or not _begins(text, start):
        return False
    depth = 0
    for position in range(end, min(len(text), end + _LONGEST_HEADER)):
        depth += (text[position] == 40) - (text[position] == 41)
        if depth == 0 and text[position] == 41:
            after = text[position + 1 : position + _LONGEST_HEADER].lstrip()[:1]
            return after == b"{" or after.isalpha() or after in (b"_", b"*", b"/")
    return False


def mend_damaged(text: bytes, ranges: list[tuple[int, int]]) -> bytes:
    """The functions that did not parse, each without unknown attributes and the second halves of #if."""
    mended = bytearray(text)
    for start, end in ranges:
        piece = first_halves(text[start:end])
        piece = _OLD_POINTER.sub(_blank_group, piece)
        piece = _ODD_NAME.sub(_blank_odd, piece)
        mended[start:end] = _TYPE_AS_ARGUMENT.sub(_as_name, piece)
    return bytes(mended)


def blank(match: re.Match[bytes]) -> bytes:
    """Nothing but its line ends."""
    return match[0].translate(_BLANK)


def _blank_group(match: re.Match[bytes], name: str | int = 1) -> bytes:
    start, end = match.start(name) - match.start(), match.end(name) - match.start()
    return match[0][:start] + b" " * (end - start) + match[0][end:]


def _blank_odd(match: re.Match[bytes]) -> bytes:
    """Without the name that is too much; of two where one is the type, the one that looks like a macro."""
    first, second = match["first"], match["second"]
    if first is None:
        return _blank_group(match, "before" if match["before"] else "after")
    macro = second.startswith(b"__") or (second.isupper() and not first.isupper())
    return _blank_group(match, "second" if macro else "first")


def _as_name(match: re.Match[bytes]) -> bytes:
    return match[0][: -len(match[1])] + b"T" * len(match[1])


def first_halves(piece: bytes) -> bytes:
    """Without preprocessor conditions: the first half of each stays (of `#if 0`, the second)."""
    if b"#" not in piece:
        return piece
    result = bytearray(piece)
    kept: list[bool] = []
    position = 0
    for match in DIRECTIVE.finditer(piece):
        if not all(kept):
            result[position : match.start()] = piece[position : match.start()].translate(_BLANK)
        result[match.start() : match.end()] = blank(match)
        position = match.end()
        word = match[1]
        if word in (b"if", b"ifdef", b"ifndef"):
            kept.append(match[2].strip() != b"0")
        elif word == b"endif":
            kept = kept[:-1]
        elif kept:
            kept[-1] = not kept[-1] and word == b"else"
        else:
            kept.append(False)  # the piece began in the first half
    return bytes(result)
