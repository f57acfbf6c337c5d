"""Fine-tune the `static` encoder on pairs: words are drawn to their code and away from that of others."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from beryl.encode.compact import write_table
from beryl.encode.files import read_weights
from beryl.encode.pairs import Pair, PairSplit, reciprocal_rank, split
from beryl.encode.static import TABLE, StaticEncoder, read_tokenizer

TOKENIZER_FILES = ("tokenizer.json", "LICENSE")


@dataclass(frozen=True, slots=True)
class FinetuneOptions:
    """How to learn from pairs."""

    epochs: int = 5
    batch: int = 256
    learning_rate: float = 0.0005
    temperature: float = 0.05
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Gain:
    """Mean reciprocal rank on held-out groups after each epoch, the original first."""

    ranks: tuple[float, ...]
    kept: bool
    """Whether a fine-tuned encoder was better than the original, and written."""


def finetune(
    folder: Path, pairs: Sequence[Pair], out: Path, options: FinetuneOptions, report: Callable[[int, float], None]
) -> Gain:
    """Train the table of the encoder in `folder`; write the best one to `out` where it beats the original."""
    parts = split(pairs, options.seed)
    ranks = [reciprocal_rank(StaticEncoder(folder), parts.held_out)]
    report(0, ranks[0])
    learner = _Learner(folder, parts, options)
    best = ranks[0]
    for epoch in range(1, options.epochs + 1):
        learner.epoch(epoch)
        scratch = out.with_name(f".{out.name}.scratch")
        learner.write(scratch)
        ranks.append(reciprocal_rank(StaticEncoder(scratch), parts.held_out))
        report(epoch, ranks[-1])
        if ranks[-1] > best:
            best = ranks[-1]
            shutil.rmtree(out, ignore_errors=True)
            scratch.rename(out)
        else:
            shutil.rmtree(scratch)
    return Gain(tuple(ranks), best > ranks[0])


class _Learner:
    """The token table as weights."""

    def __init__(self, folder: Path, parts: PairSplit, options: FinetuneOptions) -> None:
        weights = read_weights(folder / TABLE)
        self._folder, self._parts, self._options = folder, parts, options
        self._rows = weights["rows"]
        table = weights["codes"].astype(np.float32) * weights["scale"].astype(np.float32)[:, None]
        self._unit = float(np.linalg.norm(table, axis=1).mean())
        torch.manual_seed(options.seed)
        self._bag = torch.nn.EmbeddingBag.from_pretrained(
            torch.from_numpy(table / self._unit), freeze=False, mode="sum"
        )
        self._optimizer = torch.optim.Adam(self._bag.parameters(), lr=options.learning_rate)
        self._tokenizer = read_tokenizer(folder / "tokenizer.json")

    def epoch(self, number: int) -> None:
        """One pass over the pairs."""
        size = self._options.batch
        order = np.random.default_rng([self._options.seed, number]).permutation(len(self._parts.train))
        for start in range(0, len(order) - size + 1, size):
            pairs = [self._parts.train[i] for i in order[start : start + size]]
            words = self._encode([pair.words for pair in pairs])
            code = self._encode([pair.code for pair in pairs])
            scores = words @ code.T / self._options.temperature
            truth = torch.arange(len(pairs))
            both = torch.nn.functional.cross_entropy(scores, truth) + torch.nn.functional.cross_entropy(scores.T, truth)
            self._optimizer.zero_grad()
            both.backward()
            self._optimizer.step()

    def write(self, out: Path) -> None:
        """Write the encoder's folder."""
        out.mkdir(parents=True, exist_ok=True)
        for name in TOKENIZER_FILES:
            if (self._folder / name).is_file():
                shutil.copyfile(self._folder / name, out / name)
        write_table(out, self._bag.weight.detach().numpy() * np.float32(self._unit), self._rows)

    def _encode(self, texts: Sequence[str]) -> torch.Tensor:
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]
        rows = self._rows[np.concatenate([np.array(ids, dtype=np.int64) for ids in tokens])].astype(np.int64)
        starts = np.concatenate([[0], np.cumsum([len(ids) for ids in tokens])[:-1]])
        found = self._bag(torch.from_numpy(rows), torch.from_numpy(starts))
        result: torch.Tensor = torch.nn.functional.normalize(found)
        return result
