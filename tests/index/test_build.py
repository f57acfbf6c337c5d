"""Building and updating: the same index however it came about, and bad input that loses nothing."""

import errno
import json
import os
import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from beryl import registry
from beryl.errors import IndexError_, InputError, ModelError
from beryl.index import build, pool, store, worker
from beryl.index.build import build_index
from beryl.index.ledger import Reason
from beryl.index.store import BuildOptions, Index, open_index
from beryl.types import Language

PLAIN = BuildOptions(tables=(), jobs=1)


def columns(index: Index) -> dict[str, np.ndarray]:
    tables = {name: getattr(index, name) for name in ("files", "functions", "nodes", "edges", "calls", "texts")}
    files = store.files_of(index.projects, tables)
    return files[store.BASE] | files[store.SOURCES]


def assert_same(one: Index, other: Index) -> None:
    first, second = columns(one), columns(other)
    assert first.keys() == second.keys()
    for name, column in first.items():
        assert column.dtype == second[name].dtype, name
        np.testing.assert_array_equal(column, second[name], err_msg=name)
    assert one.ledger() == other.ledger()
    assert one.manifest.content == other.manifest.content


def functions(index: Index) -> set[str]:
    return set(index.functions.name)


def edit(path: Path) -> None:
    path.write_text(path.read_text() + "\nint added(int n) { return n + 1; }\n")


def add(root: Path) -> None:
    (root / "cee/src/new.c").write_text("void fresh(int *a) { swap(a, a + 1); }\n")


def rename(root: Path) -> None:
    os.rename(root / "cee/src/sort.c", root / "cee/src/zort.c")


def new_project(root: Path) -> None:
    shutil.copytree(root / "cee", root / "alpha")


def only_ledger(root: Path) -> None:
    (root / "jay/blob.c").write_bytes(b"\0\1\2")


