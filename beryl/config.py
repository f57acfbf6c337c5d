"""Frozen dataclasses read once from TOML; unknown keys raise."""

from __future__ import annotations

import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

from beryl.errors import InputError

Config = TypeVar("Config")


def read(kind: type[Config], path: Path, section: str = "") -> Config:
    """The dataclass `kind` filled from a TOML file (or one section of it); missing keys keep their defaults."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"no configuration file at {path}") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not valid TOML: {error}") from None
    return fill(kind, values.get(section, {}) if section else values, str(path))


def fill(kind: type[Config], values: dict[str, Any], where: str) -> Config:
    """The dataclass `kind` from a dict; nested dataclasses from nested dicts."""
    assert is_dataclass(kind)
    known = {item.name: item for item in fields(kind)}
    unknown = sorted(set(values) - set(known))
    if unknown:
        raise InputError(f"{where}: unknown key {unknown[0]!r}; known: {', '.join(sorted(known))}")
    ready = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return kind(**ready)
