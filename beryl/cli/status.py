"""What an index holds: projects, files, functions, nodes, edges, unique statements, encoder, disk size, and the ledger
of files that were skipped, timed out or parsed with errors."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beryl.cli import options

if TYPE_CHECKING:
    from beryl.index.store import Index

_MEGABYTE = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl status`."""
    parser.add_argument("directory", nargs="?", metavar="DIR", help="index (default: the nearest .beryl upwards)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--files", action="store_true", help="list every file of the ledger")
    parser.add_argument("--check", action="store_true", help="compare every byte with its checksum")


def run(args: argparse.Namespace) -> int:
    """Print what the index holds."""
    from beryl.index import store

    index = store.open_index(Path(args.directory) if args.directory else options.nearest_index(Path.cwd()))
    if args.check:
        store.check(index)
    facts = describe(index, args.files)
    if args.check:
        facts["checked"] = True
    print(json.dumps(facts, indent=2) if args.json else as_text(facts))
    return 0


def describe(index: Index, files: bool = False) -> dict[str, Any]:
    """All facts, ready for JSON."""
    from beryl.index import ledger

    manifest, entries = index.manifest, index.ledger()
    facts: dict[str, Any] = {
        "index": str(index.directory),
        **manifest.counts,
        "project_names": list(index.projects),
        "languages": _languages(index),
        "encoder": manifest.encoder,
        "model": manifest.model,
        "tables": manifest.tables,
        "bytes": manifest.bytes,
        "ledger": ledger.counts(entries),
    }
    if files:
        facts["ledger_files"] = [
            {"project": e.project, "path": e.path, "reason": e.reason.value, "detail": e.detail} for e in entries
        ]
    return facts


def _languages(index: Index) -> dict[str, int]:
    import numpy as np

    from beryl.types import Language

    counts = np.bincount(index.files.language, minlength=len(Language)).tolist()
    return {language.value: counts[language.code] for language in Language if counts[language.code]}


def as_text(facts: dict[str, Any]) -> str:
    """The facts as lines for a terminal."""
    languages = ", ".join(f"{count:,} {name}" for name, count in facts["languages"].items())
    rows = [
        ("index", facts["index"]),
        ("projects", f"{facts['projects']:,}  ({_shortened(facts['project_names'])})"),
        ("files", f"{facts['files']:,}  ({languages})"),
        ("lines", f"{facts['lines']:,}"),
        ("functions", f"{facts['functions']:,}"),
        ("nodes", f"{facts['nodes']:,}"),
        ("edges", f"{facts['edges']:,}"),
        ("unique statements", f"{facts['texts']:,}"),
        ("encoder", facts["encoder"]),
        ("model", facts["model"]),
        ("tables", ", ".join(facts["tables"]) or "none"),
        ("disk", f"{facts['bytes'] / _MEGABYTE:,.1f} MB"),
    ]
    if facts.get("checked"):
        rows.append(("checked", "every byte matches its checksum"))
    lines = [f"{name:<18} {value}" for name, value in rows]
    if "paths" in facts["tables"]:
        lines += _encoded(facts["tables"]["paths"])
    lines += [f"{'ledger':<18} " + ("nothing skipped" if not facts["ledger"] else "")]
    lines += [f"  {reason:<20} {count:>7,}" for reason, count in facts["ledger"].items()]
    for entry in facts.get("ledger_files", ()):
        where = "/".join(part for part in (entry["project"], entry["path"]) if part)
        lines.append(f"{_printable(where)}: {entry['reason']}" + (f" ({entry['detail']})" if entry["detail"] else ""))
    return "\n".join(line.rstrip() for line in lines)


def _encoded(info: dict[str, Any]) -> list[str]:
    """Which share of the Java methods `beryl io` can search, and what stopped the others."""
    share = f"{info['encoded']:,} of {info['methods']:,} ({100 * info['share']:.1f}%); the others have:"
    reasons = sorted(info["reasons"].items(), key=lambda item: -int(item[1]))
    return [f"{'methods encoded':<18} {share}", *[f"  {reason:<30} {count:>7,}" for reason, count in reasons]]


def _shortened(names: list[str], most: int = 6) -> str:
    shown = ", ".join(_printable(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def _printable(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")
