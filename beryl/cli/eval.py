"""Run a benchmark and print its table: F-rank per query, MRR, Success and MAP with intervals, and the baselines beside
every ranking. BENCH is demo (needs no download), debian-java, debian-c, mixed, elsewhere (the paper's Experiment 3:
projects without a known answer) or held-out (algorithms that no ranking was trained or chosen with); `find` and
`similar` are the companion sets of these commands, `spoc` asks for contest programs in words; and `beryl eval compare A
B` tests whether two outputs of --out differ."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from beryl import paths
from beryl.cli import options
from beryl.errors import InputError

if TYPE_CHECKING:
    from beryl.engine import Engine
    from beryl.evaluate.benchmark import Bench, Setting

COMPARE = "compare"
COMPANIONS = {"find": "beryl.evaluate.known_items", "similar": "beryl.evaluate.similar", "spoc": "beryl.evaluate.spoc"}
DEFAULT_RANKINGS = "fused,paper"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl eval`."""
    parser.add_argument("bench", metavar="BENCH", help="demo, debian-java, debian-c, mixed, ...; or compare")
    parser.add_argument("outputs", nargs="*", metavar="DIR", help="compare: two folders that --out wrote")
    parser.add_argument("--index", metavar="DIR", help="index of the corpus (default: data/indexes/BENCH)")
    parser.add_argument("--ranking", default=DEFAULT_RANKINGS, metavar="NAMES",
                        help=f"separated by commas (default: {DEFAULT_RANKINGS}); baselines always run")  # fmt: skip
    parser.add_argument("--features", default="full", metavar="NAMES",
                        help="ablations of --ranking paper: cb, cb+g, full, separated by commas")  # fmt: skip
    parser.add_argument("--encoder", metavar="NAME", help="use the index of this encoder: data/indexes/BENCH-NAME")
    parser.add_argument("--setting", choices=("one-project", "multi-project"), default="multi-project",
                        help="search each labelled project by itself, or all at once (default)")  # fmt: skip
    parser.add_argument("--no-names", action="store_true", help="use no header, comment or name of query and code")
    parser.add_argument("--core", action="store_true", help="the core subset of the corpus, for daily use")
    parser.add_argument("--unseen", action="store_true", help="only projects that the graph model was not trained on")
    parser.add_argument("--form", choices=("text", "pcode"), default="text", help="queries as plain text or p-code")
    parser.add_argument("--out", metavar="DIR", help="write run, qrels, figures and table into this folder")
    parser.add_argument("--json", action="store_true", help="print figures as JSON instead of the table")


def run(args: argparse.Namespace) -> int:
    """Run a bench, or compare two runs."""
    if args.bench == COMPARE:
        return compare(args)
    if args.outputs:
        raise InputError(f"`beryl eval {args.bench}` takes no folders; only `beryl eval {COMPARE} A B` does")
    if args.bench in COMPANIONS:
        import importlib

        with options.progress() as args.progress:
            return int(importlib.import_module(COMPANIONS[args.bench]).run(args))
    return evaluate(args)


def evaluate(args: argparse.Namespace) -> int:
    """One bench, all its rankings."""
    from beryl.evaluate import benchmark, report, session

    chosen = benchmark.bench(args.bench)
    plain = setting(args, chosen)
    engine = open_bench(args, chosen)
    if args.unseen:
        plain = session.unseen(engine, plain)
    wanted = session.columns(plain, listed(args.ranking), listed(args.features))
    out = Path(args.out) if args.out else None
    with options.progress() as bar:
        results = session.run(engine, chosen, wanted, out, bar)
    if args.json:
        from beryl.evaluate.results import as_json

        print(json.dumps([as_json(item) for item in results], indent=1, ensure_ascii=False))
    else:
        print(report.document(results), end="")
    return 0


def setting(args: argparse.Namespace, chosen: Bench) -> Setting:
    """What all columns of the table have in common."""
    from beryl.evaluate.benchmark import Setting

    return Setting(
        names=not args.no_names,
        one_project=args.setting == "one-project",
        form=args.form,
        projects=chosen.core() if args.core else (),
        subset="core" if args.core else "",
    )


