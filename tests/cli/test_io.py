"""The command `beryl io`."""

import json

import pytest

from beryl.cli.main import main

JAVA = """
class Demo {
    static String stripExtension(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
    static boolean isDigit(char c) { return c >= '0' && c <= '9'; }
    static void sort(int[] a) {
        for (int i = 0; i < a.length; i++)
            for (int j = i + 1; j < a.length; j++)
                if (a[j] < a[i]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
    }
}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    (root / "Demo.java").write_text(JAVA)
    out = tmp_path_factory.mktemp("out") / "index"
    assert main(["index", str(root), "--out", str(out), "--with", "io", "--tables", "paths"]) == 0
    return str(out)


@pytest.mark.parametrize(
    ("examples", "name"),
    [
        (['"log.txt" -> "log"', '"log.txt.txt" -> "log.txt"'], "Demo.stripExtension"),
        (["'5' -> true", "'F' -> false"], "Demo.isDigit"),
        (["[3,1,2] -> [1,2,3]"], "Demo.sort"),
    ],
)
def test_a_method_is_found_by_its_examples(index, capsys, examples, name):
    capsys.readouterr()
    assert main(["io", *examples, "--index", index, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["mode"] == "io"
    assert answer["results"][0]["functions"] == [name]
    assert [pair["verdict"] for pair in answer["results"][0]["pairs"]] == ["match"] * len(examples)


def test_explain_says_which_path_satisfied_which_pair(index, capsys):
    assert main(["io", '"log.txt" -> "log"', "--index", index, "--explain"]) == 0
    assert '"log.txt" -> "log": match by inputs name on path [1]' in capsys.readouterr().out


def test_examples_from_a_file(index, capsys, tmp_path):
    file = tmp_path / "examples.json"
    file.write_text(json.dumps(["'5' -> true", "'x' -> false"]))
    assert main(["io", "--file", str(file), "--index", index]) == 0
    file.write_text(json.dumps([{"input": ["a.b"], "output": "a"}]))
    assert main(["io", "--file", str(file), "--index", index]) == 0
    assert "stripExtension" in capsys.readouterr().out


def test_nothing_found_is_exit_code_1(index):
    assert main(["io", '"a" -> "b"', "--index", index]) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (['"a -> 1'], "no closing"),
        ([], "no example"),
        (["1 -> 2", "1 -> 3"], "contradictory"),
        (["1 -> 2", "'a' -> 3"], "mixed types"),
        (["1, 2 -> 2.5"], "the nearest are"),
        (["'5' -> true", "--budget", "0"], "zero"),
        (["--file", "absent.json"], "cannot be read"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(index, capsys, arguments, sentence):
    assert main(["io", *arguments, "--index", index]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error
