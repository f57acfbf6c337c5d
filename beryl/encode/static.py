"""The `static` encoder: a vector per token, added up. Thousands of statements a second on one core, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from beryl import paths
from beryl.encode.files import fingerprint, read_weights, require
from beryl.encode.rows import normalised
from beryl.errors import ModelError
from beryl.types import FloatArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TABLE, TOKENIZER = "table.safetensors", "tokenizer.json"
# Texts at a time: their token vectors (20 tokens x 256 x 4 bytes each) stay in the processor's cache.
BATCH = 512


class StaticEncoder:
    """Sum of the rows of the text's tokens, row-normalised; rows are int8 with a scale each."""

    name = "static"

    def __init__(self, folder: Path) -> None:
        weights = read_weights(folder / TABLE)
        require(weights, {"codes": (-1, -1), "scale": (-1,), "rows": (-1,)}, folder / TABLE)
        self._codes: NDArray[np.int8] = weights["codes"]
        self._scale: FloatArray = weights["scale"].astype(np.float32)
        self._rows: NDArray[np.int32] = weights["rows"]
        if len(self._scale) != len(self._codes) or (len(self._rows) and self._rows.max() >= len(self._codes)):
            raise ModelError(f"the table {folder / TABLE} does not fit together; fetch the model again")
        self._tokenizer = read_tokenizer(folder / TOKENIZER)
        if self._tokenizer.get_vocab_size() > len(self._rows):
            raise ModelError(f"the tokenizer in {folder} knows more tokens than its table; fetch the model again")
        self.dim = int(self._codes.shape[1])
        self.fingerprint = fingerprint(self.name, folder / TABLE, folder / TOKENIZER)

    def encode(self, texts: Sequence[str], prose: Sequence[bool] | None = None) -> FloatArray:
        """One row per text; prose and code share one space."""
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(texts), BATCH):
            self._encode_batch(texts[start : start + BATCH], vectors[start : start + BATCH])
        return normalised(vectors)

    def _encode_batch(self, texts: Sequence[str], out: FloatArray) -> None:
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        encodings = self._tokenizer.encode_batch_fast(clean, add_special_tokens=False)
        tokens = [encoding.ids for encoding in encodings]
        filled = [position for position, ids in enumerate(tokens) if ids]
        if not filled:
            return
        rows = self._rows[np.concatenate([tokens[position] for position in filled])]
        lengths = np.array([len(tokens[position]) for position in filled])
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        values = self._codes[rows] * self._scale[rows][:, None]
        out[filled] = np.add.reduceat(values, starts, axis=0)


def read_tokenizer(path: Path) -> Tokenizer:
    """A tokenizer from its JSON file."""
    from tokenizers import Tokenizer

    if not path.is_file():
        raise ModelError(f"no tokenizer at {path}; name a model folder that is complete")
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the Rust library raises plain Exception for every damage
        raise ModelError(f"the tokenizer {path} is damaged ({error}); fetch the model again") from None


def load(argument: str = "", device: str = "auto") -> StaticEncoder:
    """The encoder from a folder, by default the bundled one."""
    return StaticEncoder(Path(argument) if argument else paths.model("static"))
