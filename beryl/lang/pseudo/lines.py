"""Math or prose: the classifier of pseudocode lines."""

from __future__ import annotations

import re

_WORD = re.compile(r"(?<![\w.\[])[a-z]{2,}(?![\w(\[.])")


def is_math(text: str) -> bool:
    """Is this text math rather than prose?"""
    words = [word for word in _WORD.findall(text) if word not in ("mod", "div", "true", "false", "nil", "null", "none", "and", "or", "not")]
    return len(words) < 2 and not re.match(r"[A-Za-z]+ [A-Za-z]", text)
