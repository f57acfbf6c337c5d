"""The same algorithm in the styles that people paste gives the same control flow."""

from __future__ import annotations

import pytest

from beryl.lang.pseudo import frontend
from beryl.types import NodeKind

# SORT: a loop with a loop (two tests) in it, a branch with an else after that, and a return.
SHAPE = [("entry", 0), ("loop", 0), ("loop", 1), ("condition", 0), ("return", 0)]

STYLES = {
    "clrs": """
SORT(A, n)
    for j = 2 to n
        key = A[j]
        // insert A[j] into the sorted sequence
        i = j - 1
        while i > 0 and A[i] > key
            A[i + 1] = A[i]
            i = i - 1
        A[i + 1] = key
    if n == 0
        print "nothing to do"
    else
        n = 0
    return A
""",
    "numbers with dots": """
SORT(A, n)
1.  for j = 2 to n
2.      key = A[j]
3.      i = j - 1
4.      while i > 0 and A[i] > key
5.          A[i + 1] = A[i]
6.          i = i - 1
7.      A[i + 1] = key
8.  if n == 0
9.      print "nothing to do"
10. else
11.     n = 0
12. return A
""",
    "ragged numbers": """
1: procedure SORT(A, n)
2:   for j ← 2 to n do
3:     key ← A[j]
4:     i ← j − 1
5:     while i > 0 ∧ A[i] > key do
6:       A[i + 1] ← A[i]
7:       i ← i − 1
8:     end while
9:     A[i + 1] ← key
10:   end for
11:   if n = 0 then
12:     print "nothing to do"
13:   else
14:     n ← 0
15:   end if
16:   return A
17: end procedure
""",
    "algpseudocode": r"""
\begin{algorithm}
\caption{Sorting}\label{alg:sort}
\begin{algorithmic}[1]
\Procedure{Sort}{$A, n$} \Comment{sorts in place}
\For{$j \gets 2, \dots, n$}
\State $key \gets A[j]$
\State $i \gets j - 1$
\While{$i > 0 \land A[i] > key$}
\State $A[i+1] \gets A[i]$
\State $i \gets i - 1$
\EndWhile
\State $A[i+1] \gets key$
\EndFor
\If{$n = 0$}
\State print ``nothing to do''
\Else
\State $n \gets 0$
\EndIf
\State \textbf{return} $A$
\EndProcedure
\end{algorithmic}
\end{algorithm}
""",
    "algorithm2e": r"""
\begin{algorithm}[H]
 \KwData{array $A$ of $n$ numbers}
 \KwResult{$A$ sorted}
 \For{$j\leftarrow 2$ \KwTo $n$}{
  $key \leftarrow A[j]$\;
  $i \leftarrow j - 1$\;
  \While{$i > 0$ \textbf{and} $A[i] > key$}{
   $A[i+1] \leftarrow A[i]$\;
   $i \leftarrow i - 1$\;
  }
  $A[i+1] \leftarrow key$\;
 }
 \eIf{$n = 0$}{
  print ``nothing to do''\;
 }{
  $n \leftarrow 0$\;
 }
 \Return{$A$}
 \caption{Sort}
\end{algorithm}
""",
    "begin and end": """
procedure Sort(A, n);
begin
  for j := 2 to n do
  begin
    key := A[j];
    i := j - 1;
    while (i > 0) and (A[i] > key) do
    begin
      A[i + 1] := A[i];
      i := i - 1;
    end;
    A[i + 1] := key;
  end;
  if n = 0 then
    write('nothing to do')
  else
    n := 0;
  return A;
end;
""",
    "flush begin and end": """
procedure Sort(A, n)
begin
for j := 2 to n do
begin
key := A[j];
i := j - 1;
while (i > 0) and (A[i] > key) do
begin
A[i + 1] := A[i];
i := i - 1;
end;
A[i + 1] := key;
end;
if n = 0 then
write('nothing to do')
else
n := 0;
return A;
end
""",
    "flush end words": """
function Sort(A, n)
for j := 2 to n do
key := A[j]
i := j - 1
while i > 0 and A[i] > key do
A[i + 1] := A[i]
i := i - 1
end while
A[i + 1] := key
endfor
if n = 0 then
print "nothing to do"
else
n := 0
end if
return A
end function
""",
    "fi and od": """
proc SORT(A, n)
  for j := 2 to n do
    key := A[j]; i := j - 1;
    while i > 0 and A[i] > key do
      A[i + 1] := A[i]; i := i - 1
    od;
    A[i + 1] := key
  od;
  if n = 0 then print "nothing to do" else n := 0 fi;
  return A
""",
    "wikipedia": """
function sort(A : list of sortable items, n) is
    for j from 2 to n inclusive do
        key ← A[j]
        i ← j − 1
        while i > 0 and A[i] > key do
            A[i + 1] ← A[i]
            i ← i − 1
        A[i + 1] ← key
    if n = 0 then
        print "nothing to do"
    else
        n ← 0
    end if
    return A
end function
""",
    "python-like": """
def sort(A, n):
    for j in 2..n:
        key = A[j]
        i = j - 1
        while i > 0 and A[i] > key:
            A[i + 1] = A[i]
            i -= 1
        A[i + 1] = key
    if n == 0: print "nothing to do"
    else: n = 0
    return A
""",
    "braces": """
sort(A, n) {
  for (j = 2; j <= n; j++) {
    key = A[j];
    i = j - 1;
    while (i > 0 && A[i] > key) {
      A[i + 1] = A[i];
      i--;
    }
    A[i + 1] = key;
  }
  if (n == 0) {
    print "nothing to do";
  } else {
    n = 0;
  }
  return A;
}
""",
    "braces on their own lines": """
Algorithm sort(A, n)
{
  for j := 2 to n do
  {
    key := A[j];
    i := j - 1;
    while ((i > 0) and (A[i] > key)) do
    {
      A[i + 1] := A[i];
      i := i - 1;
    }
    A[i + 1] := key;
  }
  if (n = 0) then write "nothing to do";
  else n := 0;
  return A;
}
""",
    "markdown": """
Some words about sorting.

```python
SORT(A, n)
  for j = 2 to n
    key = A[j]
    i = j - 1
    while i > 0 and
          A[i] > key
      A[i + 1] = A[i]
      i = i - 1
    A[i + 1] = key
  if n == 0
    print "nothing to do"
  else n = 0
  return A
```

And some more words.
""",
    "tabs": "SORT(A, n)\n\tfor j = 2 to n\n\t\tkey = A[j]\n\t\ti = j - 1\n\t\twhile i > 0 and A[i] > key\n"
    "\t\t\tA[i+1] = A[i]\n\t\t\ti = i - 1\n\t\tA[i+1] = key\n\tif n == 0\n\t\tprint 0\n\telse\n\t\tn = 0\n\treturn A\n",
    "prose": """
Sort(A, n)
For j from 2 to n:
    Let key be the j-th element of A.
    Set i = j - 1.
    While i > 0 and A[i] > key:
        Move A[i] one place to the right.
        Decrease i by one.
    Put key at position i + 1.
If n = 0:
    Print a message.
Otherwise:
    Set n = 0.
Return A.
""",
    "block comments": """
/* sorts A,
   in place */
SORT(A, n)
  for j = 2 to n            (* outer loop *)
    key = A[j]              # the key
    while i > 0 and A[i] > key  ▷ inner loop
      i = i - 1             /* shift */
  if n == 0
    n = 1
  elseif n == 1
    n = 0
  return A
""",
}  # fmt: skip


