"""A small tree of two projects, and a pool without processes."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from beryl.index import pool, worker
from beryl.index.ledger import Entry, Reason
from beryl.index.scan import Candidate

SORT_C = """\
#include "swap.h"

/* Sorts by exchanging neighbours. */
void bubble_sort(int *a, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 1 < n - i; j++) {
            if (a[j] > a[j + 1]) {
                swap(&a[j], &a[j + 1]);
            }
        }
    }
}
"""
SWAP_H = """\
static inline void swap(int *x, int *y) {
    int t = *x;
    *x = *y;
    *y = t;
}
"""
STACK_HPP = """\
namespace box {
template <typename T> class Stack {
public:
    void push(T value) { items[count++] = value; }
    T pop() { return items[--count]; }
private:
    T items[16];
    int count = 0;
};
}
"""
GCD_JAVA = """\
package maths;

public class Gcd {
    static int gcd(int a, int b) {
        while (b != 0) {
            int t = b;
            b = a % b;
            a = t;
        }
        return a;
    }

    int lcm(int a, int b) {
        return a / gcd(a, b) * b;
    }
}
"""


def write_tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two projects: `cee` (C and C++) and `jay` (Java)."""
    return write_tree(
        tmp_path / "tree",
        {
            "cee/src/sort.c": SORT_C,
            "cee/src/swap.h": SWAP_H,
            "cee/box/stack.hpp": STACK_HPP,
            "jay/maths/Gcd.java": GCD_JAVA,
        },
    )


def analyse_here(candidates: Sequence[Candidate], job: pool.Job) -> pool.Outcome:
    """What the pool does, without processes; test_pool.py and the command line's tests start real ones."""
    outcome = pool.Outcome()
    for batch in pool.batches(candidates):
        files = [(candidate.file, candidate.language.value) for candidate in batch]
        request = {"work": str(job.work), "files": files}
        answer = worker._batch(request, io.StringIO())
        outcome.found |= {batch[position]: (answer["bundle"], row) for row, position in enumerate(answer["rows"])}
        for position, *what in answer["skipped"]:
            reason, detail, digest = what
            entry = Entry(batch[position].project, batch[position].path, Reason(reason), detail, digest)
            outcome.ledger.append(entry)
    return outcome


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting Python takes longer than the tests themselves."""
    monkeypatch.setattr(pool, "analyse", analyse_here)
