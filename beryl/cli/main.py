"""The `beryl` command: a table of commands, each in a file of its own, imported only when it is run."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from beryl import __version__
from beryl.errors import BerylError

# name -> what it is for; the module is beryl.cli.<name with _>, with `add_arguments(parser)` and `run(args) -> int`.
COMMANDS = {
    "query": "find implementations of pseudocode",
    "similar": "find functions similar to a function",
    "io": "find methods by input/output examples",
    "find": "find functions by words",
    "index": "build or update an index of source trees",
    "status": "what an index holds, and what was skipped",
    "convert": "turn pseudocode into p-code",
    "icfg": "show the control-flow graph of pseudocode or source",
    "train-gae": "train the graph autoencoder on a corpus",
    "train-weights": "train the feature weights of `beryl similar`",
    "eval": "run a benchmark and print its table",
}

# A search multiplies many small matrices. OpenBLAS's threads then wait for each other longer than they work: one query
# against a million nodes took 2.2 s of processor time with two threads and 1.3 s with one.
_ONE_THREAD = ("query", "eval")

EXIT_FOUND, EXIT_NOTHING, EXIT_ERROR = 0, 1, 2


def top_parser() -> argparse.ArgumentParser:
    """The parser of the bare command; it knows names and one-line helps only."""
    listing = "\n".join(f"  {name:<14} {text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="beryl",
        usage="beryl COMMAND [OPTIONS]",
        description="Find implementations of algorithms in C, C++ and Java code.",
        epilog=f"commands:\n{listing}\n\n`beryl COMMAND --help` tells more of one command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"beryl {__version__}")
    parser.add_argument("command", nargs="?", choices=[*COMMANDS], metavar="COMMAND", help="what to do")
    return parser


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    module = importlib.import_module(f"beryl.cli.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser(prog=f"beryl {name}", description=(module.__doc__ or "").strip())
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    return parser


def parsed(name: str, words: Sequence[str]) -> argparse.Namespace:
    """The options of a command; its module may have `arguments(words)` to make the words ready for argparse."""
    module = importlib.import_module(f"beryl.cli.{name.replace('-', '_')}")
    ready = getattr(module, "arguments", list)(words)
    return command_parser(name).parse_intermixed_args(ready)


def command(words: Sequence[str]) -> int:
    """Run the command that the words name; its exit code."""
    if not words or words[0] not in COMMANDS:
        top_parser().parse_args(words)
        top_parser().print_help()
        return EXIT_ERROR
    if words[0] in _ONE_THREAD:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is imported, later
    args = parsed(words[0], words[1:])
    return int(args.run(args))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; exit 0 found, 1 nothing found, 2 error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            return command(words)
        finally:
            sys.stdout.flush()  # here, where a reader that has gone away is no error
    except BerylError as error:
        print(f"beryl: {error}", file=sys.stderr)
        return EXIT_ERROR
    except KeyboardInterrupt:
        print("beryl: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FOUND


if __name__ == "__main__":
    sys.exit(main())
