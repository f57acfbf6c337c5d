"""The `codebert` encoder of Beryllium §4.1: any RoBERTa-like checkpoint of transformers, by name or local folder.

CodeBERT was trained on pairs `<s> words </s> code </s>`. Prose goes where the words were, with an empty code segment;
a statement goes where the code was, with no words. A vector is the mean of the states of the text's own tokens:
CodeBERT's first state was never trained to compare texts.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from logging import ERROR, getLogger
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from beryl.encode.roberta import MOST_TOKENS, by_length
from beryl.encode.rows import normalised
from beryl.errors import InputError, ModelError
from beryl.types import FloatArray

DEFAULT = "microsoft/codebert-base"


class CodebertEncoder:
    """A transformers model; texts of equal length are computed together."""

    name = "codebert"

    def __init__(self, checkpoint: str, device: str = "auto") -> None:
        self._tokenizer, model = _read(checkpoint)
        self._device = _device(device)
        self._model = model.to(self._device).eval()
        self.dim = int(model.config.hidden_size)
        self._begin, self._end = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id
        if self._begin is None or self._end is None:
            raise ModelError(f"the tokenizer of {checkpoint!r} has no <s> and </s>; name a RoBERTa-like checkpoint")
        self.fingerprint = f"codebert-{_digest(model, self._tokenizer)}"

    def encode(self, texts: Sequence[str], prose: Sequence[bool] | None = None) -> FloatArray:
        """One row per text; prose in the natural-language segment, everything else in the code segment."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        if not clean:
            return np.zeros((0, self.dim), dtype=np.float32)
        found = self._tokenizer(clean, add_special_tokens=False, truncation=True, max_length=MOST_TOKENS)
        words = [False] * len(clean) if prose is None else [bool(flag) for flag in prose]
        tokens = [self._segments(ids, flag) for ids, flag in zip(found["input_ids"], words, strict=True)]
        vectors = np.zeros((len(clean), self.dim), dtype=np.float32)
        for group in by_length(tokens):
            states = self._states([tokens[i] for i in group.tolist()])
            for row, state in zip(group.tolist(), states, strict=True):
                first = 1 if words[row] else 2
                inside = state[first : first + len(found["input_ids"][row])]
                vectors[row] = inside.mean(axis=0) if len(inside) else 0
        return normalised(vectors)

    def _segments(self, ids: list[int], prose: bool) -> list[int]:
        """`<s> words </s> </s>` or `<s> </s> code </s>`."""
        if prose:
            return [self._begin, *ids, self._end, self._end]
        return [self._begin, self._end, *ids, self._end]

    def _states(self, tokens: list[list[int]]) -> FloatArray:
        batch = torch.tensor(tokens, device=self._device)
        try:
            with torch.no_grad():
                states = self._model(input_ids=batch, attention_mask=torch.ones_like(batch)).last_hidden_state
        except torch.cuda.OutOfMemoryError:
            raise ModelError("the CUDA device ran out of memory while encoding; use the CPU") from None
        result: FloatArray = states.float().cpu().numpy()
        return result


def load(argument: str = "", device: str = "auto") -> CodebertEncoder:
    """The encoder of a checkpoint, by default microsoft/codebert-base."""
    return CodebertEncoder(argument or DEFAULT, device)


def _read(checkpoint: str) -> tuple[Any, Any]:
    _hush()
    try:
        return AutoTokenizer.from_pretrained(checkpoint), AutoModel.from_pretrained(checkpoint)
    except Exception as error:  # transformers, hub and safetensors each raise their own
        if Path(checkpoint).is_dir():
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ModelError(f"{checkpoint} is not a usable checkpoint of transformers: {reason}") from None
        raise ModelError(
            f"the weights of {checkpoint!r} are not here and cannot be fetched; copy the checkpoint to this machine "
            "and name its folder, as in --encoder codebert:FOLDER, or use the bundled encoders granite or static"
        ) from None


def _hush() -> None:
    """The hub's retries are not shown, since beryl says once what failed; bars only to a person who watches."""
    getLogger("huggingface_hub").setLevel(ERROR)
    transformers_logging.set_verbosity_error()
    if not sys.stderr.isatty():
        transformers_logging.disable_progress_bar()


def _device(name: str) -> torch.device:
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("there is no CUDA device here; use --device cpu, or auto")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def _digest(model: Any, tokenizer: Any) -> str:  # noqa: ANN401 - transformers has no types here
    """A hash of what vectors depend on; not the pooler, which is random where a checkpoint has none."""
    digest = hashlib.blake2b(repr(sorted(tokenizer.get_vocab().items())).encode(), digest_size=8)
    for name, value in sorted(model.state_dict().items()):
        if name.startswith("pooler."):
            continue
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(value.detach().cpu().float().numpy()).data)
    return digest.hexdigest()
