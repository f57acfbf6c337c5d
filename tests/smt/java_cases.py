"""Java in, encodings out: what the tests of this room share."""

from __future__ import annotations

import json

from beryl.smt.declarations import Method, read_classes
from beryl.smt.encoding import Encoding, encode, read
from beryl.smt.examples import read_specification
from beryl.smt.match import Budget, Check, Outcome

# Fig. 5 of the paper, as its path conditions (Fig. 6 and 8) describe it.
STRIP_EXTENSION = """
String stripExtension(String scriptFile) {
    int extension = scriptFile.lastIndexOf('.');
    if (extension > 0) {
        int start = scriptFile.indexOf("/") + 1;
        if (start > 0)
            return scriptFile.substring(start, extension);
        return scriptFile.substring(0, extension);
    }
    return scriptFile;
}
"""


def methods(body: str) -> list[Method]:
    """The methods of a class with this body."""
    tables = read_classes(f"class T {{ {body} }}".encode(), lambda name: None)
    return [method for table in tables for group in table.methods.values() for method in group]


def encoded(body: str) -> Encoding:
    """The encoding of the last method of a class, through its stored form."""
    return read(json.loads(json.dumps(encode(methods(body)[-1]))))


def outcome(body: str, *examples: str, filtered: bool = True) -> Outcome | None:
    """The last method of a class against examples."""
    return Check(encoded(body), read_specification(examples), Budget.of(5.0, 60.0), filtered).run()
