"""The seven classes of §4.1: AddSub, MultDiv, Index, Modular, Bit, Logical, Relational."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beryl.encode.operators import CLASSES, OperatorClass, count, counts
from beryl.index.vectors import query_counts
from beryl.lang.pseudo import frontend

NOTHING = (0,) * CLASSES


def of(**found: int) -> tuple[int, ...]:
    return tuple(found.get(item.name.lower(), 0) for item in OperatorClass)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Fig. 1a and 4a
        ("n = A.rows", NOTHING),
        (r"c_{ij} = c_{ij} + a_{ik} \cdot b_{kj}", of(add_sub=1, mult_div=1, index=16)),
        ("C[i][j] += a[i][k] * b[k][j]", of(add_sub=1, mult_div=1, index=12)),
        ("C[i][j] = 0", of(index=4)),
        # Fig. 4b
        ("FIND-SET(u) ≠ FIND-SET(v)", of(relational=1)),
        (r"FIND-SET(u) \neq FIND-SET(v)", of(relational=1)),
        ("A = A ∪ {(u, v)}", NOTHING),
        # Fig. 8a, 9a, 10a
        ("d_{ij} = min(d_{ij}, d_{ik} + d_{kj})", of(add_sub=1, index=16)),
        ("x_i == y_j", of(relational=1, index=4)),
        ("c[i,j] = c[i-1,j-1] + 1", of(add_sub=3, index=4)),
        (r"c[i-1,j] \geq c[i,j-1]", of(add_sub=2, relational=1, index=4)),
        (r"A[0] = - \infinity", of(add_sub=1, index=2)),
        ("A[j] < A[j-1]", of(add_sub=1, relational=1, index=4)),
        ("j = j - 1", of(add_sub=1)),
    ],
)
def test_pseudocode_of_the_papers_figures(text, expected):
    assert count(text, pseudocode=True) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Fig. 1b
        ("for (int iBlock = 0; iBlock < blockRows; ++iBlock)", of(add_sub=1, relational=1)),
        ("final int pStart = iBlock * BLOCK_SIZE", of(mult_div=1)),
        ("while (q < qEnd - 3)", of(add_sub=1, relational=1)),
        ("sum += block[k] * v[q] + block[k + 1] * v[q + 1]", of(add_sub=4, mult_div=2, index=8)),
        ("while (q < qEnd) sum += block[k++] * v[q++]", of(add_sub=3, mult_div=1, index=4, relational=1)),
        ("out[p] += sum", of(add_sub=1, index=2)),
        # Fig. 8b, 9b, 10b
        ("final int[][] sums = new int[vertices.size()][vertices.size()]", of(index=8)),
        (
            "final int summed = (ikCost != Integer.MAX_VALUE && kjCost != Integer.MAX_VALUE) ? (ikCost + kjCost) : x",
            of(add_sub=1, logical=1, relational=2),
        ),
        ("int S[][] = new int[n+1][m+1]", of(add_sub=2, index=8)),
        ("if (S[ii-1][jj] >= S[ii][jj])", of(add_sub=1, relational=1, index=8)),
        (
            "for (j = i - 1; j >= 0 && less(insertValue, array[j]); j--)",
            of(add_sub=2, relational=1, logical=1, index=2),
        ),
        ("array[j + 1] = array[j]", of(add_sub=1, index=4)),
        ("final int pEnd = FastMath.min(pStart + BLOCK_SIZE, rows)", of(add_sub=1)),
        ("final double[] block = blocks[iBlock * blockColumns + jBlock]", of(add_sub=1, mult_div=1, index=4)),
        ("k += 4", of(add_sub=1)),
        ("int j = 0; j < sums[i].length; j++", of(add_sub=1, relational=1, index=2)),
        ("sums[i][j] = Integer.MAX_VALUE", of(index=4)),
        ("ii = 0; ii <= n; ++ ii", of(add_sub=1, relational=1)),
        ("R[ii][jj] = UP_AND_LEFT", of(index=4)),
        ("a.charAt(ii-1) == b.charAt(jj-1)", of(add_sub=2, relational=1)),
        ("S[ii][jj] = S[ii-1][jj-1] + 0", of(add_sub=3, index=8)),
        ("T insertValue = array[i]", of(index=2)),
        ("j != i - 1", of(add_sub=1, relational=1)),
    ],
)
def test_code_of_the_papers_figures(text, expected):
    assert count(text) == expected


FIGURES = {
    "4a": """MATRIX-MULTIPLY (A, B)
$n = A.rows$
@let C be a new n x n matrix@
for $i = 1$ to $n$
  for $j = 1$ to $n$
    $C[i][j] = 0$
    for $k = 1$ to $n$
      $C[i][j] += a[i][k] * b[k][j]$
return $C$
""",
    "4b": r"""MST-KRUSKAL(G,w)
$A = 0$
for each @vertex v ∈ G.V@
  MAKE-SET (v)
@sort edges of G.E into nondecreasing order by weight w@
for each @edge (u,v) in G.E in nondecreasing order by weight@
  if $FIND-SET(u) \neq FIND-SET(v)$
    $A = A \cup \{(u, v)\}$
    UNION(u,v)
return $A$
""",
    "8a": """FLOYD-WARSHALL(W)
$n = W.rows$
$D = W$
for $k = 1$ to $n$
  for $i = 1$ to $n$
    for $j = 1$ to $n$
      $d_{ij} = min(d_{ij}, d_{ik} + d_{kj})$
