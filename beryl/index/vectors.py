"""The vectors table: text vector, operator counts and graph vector of every node, and the search over them.

Entry and exit nodes take part in the graph but are never found: they hold no statement that a query could match.
Files: `text` (one row per unique text, then entry and exit), `counts`, `graph` (one row per node; none with `--model
none`), the graph model itself, so that the index can be moved, and the compact index over all blocks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beryl.encode import ZERO, open_encoder, operators
from beryl.encode.gcn import (
    ENTRY_TEXT,
    EXIT_TEXT,
    NO_MODEL,
    Model,
    model_folder,
    normalised_adjacency,
    read_model,
    write_model,
)
from beryl.encode.rows import normalised
from beryl.errors import BerylError, IndexError_, InputError
from beryl.index.embedding import NodeFeatures, embed_index, feature_rows
from beryl.index.encoding import Known, Rows, encode_texts, encode_units
from beryl.index.flat import best
from beryl.index.similarity import BLOCKS, WEIGHTED, Blocks, Graph, Query, Scorer, joined, nearest_by_text, rows_of
from beryl.index.store import TABLE_INFO, BuildOptions, Index, exists, open_index
from beryl.types import FloatArray, Icfg, IntArray, Language, Node, NodeKind, Progress, TextEncoder

if TYPE_CHECKING:
    from beryl.index.faiss import FaissIndex

NAME, ABLATION = "vectors", "ablation"
MODEL = "model"
FEATURES = ("full", "cb", "cb+g")
# Nodes whose scores are in memory at once, for each query node.
BLOCK = 1 << 18
# Searchable nodes from which a compact index pays; below, comparing every node takes a few hundredths of a second.
COMPACT_FROM = 100_000
# Where filters leave fewer nodes than this, these are compared one by one.
EXACT_BELOW = 50_000
# Candidates that the compact index gives for each query node.
CANDIDATES = 4000
_REPORT = 10_000
_MOST = int(np.iinfo(np.uint8).max)


def build(index: Index, previous: Index | None, directory: Path, options: BuildOptions, progress: Progress) -> None:
    """Encode texts, count operators, embed the graph and write it all."""
    model = _model(options)
    encoder = open_encoder(options.encoder)
    if model is not None:
        model.require_encoder(encoder.fingerprint, f"the model {options.model!r}")
    journal = index.directory / "work" / f"encoding-{encoder.fingerprint}"
    known = _known(previous or _standing(index.directory), encoder)
    encoding = encode_texts(index.texts.digest, index.texts.text, encoder, known, journal)
    text = _with_ends(encoding.run(progress), encoder)
    counts = _counts(index, progress)
    text.write(directory, "text")
    np.save(directory / "counts.npy", counts)
    if model is not None:
        graph = embed_index(index, model, NodeFeatures(feature_rows(index), text, counts), directory, progress)
        _write_graph(directory, graph, model)
    nodes = int((np.asarray(index.nodes.kind) > NodeKind.EXIT).sum())
    _write_info(directory, options, encoder, model, nodes >= COMPACT_FROM)
    if nodes >= COMPACT_FROM:
        _write_compact(index, directory, progress)
    encoding.forget()


def build_ablation(
    index: Index, previous: Index | None, directory: Path, options: BuildOptions, progress: Progress
) -> None:
    """Graph vectors of a model trained without operator counts: the CB+G of §6.1.6."""
    vectors = Vectors.open(index)
    model = read_model(model_folder("mixed", vectors.encoder_name, "cb"))
    model.require_encoder(vectors.info["fingerprint"], "the model without counts")
    features = NodeFeatures(vectors.row, vectors.text, vectors.counts)
    _write_graph(directory, embed_index(index, model, features, directory, progress), model)
    (directory / TABLE_INFO).write_text(json.dumps({"model": model.fingerprint}), encoding="utf-8")


@dataclass(frozen=True)
class Vectors:
    """The open table."""

    index: Index
    directory: Path
    info: dict[str, Any]
    text: Rows
    counts: NDArray[np.uint8]
    row: NDArray[np.int32]
    """By node, its row in `text` and `counts`."""

    @staticmethod
    def open(index: Index) -> Vectors:
        """The table of an index; opened once."""
        directory = index.table_directory(NAME)
        if not _OPENED or _OPENED[0].index is not index:
            _OPENED[:] = [Vectors.read(index, directory, index.manifest.tables[NAME])]
        return _OPENED[0]

    @staticmethod
    def read(index: Index, directory: Path, info: dict[str, Any]) -> Vectors:
        """Open the table's files in some folder."""
        text = Rows.open(directory, "text")
        counts = np.load(directory / "counts.npy", mmap_mode="r", allow_pickle=False)
        if info.get("operators") != operators.VERSION:
            raise IndexError_(f"the index {index.directory} counts operators as an older beryl did; build it again")
        return Vectors(index, directory, dict(info), text, counts, feature_rows(index))

    @property
    def encoder_name(self) -> str:
        """The encoder as it was named when the index was built."""
        return str(self.info["encoder"])

    @property
    def has_graph(self) -> bool:
        """Whether there are graph vectors (no `--model none`)."""
        return bool(self.info["graph_dim"])

    @cached_property
    def encoder(self) -> TextEncoder:
        """The text encoder, checked to be the one that the index was built with."""
        encoder = open_encoder(self.encoder_name)
        if encoder.fingerprint != self.info["fingerprint"]:
            raise IndexError_(
                f"the index {self.index.directory} was built with other weights of the encoder {self.encoder_name!r}; "
                "build it again with `beryl index`"
            )
        return encoder

    @cached_property
    def searchable(self) -> NDArray[np.bool_]:
        """Which nodes can be found: all but entries and exits."""
        return np.asarray(self.index.nodes.kind) > NodeKind.EXIT

    @property
    def _compact_kinds(self) -> list[str]:
        """The ways to join the blocks that have a compact index; the first tables wrote a truth value and had none."""
        kinds = self.info.get("compact")
        return kinds if isinstance(kinds, list) else []

    @cached_property
    def compact(self) -> CompactIndexes:
        """The compact index of all searchable nodes for each way to join the blocks, opened when asked for."""
        return CompactIndexes(self.directory)

    def graph_of(self, features: str) -> EmbeddedGraph | None:
        """Graph vectors and their model for some features; None where these or the index do without."""
        if features not in FEATURES:
            raise InputError(f"unknown features {features!r}; known: {', '.join(FEATURES)}")
        if features == "cb" or not self.has_graph:
            return None
        return self._graph if features == "full" else self._ablated

    @cached_property
    def _graph(self) -> EmbeddedGraph:
        return EmbeddedGraph.open(self.directory)

    @cached_property
    def _ablated(self) -> EmbeddedGraph:
        return EmbeddedGraph.open(self.index.table_directory(ABLATION))

    def blocks(self, features: str) -> Blocks:
        """The blocks that some features compare."""
        return Blocks(self.row, self.text, self.counts, self.graph_of(features), features == "full")

    def text_vectors(self, text_ids: IntArray) -> FloatArray:
        """Unit vectors of some texts."""
        return normalised(self.text[np.asarray(text_ids, dtype=np.int64)])

    def node_vectors(self, node_ids: IntArray, block: str = "text", features: str = "full") -> FloatArray:
        """One block (`text`, `counts` or `graph`) of some nodes; texts are unit vectors, the others as they are."""
        nodes = np.asarray(node_ids, dtype=np.int64)
        if block == "text":
            return self.text_vectors(self.row[nodes].astype(np.int64))
        if block == "counts":
            return self.counts[self.row[nodes]].astype(np.float32)
        graph = self.graph_of(features)
        if block != "graph" or graph is None:
            raise InputError(f"there is no block {block!r} of features {features!r} in this index")
        return graph.rows[nodes]

    def encode_query(self, icfg: Icfg, features: str = "full", language: Language = Language.PSEUDOCODE) -> FloatArray:
        """[Z | text | counts] of every node of a query, in order; an encoder `NAME+zero` gives `$` nodes no text."""
        text = self.encoder.encode(
            [_node_text(node) for node in icfg.nodes], [node.math is False for node in icfg.nodes]
        )
        if self.encoder_name.endswith(ZERO):
            text[[node.id for node in icfg.nodes if node.math is True]] = 0
        counts = query_counts(icfg, language is Language.PSEUDOCODE)
        graph = self.graph_of(features)
        if graph is None:
            return np.concatenate([np.zeros((len(text), self.info["graph_dim"]), np.float32), text, counts], axis=1)
        source = np.array([edge.source for edge in icfg.edges], dtype=np.int64)
        target = np.array([edge.target for edge in icfg.edges], dtype=np.int64)
        adjacency = normalised_adjacency(len(icfg.nodes), source, target, not graph.model.config.literal)
        found = graph.model.embed(adjacency, graph.model.features(text, counts))
        return np.concatenate([found, text, counts], axis=1, dtype=np.float32)

    def search(
        self,
        queries: FloatArray,
        k: int,
        allowed: NDArray[np.bool_] | None = None,
        features: str = "full",
        blocks: str = WEIGHTED,
    ) -> tuple[FloatArray, IntArray]:
        """Scores and node ids of the k best nodes for each row of `encode_query`; ids are -1 where there are fewer."""
        mask = self.searchable if allowed is None else self.searchable & allowed
        allowed = None if np.array_equal(mask, self.searchable) else allowed
        if features != "full" or blocks not in self._compact_kinds or mask.sum() < EXACT_BELOW:
            return self.exact(queries, k, mask, features, blocks)
        return self._approximate(queries, k, None if allowed is None else mask[self.searchable], blocks)

    def _approximate(
        self, queries: FloatArray, k: int, allowed: NDArray[np.bool_] | None, kind: str
    ) -> tuple[FloatArray, IntArray]:
        """Candidates of all query nodes from the compact index, re-ranked exactly."""
        blocks, query = self.blocks("full"), Query.of(queries, self.info["graph_dim"])
        _, found = self.compact[kind].search(joined(blocks, query, kind), max(CANDIDATES, 4 * k), allowed)
        nodes = np.flatnonzero(self.searchable)[np.unique(found[found >= 0])]
        scores, places = best(Scorer(blocks, query, kind).scores(nodes), k)
        return scores, np.where(places >= 0, nodes[places], -1)

    def exact(
        self, queries: FloatArray, k: int, mask: NDArray[np.bool_], features: str, blocks: str
    ) -> tuple[FloatArray, IntArray]:
        """The search that compares every node: the oracle of the compact index."""
        described = self.blocks(features)
        nodes = np.flatnonzero(mask)
        if described.graph is None:
            return nearest_by_text(Scorer(described, Query.of(queries, self.info["graph_dim"]), blocks), nodes, k)
        scorer = Scorer(described, Query.of(queries, self.info["graph_dim"]), blocks)
        scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
        ids = np.full((len(queries), k), -1, dtype=np.int64)
        for start in range(0, len(nodes), BLOCK):
            part = nodes[start : start + BLOCK]
            found, places = best(scorer.scores(part), k)
            found_ids = np.where(places >= 0, part[places], -1)
            both = np.concatenate([scores, found], axis=1)
            scores, order = best(both, k)
            ids = np.where(order >= 0, np.take_along_axis(np.concatenate([ids, found_ids], axis=1), order, 1), -1)
        return scores, ids