def shape(read: frontend.Pseudocode) -> list[tuple[str, int]]:
    kept = (NodeKind.ENTRY, NodeKind.LOOP, NodeKind.CONDITION, NodeKind.RETURN)
    return [(node.kind.label, node.depth) for node in read.icfg.nodes if node.kind in kept]


@pytest.mark.parametrize("style", STYLES)
def test_each_style_gives_the_same_control_flow(style):
    read = frontend.read(STYLES[style])
    expected = [*SHAPE[:4], ("condition", 0), SHAPE[4]] if style == "block comments" else SHAPE
    assert shape(read) == expected, read.pcode


@pytest.mark.parametrize("style", STYLES)
def test_nodes_carry_the_line_of_the_file_as_given(style):
    read = frontend.read(STYLES[style])
    loop = next(node for node in read.icfg.nodes if node.kind is NodeKind.LOOP and node.depth == 1)
    assert "hile" in read.lines[loop.span.start_line - 1].lower() or "WHILE" in read.lines[loop.span.start_line - 1]


@pytest.mark.parametrize("style", STYLES)
def test_conversion_is_accepted_and_left_alone_the_second_time(style):
    pcode = frontend.convert(STYLES[style])
    again = frontend.read(pcode)
    assert again.pcode == pcode
    assert shape(again) == shape(frontend.read(STYLES[style]))


