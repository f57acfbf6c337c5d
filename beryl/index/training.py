"""A corpus or an index -> a trained graph autoencoder: the data is an index, the training is `beryl.encode.train`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beryl.encode import open_encoder, operators, plain_spec
from beryl.encode.batches import Corpus
from beryl.encode.files import write_json
from beryl.encode.gcn import ENTRY_TEXT, EXIT_TEXT, Model, ModelConfig, write_model
from beryl.errors import BerylError, InputError
from beryl.index.encoding import BATCH, SLOW_BATCH, Rows, encode_units
from beryl.index.store import BuildOptions, Index, exists, open_index
from beryl.types import FloatArray, IntArray, Language, NodeKind, Progress, TextEncoder

if TYPE_CHECKING:
    from beryl.encode.checkpoint import Epoch
    from beryl.encode.train import TrainOptions

WORK, METRICS = "work", "metrics.json"
LANGUAGES = {
    "java": (Language.JAVA,),
    "c": (Language.C, Language.CPP),
    "mixed": (Language.JAVA, Language.C, Language.CPP),
}


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What to train on, and what for."""

    source: Path
    """An index, or a folder whose sub-folders are projects."""
    out: Path
    language: str = "mixed"
    features: str = "full"
    encoder: str = "static"
    resume: bool = False
    command: str = ""


def train_model(
    request: TrainingRequest, options: TrainOptions, progress: Progress, report: Callable[[Epoch], None]
) -> dict[str, Any]:
    """Train on a corpus and write model, metrics and learning curve to `request.out`; what was measured."""
    from beryl.encode.train import Run, choose_device, train

    choose_device(options.device)  # before the corpus is read
    encoder = open_encoder(request.encoder, options.device)
    name = plain_spec(request.encoder)
    config = ModelConfig(name, encoder.fingerprint, encoder.dim, request.features, options.literal)
    work = request.out / WORK
    with _nothing_left(request.out):
        index = _open(request, work, progress)
        corpus = training_corpus(index, config, LazyFeatures(index, encoder, work / "features", progress))
        functions = functions_of(index, request.language)
        model, metrics = train(corpus, functions, config, options, Run(work / "run", request.resume, progress, report))
    metrics |= {"options": asdict(options), "corpus": index.manifest.counts, "index": index.manifest.content}
    metrics["projects"] = _trained_on(index, functions, metrics["held_out_projects"])
    _write(request, model, metrics)
    shutil.rmtree(work)
    return metrics


@contextmanager
def _nothing_left(out: Path) -> Iterator[None]:
    """What cannot be trained leaves nothing behind; only a kill leaves something for --resume."""
    new = next((folder for folder in (out, out / WORK) if not folder.exists()), None)
    try:
        yield
    except BerylError:
        if new is not None:
            shutil.rmtree(new, ignore_errors=True)
        raise


def _open(request: TrainingRequest, work: Path, progress: Progress) -> Index:
    if exists(request.source):
        return open_index(request.source)
    if not request.source.is_dir():
        raise InputError(f"{request.source} is neither an index nor a folder of projects")
    from beryl.index.build import build_index

    each = any(child.is_dir() for child in request.source.iterdir())
    return build_index([request.source], work / "index", BuildOptions(tables=(), each=each), request.resume, progress)


def _trained_on(index: Index, functions: IntArray, held_out: list[str]) -> list[str]:
    """The projects with functions of the language, but for those held out."""
    present = np.unique(index.files.project[index.functions.file[functions]])
    return [name for name in (index.projects[int(i)] for i in present) if name not in held_out]


def _write(request: TrainingRequest, model: Model, metrics: dict[str, Any]) -> None:
    shown = ("auc", "average_precision", "auc_same_function", "held_out_projects")
    about = {
        "language": request.language,
        "command": request.command,
        "trained": datetime.now(UTC).date().isoformat(),
        **{name: metrics[name] for name in shown},
    }
    write_json(request.out / METRICS, metrics)
    draw_curve(metrics["epochs"], request.out / "learning-curve.png")
    write_model(request.out, model, about)