# The table that was opened last: reading its compact index takes longer than searching a small one.
_OPENED: list[Vectors] = []


@dataclass(frozen=True)
class EmbeddedGraph(Graph):
    """Graph vectors of all nodes and the model that made them."""

    model: Model

    @staticmethod
    def open(directory: Path) -> EmbeddedGraph:
        """Open what `build` wrote."""
        rows = Rows.open(directory, "graph")
        lengths = np.load(directory / "graph.length.npy", mmap_mode="r", allow_pickle=False)
        return EmbeddedGraph(rows, lengths, read_model(directory / MODEL))


class CompactIndexes(dict[str, "FaissIndex"]):
    """By the way to join the blocks."""

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._directory = directory

    def __missing__(self, kind: str) -> FaissIndex:
        from beryl.index.faiss import FaissIndex

        self[kind] = FaissIndex.open(self._directory / kind)
        return self[kind]


def query_counts(icfg: Icfg, pseudocode: bool) -> FloatArray:
    """Operator counts of a query's nodes; prose, entry and exit have none (§4.1)."""
    rows = np.zeros((len(icfg.nodes), operators.CLASSES), dtype=np.float32)
    for node in icfg.nodes:
        if node.kind > NodeKind.EXIT and node.math is not False:
            rows[node.id] = operators.count(node.text, pseudocode, node.kind is NodeKind.CONDITION)
    return rows


