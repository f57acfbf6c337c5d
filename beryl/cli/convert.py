"""Turn pseudocode into p-code, on standard output; p-code is left as it is. FILE may be - for standard input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE."""
    parser.add_argument("file", metavar="FILE", help="pseudocode in any of the usual styles, or - for standard input")


def run(args: argparse.Namespace) -> int:
    """Print the p-code."""
    from beryl.lang.pseudo import frontend

    path = "" if args.file == "-" else args.file
    text = frontend.decode(sys.stdin.buffer.read(), "standard input") if not path else frontend.load(Path(path))
    sys.stdout.write(frontend.convert(text, path))
    return 0
