"""The simple searches that every ranking is measured against, on a project of four functions."""

from __future__ import annotations

import pytest

from beryl import engine
from beryl.index.store import BuildOptions
from beryl.lang.pseudo import frontend
from beryl.search.baselines import query_words
from beryl.types import Filters, PseudocodeQuery

SORTING = """
/* Sorts in place, the classic way: bubble sort would be slower. */
void insertion_sort(int *keys, int count) {
    for (int j = 1; j < count; j++) {
        int key = keys[j];
        int i = j - 1;
        while (i >= 0 && keys[i] > key) {
            keys[i + 1] = keys[i];
            i = i - 1;
        }
        keys[i + 1] = key;
    }
}

void tidy(int *keys, int count) {
    insertion_sort(keys, count);
}

int total(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

/* insertion sort for short runs */
void arrange(int *keys, int count) {
    for (int j = 1; j < count; j++)
        for (int i = j; i > 0 && keys[i - 1] > keys[i]; i--) {
            int swap = keys[i]; keys[i] = keys[i - 1]; keys[i - 1] = swap;
        }
}
"""

QUERY = """INSERTION-SORT(A)
  // keeps the front in order
  for j = 2 to A.length
    key = A[j]
    i = j - 1
    while i > 0 and A[i] > key
      A[i + 1] = A[i]
      i = i - 1
    A[i + 1] = key
"""


@pytest.fixture(scope="module")
def sorting(tmp_path_factory) -> engine.Engine:
    folder = tmp_path_factory.mktemp("corpus") / "sorting"
    folder.mkdir()
    (folder / "sort.c").write_text(SORTING)
    return engine.build([folder], folder.parent / "index", BuildOptions(tables=("terms",), jobs=1))


def names(sorting: engine.Engine, ranking: str, **options: object) -> list[str]:
    query = PseudocodeQuery(QUERY, name="insertion-sort", ranking=ranking, **options)  # type: ignore[arg-type]
    return [item.functions[0] for item in sorting.search(query).results]


def test_name_search_finds_names_first_then_comments(sorting):
    assert names(sorting, "name") == ["insertion_sort", "arrange"]


def test_without_names_there_is_no_name_to_search_for(sorting):
    assert names(sorting, "name", names=False) == []


def test_bm25_is_fooled_by_a_short_caller(sorting):
    assert names(sorting, "bm25")[:2] == ["tidy", "insertion_sort"]


def test_bm25_body_sees_neither_names_nor_calls(sorting):
    assert names(sorting, "bm25-body") == ["insertion_sort", "arrange", "tidy"]  # by how often they say `key`
    assert names(sorting, "bm25", names=False) == names(sorting, "bm25-body")


def test_random_is_the_same_every_time_and_keeps_to_the_filters(sorting):
    assert sorted(names(sorting, "random")) == ["arrange", "insertion_sort", "tidy", "total"]
    assert names(sorting, "random") == names(sorting, "random")
    assert names(sorting, "random", filters=Filters(projects=("other",))) == []


def test_results_are_whole_functions_best_first_and_at_most_k(sorting):
    query = PseudocodeQuery(QUERY, ranking="random", k=2)
    found = sorting.search(query).results
    assert len(found) == 2
    assert found[0].score >= found[1].score
    best = sorting.search(PseudocodeQuery(QUERY, ranking="bm25-body")).results[0]
    assert (best.functions, best.start, best.end) == (("insertion_sort",), 3, 13)


def test_words_of_a_query_with_and_without_names():
    pseudocode = frontend.read(QUERY)
    assert {"insert", "sort", "insertionsort", "front", "order", "key"} <= set(query_words(pseudocode, names=True))
    assert not {"insert", "sort", "front"} & set(query_words(pseudocode, names=False))
    assert query_words(pseudocode, names=False)["key"] == 3