CHANGES = {
    "nothing": lambda root: None,
    "one file edited": lambda root: edit(root / "cee/src/sort.c"),
    "a callee moved": lambda root: (root / "cee/src/swap.h").write_text("int a;\n\nvoid swap(int *x, int *y) {}"),
    "file added": add,
    "file removed": lambda root: (root / "cee/src/swap.h").unlink(),
    "file renamed": rename,
    "project removed": lambda root: shutil.rmtree(root / "cee"),
    "project added in front": new_project,
    "another file skipped": only_ledger,
    "all files of a project edited": lambda root: [edit(path) for path in (root / "cee").rglob("*.[ch]*")],
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_gives_the_same_index_as_a_fresh_build(tree, tmp_path, change):
    options = replace(PLAIN, each=True)
    build_index([tree], tmp_path / "ix", options)
    CHANGES[change](tree)
    updated = build_index([tree], tmp_path / "ix", options, update=True)
    assert_same(updated, build_index([tree], tmp_path / "fresh", options))


@pytest.mark.slow
def test_many_updates_in_a_row_give_the_same_index_as_a_fresh_build(tree, tmp_path):
    seed = random.Random(11)
    options = replace(PLAIN, each=True)
    build_index([tree], tmp_path / "ix", options)
    for step in range(6):
        for _ in range(seed.randrange(1, 4)):
            files = sorted(path for path in tree.rglob("*.*") if path.is_file())
            chosen = seed.choice(files)
            action = seed.choice(["edit", "copy", "remove", "move"])
            target = tree / seed.choice(["cee", "jay", "new"]) / f"f{step}_{seed.randrange(9)}{chosen.suffix}"
            target.parent.mkdir(exist_ok=True)
            if action == "edit":
                chosen.write_text(chosen.read_text() + f"\n// {seed.random()}\n")
            elif action == "copy" or len(files) < 3:
                shutil.copy(chosen, target)
            elif action == "remove":
                chosen.unlink()
            else:
                os.replace(chosen, target)
        updated = build_index([tree], tmp_path / "ix", options, update=True)
    assert_same(updated, build_index([tree], tmp_path / "fresh", options))


def test_an_update_reads_only_what_changed(tree, tmp_path, monkeypatch):
    build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    edit(tree / "cee/src/sort.c")
    seen = []
    analyse = pool.analyse
    monkeypatch.setattr(pool, "analyse", lambda todo, job: seen.extend(todo) or analyse(todo, job))
    build_index([tree / "cee"], tmp_path / "ix", PLAIN, update=True)
    assert [candidate.path for candidate in seen] == ["src/sort.c"]


def test_an_update_does_not_look_again_at_what_its_content_ruled_out(tree, tmp_path, monkeypatch):
    (tree / "cee/blob.c").write_bytes(b"\0")
    build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    seen = []
    monkeypatch.setattr(pool, "analyse", lambda todo, job: seen.extend(todo) or pool.Outcome())
    index = build_index([tree / "cee"], tmp_path / "ix", PLAIN, update=True)
    assert seen == []
    assert [entry.path for entry in index.ledger()] == ["blob.c"]


def test_a_damaged_spool_is_as_if_it_were_not_there(tree, tmp_path):
    work = tmp_path / "ix/work" / build.analyser()
    work.mkdir(parents=True)
    (work / "0123.safetensors").write_bytes(b"half")
    assert functions(build_index([tree / "jay"], tmp_path / "ix", PLAIN)) == {"gcd", "lcm"}


def test_an_update_without_paths_looks_where_the_build_looked(tree, tmp_path):
    options = replace(PLAIN, each=True, languages=(Language.C,), exclude=("swap.h",))
    build_index([tree], tmp_path / "ix", options)
    edit(tree / "cee/src/sort.c")
    updated = build_index([], tmp_path / "ix", PLAIN, update=True)
    assert functions(updated) == {"bubble_sort", "added"}
    assert_same(updated, build_index([tree], tmp_path / "fresh", options))


def test_an_update_where_nothing_was_built_yet_is_a_build(tree, tmp_path):
    assert functions(build_index([tree / "jay"], tmp_path / "ix", PLAIN, update=True)) == {"gcd", "lcm"}


def test_an_update_of_a_damaged_index_builds_it_again(tree, tmp_path):
    first = build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    content = first.manifest.content
    column = first.data / store.BASE
    column.write_bytes(b"x" * column.stat().st_size)
    again = build_index([tree / "jay"], tmp_path / "ix", PLAIN, update=True)
    assert again.manifest.content == content
    store.check(open_index(tmp_path / "ix"))


def test_another_analyser_means_reading_everything_again(tree, tmp_path, monkeypatch):
    build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    monkeypatch.setattr(build, "analyser", lambda: "another")
    seen = []
    analyse = pool.analyse
    monkeypatch.setattr(pool, "analyse", lambda todo, job: seen.extend(todo) or analyse(todo, job))
    build_index([tree / "cee"], tmp_path / "ix", PLAIN, update=True)
    assert len(seen) == 3


def test_nothing_is_left_beside_the_current_generation(tree, tmp_path):
    index = build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    edit(tree / "cee/src/sort.c")
    newer = build_index([tree / "cee"], tmp_path / "ix", PLAIN, update=True)
    assert {path.name for path in (tmp_path / "ix").iterdir()} == {"manifest.json", "lock", newer.manifest.generation}
    assert index.manifest.generation != newer.manifest.generation


def test_an_interrupted_build_goes_on_where_it_stopped(tree, tmp_path, monkeypatch):
    assemble = build.assemble

    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "assemble", interrupt)
    with pytest.raises(KeyboardInterrupt):
        build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    with pytest.raises(IndexError_, match="never finished"):
        open_index(tmp_path / "ix")
    monkeypatch.setattr(build, "assemble", assemble)
    seen = []
    monkeypatch.setattr(pool, "analyse", lambda todo, job: seen.extend(todo) or pool.Outcome())
    resumed = build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    assert seen == []
    monkeypatch.undo()
    assert_same(resumed, build_index([tree / "cee"], tmp_path / "fresh", PLAIN))


