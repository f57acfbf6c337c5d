#!/usr/bin/env python3
"""Bring the benchmark's corpora from this machine's Debian mirror into data/corpora."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from beryl import paths
from beryl.errors import BerylError
from beryl.evaluate import corpus


def main() -> int:
    """Fetch, one line per package on stderr; 0 all there, 1 some missing, 2 cannot be done."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("selection", nargs="?", default="all", choices=tuple(corpus.SELECTIONS))
    parser.add_argument("--core", action="store_true", help="only the core packages, about 600,000 lines in all")
    parser.add_argument("--out", type=Path, default=paths.data("corpora"), help="default: data/corpora")
    parser.add_argument("--package", nargs="+", default=[], metavar="NAME", help="only these packages")
    parser.add_argument("--list", action="store_true", help="say what there is and what is already here, then stop")
    options = parser.parse_args()
    try:
        packages = corpus.select(options.selection, paths.data("benchmark"), options.package, options.core)
        return show(packages, options.out) if options.list else bring(packages, options.out)
    except BerylError as error:
        print(f"fetch_corpus: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, `head` say, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def show(packages: tuple[corpus.SourcePackage, ...], out: Path) -> int:
    """Print the packages of a selection."""
    for package in packages:
        size = corpus.completed(out, package)
        state = f"{size.files} files, {size.lines} lines" if size else "not fetched"
        core = "core" if package.core else "-"
        print(package.corpus.name, package.name, package.version, core, state, sep="\t")
    return 0


def bring(packages: tuple[corpus.SourcePackage, ...], out: Path) -> int:
    """Fetch the packages and say what is missing."""
    missing, lines = [], 0
    for number, outcome in enumerate(corpus.fetch(packages, out, progress), start=1):
        name = f"{outcome.package.corpus.name}/{outcome.package.name}"
        if outcome.size is None:
            missing.append(name)
            state = f"MISSING: {outcome.reason}"
        else:
            lines += outcome.size.lines
            here = "" if outcome.fresh else " (already here)"
            state = f"{outcome.size.files} files, {outcome.size.lines} lines{here}"
        progress("")
        print(f"[{number}/{len(packages)}] {name}: {state}", file=sys.stderr)
    print(f"{len(packages) - len(missing)} of {len(packages)} packages, {lines} lines, in {out}")
    if missing:
        print("missing: " + ", ".join(missing))
    return 1 if missing else 0


def progress(step: str) -> None:
    """Overwrite the progress line of a terminal; say nothing anywhere else."""
    if sys.stderr.isatty():
        print(f"\r\033[K{step}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
