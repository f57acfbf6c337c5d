"""Files begin with what holds no code; it is left out of the tree and changes nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beryl.lang import c, cpp, java
from beryl.lang.head import head_end
from beryl.lang.treesitter import analyse
from beryl.types import Language

SPECS = {Language.C: c.SPEC, Language.CPP: cpp.SPEC, Language.JAVA: java.SPEC}
CODE = {
    Language.C: b"int f(int x) { if (x) g(x); return x; }\n",
    Language.CPP: b"int f(int x) { if (x) g(x); return x; }\n",
    Language.JAVA: b"class A { int f(int x) { if (x > 0) g(x); return x; } }\n",
}
HEADS = {
    Language.C: (
        b"/* a licence ***/\n",
        b"// one line\n",
        b"#include <sys/types.h>\n",
        b'#include "a.h" /* why */\n',
        b" \r\n",
    ),
    Language.JAVA: (b"/** a licence */\n", b"// one line\n", b"package a.b;\n", b"import static a.b.C.*;\n", b"\t\n"),
}
HEADS[Language.CPP] = HEADS[Language.C]


@pytest.mark.parametrize(
    ("text", "rest", "language"),
    [
        (b"/* import */ import a.B;\nclass A {}", b"class A {}", Language.JAVA),
        (b"@Deprecated package a;", b"@Deprecated package a;", Language.JAVA),
        (b"import a.B\nclass A { int x; }", b"import a.B\nclass A { int x; }", Language.JAVA),
        (b"importer();", b"importer();", Language.JAVA),
        (b"#include <a.h>\n#ifdef B\n#include <b.h>\n#endif\n", b"#ifdef B\n#include <b.h>\n#endif\n", Language.C),
        (b"#include MACRO\nint x;", b"#include MACRO\nint x;", Language.C),
        (b"/* never closed", b"/* never closed", Language.C),
        (b"// never ended", b"// never ended", Language.C),
        (b"/**/int x;", b"int x;", Language.CPP),
    ],
)
def test_where_the_code_begins(text, rest, language):
    assert text[head_end(text, SPECS[language]) :] == rest


@pytest.mark.parametrize("language", list(CODE))
@given(data=st.data())
def test_what_stands_before_the_code_only_moves_it(language, data):
    head = b"".join(data.draw(st.lists(st.sampled_from(HEADS[language]), max_size=6)))
    alone, behind = analyse(CODE[language], language), analyse(head + CODE[language], language)
    assert head_end(head + CODE[language], SPECS[language]) == len(head)
    assert (behind.node_text, behind.edge_target, behind.calls) == (alone.node_text, alone.edge_target, alone.calls)
    assert [row.start_byte - len(head) for row in behind.functions] == [row.start_byte for row in alone.functions]
    assert (behind.node_line - head.count(b"\n")).tolist() == alone.node_line.tolist()


@pytest.mark.parametrize("language", list(CODE))
def test_a_file_of_nothing_but_its_head(language):
    unit = analyse(b"".join(HEADS[language]), language)
    assert (unit.functions, unit.parse_errors) == ((), 0)