def draw_curve(epochs: list[dict[str, float]], path: Path) -> None:
    """Loss and validation AUC by epoch as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), layout="constrained")
    left = figure.subplots()
    right = left.twinx()
    numbers = [epoch["number"] for epoch in epochs]
    left.plot(numbers, [epoch["loss"] for epoch in epochs], color="tab:blue", marker=".", label="training loss")
    right.plot(numbers, [epoch["auc"] for epoch in epochs], color="tab:orange", marker=".", label="validation AUC")
    left.set_xlabel("epoch")
    left.set_ylabel("loss (Eq. 3)", color="tab:blue")
    right.set_ylabel("AUC", color="tab:orange")
    figure.savefig(path, dpi=100)


def functions_of(index: Index, language: str) -> IntArray:
    """The functions of `java`, `c` (with C++) or `mixed`, here both in equal shares where both are there."""
    codes = index.files.language[index.functions.file]
    groups = [np.flatnonzero(codes == one.code) for one in LANGUAGES[language]]
    if language != "mixed":
        return np.concatenate(groups)
    java, other = groups[0], np.concatenate(groups[1:])
    share = min(len(java), len(other)) or max(len(java), len(other))
    generator = np.random.default_rng(3)
    return np.sort(np.concatenate([generator.permutation(group)[:share] for group in (java, other)]))


def training_corpus(index: Index, config: ModelConfig, features: LazyFeatures) -> Corpus:
    """Functions, edges and features of an index."""
    shape = Model(config, np.zeros((config.dim, 0), np.float32), np.zeros((0, 0), np.float32))
    return Corpus(
        index.functions.first_node,
        index.files.project[index.functions.file],
        tuple(index.projects),
        index.edges.offsets,
        index.edges.target,
        lambda nodes: shape.features(*features.of(nodes)),
    )


class LazyFeatures:
    """Text vectors and counts of an index's nodes, encoded when first asked for and kept in a memory-mapped file."""

    def __init__(self, index: Index, encoder: TextEncoder, directory: Path, progress: Progress) -> None:
        self._index, self._encoder, self._progress = index, encoder, progress
        self._entry, self._exit = encoder.encode([ENTRY_TEXT, EXIT_TEXT])
        total = len(index.texts.digest)
        directory.mkdir(parents=True, exist_ok=True)
        name = f"{encoder.fingerprint}-{index.manifest.content}"
        self._rows = Rows(
            _column(directory / f"{name}.codes.npy", (total, encoder.dim), np.int8),
            _column(directory / f"{name}.scale.npy", (total,), np.float32),
        )
        self._counts = _column(directory / f"{name}.counts.npy", (total, operators.CLASSES), np.uint8)
        self._done = _column(directory / f"{name}.done.npy", (total,), np.bool_)

    def prepare(self, nodes: IntArray) -> None:
        """Encode the texts of some nodes, batch by batch; what is on disk is not encoded again."""
        ids = np.unique(self._index.nodes.text[nodes])
        todo = ids[~self._done[ids]]
        size = BATCH.get(self._encoder.name, SLOW_BATCH)
        for start in range(0, len(todo), size):
            self._progress("encoding texts", start, len(todo))
            batch = todo[start : start + size]
            texts = [self._index.texts.text[int(i)] for i in batch]
            part = encode_units(self._encoder, texts)
            self._rows.codes[batch], self._rows.scale[batch] = part.codes, part.scale
            self._counts[batch] = np.minimum(operators.counts(texts), np.iinfo(np.uint8).max)
            self._done[batch] = True
        if len(todo) > size:
            self._progress("encoding texts", len(todo), len(todo))

    def of(self, nodes: IntArray) -> tuple[FloatArray, FloatArray]:
        """Text vectors and counts of some nodes; entry and exit are the same in every function."""
        self.prepare(nodes)
        ids = self._index.nodes.text[nodes].astype(np.int64)
        kind = self._index.nodes.kind[nodes]
        text, counts = self._rows[ids], self._counts[ids].astype(np.float32)
        text[kind == NodeKind.ENTRY], text[kind == NodeKind.EXIT] = self._entry, self._exit
        counts[kind <= NodeKind.EXIT] = 0
        return text, counts


def _column(path: Path, shape: tuple[int, ...], kind: type) -> NDArray[Any]:
    """A memory-mapped column, taken up again where it fits."""
    if path.is_file():
        try:
            found = np.lib.format.open_memmap(path, mode="r+")
            if found.shape == shape and found.dtype == kind:
                return found
        except (ValueError, OSError):
            path.unlink()
    return np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)