def _node_text(node: Node) -> str:
    return {NodeKind.ENTRY: ENTRY_TEXT, NodeKind.EXIT: EXIT_TEXT}.get(node.kind, node.text)


def _model(options: BuildOptions) -> Model | None:
    if options.model == NO_MODEL:
        return None
    return read_model(model_folder(options.model, options.encoder))


def _standing(directory: Path) -> Index | None:
    """The index that a fresh build replaces: the vector of a text is the same whenever it was made."""
    try:
        return open_index(directory) if exists(directory) else None
    except BerylError:
        return None


def _known(previous: Index | None, encoder: TextEncoder) -> list[Known]:
    """Text vectors of the index before, where they are of the same encoder."""
    if previous is None or previous.manifest.tables.get(NAME, {}).get("fingerprint") != encoder.fingerprint:
        return []
    try:
        rows = Rows.open(previous.table_directory(NAME), "text")
    except (BerylError, OSError, ValueError):
        return []  # a damaged table is encoded afresh
    count = len(previous.texts.digest)
    return [Known(previous.texts.digest, Rows(rows.codes[:count], rows.scale[:count]))]


def _with_ends(text: Rows, encoder: TextEncoder) -> Rows:
    """The rows of all texts, then one for entries and one for exits."""
    ends = encode_units(encoder, [ENTRY_TEXT, EXIT_TEXT])
    return Rows(np.concatenate([text.codes, ends.codes]), np.concatenate([text.scale, ends.scale]))


