"""SPoC: programs and their words from a table, and the rank of a program, worked out by hand."""

from __future__ import annotations

import pytest

from beryl import engine, paths
from beryl.errors import InputError
from beryl.evaluate import spoc
from beryl.evaluate.spoc import OTHER, OWN, Program
from beryl.index.store import BuildOptions
from beryl.types import Fragment, Language

HEAD = "text\tcode\tworkerid\tprobid\tsubid\tline\tindent\n"
SUM = """\
\tint main() {\t7\t1A\t100\t0\t0
let n and total be integers\tint n, total = 0;\t7\t1A\t100\t1\t1
while n can be read\twhile (cin >> n)\t7\t1A\t100\t2\t1
add n to total\ttotal += n;\t7\t1A\t100\t3\t1
print total\tcout << total;\t7\t1A\t100\t4\t1
\t}\t7\t1A\t100\t5\t0
"""
REVERSE = """\
reverse\tint main() {\t7\t2B\t{id}\t0\t0
read word\tstring word; cin >> word;\t7\t2B\t{id}\t1\t1
for i = length of word - 1 down to 0\tfor (int i = word.size() - 1; i >= 0; i--) {\t7\t2B\t{id}\t2\t1
print word[i]\tcout << word[i];\t7\t2B\t{id}\t3\t2
\t}\t7\t2B\t{id}\t4\t1
\t}\t7\t2B\t{id}\t5\t0
"""


@pytest.fixture
def programs(tmp_path):
    path = tmp_path / "split.tsv"
    text = HEAD + SUM + REVERSE.replace("{id}", "200") + REVERSE.replace("{id}", "201")
    path.write_text(text, encoding="utf-8")
    return spoc.read(path)


def test_words_keep_their_depth_and_lines_without_words_are_dropped(programs):
    assert programs[0].problem == "1A"
    assert programs[0].words == (
        "    let n and total be integers\n    while n can be read\n        add n to total\n    print total\n"
    )
    assert programs[0].code.startswith("int main() {\n    int n, total = 0;\n")


def test_a_header_whose_body_has_no_words_is_given_one():
    assert spoc.pseudocode([(0, "if x is 0"), (1, ""), (0, "print x")]) == "if x is 0\n    skip\nprint x\n"
    assert spoc.pseudocode([(0, "if x is 0"), (1, "print x")]) == "if x is 0\n    print x\n"


def test_nested_headers_without_braces_go_deeper():
    rows = [
        {"indent": "0", "code": code}
        for code in ("for (i = 0; i < n; i++)", "if (a[i])", "x++;", "else", "x--;", "while (x) {", "y();")
    ]
    assert spoc.depths(rows)[:3] == [0, 1, 2]
    assert spoc.depths(rows)[5:] == [0, 0]


def test_as_many_programs_of_every_problem_and_always_the_same(programs):
    assert {program.submission for program in spoc.sample(programs)} == {"100", "200", "201"}
    one = spoc.sample(programs, per_problem=1)
    assert [program.problem for program in one] == ["1A", "2B"]
    assert one == spoc.sample(programs, per_problem=1)


def test_words_that_cannot_be_read_are_no_query():
    assert not spoc.readable("else\n")
    assert spoc.sample([Program("1A", "1", "else\n", "")]) == []


def fragment(path: str) -> Fragment:
    return Fragment(1.0, {}, "programs", Language.CPP, path, 1, 2, ("main",), ())


def test_programs_are_ranked_not_their_functions(programs):
    problems = {program.file: program.problem for program in programs}
    results = [fragment(path) for path in ("100.cpp", "100.cpp", "201.cpp", "200.cpp")]
    own = next(program for program in programs if program.submission == "200")
    assert spoc.gains(results, own, problems, other=False) == (0, 0, 1)
    assert spoc.gains(results, own, problems, other=True) == (0, 1)


def test_figures_of_lists_by_hand():
    found = spoc.figures([(0, 1), (1,), (0, 0)])
    assert found.reciprocal == (0.5, 1.0, 0.0)
    assert found.first == (0.0, 1.0, 0.0)
    assert found.ten == (1.0, 1.0, 0.0)


def test_a_program_is_found_by_its_words(programs, tmp_path):
    spoc.corpus(programs, tmp_path / "programs", str)
    opened = engine.build([tmp_path / "programs"], tmp_path / "index", BuildOptions(tables=("terms",), jobs=1))
    found = spoc.measure(opened, programs, programs, ["bm25"])
    assert found[OWN]["bm25"].first[0] == 1.0
    assert len(found[OTHER]["bm25"].first) == 2
    assert found[OTHER]["bm25"].first == (1.0, 1.0)
    assert "3 queries" in spoc.report(found[OWN], OWN)


def test_the_splits_have_no_problem_in_common():
    first, second = (spoc.read(paths.data("spoc", f"{split}.tsv")) for split in spoc.SPLITS)
    assert len(first) == 2001
    assert len(second) == 1019
    assert not {program.problem for program in first} & {program.problem for program in second}


def test_a_split_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no SPoC split"):
        spoc.read(tmp_path / "none.tsv")
