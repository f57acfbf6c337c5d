"""The modeled libraries: which functions the standard libraries of C, C++ and Java have, and in which header."""

from __future__ import annotations

from functools import cache

from beryl.features.terms import read_list

_STD_CLASSES = frozenset(
    (
        *("array", "basic_string", "bitset", "deque", "forward_list", "fstream", "function", "future", "ifstream"),
        *("iostream", "istream", "istringstream", "list", "map", "multimap", "multiset", "mutex", "ofstream"),
        *("optional", "ostream", "ostringstream", "pair", "priority_queue", "queue", "set", "shared_ptr", "stack"),
        *("string", "string_view", "stringstream", "thread", "tuple", "unique_ptr", "unordered_map", "unordered_set"),
        *("variant", "vector", "wstring"),
    )
)


@cache
def c_library() -> dict[str, str]:
    """Function -> header of the C standard library and POSIX."""
    return {line[0]: line[1] for line in read_list("c_library.tsv")}


@cache
def cpp_library() -> dict[str, str]:
    """Function of namespace std -> header."""
    return {line[0]: line[1] for line in read_list("cpp_library.tsv")}


@cache
def jdk_classes() -> dict[str, str]:
    """Class -> package."""
    return {line[0]: line[1] for line in read_list("jdk_classes.tsv")}


def std_class(kind: str) -> str:
    """The header of a class of namespace std, "" where it is none of it."""
    return kind if kind in _STD_CLASSES else ""
