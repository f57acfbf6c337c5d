"""Encodings against a real JDK."""

import shutil

import pytest

from beryl.evaluate.soundness import check, predict, sample
from beryl.index.build import build_index
from beryl.index.store import BuildOptions
from beryl.types import silent

JAVA = """
public class Demo {
    static final char[] HEX = "0123456789abcdef".toCharArray();
    private int width;
    static char hex(int n) { return HEX[n & 15]; }
    int area(int height) { return width * height; }
    static String twice(String s) { return s + s.toUpperCase(); }
    static void reverse(int[] a) {
        for (int i = 0, j = a.length - 1; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; }
    }
    static int digits(long n) { int c = 0; do { c++; n /= 10; } while (n != 0); return c; }
    static double half(Integer x) { return x / 2.0; }
}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    (root / "Demo.java").write_text(JAVA)
    out = tmp_path_factory.mktemp("out") / "index"
    return build_index([root], out, BuildOptions(tables=("paths",), jobs=1), False, silent)


def test_predictions_are_values_exceptions_or_nothing(index):
    cases = {case.method.name: case for case in sample(index, 10, seed=1)}
    assert predict(cases["hex"].encoding, [255]) == f"I{ord('f')}"
    assert predict(cases["area"].encoding, [3, 4]) == "I12"
    assert predict(cases["twice"].encoding, [None]) == "!"
    assert predict(cases["reverse"].encoding, [[1, 2, 3]]) == "[I3,I2,I1]"
    assert predict(cases["digits"].encoding, [-1234]) == "I4"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("javac") is None, reason="needs a JDK")
def test_java_does_what_the_encodings_say(index, tmp_path):
    report = check(list(sample(index, 10, seed=2)), tmp_path)
    assert report.methods == 6
    assert report.calls >= 60
    assert report.disagreements == ()
