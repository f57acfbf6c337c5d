"""The state of a training on disk, written after every epoch, so that a killed one goes on where it was."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from beryl.encode.files import read_json, write_json
from beryl.errors import InputError, ModelError

STATE, LAST, BEST = "state.json", "last.safetensors", "best.safetensors"


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one epoch gave."""

    number: int
    loss: float
    auc: float
    average_precision: float
    seconds: float


@dataclass
class Checkpoint:
    """Epochs so far, with the weights after the last and the best of them."""

    folder: Path
    settings: dict[str, Any]
    history: list[Epoch] = field(default_factory=list)
    best: int = 0
    """Number of the best epoch."""

    @staticmethod
    def open(folder: Path, settings: dict[str, Any], resume: bool) -> Checkpoint:
        """The state left by a training with the same settings, or a new one."""
        if not resume:
            shutil.rmtree(folder, ignore_errors=True)
        if not (folder / STATE).is_file():
            return Checkpoint(folder, settings)
        body = read_json(folder / STATE)
        if body.get("settings") != json.loads(json.dumps(settings)):
            raise InputError(f"{folder} belongs to a training with other settings; leave --resume out to start anew")
        return Checkpoint(folder, settings, [Epoch(**epoch) for epoch in body["history"]], body["best"])

    def finished(self, epochs: int, patience: int) -> bool:
        """Whether all epochs are done, or validation has not improved for long."""
        return len(self.history) >= epochs or (bool(self.history) and len(self.history) - self.best >= patience)

    def add(self, epoch: Epoch, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Keep an epoch; the state file comes last, so that a kill leaves the epoch before."""
        self.folder.mkdir(parents=True, exist_ok=True)
        reached = max((past.auc for past in self.history if past.number <= self.best), default=0.0)
        self.history.append(epoch)
        if epoch.auc > reached or len(self.history) == 1:
            self.best = epoch.number
            _save(dict(model.state_dict()), self.folder / BEST)
        moments = {
            f"adam.{number}.{name}": value if isinstance(value, torch.Tensor) else torch.tensor(value)
            for number, values in optimizer.state_dict()["state"].items()
            for name, value in values.items()
        }
        _save({**model.state_dict(), **moments}, self.folder / f"{epoch.number}.{LAST}")
        body = {"settings": self.settings, "history": [asdict(item) for item in self.history], "best": self.best}
        write_json(self.folder / STATE, body)
        (self.folder / f"{epoch.number - 1}.{LAST}").unlink(missing_ok=True)

    def restore(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Put weights and Adam's moments back."""
        if not self.history:
            return
        tensors = _load(self.folder / f"{len(self.history)}.{LAST}")
        model.load_state_dict({name: value for name, value in tensors.items() if not name.startswith("adam.")})
        state = optimizer.state_dict()
        for name, value in tensors.items():
            if name.startswith("adam."):
                _, number, key = name.split(".")
                state["state"].setdefault(int(number), {})[key] = value
        optimizer.load_state_dict(state)

    def restore_best(self, model: torch.nn.Module) -> None:
        """Put the weights of the best epoch back."""
        model.load_state_dict(_load(self.folder / BEST))


def _save(tensors: dict[str, torch.Tensor], path: Path) -> None:
    temporary = path.with_name(f".{path.name}")
    save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, temporary)
    os.replace(temporary, path)


def _load(path: Path) -> dict[str, torch.Tensor]:
    try:
        return dict(load_file(path))
    except Exception as error:  # safetensors raises its own and the system's errors
        raise ModelError(f"the checkpoint {path} is damaged ({error}); leave --resume out to start anew") from None
