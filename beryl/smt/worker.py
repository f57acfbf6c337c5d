"""A process that encodes the methods of Java files: requests come in as JSON lines, records go out as JSON lines.

It is told all texts of a project first, so that a method can look up the classes that it calls.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from beryl.smt.declarations import ClassTable, Method, read_classes
from beryl.smt.encoding import encode
from beryl.smt.scope import Unsupported

_FAILURE = "encoder failure"


class Project:
    """The classes of one project, read when they are first asked for."""

    def __init__(self, files: list[tuple[int, str, str]]) -> None:
        self.texts = {file: text.encode("utf-8", "surrogatepass") for file, _, text in files}
        self.classes = {name: file for file, name, _ in reversed(files)}
        self.known: dict[str, ClassTable | None] = {}

    def find(self, name: str) -> ClassTable | None:
        """A top-level class by its simple name."""
        if name not in self.known:
            file = self.classes.get(name)
            tables = read_classes(self.texts[file], self.find) if file is not None else []
            self.known[name] = next((table for table in tables if table.name == name), None)
        return self.known[name]

    def encode_file(self, file: int) -> list[tuple[int, str, dict[str, Any] | None]]:
        """Each method of a file: the byte where it ends, why it cannot be encoded ('' where it can), its record."""
        found = [(method.node.end_byte, *_encoded(method)) for method in self.methods(file)]
        return sorted(found, key=lambda item: item[0])

    def methods(self, file: int) -> list[Method]:
        """All methods of a file that have a body."""
        tables = read_classes(self.texts[file], self.find)
        return [method for table in tables for methods in table.methods.values() for method in methods]


def _encoded(method: Method) -> tuple[str, dict[str, Any] | None]:
    try:
        return "", encode(method)
    except Unsupported as reason:
        return str(reason), None
    except Exception:  # one odd method must not cost the index; the list of reasons shows it
        return _FAILURE, None


def main() -> None:
    """Serve requests: `{"project"}` is id, class and text of its files, `{"files"}` are those to encode."""
    project: Project | None = None
    for line in sys.stdin:
        request = json.loads(line)
        if "project" in request:
            project = Project(request["project"])
            continue
        assert project is not None
        answer = [project.encode_file(file) for file in request["files"]]
        sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