def listed(text: str) -> list[str]:
    """The names of a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def open_bench(args: argparse.Namespace, chosen: Bench) -> Engine:
    """The engine over the index of a bench; that of the demo is made on the fly."""
    from beryl import engine
    from beryl.index.store import exists

    if args.index:
        return engine.open(args.index)
    if chosen.name == "demo":
        return engine.open(demo_index(args))
    name = "-".join(filter(None, (chosen.index, "core" if args.core else "", args.encoder)))
    directory = paths.data("indexes", name)
    whole = paths.data("indexes", chosen.index)
    if not exists(directory) and args.core and not args.encoder and exists(whole):
        return engine.open(whole)
    if not exists(directory):
        raise InputError(f"there is no index {directory}; {advice(chosen, directory, args)}")
    return engine.open(directory)


def advice(chosen: Bench, directory: Path, args: argparse.Namespace) -> str:
    """How to bring the corpus and to build its index."""
    folders = [paths.data(*corpus.split("/")) for corpus in chosen.corpora]
    sources = " ".join(str(folder) for folder in folders)
    each = " --each"
    if args.core:
        projects = set(chosen.core())
        present = [path for folder in folders if folder.is_dir() for path in sorted(folder.iterdir())]
        sources, each = " ".join(str(path) for path in present if path.name in projects) or "PROJECT...", ""
    encoder = f" --encoder {args.encoder}" if args.encoder else ""
    build = f"`beryl index {sources}{each}{encoder} --out {directory}`"
    if all(folder.is_dir() for folder in folders):
        return f"build it with {build}"
    core = " --core" if args.core else ""
    return f"fetch the corpus with `python scripts/fetch_corpus.py {chosen.index}{core}`, then run {build}"


def demo_index(args: argparse.Namespace) -> Path:
    """The index of the demo corpus in the user's cache, made or brought up to date."""
    from beryl import engine
    from beryl.evaluate.session import tables
    from beryl.index.store import BuildOptions

    encoder = args.encoder or BuildOptions().encoder
    directory = paths.cache() / f"demo-{re.sub(r'[^A-Za-z0-9.]+', '-', encoder)}"
    wanted = BuildOptions(
        encoder=encoder,
        model=demo_model(encoder),
        each=True,
        tables=tables(listed(args.ranking), listed(args.features)),
    )
    with options.progress() as bar:
        engine.build([paths.data("demo")], directory, wanted, update=True, progress=bar)
    return directory


def demo_model(encoder: str) -> str:
    """The bundled graph model of an encoder; where there is none, the demo is searched without graph vectors."""
    from beryl.encode.gcn import NO_MODEL, model_folder
    from beryl.index.store import BuildOptions

    model = BuildOptions().model
    if ":" not in encoder and model_folder(model, encoder).is_dir():
        return model
    print(
        f"beryl: no graph model comes with the encoder {encoder}: the demo is searched without graph vectors, as with "
        f"`beryl index --model {NO_MODEL}`; to have one, train it with `beryl train-gae --encoder {encoder}`, build an "
        "index with --model and name it with --index",
        file=sys.stderr,
    )
    return NO_MODEL


def compare(args: argparse.Namespace) -> int:
    """Paired randomisation tests between two outputs: run against run, or all runs of the same name."""
    from beryl.evaluate import report, results

    if len(args.outputs) != 2:
        raise InputError(f"`beryl eval {COMPARE}` takes two folders that --out wrote, not {len(args.outputs)}")
    first, second = (results.saved_runs(Path(folder)) for folder in args.outputs)
    pairs = [(name, first[name], second[name]) for name in first if name in second]
    if len(first) == len(second) == 1:
        pairs = [(f"{a} against {b}", first[a], second[b]) for a, b in [(next(iter(first)), next(iter(second)))]]
    if not pairs:
        raise InputError(f"the two have no run in common: {', '.join(first)}; and {', '.join(second)}")
    loaded = [(name, results.read(a), results.read(b)) for name, a, b in pairs]
    if args.json:
        print(json.dumps([report.comparison_json(name, a, b) for name, a, b in loaded], indent=1))
        return 0
    print(f"A: {args.outputs[0]}\nB: {args.outputs[1]}\n* p < {report.SIGNIFICANT} (paired randomisation test)")
    for name, a, b in loaded:
        print(f"\n{name}\n")
        print("\n\n".join(report.comparison_table(a, b, grade) for grade in results.GRADES))
    return 0
