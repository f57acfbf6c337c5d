"""Options that several commands share, and what they mean: which index, which filters, a progress bar."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from beryl import paths
from beryl.errors import InputError
from beryl.types import Filters, Language, Progress, SearchResult, silent

if TYPE_CHECKING:
    from beryl.engine import Engine

INDEX_NAME = ".beryl"
CACHE_WAIT = 600.0
"""Seconds that a search with --source waits for another one that is indexing the same tree."""
SOURCE_LANGUAGES = (Language.C, Language.CPP, Language.JAVA)


def positive(text: str) -> int:
    """An argparse type: a whole number of at least 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def add_index(parser: argparse.ArgumentParser) -> None:
    """`--index` and `--source`: where to search."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--index", metavar="DIR", help=f"index to search (default: the nearest {INDEX_NAME} upwards)")
    group.add_argument("--source", metavar="PATH", help="source tree to index on the fly, into a cache")


def add_filters(parser: argparse.ArgumentParser) -> None:
    """`-k`, `--language`, `--project`, `--path`: how many results, of which code."""
    parser.add_argument("-k", type=positive, default=10, metavar="N", help="how many results (default: 10)")
    parser.add_argument("--language", metavar="L", help="only c, cpp or java; several separated by commas")
    parser.add_argument("--project", metavar="P", help="only this project; several separated by commas")
    parser.add_argument("--path", metavar="GLOB", default="", help="only files whose path in the project matches")


def add_output(parser: argparse.ArgumentParser) -> None:
    """`--json`, `--jsonl`, `--explain`, `--context`: how to show results."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", dest="format", action="store_const", const="json", help="one JSON document")
    group.add_argument("--jsonl", dest="format", action="store_const", const="jsonl", help="one JSON object per query")
    parser.set_defaults(format="text")
    parser.add_argument("--explain", action="store_true", help="say in words why each result ranks where it does")
    parser.add_argument("--context", type=int, default=0, metavar="N", help="lines of code around each fragment")


def languages(text: str | None) -> tuple[Language, ...]:
    """The languages of a comma-separated list."""
    names = [name.strip().lower() for name in (text or "").split(",") if name.strip()]
    known = {language.value: language for language in SOURCE_LANGUAGES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"unknown language {unknown[0]!r}; known: {', '.join(known)}")
    return tuple(known[name] for name in names)


def filters(args: argparse.Namespace) -> Filters:
    """The filters that the options ask for."""
    projects = tuple(name.strip() for name in (args.project or "").split(",") if name.strip())
    return Filters(languages(args.language), projects, args.path)


def nearest_index(start: Path) -> Path:
    """The nearest index directory upwards, as git finds its own."""
    for folder in (start, *start.parents):
        if (folder / INDEX_NAME).is_dir():
            return folder / INDEX_NAME
    raise InputError(
        f"no {INDEX_NAME} index in {start} or above; build one with `beryl index PATH`, "
        "name one with --index DIR, or search a tree at once with --source PATH"
    )


def open_engine(args: argparse.Namespace) -> Engine:
    """The engine over the index that the options name."""
    from beryl import engine

    if args.source:
        return engine.open(cached_index(Path(args.source)))
    return engine.open(Path(args.index) if args.index else nearest_index(Path.cwd()))


def cached_index(source: Path) -> Path:
    """The index of a source tree in the user's cache, made or brought up to date."""
    from beryl import engine
    from beryl.index.store import BuildOptions

    if not source.is_dir():
        raise InputError(f"--source {source} is not a folder")
    resolved = source.resolve()
    directory = paths.cache() / f"{resolved.name}-{hashlib.sha256(str(resolved).encode()).hexdigest()[:12]}"
    with progress() as report:
        engine.build([resolved], directory, BuildOptions(wait=CACHE_WAIT), update=True, progress=report)
    return directory


@contextmanager
def progress() -> Iterator[Progress]:
    """A bar with rate and time left on standard error; silent when piped."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total, rate="")
            speed = bar.tasks[tasks[what]].speed
            bar.update(tasks[what], completed=done, total=total, rate=f"{speed:,.0f}/s" if speed else "")

        yield report


def with_context(engine: Engine, results: list[SearchResult], args: argparse.Namespace) -> list[SearchResult]:
    """The results with the lines around each fragment that `--context` asks for; text only, JSON has line numbers."""
    if args.context <= 0 or args.format != "text":
        return results
    from beryl.search.context import widened

    return [widened(engine.index, result, args.context) for result in results]


def split_name(name: str) -> tuple[str, str, int]:
    """File, function and line of `FILE[:FUNCTION|:LINE]`; a file whose own name has a colon is taken as it is."""
    if Path(name).is_file():
        return name, "", 0
    file, colon, rest = name.partition(":")
    if len(file) == 1 and rest[:1] in ("/", "\\"):  # a drive letter
        head, colon, rest = rest.partition(":")
        file = f"{file}:{head}"
    if not colon or not rest:
        return file, "", 0
    return (file, "", int(rest)) if rest.isdigit() else (file, rest, 0)
