"""`beryl.__all__` is what beryl exports, no more and no less."""

from __future__ import annotations

import types

import beryl


def test_the_list_is_sorted_and_has_no_duplicates():
    assert beryl.__all__ == sorted(set(beryl.__all__))


def test_every_name_of_the_list_can_be_had():
    assert [name for name in beryl.__all__ if getattr(beryl, name, None) is None] == []


def test_nothing_else_is_exported():
    public = {
        name
        for name, value in vars(beryl).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert public - {"annotations", "TYPE_CHECKING", "Any"} <= set(beryl.__all__)


def test_every_public_name_is_documented():
    assert [name for name in beryl.__all__ if not (getattr(beryl, name).__doc__ or "").strip()] == []


def test_unknown_names_are_told():
    assert not hasattr(beryl, "search_everything")
