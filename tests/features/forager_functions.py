"""Facts of functions in source texts, for tests."""

from __future__ import annotations

from beryl.features.extract import Place, extract, graph_of
from beryl.features.facts import Facts
from beryl.lang.treesitter import analyse
from beryl.types import Language

FIGURE_2 = """\
int binsearch(int x, int v[], int n) {
    int low, high, mid;
    low = 0;
    high = n - 1;
    while (low <= high) {
        mid = (low + high) / 2;
        if (x < v[mid]) {
            high = mid - 1;
        } else if (x > v[mid]) {
            low = mid + 1;
        } else { /* found match */
            return mid;
        }
    }
    return -1; /* no match */
}
"""
FIGURE_3 = """\
int bins(int key,int array[],int min,int max) {
  if (max < min) {
    return KEY_NOT_FOUND;
  }
  else {
    int midpoint = (int)floor((min+max)/2);
    if(array[midpoint] < key) {
      return bins(key, array,midpoint+1, max);
    }
    else if(array[midpoint] > key) {
      return bins(key, array, min, midpoint-1);
    }
    else {
      return midpoint;
    }
  }
}
"""


def all_facts(text: str, language: Language = Language.C) -> list[Facts]:
    """The facts of every function of a text."""
    data = text.encode()
    unit = analyse(data, language)
    edges = list(zip(unit.edge_source, unit.edge_target, unit.edge_kind, strict=True))
    places = []
    for row in unit.functions:
        own = [edge for edge in edges if row.first_node <= edge[0] < row.last_node]
        graph = graph_of(row.first_node, row.last_node, own)
        places.append(Place(row.name, row.start_byte, row.end_byte, row.comment_start, row.comment_end, graph))
    return extract(data, language, places)


def facts(text: str, language: Language = Language.C) -> Facts:
    """The facts of the first function of a text."""
    return all_facts(text, language)[0]