def test_comments_and_prose_around_a_fence_are_kept_as_comments():
    read = frontend.read(STYLES["markdown"])
    assert [comment.text for comment in read.comments] == ["Some words about sorting.", "And some more words."]
    assert read.comments[0].line == 2


def test_a_title_with_its_source_is_a_comment_and_the_name():
    text = "HyperLogLog (Flajolet et al. 2007)\n\nfor each x in stream\n    h := hash(x)\nreturn h\n"
    assert frontend.convert(text).splitlines()[:2] == ["HyperLogLog()", "  // HyperLogLog (Flajolet et al. 2007)"]


def test_a_first_line_that_computes_is_no_title():
    assert "$s = 0$" in frontend.convert("s = 0\n\nfor i = 1 to n\n    s = s + i\nreturn s\n")


def test_the_body_of_a_loop_or_branch_may_stand_on_its_line():
    text = "F(a, n)\n  for i <- 1 to n, read a[i]\n  for i <- 1 to n, s <- s + a[i]\n  if n = 1 return s\n  return s\n"
    rows = [row.strip() for row in frontend.convert(text).splitlines()]
    assert rows[1:] == [
        "for $i = 1$ to $n$",
        "@read a[i]@",
        "for $i = 1$ to $n$",
        "$s = s + a[i]$",
        "if $n == 1$",
        "return $s$",
        "return $s$",
    ]


def test_two_loop_variables_on_a_line_are_no_body():
    text = "F(a)\n  for i = 1 to n, j = 1 to m\n    s = s + a[i][j]\n  return s\n"
    assert frontend.convert(text).count("s + a[i][j]") == 1


def test_braces_in_pascal_are_comments_but_a_set_is_a_set():
    text = (
        "procedure Count(a);\nbegin\n  { small ones }\n  for i := 1 to n do begin\n"
        "    if a[i] in {1, 2} then c := c + 1; { counted }\n  end;\nend;\n"
    )
    pcode = frontend.convert(text)
    assert "// small ones" in pcode
    assert "// counted" in pcode
    assert "if $a[i] in {1, 2}$" in pcode


def test_a_phrase_after_a_test_in_symbols_is_its_body():
    text = "Select(A, k)\n  If k < p, search A[lo..p-1], otherwise search A[p+1..hi].\n  return A[p]\n"
    assert frontend.convert(text).splitlines()[1:5] == [
        "  if $k < p$",
        "    @search A[lo..p-1]@",
        "  else",
        "    @search A[p+1..hi]@",
    ]


def test_a_second_loop_variable_after_a_comma_is_no_body():
    text = "Meet(n, m)\n  while i < n, high > m do\n    i = i + 1\n  return i\n"
    assert "  while $i < n, high > m$" in frontend.convert(text).splitlines()
