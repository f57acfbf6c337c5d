"""Hand-made answers for the page and the notebook: short, none, three files, very long, hostile."""

from __future__ import annotations

from beryl.lang.pseudo import frontend
from beryl.lang.treesitter import icfg_of_source
from beryl.types import Fragment, FunctionSpan, Language, Match, QueryLine, SearchResult, Source

QUERY = """function MaxIndex(a, n) is
    best ← 0
    for i from 1 to n
        if a[i] > a[best]
            best ← i
    return best"""
CODE = """static int largest(const int *a, int n)
{
\tint best = 0;
\tfor (int i = 1; i < n; i++)
\t\tif (a[i] > a[best])
\t\t\tbest = i;
\treturn best;
}"""
PAIRS = ((2, 12, 0.9), (3, 13, 0.8), (4, 14, 0.95), (5, 15, 0.7))
FIRST = 10


def fragment(code: str = CODE, path: str = "src/scan.c", pairs=PAIRS, uncovered=(6,), **changes) -> Fragment:
    lines, query = code.split("\n"), QUERY.split("\n")
    end = FIRST + len(lines) - 1
    values = {
        "score": 1.53,
        "parts": {"coverage": 0.8, "closeness": 0.5, "similarity": 0.84},
        "project": "kit",
        "language": Language.C,
        "path": path,
        "start": FIRST,
        "end": end,
        "functions": ("largest",),
        "spans": (FunctionSpan(path, "largest", FIRST, end),),
        "matches": tuple(
            Match(line, query[line - 1].strip(), path, number, lines[number - FIRST].strip(), value)
            for line, number, value in pairs
        ),
        "uncovered": tuple(QueryLine(line, query[line - 1].strip()) for line in uncovered),
        "notes": ("same loop", "line 4 matches `a[i] > a[best]`"),
        "code": code,
        "snippets": (code,),
        "graph": icfg_of_source(Source("\n" * (FIRST - 1) + code, Language.C, path)),
    }
    return Fragment(**(values | changes))


def answer(*fragments: Fragment, text: str = QUERY, name: str = "max-index") -> SearchResult:
    return SearchResult(name, f"{name}.txt", "query", 12.4, fragments, text)


def hostile() -> Fragment:
    code = (
        "void f(void)\n{\n\tputs(\"</script><script>document.title='pwned'</script><img src=x onerror=alert(1)>\");\n}"
    )
    return fragment(code, "src/<b>bold</b>&.c", ((4, 12, 0.5),), functions=('f"><i>',), notes=("<u>note</u>",))


def three_files() -> Fragment:
    spans = (
        FunctionSpan("src/scan.c", "largest", FIRST, FIRST + 7),
        FunctionSpan("src/heap.c", "sift", 40, 42),
        FunctionSpan("lib/deep/swap.c", "swap", 3, 4),
    )
    other = Match(6, "return best", "src/heap.c", 41, "return heap[0];", 0.6)
    plain = fragment(uncovered=())
    snippets = (CODE, "int sift(int *heap)\n{\n    return heap[0];", "void swap(void)\n{}")
    return fragment(uncovered=(), spans=spans, snippets=snippets, matches=(*plain.matches, other))


def long_fragment(lines: int = 3000) -> Fragment:
    body = [f"\ttotal += weight[{number}];" for number in range(lines - 3)]
    code = "\n".join(["static int largest(void)", "{", *body, "}"])
    pairs = ((2, FIRST + 50, 0.9), (3, FIRST + 1500, 0.8), (5, FIRST + 2900, 0.7))
    return fragment(code, pairs=pairs, graph=None)


STRANGE = "Zähle(Ω)\n\tfür ← 0\n\tfor each 字 ∈ Ω\n\t\tif 字 ≠ '\u202e' \x00 then\n\t\t\tfür ← für + 1 🙂\n\treturn für"


def query_icfg():
    return frontend.read(QUERY, "max-index").icfg