def test_every_skipped_file_has_its_reason(tree, tmp_path):
    root = tree / "cee"
    (root / "tool.c").write_bytes(b"\x7fELF\0")
    (root / "parser.c").write_text("/* A Bison parser, made by GNU Bison 3.8 */\n")
    (root / "broken.c").write_text("int g(void) { return 2; }\nint f( { return 1; }\n")
    (root / ".gitignore").write_text("old/\n")
    (root / "old").mkdir()
    index = build_index([root], tmp_path / "ix", PLAIN)
    assert {(entry.path, entry.reason) for entry in index.ledger()} == {
        ("tool.c", Reason.BINARY),
        ("parser.c", Reason.GENERATED),
        ("broken.c", Reason.DAMAGED),
        ("old/", Reason.IGNORED),
    }
    assert "g" in functions(index)


def test_a_file_that_vanishes_or_cannot_be_read_costs_only_itself(tree, tmp_path, monkeypatch):
    """The folder was listed with both; then one is gone and the other cannot be opened."""
    scan = build.scan

    def then_lose(*args):
        found = scan(*args)
        (tree / "cee/src/sort.c").unlink()
        (tree / "cee/src/swap.h").unlink()
        (tree / "cee/src/swap.h").mkdir()  # opening a folder fails for root as well
        return found

    monkeypatch.setattr(build, "scan", then_lose)
    index = build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    assert {(entry.path, entry.reason) for entry in index.ledger()} == {
        ("src/sort.c", Reason.VANISHED),
        ("src/swap.h", Reason.UNREADABLE),
    }
    assert functions(index) == {"push", "pop"}


@pytest.mark.parametrize("name", ["empty", "prose"])
def test_a_tree_without_source_is_refused_and_leaves_nothing(tmp_path, name):
    (tmp_path / "prose").mkdir()
    (tmp_path / "prose/readme.md").write_text("words")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="there is no C, C\\+\\+ or Java source to index in .*" + name):
        build_index([tmp_path / name], tmp_path / "ix", PLAIN)
    assert not (tmp_path / "ix").exists()


def test_a_tree_of_nothing_but_binaries_says_so_and_keeps_the_old_index(tree, tmp_path):
    build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/a.c").write_bytes(b"\0")
    with pytest.raises(InputError, match=r"\(1 binary\)"):
        build_index([tmp_path / "bin"], tmp_path / "ix", PLAIN)
    assert functions(open_index(tmp_path / "ix")) == {"gcd", "lcm"}
    with pytest.raises(InputError):
        build_index([tmp_path / "bin"], tmp_path / "new", PLAIN)
    assert not (tmp_path / "new").exists()


def test_an_index_path_that_is_a_file_is_refused_and_kept(tree, tmp_path):
    (tmp_path / "ix").write_text("precious")
    with pytest.raises(IndexError_, match="is a file; name a directory"):
        build_index([tree], tmp_path / "ix", PLAIN)
    assert (tmp_path / "ix").read_text() == "precious"


def test_a_newer_index_is_not_updated_over(tree, tmp_path):
    index = build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    manifest = index.directory / store.MANIFEST
    manifest.write_text(manifest.read_text().replace('"version": 1', '"version": 99'))
    before = manifest.read_text()
    with pytest.raises(IndexError_, match="has format 99"):
        build_index([tree / "jay"], tmp_path / "ix", PLAIN, update=True)
    assert manifest.read_text() == before


@pytest.mark.parametrize("after", [0, 1, 2, 4])
def test_a_full_disk_leaves_the_old_index(tree, tmp_path, monkeypatch, after):
    build_index([tree / "cee"], tmp_path / "ix", PLAIN)
    edit(tree / "cee/src/sort.c")
    left = [after]

    def full(descriptor):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(IndexError_, match="the disk is full; what was there before is untouched"):
        build_index([tree / "cee"], tmp_path / "ix", PLAIN, update=True)
    monkeypatch.undo()
    index = open_index(tmp_path / "ix")
    store.check(index)
    assert "added" not in functions(index)
    assert not list((tmp_path / "ix").glob("draft-*"))
    assert "added" in functions(build_index([tree / "cee"], tmp_path / "ix", PLAIN, update=True))


