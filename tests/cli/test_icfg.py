"""`beryl icfg` on pseudocode and on source."""

from __future__ import annotations

import json

import pytest

from beryl import paths
from beryl.cli.main import main
from beryl.lang.pseudo import frontend


@pytest.mark.parametrize("style", ["text", "json", "dot", "svg"])
def test_every_format_is_written_for_plain_pseudocode(style, capsys):
    assert main(["icfg", str(paths.data("queries", "quicksort.txt")), "--format", style]) == 0
    assert "Partition" in capsys.readouterr().out


def test_converted_p_code_gives_the_same_graph(tmp_path, capsys):
    source = paths.data("queries", "red-black-tree.txt")
    main(["convert", str(source)])
    file = tmp_path / "tree.pcode"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    shown = []
    for path in (source, file):
        assert main(["icfg", str(path), "--format", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        nodes = [(node["kind"], node["text"], node["math"], node["function"]) for node in document["nodes"]]
        shown.append((nodes, document["edges"]))
    assert shown[0] == shown[1]


def test_source_files_have_the_same_shape(tmp_path, capsys):
    file = tmp_path / "gcd.c"
    file.write_text(
        "int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }\n", encoding="utf-8"
    )
    assert main(["icfg", str(file), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [function["name"] for function in document["functions"]] == ["gcd"]
    assert {"loop", "return", "entry", "exit"} <= {node["kind"] for node in document["nodes"]}


def test_one_function_of_a_file_is_named_after_a_colon(tmp_path, capsys):
    file = tmp_path / "two.c"
    file.write_text("int one(void) { return 1; }\nint two(void) { return one() + one(); }\n", encoding="utf-8")
    assert main(["icfg", f"{file}:two", "--format", "json"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["functions"]] == ["two"]
    assert main(["icfg", f"{file}:three"]) == 2
    assert "no function 'three' in the file; there are: one, two" in capsys.readouterr().err


def test_a_file_without_functions_has_no_graph(tmp_path, capsys):
    (tmp_path / "only.h").write_text("#include <a.h>\nint f(int);\n")
    assert main(["icfg", str(tmp_path / "only.h")]) == 1
    assert capsys.readouterr() == ("", f"{tmp_path / 'only.h'}: there is no function with a body in it\n")


def test_function_is_refused_for_pseudocode(capsys):
    assert main(["icfg", f"{paths.data('queries', 'gcd.txt')}:GCD"]) == 2
    assert "is pseudocode" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["pcode", "txt"])
def test_time_to_read_a_30_line_algorithm(benchmark, suffix):
    """Parse and build the ICFG; the plain text is also converted. Imports and models are loaded before."""
    text = paths.data("queries", f"rb-insert.{suffix}").read_text(encoding="utf-8")
    read = benchmark(frontend.read, text)
    assert 30 <= len(read.lines) <= 45
    assert len(read.icfg.functions) == 2
