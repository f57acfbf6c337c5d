"""One logical line of pseudocode -> the p-code of its statements: keywords found, math and prose marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from beryl.lang.pseudo.lines import is_math
from beryl.lang.pseudo.symbols import ascii_math, in_prose

NAME = r"[^\W\d](?:[\w'′’]|[-.](?=\w))*"
_CALL = re.compile(rf"(?:call\s+)?({NAME})\s*\((.*)\)$", re.IGNORECASE | re.DOTALL)
_NOT_CALLS = {"if", "while", "for", "return", "and", "or", "not", "print", "until", "let", "in", "mod", "div"}
_ELSEIF = re.compile(r"(?:else\s*,?\s*if|elseif|elif|elsif|otherwise,?\s+if)\b\s*", re.IGNORECASE)
_ELSE = re.compile(r"(?:else|otherwise)\b\s*[:,{]?\s*", re.IGNORECASE)
_RANGE = re.compile(
    r"(?P<var>.+?)\s*(?:=|←|:=|≔|<-|\b(?:ranging\s+)?from\b|∈|\bin\b)\s*(?P<start>.+?)\s*"
    r"(?:\b(?P<up>to|upto|up\s+to|through|until)\b|\b(?P<down>downto|down\s+to)\b)\s*(?P<limit>.+?)"
    r"(?:\s*,?\s*\b(?:by|step|in\s+steps\s+of|with\s+step)\b\s*(?P<step>.+))?$",
    re.IGNORECASE,
)
_DOTS = re.compile(
    r"(?P<var>\S+)\s*(?:=|←|:=|∈|\bin\b)\s*[\[{(]?\s*(?P<start>[^,.…]+?)\s*(?:,\s*(?P<second>[^,…]+?)\s*,\s*(?:\.{2,3}|…)\s*,"
    r"|,\s*(?:\.{2,3}|…)\s*,|\.{2,3}|…)\s*(?P<limit>[^,.…]+?)\s*[\]})]?$"
)
_VERBS = (
    "return|set|let|output|print|report|stop|halt|exit|break|continue|call|swap|error|go ?to|read|write|append|prepend"
    "|add|remove|delete|insert|push|pop|enqueue|dequeue|increment|decrement|increase|decrease|update|mark|put|replace"
    "|multiply|divide|assign|store|skip"
)
# A verb, or an assignment that is not the next of several loop variables: `for i = 1 to n, j = 1 to m`.
_ASSIGNS = r"[\w.]+(?:\[[^\[\]]*\])*\s*(?:←|<-|:=|=(?!=))(?!.*(?:\bto\b|\bdownto\b|[,;]))"
_COMMA_BODY = re.compile(rf",\s*(?=(?:{_VERBS})\b|{_ASSIGNS})", re.IGNORECASE)
# After a test in symbols any phrase is the body: `k < p, search the left part`; `i < n, j < m` is no phrase.
_COMMA_PHRASE = re.compile(r",\s*(?=(?!(?:and|or|not|where|with|for|but)\b)[A-Za-z]{2,}\s+[A-Za-z])", re.IGNORECASE)
_BARE_BODY = re.compile(r"\s(?=(?:return|break|continue)\b)", re.IGNORECASE)
_TIMES = re.compile(r"(.+?)\s+times$", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|exists?|contains?|can|cannot|remains?|holds?|equals?|finds?|becomes?"
    r"|lies|belongs|appears|changed|reached|differs?|fits|precedes|follows|overlaps?|intersects?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """p-code text and how deep it stands below the line that it came from."""

    depth: int
    text: str
    opens: bool = False


def expression(text: str, condition: bool = False) -> str:
    """`$math$` or `@prose@`, as the classifier says."""
    text = _unwrapped(text.strip())
    if is_math(text):
        return f"${ascii_math(text, condition).replace('$', '')}$"
    return f"@{in_prose(_sentence(text)).replace('@', ' at ')}@"


def call(text: str) -> str:
    """`NAME(args)` as p-code; empty where the text is no call."""
    found = _CALL.match(text.strip())
    if not found or found[1].lower() in _NOT_CALLS or not _balanced(found[2]):
        return ""
    arguments = [part.strip() for part in split_top(found[2], ",")] if found[2].strip() else []
    return f"{found[1]}({', '.join(argument(part) for part in arguments)})"


def argument(text: str) -> str:
    """A bare name, or an expression."""
    return (
        text
        if re.fullmatch(NAME, text) and text.lower() not in _NOT_CALLS
        else f"${ascii_math(text).replace('$', '') or '_'}$"
    )


def test(text: str) -> str:
    """A test, taken apart at `or`, `and` and `not` where every part is a test of its own."""
    text = re.sub(
        r"\s*(?:∨|\|\||&&|∧)\s*", lambda found: " or " if found[0].strip() in "∨||" else " and ", text.strip()
    )
    text = re.sub(r"(?:¬|!(?!=))\s*", "not ", _unwrapped(text.rstrip(" ,;")))
    for word in ("or", "and"):
        parts = _split_word(text, word)
        if len(parts) > 1 and all(_is_clause(part) for part in parts):
            return f" {word} ".join(_grouped(part, word) for part in parts)
    negated = re.match(r"(?:not\b\s*)++(?=\S)", text, re.IGNORECASE)
    if negated:
        inner = test(text[negated.end() :])
        if len(re.findall(r"not", negated[0], re.IGNORECASE)) % 2 == 0:
            return inner
        if inner.startswith("not ") and not re.search(r"[$@)] (?:and|or) ", inner):
            return inner[4:]
        return f"not ({inner})" if re.search(r"[$@)] (?:and|or) ", inner) else f"not {inner}"
    return expression(text, condition=True)


def _grouped(part: str, word: str) -> str:
    """A part of a test, in parentheses where it would bind otherwise."""
    made = test(part)
    return f"({made})" if re.search(r"[$@)] or ", made) and word == "and" and not made.startswith("(") else made


def _is_clause(part: str) -> bool:
    """Could this stand as a test by itself: math, or prose with a subject before its verb?"""
    bare = re.sub(r"^not\s+", "", part.strip(), flags=re.IGNORECASE)
    if not bare or not _balanced(bare):
        return False
    if is_math(bare):
        return not re.fullmatch(r"\d+", bare)
    verb = _VERB.search(bare)
    return bool(verb and verb.start() > 0)


def loop_head(text: str, each: bool) -> str:
    """What follows `for`: a counting loop, or `each` of something."""
    text = text.strip().rstrip(",:")
    counted = _RANGE.match(text)
    if counted and _balanced(counted["start"]) and _balanced(counted["limit"]) and _balanced(counted["var"]):
        variable = counted["var"].split()[-1] if re.fullmatch(r"(?:[a-z]+\s+)+\S+", counted["var"]) else counted["var"]
        start = expression(f"{variable} = {counted['start']}")
        step = f" by {expression(counted['step'])}" if counted["step"] else ""
        return f"for {start} {'to' if counted['up'] else 'downto'} {expression(counted['limit'])}{step}"
    dotted = _DOTS.match(text)
    if dotted:
        down = bool(dotted["second"]) and "-" in dotted["second"].replace("−", "-")
        start = expression(f"{dotted['var']} = {dotted['start']}")
        return f"for {start} {'downto' if down else 'to'} {expression(dotted['limit'])}"
    if each or re.search(r"∈|\bin\b", text):
        return f"for each {expression(text)}"
    return f"for {expression(text)}"


def pieces(text: str) -> list[Piece]:
    """The statements of one line; the last may open a block for the lines below."""
    return list(_pieces(text.strip(), 0))


def _pieces(text: str, depth: int) -> Iterator[Piece]:
    """As `pieces`, at a depth."""
    text = re.sub(r"[;,\s]+$", "", text)
    if not text:
        return
    word = re.match(r"[A-Za-z]+", text)
    lower = word[0].lower() if word else ""
    taken = not word or re.match(r"\s*(?:=(?!=)|←|:=|\[|\.\w|\+=|-=)", text[word.end() :])
    elseif = _ELSEIF.match(text)
    if elseif and not taken:
        yield from _branch("elseif", text[elseif.end() :], depth)
    elif taken and text[:1] != "∀":
        yield from _simple(text, depth)
    elif lower == "if":
        yield from _branch("if", text[2:], depth)
    elif lower in ("else", "otherwise"):
        yield from _with_body("else", text[_ELSE.match(text).end() :], depth)  # type: ignore[union-attr]
    elif lower in ("while", "until"):
        head, body = _head_and_body(text[len(lower) :], "do")
        yield from _with_body(f"{lower} {test(head)}", body, depth)
    elif lower in ("for", "foreach", "forall") or text[:1] == "∀":
        yield from _for(text, depth)
    elif lower in ("repeat", "loop", "forever") or re.match(
        r"do\s*[:{]?$|do\b.*\b(?:until|while)\b", text, re.IGNORECASE
    ):
        yield from _repeat(text, depth)
    elif lower == "return" or lower == "returns":
        yield Piece(depth, _return(text[len(lower) :]))
    elif re.fullmatch(
        r"(?:break|exit(?:\s+(?:the\s+)?(?:loop|for|while))?|leave(?:\s+the)?\s+loop)\.?", text, re.IGNORECASE
    ):
        yield Piece(depth, "break")
    elif re.fullmatch(r"(?:continue(?:\s+with\s+.*)?|next\s+iteration)\.?", text, re.IGNORECASE):
        yield Piece(depth, "continue")
    else:
        yield from _simple(text, depth)


def _branch(keyword: str, text: str, depth: int) -> Iterator[Piece]:
    """`if c`, `if c then s`, `if c then s else t`, `if c, s, otherwise t`."""
    head, body = _head_and_body(text, "then")
    if not body and head.lstrip().startswith("("):
        head, body = _after_parenthesis(head)
    otherwise = _split_word(body, "(?:else|otherwise)", 1)
    yield from _with_body(f"{keyword} {test(head)}", otherwise[0], depth)
    if len(otherwise) > 1:
        yield from _pieces(f"else {otherwise[1]}", depth)


def _with_body(head: str, body: str, depth: int) -> Iterator[Piece]:
    """A head with its body on the same line, or open for the lines below."""
    body = re.sub(r"^\s*begin\b\s*|\s*\b(?:end\s?(?:if|for|while)?|fi|od)\s*;?$", "", body.strip())
    body = body[1:].rstrip(" ;}") if body.startswith("{") and body.endswith("}") and body.count("{") == 1 else body
    inside = list(_pieces(body, depth + 1)) if body else []
    yield Piece(depth, head, opens=not inside and not head.startswith("until"))
    yield from inside


def _head_and_body(text: str, word: str) -> tuple[str, str]:
    """Split a head from its body at `then`, `do` or `:`."""
    parts = _split_word(text, word, 1)
    if len(parts) > 1:
        return parts[0].rstrip(" ,"), parts[1].lstrip(" :")
    parts = split_top(text, ":", 1)
    if len(parts) > 1 and not parts[1].startswith("=") and (not parts[1] or parts[1][0].isspace()):
        return parts[0], parts[1]
    return one_line(text.rstrip("{ "))


def one_line(text: str) -> tuple[str, str]:
    """Split `c, append x` or `x = y return z` into head and body; without a body where there is none on the line."""
    for pattern, symbols in ((_COMMA_BODY, False), (_BARE_BODY, True), (_COMMA_PHRASE, True)):
        for found in pattern.finditer(text):
            head = text[: found.start()]
            if _balanced(head) and (not symbols or is_math(head)):
                return head, text[found.end() :]
    return text, ""


def _after_parenthesis(text: str) -> tuple[str, str]:
    """`(c) s` of C-like pseudocode: the test and the statement after it."""
    depth = 0
    for position, mark in enumerate(text):
        depth += (mark == "(") - (mark == ")")
        if mark == ")" and depth == 0:
            rest = text[position + 1 :].strip()
            if (
                rest
                and re.match(r"[\w{]", rest)
                and not re.match(r"(?:and|or|mod|div|in|is|then|xor)\b", rest, re.IGNORECASE)
            ):
                return text[: position + 1], rest
            break
    return text, ""


def _for(text: str, depth: int) -> Iterator[Piece]:
    """Every form of `for`."""
    keyword = re.match(
        r"(?:for\s*(?P<each>each|all|every|any)\b|for(?P<each2>each|all)\b|for\b|(?P<each3>∀))\s*", text, re.IGNORECASE
    )
    assert keyword is not None
    each = bool(keyword["each"] or keyword["each2"] or keyword["each3"])
    rest = text[keyword.end() :]
    head, body = _head_and_body(rest, "do")
    if not body and rest.startswith("(") and ";" in rest:
        head, body = _after_parenthesis(rest)
        yield from _with_body(f"for ${ascii_math(_unwrapped(head)).replace('$', '')}$", body, depth)
        return
    yield from _with_body(loop_head(_unwrapped(head), each), body, depth)


def _repeat(text: str, depth: int) -> Iterator[Piece]:
    """`repeat`, `loop`, `do` and what may follow them on the line."""
    rest = re.sub(
        r"^(?:repeat|loop|do|forever)\b\s*(?:the following(?: steps)?)?\s*:?\s*", "", text, flags=re.IGNORECASE
    ).rstrip(" :{")
    times = _TIMES.match(rest)
    until = _split_word(rest, "until", 1)
    if times:
        yield Piece(depth, f"for {expression(times[0])}", opens=True)
    elif re.match(r"for\b|while\b", rest, re.IGNORECASE):
        yield from _pieces(rest, depth)
    elif re.match(r"until\b", rest, re.IGNORECASE):
        yield Piece(depth, f"while not ({test(rest[5:])})", opens=True)
    elif re.fullmatch(r"forever|indefinitely", rest, re.IGNORECASE) or text.lower().startswith("forever"):
        yield Piece(depth, "while $true$", opens=True)
    elif len(until) > 1:
        yield Piece(depth, "repeat")
        yield from _pieces(until[0], depth + 1)
        yield Piece(depth, f"until {test(until[1])}")
    elif rest:
        yield Piece(depth, "repeat", opens=True)
        yield from _pieces(rest, depth + 1)
    else:
        yield Piece(depth, "repeat", opens=True)


def _return(text: str) -> str:
    """`return`, a call, or a value."""
    value = re.sub(r"(?<=\w), (?:which|where|that)\b.*", "", text.strip().rstrip(".;").strip())
    if not value:
        return "return"
    return f"return {call(value) or expression(value)}"


def _simple(text: str, depth: int) -> Iterator[Piece]:
    """Statements that are no structure; several on a line are taken apart at `;` where all of them are math."""
    parts = [part.strip() for part in split_top(text, ";") if part.strip()]
    if len(parts) > 1 and all(is_math(part) or call(part) for part in parts):
        for part in parts:
            yield from _pieces(part, depth)
        return
    plain = text.rstrip(" ;")
    plain = re.sub(r"\.$", "", plain) if not plain.endswith("..") else plain
    made = call(plain)
    if (
        not made
        and (let := re.match(r"(?:let|set)\s+(?=\S+\s*(?:=|←|:=))", plain, re.IGNORECASE))
        and is_math(plain[let.end() :])
    ):
        plain = plain[let.end() :]
    yield Piece(depth, made or expression(plain))


def split_top(text: str, mark: str, limit: int = -1) -> list[str]:
    """Split at a character that stands outside of brackets and quotes."""
    parts, depth, quoted, start = [], 0, False, 0
    for position, character in enumerate(text):
        if character in '"“”':
            quoted = not quoted
        elif character in "([{⌊⌈⟨":
            depth += 1
        elif character in ")]}⌋⌉⟩":
            depth -= 1
        elif character == mark and depth <= 0 and not quoted and limit != 0:
            parts.append(text[start:position])
            start, limit = position + 1, limit - 1
    return [*parts, text[start:]]


def _split_word(text: str, word: str, limit: int = -1) -> list[str]:
    """Split at a word that stands outside of brackets and quotes."""
    hidden = list(text)
    depth, quoted = 0, False
    for position, character in enumerate(text):
        quoted ^= character in '"“”'
        depth += (character in "([{⌊") - (character in ")]}⌋")
        if depth > 0 or quoted:
            hidden[position] = "¤"
    parts, start = [], 0
    for found in re.finditer(rf"(?<![\w-]){word}(?![\w-])", "".join(hidden), re.IGNORECASE):
        if limit == 0:
            break
        parts.append(text[start : found.start()].strip())
        start, limit = found.end(), limit - 1
    return [*parts, text[start:].strip()]


def _balanced(text: str) -> bool:
    """Do the brackets pair up, never closing before they open?"""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _unwrapped(text: str) -> str:
    """The text without parentheses around all of it."""
    text = text.strip()
    while text.startswith("(") and text.endswith(")") and _balanced(text[1:-1]) and "," not in text:
        text = text[1:-1].strip()
    return text


def _sentence(text: str) -> str:
    """Prose with a small first letter and no full stop."""
    text = re.sub(r"\s+", " ", text).strip().rstrip(".;,")
    if re.match(r"[A-Z][a-z]+\b", text) and not re.match(r"[A-Z][a-z]+[\[(.]", text):
        text = text[0].lower() + text[1:]
    return text or "nothing"
