"""Train the graph autoencoder on a corpus (a folder whose sub-folders are projects) or on an index. Whole projects are
held out to measure on. What it writes to --out is what `beryl index --model DIR` takes: model.safetensors, config.json,
metrics.json and a learning curve. A training that was killed goes on with --resume."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from beryl import paths
from beryl.cli import options

if TYPE_CHECKING:
    from beryl.encode.checkpoint import Epoch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl train-gae`."""
    parser.add_argument("corpus", metavar="CORPUS_OR_INDEX", help="folder of projects, or an index")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the model")
    parser.add_argument("--language", choices=("java", "c", "mixed"), default="mixed", help="c includes C++")
    parser.add_argument("--features", choices=("cb", "full"), default="full", help="cb: without operator counts")
    parser.add_argument("--encoder", default="static", metavar="NAME", help="text encoder (default: static)")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="where to train")
    parser.add_argument("--epochs", type=options.positive, metavar="N", help="at most so many")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="same seed, same weights on a CPU")
    parser.add_argument("--config", metavar="FILE", help="hyper-parameters (default: configs/gae.toml)")
    parser.add_argument("--resume", action="store_true", help="go on with a training that was interrupted")


def run(args: argparse.Namespace) -> int:
    """Train, and say how good the model is on projects it has not seen."""
    from beryl import config, registry
    from beryl.index.training import TrainingRequest, train_model

    kind = registry.load({"train-gae": "beryl.encode.train:TrainOptions"}, "train-gae", "command")
    chosen = config.read(kind, Path(args.config) if args.config else paths.config("gae.toml"))
    chosen = replace(chosen, seed=args.seed, device=args.device, epochs=args.epochs or chosen.epochs)
    chosen.require_sense()
    request = TrainingRequest(
        Path(args.corpus), Path(args.out), args.language, args.features, args.encoder, args.resume, _command(args)
    )
    with options.progress() as report:
        metrics = train_model(request, chosen, report, _say)
    print(
        f"{args.out}: AUC {metrics['auc']:.4f}, average precision {metrics['average_precision']:.4f} on "
        f"{len(metrics['held_out_projects'])} held-out projects; with negatives of the same function AUC "
        f"{metrics['auc_same_function']:.4f}"
    )
    return 0


def _say(epoch: Epoch) -> None:
    print(
        f"epoch {epoch.number}: loss {epoch.loss:.4f}, validation AUC {epoch.auc:.4f}, "
        f"average precision {epoch.average_precision:.4f}, {epoch.seconds:.1f} s",
        file=sys.stderr,
        flush=True,
    )


def _command(args: argparse.Namespace) -> str:
    """The command that makes the same model again, with the corpus by its name only."""
    words = ["beryl train-gae", Path(args.corpus).name, "--out", Path(args.out).name, "--language", args.language]
    words += ["--features", args.features, "--encoder", args.encoder, "--seed", str(args.seed)]
    words += ["--epochs", str(args.epochs)] if args.epochs else []
    words += ["--config", Path(args.config).name] if args.config else []
    return " ".join(words)
