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
    from beryl.lang.pseudo import files

    path = "" if args.file == "-" else args.file
    text = files.load(Path(path)) if path else files.decode(sys.stdin.buffer.read(), "standard input")
    from beryl.lang.pseudo import frontend  # after the checks above: it loads the parser

    sys.stdout.write(frontend.convert(text, path))
    return 0