@pytest.fixture
def tiny_disk(tmp_path):
    """A disk of 64 KiB; only root can mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a small disk is not allowed here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_disk_that_is_really_full_leaves_the_old_index(tree, tiny_disk):
    build_index([tree / "jay"], tiny_disk / "ix", PLAIN)
    source = "".join(f"int f{i}(int a) {{ return a * {i} + g{i * 7919}(a); }}\n" for i in range(600))
    (tree / "jay/many.c").write_text(source)
    with pytest.raises(IndexError_, match="the disk is full"):
        build_index([tree / "jay"], tiny_disk / "ix", PLAIN, update=True)
    index = open_index(tiny_disk / "ix")
    store.check(index)
    assert functions(index) == {"gcd", "lcm"}


def test_a_folder_that_is_somebody_elses_keeps_its_files(tree, tmp_path):
    (tmp_path / "ix").mkdir()
    (tmp_path / "ix/thesis.tex").write_text("precious")
    build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    assert (tmp_path / "ix/thesis.tex").read_text() == "precious"


def count_table(index, previous, directory, options, progress):
    """A derived table for the tests: the number of nodes, and what it was given."""
    np.save(directory / "count.npy", np.array([len(index.nodes.kind)]))
    info = {"encoder": options.encoder, "had": previous is not None}
    (directory / store.TABLE_INFO).write_text(json.dumps(info))


def test_a_derived_table_is_built_checked_and_described(tree, tmp_path, monkeypatch):
    monkeypatch.setitem(registry.DERIVED_TABLES, "count", f"{__name__}:count_table")
    options = replace(PLAIN, tables=("count",))
    build_index([tree / "jay"], tmp_path / "ix", options)
    index = build_index([tree / "jay"], tmp_path / "ix", options, update=True)
    assert index.manifest.tables == {"count": {"encoder": "static", "had": True}}
    directory = index.table_directory("count")
    assert np.load(directory / "count.npy")[0] == len(index.nodes.kind)
    (directory / "count.npy").write_bytes(b"x" * (directory / "count.npy").stat().st_size)
    with pytest.raises(IndexError_, match=r"count/count\.npy does not match its checksum"):
        open_index(tmp_path / "ix").table_directory("count")


def failing_table(index, previous, directory, options, progress):
    raise ModelError("no model for this table")


def test_a_table_that_fails_keeps_what_was_analysed_and_the_old_index(tree, tmp_path, monkeypatch):
    monkeypatch.setitem(registry.DERIVED_TABLES, "failing", f"{__name__}:failing_table")
    build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    edit(tree / "jay/maths/Gcd.java")
    with pytest.raises(ModelError):
        build_index([tree / "jay"], tmp_path / "ix", replace(PLAIN, tables=("failing",)))
    assert list((tmp_path / "ix/work").rglob("*.safetensors"))
    assert functions(open_index(tmp_path / "ix")) == {"gcd", "lcm"}


def test_an_unknown_table_is_refused_before_anything_is_read(tree, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "analyse", None)
    with pytest.raises(InputError, match="unknown table 'nonsense'"):
        build_index([tree / "jay"], tmp_path / "ix", replace(PLAIN, tables=("nonsense",)))


def test_a_failed_build_over_a_damaged_manifest_removes_nothing(tree, tmp_path, monkeypatch):
    index = build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    (index.directory / store.MANIFEST).write_text("{")
    monkeypatch.setitem(registry.DERIVED_TABLES, "failing", f"{__name__}:failing_table")
    with pytest.raises(ModelError):
        build_index([tree / "jay"], tmp_path / "ix", replace(PLAIN, tables=("failing",)))
    assert (index.data / store.BASE).is_file()


def test_another_model_keeps_the_base_columns(tree, tmp_path, monkeypatch):
    index = build_index([tree / "jay"], tmp_path / "ix", PLAIN)
    before = (index.data / store.BASE).stat().st_ino
    monkeypatch.setattr(build, "assemble", None)  # nothing is put together again
    other = build_index([tree / "jay"], tmp_path / "ix", replace(PLAIN, model="none"), update=True)
    assert (other.data / store.BASE).stat().st_ino == before
    assert other.manifest.model == "none"
    assert other.manifest.generation != index.manifest.generation


def test_a_worker_reads_one_file(tree):
    found = worker.read(str(tree / "jay/maths/Gcd.java"), Language.JAVA)
    assert isinstance(found, worker.bundle.Analysed)
    assert [row.name for row in found.unit.functions] == ["gcd", "lcm"]
