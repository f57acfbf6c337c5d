"""Build or update an index of source trees. A PATH is a project, named by its folder; with --each every sub-folder of
it is one. Files that .gitignore or .berylignore name, binaries, generated and very large files are left out;
`beryl status` says which and why. An interrupted build goes on where it stopped when the command is given again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from beryl import registry
from beryl.cli import options
from beryl.errors import InputError

if TYPE_CHECKING:
    from beryl.index.store import BuildOptions, Index

EXIT_INTERRUPTED = 130
# What `--with NAME` adds to the default tables.
_EXTRA_TABLES = {"io": "paths"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl index`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="folder of a project; with --update: as built before")
    parser.add_argument("--out", default=options.INDEX_NAME, metavar="DIR", help="index directory (default: .beryl)")
    parser.add_argument("--each", action="store_true", help="every sub-folder of a PATH is a project")
    parser.add_argument("--language", metavar="L", help="only c, cpp or java; several separated by commas")
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="index only matching files")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="leave matching files out")
    parser.add_argument("--encoder", metavar="NAME", help="text encoder of the vectors")
    parser.add_argument("--model", metavar="NAME", help="graph autoencoder: java, c, mixed, a folder, or none")
    parser.add_argument("--jobs", type=options.positive, default=0, metavar="N", help="processes (default: all cores)")
    parser.add_argument("--update", action="store_true", help="read only what changed; the result is the same")
    parser.add_argument("--with", dest="extra", action="append", default=[], choices=[*_EXTRA_TABLES],
                        help="add what `beryl io` needs")  # fmt: skip
    parser.add_argument("--tables", metavar="LIST", help="derived tables to build, separated by commas; '' for none")
    parser.add_argument("--wait", type=float, default=0.0, metavar="SECONDS", help="wait for another writer")


def run(args: argparse.Namespace) -> int:
    """Build the index and say what is in it."""
    from beryl import engine

    try:
        with options.progress() as report:
            built = engine.build(args.paths, args.out, build_options(args), args.update, report)
    except KeyboardInterrupt:
        print("beryl: interrupted; the same command goes on from here", file=sys.stderr)
        return EXIT_INTERRUPTED
    print(summary(args.out, built.index))
    return 0


def summary(out: str, index: Index) -> str:
    """What is in the index and what was left out, in two lines at most."""
    from beryl.index import ledger

    names = ("projects", "files", "lines", "functions", "nodes")
    counts = [(name, index.manifest.counts[name]) for name in names]
    text = f"{out}: " + ", ".join(f"{count:,} {name if count != 1 else name[:-1]}" for name, count in counts)
    left_out = ledger.counts(index.ledger())
    if left_out:
        text += "\nledger: " + ", ".join(f"{count:,} {reason}" for reason, count in left_out.items())
        text += f" (`beryl status {out} --files` lists them)"
    return text


def build_options(args: argparse.Namespace) -> BuildOptions:
    """The options as the engine takes them; an update keeps what it is not told to change."""
    from beryl.index.store import BuildOptions, exists, read_manifest

    plain = BuildOptions()
    encoder, model, tables = plain.encoder, plain.model, plain.tables
    if args.update and exists(Path(args.out)):
        known = read_manifest(Path(args.out))
        encoder, model, tables = known.encoder, known.model, tuple(known.tables)
    if args.tables is not None:
        tables = tuple(name.strip() for name in args.tables.split(",") if name.strip())
    return BuildOptions(
        encoder=args.encoder or encoder,
        model=args.model or model,
        jobs=args.jobs,
        tables=ordered((*tables, *(_EXTRA_TABLES[name] for name in args.extra))),
        each=args.each,
        languages=options.languages(args.language),
        include=tuple(args.include),
        exclude=tuple(args.exclude),
        wait=args.wait,
    )


def ordered(names: Sequence[str]) -> tuple[str, ...]:
    """Derived tables in the order in which they are built."""
    unknown = [name for name in names if name not in registry.DERIVED_TABLES]
    if unknown:
        raise InputError(f"unknown table {unknown[0]!r}; known: {', '.join(registry.DERIVED_TABLES)}")
    return tuple(name for name in registry.DERIVED_TABLES if name in names)
