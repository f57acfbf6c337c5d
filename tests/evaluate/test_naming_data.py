"""Functions found by their braces, and the ids of their tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beryl.encode import naming
from beryl.evaluate import naming_data
from beryl.features import network

TEXT = """
struct point { int x, y; };
/* Halves the range until the key is found. */
static int binary_search(const int *keys, int count, int key)
{
    int low = 0, high = count; // half open
    while (low < high) { int middle = (low + high) / 2; if (keys[middle] < key) low = middle + 1; else high = middle; }
    return low;
}
static const char *table[] = { "(", "{", "binary_search(keys) {" };
class Box { int size() const { return this->count_of_all_things_held_in_the_box_and_around_it; } };
"""


def test_functions_are_found_by_their_braces_with_comments_and_header() -> None:
    found = list(naming_data.functions(TEXT))
    assert [facts.name for facts in found] == ["binary_search", "size"]
    search = found[0]
    assert search.comments == ("/* Halves the range until the key is found. */", "// half open")
    assert search.header[:5] == ("(", "const", "int", "*", "name")
    assert {"low", "middle", "keys"} <= search.identifiers
    assert search.tokens[:3] == ("{", "int", "name")


def projects(folder: Path) -> list[Path]:
    """Three projects with the same functions under names of the project's own spelling."""
    words = [
        "open",
        "close",
        "read",
        "write",
        "find",
        "sort",
        "merge",
        "split",
        "count",
        "search",
        "insert",
        "remove",
        "copy",
        "move",
        "print",
        "parse",
        "load",
        "save",
    ]
    made = []
    for project in ("one", "two", "three"):
        lines = []
        for n, word in enumerate(words * 4):
            kept = f"{project}_{word}_a"
            body = f"int c = {kept} * {n} + b; c += {n}; while (c > {n}) c = c / 2 - b; return c - {n};"
            lines.append(f"int {project}_{word}_item(int {kept}, int b) {{ {body} }}\n")
        (folder / project).mkdir()
        (folder / project / "code.c").write_text("".join(lines), encoding="utf-8")
        made.append(folder / project)
    return made


def test_a_network_trained_for_a_second_has_the_form_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming_data, "_SAMPLED", 1.0)
    monkeypatch.setattr(naming, "_COMMON", 0.5)
    found = naming_data.examples(projects(tmp_path), 1_000, lambda *_: None)
    usable = naming_data.unlike(found, [], frozenset({"oneopenitem"}))
    assert int((~usable).sum()) == found.names.count("one_open_item") > 0
    sizes = {group: len(tokens) for group, tokens in found.vocabulary.items()}
    data = naming.Data(found.offsets, found.ids, sizes, found.projects, usable)
    packed = naming.packed(naming.train(data, 1.0, lambda _: None), found.vocabulary)
    tokens = packed.pop("vocabulary").tobytes().decode().split("\n")
    ready = network.Network({token: row for row, token in enumerate(tokens)}, **packed)  # type: ignore[arg-type]
    assert len(tokens) == len(packed["body"]) + len(packed["name"])
    vector = ready.of_body([ready.group(np.array(ready.known(["i:sort"]), dtype=np.int64))])
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)
