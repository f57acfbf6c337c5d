"""Training of the graph autoencoder of Beryllium §4.2 with PyTorch Geometric.

`GAE` with two GCN layers; the decoder is the inner product (Eq. 2), the loss the cross-entropy of edges and as many
non-edges (Eq. 3), taken from logits: PyG's own `recon_loss` saturates and stops learning.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits
from torch_geometric.nn import GAE, GCNConv

from beryl.encode import batches as data
from beryl.encode.batches import Batch, Corpus, Split
from beryl.encode.checkpoint import Checkpoint, Epoch
from beryl.encode.gcn import Model, ModelConfig
from beryl.encode.quality import DIVERGED, Quality
from beryl.encode.spectral import spectral_start
from beryl.errors import InputError, ModelError
from beryl.types import IntArray, Progress

# Batches are so much larger when measuring: fewer calls between functions are cut.
MEASURED = 8
INITIAL = ("spectral", "random")
DEVICES = ("auto", "cpu", "cuda")
_LEAST = {"hidden": 2, "batch_edges": 1, "block": 1, "epochs": 1, "patience": 1, "most_nodes": 0, "seed": 0}


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """Hyper-parameters; §6.1.2 where the paper gives them."""

    hidden: int = 512
    learning_rate: float = 0.003
    """Falls to zero over the epochs along half a cosine."""
    shift: float = 3.0
    """Taken off every logit while training; 0 is Eq. 3 as printed. Inner products of random pairs average at least 0,
    so without it no weights make non-edges unlikely. The order of pairs, and so the AUC, does not depend on it."""
    batch_edges: int = 5000
    block: int = 200
    """Functions of one project that follow each other in an epoch, so that most non-edges of a batch lie within a
    project, where they are harder to tell from edges; 1 mixes all."""
    epochs: int = 12
    patience: int = 4
    """Epochs without a better validation AUC after which training ends."""
    most_nodes: int = 500_000
    """How many nodes to train on, sampled by function; 0 means all."""
    initial: str = "spectral"
    """First weights: `spectral` (see spectral.py) or `random` (Glorot)."""
    literal: bool = False
    """Eq. 1 as printed: ReLU on both layers, no self-loops."""
    seed: int = 0
    device: str = "auto"

    def require_sense(self) -> None:
        """Refuse values that cannot be trained with."""
        for item in fields(self):
            value, default = getattr(self, item.name), item.default
            kinds = (int, float) if isinstance(default, float) else (type(default),)
            if not isinstance(value, kinds) or (isinstance(value, bool) and not isinstance(default, bool)):
                raise InputError(f"{item.name} = {value!r} in the configuration: it must be like {default!r}")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise InputError(f"{name} = {getattr(self, name)} in the configuration: it must be {least} or more")
        if not 0 < self.learning_rate < np.inf or not np.isfinite(self.shift):
            raise InputError("learning_rate must be above 0, and it and shift finite numbers")
        if self.initial not in INITIAL:
            raise InputError(f"unknown initial weights {self.initial!r}; known: {', '.join(INITIAL)}")


class GraphEncoder(torch.nn.Module):  # type: ignore[misc]  # torch is not followed
    """Two GCN layers (Eq. 1) without bias."""

    def __init__(self, dim: int, hidden: int, literal: bool) -> None:
        super().__init__()
        self.first = GCNConv(dim, hidden, bias=False, add_self_loops=not literal)
        self.second = GCNConv(hidden, hidden, bias=False, add_self_loops=not literal)
        self.literal = literal

    def forward(self, features: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        """Z of a graph; `edges` holds both directions, as lists of ends or as a sparse matrix."""
        found = self.second(self.first(features, edges).relu(), edges)
        return found.relu() if self.literal else found


def choose_device(name: str) -> torch.device:
    """The device that `auto`, `cpu` or `cuda` means here."""
    if name not in DEVICES:
        raise InputError(f"unknown device {name!r}; known: {', '.join(DEVICES)}")
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("there is no CUDA device here; use --device cpu, or auto")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def edge_loss(
    model: GAE, vectors: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor, shift: float = 0.0
) -> torch.Tensor:
    """Eq. 3 over the sampled pairs, as a mean, from logits."""
    logits = torch.cat([model.decode(vectors, pairs, sigmoid=False) for pairs in (positive, negative)]) - shift
    truth = torch.cat([torch.ones(positive.shape[1]), torch.zeros(negative.shape[1])]).to(logits.device)
    return binary_cross_entropy_with_logits(logits, truth)


def train(
    corpus: Corpus, functions: IntArray, config: ModelConfig, options: TrainOptions, run: Run
) -> tuple[Model, dict[str, Any]]:
    """Train until validation stops improving; the best weights and what was measured."""
    options.require_sense()
    parts = data.split(corpus, functions, options.most_nodes, options.seed)
    device = choose_device(options.device)
    try:
        return _Training(corpus, parts, config, options, device).run(run)
    except (torch.cuda.OutOfMemoryError, MemoryError):
        raise _out_of_memory(device) from None
    except RuntimeError as error:
        if "memory" in str(error).lower():
            raise _out_of_memory(device) from None
        raise


@dataclass(frozen=True)
class Run:
    """Where a training keeps its state and whom it tells."""

    checkpoint: Path
    resume: bool
    progress: Progress
    report: Callable[[Epoch], None]


class _Training:
    """The state of one training; every random choice follows from (seed, epoch), so that it can be taken up again."""

    def __init__(
        self, corpus: Corpus, parts: Split, config: ModelConfig, options: TrainOptions, device: torch.device
    ) -> None:
        self.corpus, self.parts, self.config, self.options, self.device = corpus, parts, config, options, device
        torch.manual_seed(options.seed)
        torch.use_deterministic_algorithms(True, warn_only=True)
        self.model = GAE(GraphEncoder(config.dim, options.hidden, options.literal)).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=options.learning_rate)

    def run(self, run: Run) -> tuple[Model, dict[str, Any]]:
        """All epochs."""
        self._require_edges()
        settings = {"config": asdict(self.config), "options": asdict(replace(self.options, epochs=0, device=""))}
        state = Checkpoint.open(run.checkpoint, settings, run.resume)
        if not state.history and self.options.initial == "spectral":
            self._start()
        state.restore(self.model, self.optimizer)
        while not state.finished(self.options.epochs, self.options.patience):
            started, number = time.perf_counter(), len(state.history) + 1
            loss = self._epoch(number, run.progress)
            auc, precision = self.measure(self.parts.validation)["uniform"]
            epoch = Epoch(number, loss, auc, precision, time.perf_counter() - started)
            state.add(epoch, self.model, self.optimizer)
            run.report(epoch)
        state.restore_best(self.model)
        held = self.parts.test if len(self.parts.test) else self.parts.validation
        return self._result(), self._metrics(state, self.measure(held))

    def _start(self) -> None:
        batches = self._batches(self.parts.train)
        start = spectral_start(self.corpus, batches, self.options.hidden, self.options.seed)
        encoder = self.model.encoder
        with torch.no_grad():
            for layer, weights in ((encoder.first, start.first), (encoder.second, start.second)):
                layer.lin.weight.copy_(torch.from_numpy(weights.T.copy()))

    def _require_edges(self) -> None:
        offsets, first = self.corpus.edge_offsets, self.corpus.first_node
        functions = np.concatenate([self.parts.train, self.parts.validation])
        if not len(functions) or not (offsets[first[functions + 1]] > offsets[first[functions]]).any():
            raise InputError("the corpus has no edges to learn from: its functions have no statements")
        if not any(batch.edges.shape[1] for batch in self._batches(self.parts.validation)):
            raise InputError("too few functions with edges to check on; name a larger corpus")

    def _batches(self, functions: IntArray, times: int = 1) -> Iterator[Batch]:
        found = data.batches(self.corpus, functions, times * self.options.batch_edges)
        return (batch for batch in found if batch.edges.size)

    def _epoch(self, number: int, progress: Progress) -> float:
        generator = np.random.default_rng([self.options.seed, number])
        order = data.shuffled(self.corpus, self.parts.train, self.options.block, generator)
        self.model.train()
        losses, done = [], 0
        for batch in self._batches(order):
            progress(f"epoch {number}", done, len(order))
            self._slow_down((number - 1 + done / len(order)) / self.options.epochs)
            done += int(batch.function[-1]) + 1
            losses.append(self._step(batch, generator))
        progress(f"epoch {number}", len(order), len(order))
        return float(np.mean(losses))

    def _slow_down(self, done: float) -> None:
        """Set the learning rate for the share of the training that is done."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.learning_rate * (1 + np.cos(np.pi * min(done, 1.0))) / 2

    def _step(self, batch: Batch, generator: np.random.Generator) -> float:
        messages, positive = data.supervise(batch, generator)
        negative = data.uniform_negatives(batch, positive.shape[1], generator)
        self.optimizer.zero_grad()
        vectors = self._encode(batch, messages)
        pairs = self._tensor(positive), self._tensor(negative)
        loss = edge_loss(self.model, vectors, *pairs, shift=self.options.shift)
        loss.backward()
        self.optimizer.step()
        value = float(loss.detach())
        if not np.isfinite(value):
            raise ModelError(DIVERGED)
        return value

    def _encode(self, batch: Batch, messages: IntArray) -> torch.Tensor:
        features = torch.from_numpy(data.require_finite(self.corpus.features(batch.nodes))).to(self.device)
        vectors: torch.Tensor = self.model.encode(features, self._adjacency(len(batch.nodes), messages))
        return vectors

    def _adjacency(self, count: int, messages: IntArray) -> torch.Tensor:
        """Both directions as a sparse matrix: some 1.5 times as fast as lists of ends."""
        both = self._tensor(np.concatenate([messages, messages[::-1]], axis=1))
        ones = torch.ones(both.shape[1], device=self.device)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch calls its CSR matrices beta
            return torch.sparse_coo_tensor(both, ones, (count, count)).coalesce().to_sparse_csr()

    def _tensor(self, values: IntArray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(values)).to(self.device)

    def measure(self, functions: IntArray) -> dict[str, tuple[float, float]]:
        """AUC and average precision with negatives from all of these functions and with those of the same function."""
        generator = np.random.default_rng([self.options.seed, 0])
        self.model.eval()
        found = Quality(self._nodes(functions), generator)
        with torch.no_grad():
            for batch in self._batches(functions, MEASURED):
                messages, positive = data.supervise(batch, generator)
                inside = data.function_negatives(batch, positive.shape[1], generator)
                found.add(batch, self._encode(batch, messages).cpu().numpy(), positive, inside)
        return found.result()

    def _nodes(self, functions: IntArray) -> int:
        first = self.corpus.first_node
        return int((first[functions + 1] - first[functions]).sum())

    def _result(self) -> Model:
        encoder = self.model.encoder
        first, second = (layer.lin.weight.detach().cpu().numpy().T.copy() for layer in (encoder.first, encoder.second))
        return Model(self.config, first, second)

    def _metrics(self, state: Checkpoint, found: dict[str, tuple[float, float]]) -> dict[str, Any]:
        parts = {"train": self.parts.train, "validation": self.parts.validation, "test": self.parts.test}
        return {
            "held_out_projects": list(self.parts.test_projects),
            "nodes": {name: self._nodes(part) for name, part in parts.items()},
            "auc": found["uniform"][0],
            "average_precision": found["uniform"][1],
            "auc_same_function": found["function"][0],
            "average_precision_same_function": found["function"][1],
            "epochs": [asdict(epoch) for epoch in state.history],
        }


def _out_of_memory(device: torch.device) -> ModelError:
    advice = "lower batch_edges in the configuration" + (", or use --device cpu" if device.type == "cuda" else "")
    return ModelError(f"the device {device.type} ran out of memory while training; {advice}")
