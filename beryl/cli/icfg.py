"""Show the control-flow graph of pseudocode, p-code, or a C, C++ or Java file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from beryl.cli import options
from beryl.errors import InputError

if TYPE_CHECKING:
    from beryl.types import Icfg

FORMATS = ("text", "json", "dot", "svg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE[:FUNCTION] and --format."""
    parser.add_argument(
        "file",
        metavar="FILE[:FUNCTION]",
        help="pseudocode, p-code or a source file, of which one function may be named; - reads standard input",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to show it (default: text)")


def run(args: argparse.Namespace) -> int:
    """Print the graph; 1 where there is none."""
    from beryl.icfg.show import FORMATS as writers

    graph = _graph(args.file)
    if not graph.nodes:
        print(f"{args.file}: there is no function with a body in it", file=sys.stderr)
        return 1
    sys.stdout.write(writers[args.format](graph))
    return 0


def _graph(name: str) -> Icfg:
    """The graph of a file, by what its name says that it is."""
    from beryl.lang.pseudo import files

    file, function, line = options.split_name(name)
    if Path(file).suffix.lower() in files.SOURCE_SUFFIXES:
        if line:
            raise InputError(f"{name}: name a function after the colon, not a line")
        return _source_graph(Path(file), function)
    if function or line:
        raise InputError(f"{name}: a function can be named in source files; {file} is pseudocode")
    text = files.decode(sys.stdin.buffer.read(), "standard input") if file == "-" else files.load(Path(file))
    from beryl.lang.pseudo import frontend  # after the checks above: it loads the parser

    return frontend.read(text, "" if file == "-" else file).icfg


def _source_graph(path: Path, function: str) -> Icfg:
    """The graph of a C, C++ or Java file."""
    from beryl.lang.treesitter import icfg_of_source, language_of
    from beryl.types import Language, Source

    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    language = language_of(str(path), raw) or Language.C
    return icfg_of_source(Source(raw.decode("utf-8", errors="replace"), language, str(path)), function)
