"""Where the code of a file begins: licence, package, imports and includes hold no control flow and need no tree."""

from __future__ import annotations

import re
from functools import cache

from beryl.lang.spec import LanguageSpec

_COMMENT = rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|//[^\n]*+\n"


@cache
def _head(lines: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?:\s++|" + _COMMENT + rb"|" + lines.encode() + rb")*+")


def head_end(text: bytes, spec: LanguageSpec) -> int:
    """The first byte that is neither space, comment nor one of the lines that `spec.head` describes."""
    found = _head(spec.head).match(text)
    return found.end() if found else 0
