"""Killed at any moment, an index opens as the old one or the new one."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from beryl.errors import IndexError_
from beryl.index import store
from beryl.index.build import build_index
from beryl.index.store import BuildOptions, open_index

PLAIN = BuildOptions(tables=(), jobs=1)

# Ends itself without any clean-up just before the n-th system call that changes the disk.
DIE_AT = """
import os, shutil, sys
from pathlib import Path
from beryl.index import pool
from beryl.index.build import build_index
from beryl.index.store import BuildOptions
root, out, update = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "update"
sys.path.insert(0, sys.argv[4])
from conftest import analyse_here
pool.analyse = analyse_here

def dying(call, left):
    def instead(*args, **options):
        left[0] -= 1
        if left[0] < 0:
            os._exit(9)
        return call(*args, **options)
    return instead

for n in range(200):
    child = os.fork()
    if not child:
        left = [n]
        for name in ("fsync", "rename", "replace", "mkdir", "unlink", "rmdir", "link"):
            setattr(os, name, dying(getattr(os, name), left))
        build_index([root], out, BuildOptions(tables=(), jobs=1), update)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(n, status, flush=True)
    sys.stdin.readline()
"""


def functions_at(out: Path) -> set[str] | None:
    """The functions of the index there, every byte compared with its checksum; None where there is none."""
    if not store.exists(out):
        with pytest.raises(IndexError_):
            open_index(out)
        return None
    index = open_index(out)
    store.check(index)
    return set(index.functions.name)


def kill_everywhere(tree: Path, out: Path, mode: str, allowed: list[set[str] | None]) -> int:
    """Kill a build before each of its changes to the disk in turn; how many there were."""
    command = [sys.executable, "-c", DIE_AT, str(tree), str(out), mode, str(Path(__file__).parent)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            number, status = map(int, line.split())
            assert functions_at(out) in allowed, f"killed before change {number}"
            if status == 0:
                process.kill()
                return number
            process.stdin.write("\n")
            process.stdin.flush()
    raise AssertionError("the build never came to its end")


@pytest.mark.slow
def test_killed_before_any_change_to_the_disk_an_update_leaves_the_old_or_the_new_index(tree, tmp_path):
    out = tmp_path / "ix"
    old = set(build_index([tree / "cee"], out, PLAIN).functions.name)
    (tree / "cee/src/sort.c").write_text("int one(void) { return 1; }\n")
    new = old - {"bubble_sort"} | {"one"}
    assert kill_everywhere(tree / "cee", out, "update", [old, new]) > 10
    assert functions_at(out) == new


@pytest.mark.slow
def test_killed_before_any_change_to_the_disk_a_first_build_leaves_nothing_or_all(tree, tmp_path):
    whole = {"bubble_sort", "swap", "push", "pop"}
    assert kill_everywhere(tree / "cee", tmp_path / "ix", "build", [None, whole]) > 10
    assert functions_at(tmp_path / "ix") == whole


@pytest.mark.slow
def test_killed_at_random_moments_the_command_leaves_the_old_or_the_new_index(tree, tmp_path):
    out, seed = tmp_path / "ix", random.Random(3)
    command = [sys.executable, "-m", "beryl", "index", str(tree / "cee"), "--out", str(out), "--update", "--tables", ""]
    begin = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    whole = time.monotonic() - begin
    generations = [functions_at(out)]
    for step in range(5):
        (tree / "cee/src/sort.c").write_text(f"int step{step}(void) {{ return {step}; }}\n")
        generations.append({"swap", "push", "pop", f"step{step}"})
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole * seed.uniform(0.3, 1.1))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert functions_at(out) in generations
    subprocess.run(command, check=True, capture_output=True)
    assert functions_at(out) == generations[-1]
    assert len(list(out.iterdir())) == 3


def test_ctrl_c_ends_the_command_and_its_workers_and_the_next_run_goes_on(tree, tmp_path):
    for number in range(30):
        (tree / f"cee/f{number}.c").write_text("int x(int a) { return a; }\n" * 3000)
    command = [
        sys.executable,
        "-m",
        "beryl",
        "index",
        str(tree / "cee"),
        "--out",
        str(tmp_path / "ix"),
        "--tables",
        "",
        "--jobs",
        "1",
    ]
    # a background job inherits an ignored SIGINT; a person at a terminal does not
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    deadline = time.monotonic() + 60
    while not list((tmp_path / "ix").glob("work/*/*.safetensors")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip() == "beryl: interrupted; the same command goes on from here"
    assert list((tmp_path / "ix").glob("work/*/*.safetensors"))
    subprocess.run(command, check=True, capture_output=True)
    assert "x" in functions_at(tmp_path / "ix")
    assert not (tmp_path / "ix/work").exists()