return $D$
""",
    "9a": r"""LCS-LENGTH(X,Y)
$m = X.length$
$n = Y.length$
@let b[1..m, 1..n] and c[0..m, 0..n] be new tables@
for $i = 1$ to $m$
  $c[i, 0] = 0$
for $j = 0$ to $n$
  $c[0,j] = 0$
for $i = 1$ to $m$
  for $j = 1$ to $n$
    if $x_i == y_j$
      $c[i,j] = c[i-1,j-1] + 1$
    else if $c[i-1,j] \geq c[i,j-1]$
      $c[i,j] = c[i-1,j]$
    else if $c[i,j] = c[i,j-1]$
      @draw a left arrow in b@
return @c and b@
""",
    "10a": r"""InsertionSort(A)
$A[0] = - \infinity$
for $i = 2$ to $n$
  $j = i$
  while $A[j] < A[j-1]$
    swap ($A[j]$, $A[j-1]$)
    $j = j - 1$
""",
}


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        ("4a", [of(index=4), of(add_sub=1, mult_div=1, index=12)]),
        ("4b", [of(relational=1)]),
        ("8a", [of(add_sub=1, index=16)]),
        (
            "9a",
            [
                of(index=2),
                of(index=2),
                of(index=4, relational=1),
                of(add_sub=3, index=4),
                of(add_sub=2, index=4, relational=1),
                of(add_sub=1, index=4),
                of(add_sub=1, index=4, relational=1),
            ],
        ),
        (
            "10a",
            [
                of(add_sub=1, index=2),
                of(add_sub=1, index=4, relational=1),
                of(add_sub=1, index=4),
                of(add_sub=1),
            ],
        ),
    ],
)
def test_whole_figures_as_p_code(figure, expected):
    """Nodes with an operator, in order; prose such as "b[1..m, 1..n] and c[0..m, 0..n]" has none."""
    found = query_counts(frontend.read(FIGURES[figure], figure).icfg, pseudocode=True)
    assert [tuple(row) for row in found.astype(int).tolist() if any(row)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i++", of(add_sub=1)),
        ("x += 2", of(add_sub=1)),
        ("x <<= 2", of(bit=1)),
        ("x = y >>> 3", of(bit=1)),
        ("p->next = q", NOTHING),
        ("x = a & b | c ^ ~d", NOTHING),
        ("x &= y", NOTHING),
        ("a && !b || c", of(logical=3)),
        ("x = y % 2 == 0", of(modular=1, relational=1)),
        ("Map<String, List<Integer>> m = new HashMap<>()", NOTHING),
        ("std::vector<int> v(n + 1)", of(add_sub=1)),
        ("i<n>>1", of(bit=1, relational=1)),
        ("a<b && c>d", of(logical=1, relational=2)),
        ("f(a, b < c, d > e)", of(relational=2)),
        ("List<? extends Number> xs = ys", NOTHING),
        ("int *p = &x", NOTHING),
        ("struct node **list", NOTHING),
        ("*p++ = *q++", of(add_sub=2)),
        ("p = (char *) q", NOTHING),
        ("return a * b", of(mult_div=1)),
        ("a * b > c", of(mult_div=1, relational=1)),
        ("x = y * *p", of(mult_div=1)),
        ('print("a + b < c" + x)', of(add_sub=1)),
        ("c = '+'", NOTHING),
        ("x -> x + 1", of(add_sub=1)),
    ],
)
def test_what_counts_as_what_in_code(text, expected):
    assert count(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i ≤ j", of(relational=1)),
        (r"i \leq j", of(relational=1)),
        (r"i \le j and j \ge k", of(relational=2, logical=1)),
        ("x = a · b × c ÷ d", of(mult_div=3)),
        (r"x = a \cdot b \times c", of(mult_div=2)),
        ("x = a mod b", of(modular=1)),
        (r"x = a \bmod b", of(modular=1)),
        ("not a or b and c", of(logical=3)),
        ("¬a ∧ b ∨ c", of(logical=3)),
        ("q = ⌊(p + r)/2⌋", of(add_sub=1, mult_div=1)),
        ("xᵢ = x₁", of(index=4)),
        ("x_{max} = y_1", of(index=4)),
        ("max_val = n_rows", NOTHING),
        ("x <- y", NOTHING),
        ("x ← n!", NOTHING),
        ("EXTRACT-MIN(Q) - 1", of(add_sub=1)),
        ("a − b", of(add_sub=1)),
        ("x << 2", of(bit=1)),
    ],
)
def test_pseudocode_in_unicode_latex_and_words(text, expected):
    assert count(text, pseudocode=True) == expected


def test_a_lone_equals_sign_compares_only_in_a_test():
    assert count("x = y", pseudocode=True) == NOTHING
    assert count("x = y", pseudocode=True, test=True) == of(relational=1)


def test_rows_follow_the_texts():
    assert counts(["a + b", "", "x[i] % 2"]).tolist() == [[1, 0, 0, 0, 0, 0, 0], [0] * 7, [0, 0, 2, 1, 0, 0, 0]]


@given(st.text(alphabet="ab1 +-*/%<>=!&|[]()_{}\\\"'.,;≤·", max_size=60), st.booleans())
def test_any_text_has_counts_no_larger_than_itself(text, pseudocode):
    found = count(text, pseudocode)
    assert len(found) == CLASSES
    assert 0 <= sum(found) <= 4 * len(text)