def _counts(index: Index, progress: Progress) -> NDArray[np.uint8]:
    """Operator counts of every text; entry and exit have none."""
    total = len(index.texts.digest)
    counts = np.zeros((total + 2, operators.CLASSES), dtype=np.uint8)
    for row, text in enumerate(index.texts.text):
        counts[row] = [min(value, _MOST) for value in operators.count(text)]
        if row % _REPORT == 0:
            progress("counting operators", row, total)
    return counts


def _write_graph(directory: Path, graph: Rows, model: Model) -> None:
    graph.write(directory, "graph")
    np.save(directory / "graph.length.npy", graph.lengths())
    write_model(directory / MODEL, model, {})


def _write_compact(index: Index, directory: Path, progress: Progress) -> None:
    from beryl.index.faiss import FaissIndex

    info = json.loads((directory / TABLE_INFO).read_text(encoding="utf-8"))
    vectors = Vectors.read(index, directory, info)
    nodes, blocks = np.flatnonzero(vectors.searchable), vectors.blocks("full")

    def part(kind: str, positions: IntArray) -> FloatArray:
        progress(f"indexing vectors ({kind})", int(positions[0]), len(nodes))
        return joined(blocks, rows_of(blocks, nodes[positions]), kind)

    for kind in BLOCKS:
        (directory / kind).mkdir()
        FaissIndex.of(len(nodes), partial(part, kind)).write(directory / kind)


def _write_info(
    directory: Path, options: BuildOptions, encoder: TextEncoder, model: Model | None, compact: bool
) -> None:
    info = {
        "encoder": options.encoder,
        "fingerprint": encoder.fingerprint,
        "dim": encoder.dim,
        "operators": operators.VERSION,
        "model": model.fingerprint if model else NO_MODEL,
        "graph_dim": model.dim if model else 0,
        "compact": list(BLOCKS) if compact else [],
    }
    (directory / TABLE_INFO).write_text(json.dumps(info), encoding="utf-8")
