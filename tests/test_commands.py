"""Every command explains itself; the bare command is quick; errors are one sentence and broken pipes none."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import beryl
from beryl.cli.main import COMMANDS, command_parser, main

ROOT = Path(__file__).resolve().parent.parent
BERYL = (sys.executable, "-m", "beryl")
# Seconds of processor time: what a person notices when asking for help.
QUICK = 0.3


def options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]


def processor_seconds(*words: str) -> float:
    """User and system time of one run of the command."""
    process = subprocess.Popen([*BERYL, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_utime + usage.ru_stime


def into_a_closed_pipe(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a standard output that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run([*BERYL, *words], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writer)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert f"usage: beryl {name}" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_described(name):
    parser = command_parser(name)
    assert parser.description
    undescribed = [action.dest for action in options(parser) if not (action.help or "").strip()]
    assert undescribed == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_readme_shows_every_command(name):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"\bberyl {re.escape(name)}(?![\w-])", readme), f"README.md has no line with `beryl {name}`"


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    listed = re.findall(r"^  ([a-z-]+) +\w", capsys.readouterr().out, flags=re.MULTILINE)
    assert set(COMMANDS) <= set(listed)


def test_help_is_quick():
    assert min(processor_seconds("--help") for _ in range(3)) < QUICK


def test_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"beryl {beryl.__version__}\n"


def test_no_command_is_an_error(capsys):
    assert main([]) == 2
    assert "commands:" in capsys.readouterr().out


def test_an_unknown_command_is_an_error(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["frobnicate"])
    assert stopped.value.code == 2
    assert "frobnicate" in capsys.readouterr().err


def test_an_error_is_one_line_without_a_traceback():
    command = [*BERYL, "query", "no-such-file.txt"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "beryl: there is no file no-such-file.txt\n"


@pytest.mark.parametrize("words", [("--help",), ("query", "--help"), ("convert", "data/queries/gcd.txt")], ids=" ".join)
def test_a_reader_that_went_away_is_no_error(words, monkeypatch):
    monkeypatch.chdir(ROOT)
    done = into_a_closed_pipe(*words)
    assert done.stderr == ""
    assert done.returncode == 0
