"""Math as people typeset it -> math as programs write it, so that it resembles code."""

from __future__ import annotations

import re

_PLAIN = {
    "−": "-", "–": "-", "·": "*", "×": "*", "∗": "*", "⋅": "*", "÷": "/", "…": "...", "′": "'", "’": "'", "″": "''",
    "∣": "|", "∧": " and ", "∨": " or ", "¬": "not ", "⊕": "^", "≪": "<<", "≫": ">>", "⟵": "←", "≔": "←", "⇐": "←",
    "＝": "=", "\u2061": "", "\u200b": "",
}  # fmt: skip
_SUBSCRIPT = str.maketrans("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘ₊₋", "0123456789ijknm+-")
_LOW = re.compile(r"(?<=[\w'\])])[₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘ₊₋]+")
_ASSIGN = re.compile(r"\s*(?:←|:=)\s*|\s+<-\s+")
_LONE_EQUALS = re.compile(r"(?<![<>=!:≠+\-*/])\s*=\s*(?!=)")


def ascii_math(text: str, condition: bool = False) -> str:
    """Assignment as `=`, comparison as `==`, subscripts as brackets, floor and ceiling as calls."""
    for mark, plain in _PLAIN.items():
        text = text.replace(mark, plain)
    text = _LOW.sub(lambda found: f"[{found[0].translate(_SUBSCRIPT)}]", text)
    text = re.sub(r"⌊([^⌊⌋]*)⌋", r"floor(\1)", text)
    text = re.sub(r"⌈([^⌈⌉]*)⌉", r"ceil(\1)", text)
    text = _subscripts(text)
    if condition:
        text = _LONE_EQUALS.sub(" == ", text)
    elif _ASSIGN.search(text):
        text = _LONE_EQUALS.sub(" == ", text) if not re.search(r"[<>=!]=|≔", text) else text
        text = re.sub(r"\s+", " ", re.sub(r":\s*==", ":=", text))
    text = _ASSIGN.sub(" = ", text)
    return re.sub(r"\s+", " ", text).strip().rstrip(";")


def in_prose(text: str) -> str:
    """Prose with the assignments and subscripts inside it written as in code; its words stay."""
    return _ASSIGN.sub(" = ", _subscripts(text.replace("−", "-").replace("′", "'")))


def _subscripts(text: str) -> str:
    """`a_{ij}` -> `a[i][j]`, `e_{i,j-1}` -> `e[i, j-1]`, `x_i` -> `x[i]`, `D^{(m)}` -> `D[m]`; `best_len` stays."""
    text = re.sub(r"\^\{\(([^{}()]*)\)\}", r"[\1]", text)
    text = re.sub(r"\^\{([^{}]*)\}", r"^(\1)", text)
    text = re.sub(r"(?<=[\w'\])])_\{([a-zA-Z])([a-zA-Z])\}", r"[\1][\2]", text)
    text = re.sub(r"(?<=[\w'\])])_\{([0-9])([a-z])\}", r"[\1][\2]", text)
    text = re.sub(r"(?<=[\w'\])])_\{([^{}]*)\}", r"[\1]", text)
    return re.sub(r"(?<=[^\W_])_([a-z]|\d+)(?![\w])", r"[\1]", text)
