"""`beryl find` on two small projects: what is found, in which order, and what is shown with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from beryl import paths
from beryl.errors import IndexError_, InputError
from beryl.index.build import build_index
from beryl.index.store import BuildOptions, Index
from beryl.index.terms import Terms
from beryl.search import keyword
from beryl.search.find_settings import Support, prepared, read, support_files
from beryl.search.keyword import search
from beryl.search.question import parse
from beryl.types import Filters, KeywordQuery, Language, SearchResult

TEXTURE_C = """\
/* Compress a texture into blocks of four by four texels. */
int compress_texture(struct image *image) {
    int blocks = 0;
    for (int i = 0; i < image->height; i += 4)
        blocks += pack_block(image, i);
    return blocks;
}

static int pack_block(struct image *image, int row) {
    /* look up the nearest colour */
    return nearest_colour(image, row) + nearest_colour(image, row + 1);
}

int nearest_colour(struct image *image, int row) {
    return image->pixel[row] & 0xF0F0;
}

int load_texture(const char *path) {
    if (!path)
        report_error("out of memory while loading");
    return compress_texture(read_image(path));
}
"""
LIBRARY_C = """\
/* Compress a texture into blocks of four by four texels. */
int lib_compress_texture(struct image *image) {
    int blocks = 0;
    for (int i = 0; i < image->height; i += 4)
        blocks += 16;
    return blocks;
}
"""
GRAPH_JAVA = """\
package graph;
/** Paths in graphs. */
class Paths {
    /** Single source distances by Dijkstra's algorithm. */
    int[] shortestPath(Graph graph, int source) {
        int[] dist = new int[graph.size()];
        relax(graph, dist, source);
        return dist;
    }
    void relax(Graph graph, int[] dist, int vertex) {
        for (int next : graph.edges(vertex)) {
            relax(graph, dist, next);
        }
    }
    int longestPath(Graph graph) { return -1; }
}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = tmp_path_factory.mktemp("keyword")
    files = {
        "game/src/texture.c": TEXTURE_C,
        "game/third_party/pack/pack.c": LIBRARY_C,
        "maps/graph/Paths.java": GRAPH_JAVA,
    }
    for name, text in files.items():
        (root / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "tree" / name).write_text(text, encoding="utf-8")
    return build_index([root / "tree"], root / "index", BuildOptions(each=True, jobs=1, tables=("terms",)))


def find(index: Index, *words: str, **options: object) -> SearchResult:
    return search(index, KeywordQuery(words, **options))


def names(result: SearchResult) -> list[str]:
    return [fragment.functions[0] for fragment in result.results]


@pytest.mark.parametrize("ranking", ["default", "bm25"])
def test_the_function_with_the_words_comes_first(index, ranking):
    assert names(find(index, "compress", "texture", ranking=ranking))[0] == "compress_texture"


def test_the_plain_sum_prefers_what_is_used_most(index):
    found = find(index, "compress", "texture", ranking="paper").results
    assert names(find(index, "compress", "texture", ranking="paper"))[:2] == ["nearest_colour", "compress_texture"]
    assert found[0].parts["pagerank"] == 1.0
    assert found[1].parts["function"] > found[0].parts["function"]


def test_support_libraries_count_half(index):
    fragments = {fragment.functions[0]: fragment for fragment in find(index, "compress", "texture").results}
    library = fragments["lib_compress_texture"]
    assert library.parts["damping"] == 0.5
    assert fragments["compress_texture"].parts["damping"] == 1.0
    weights = read(paths.config("find.toml")).signals
    parts = library.parts
    expected = weights.file * parts["file"] + parts["function"] + weights.pagerank * parts["pagerank"]
    assert library.score == pytest.approx(0.5 * expected, rel=1e-4)


def test_the_paper_adds_the_three_similarities(index):
    for fragment in find(index, "texture", ranking="paper").results:
        parts = fragment.parts
        total = parts["file"] + parts["function"] + parts["pagerank"]
        assert fragment.score == pytest.approx(parts["damping"] * total, rel=1e-4)
        assert all(0 <= parts[name] <= 1.0001 for name in ("file", "function", "pagerank"))


def test_words_are_split_stemmed_and_spelled_otherwise(index):
    assert names(find(index, "compressing", "textures"))[0] == "compress_texture"
    assert names(find(index, "shortestpath"))[0] == "Paths.shortestPath"
    assert "Paths.shortestPath" in names(find(index, "distance"))


def test_prefixes_look_in_one_place(index):
    assert names(find(index, "name:nearest")) == ["nearest_colour"]
    assert names(find(index, "comment:nearest")) == ["pack_block"]
    assert names(find(index, "calls:nearest")) == ["pack_block"]
    assert set(names(find(index, "class:paths"))) == {"Paths.shortestPath", "Paths.relax", "Paths.longestPath"}
    assert names(find(index, "text:memory")) == ["load_texture"]


def test_a_phrase_stands_as_it_is(index):
    assert names(find(index, '"out of memory"')) == ["load_texture"]
    assert names(find(index, '"memory out"')) == []
    assert names(find(index, '"nearest colour"', "calls:block")) == []
    assert set(names(find(index, '"nearest colour"'))) == {"pack_block", "nearest_colour"}
    assert names(find(index, 'comment:"nearest colour"')) == ["pack_block"]


def test_a_phrase_looks_where_its_prefix_says(index):
    assert names(find(index, 'calls:"nearest colour"')) == ["pack_block"]
    assert names(find(index, 'calls:"dist source"')) == [], "arguments stand together, but they are not one call"
    assert names(find(index, 'name:"nearest colour"')) == ["nearest_colour"]
    assert names(find(index, 'text:"memory while loading"')) == ["load_texture"]
    assert names(find(index, 'file:"third party pack"')) == ["lib_compress_texture"]
    assert names(find(index, '"blocks return blocks"', "image")) == [], "the words of a phrase do not cross functions"


def test_a_phrase_of_an_inner_function_is_one_of_the_function_around_it(tmp_path):
    text = (
        'class A { Runnable start() { return () -> { log("disk almost full"); }; } void stop() { log("full disk"); } }'
    )
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "A.java").write_text(text)
    small = build_index([tmp_path / "one"], tmp_path / "index", BuildOptions(jobs=1, tables=("terms",)))
    found = names(find(small, '"disk almost full"'))
    assert "A.start" in found
    assert "A.stop" not in found


def test_a_table_without_word_order_refuses_phrases_only(index, monkeypatch):
    old = replace(Terms.open(index), order={})
    monkeypatch.setattr(keyword, "prepare", lambda index, settings: prepared(index, old, settings))
    assert names(find(index, "compress", "texture"))[0] == "compress_texture"
    with pytest.raises(IndexError_, match="--update"):
        find(index, '"out of memory"')


def test_excluded_words_are_not_there(index):
    assert "lib_compress_texture" not in names(find(index, "compress", "texture", "-lib"))
    assert set(names(find(index, "texture", "-calls:block", "-name:lib", "-load"))) == {"pack_block", "nearest_colour"}
    assert names(find(index, "path", '-"shortest path"', "-load", "-relax")) == ["Paths.longestPath"]


def test_filters(index):
    assert names(find(index, "texture", filters=Filters(projects=("maps",)))) == []
    java = find(index, "path", filters=Filters(languages=(Language.JAVA,)))
    assert {fragment.language for fragment in java.results} == {Language.JAVA}


def test_files(index):
    found = find(index, "compress", "texture", kind="file")
    assert [fragment.path for fragment in found.results] == ["src/texture.c", "third_party/pack/pack.c"]
    assert found.results[0].functions[0] == "compress_texture"
    assert [fragment.path for fragment in find(index, "compress", "texture", kind="file", k=1).results] == [
        "src/texture.c"
    ]
    assert (found.results[0].start, found.results[0].end) == (1, len(TEXTURE_C.splitlines()))


def test_usages_are_trees_with_places(index):
    fragment = find(index, "name:pack", callers=2, callees=1).results[0]
    assert fragment.extra["callees"] == [
        {"function": "nearest_colour", "call": "src/texture.c:11", "defined": "src/texture.c:14"}
    ]
    [caller] = fragment.extra["callers"]
    assert (caller["function"], caller["call"]) == ("compress_texture", "src/texture.c:5")
    assert caller["callers"][0]["function"] == "load_texture"


def test_recursion_ends_a_tree(index):
    fragment = find(index, "name:relax", callees=3).results[0]
    assert [entry.get("recursive") for entry in fragment.extra["callees"]] == [True]


def test_matches_say_where_each_word_stands(index):
    fragment = find(index, "pixel", "row").results[0]
    assert fragment.functions == ("nearest_colour",)
    assert {(match.query_text, match.line) for match in fragment.matches} == {("row", 14), ("pixel", 15)}


def test_nothing_found_suggests_near_spellings(index):
    result = find(index, "textrue")
    assert not result.results
    assert "near spellings: texture" in result.notes[0]
    assert "near spellings: dijkstra" in find(index, "path", "dijkstar").notes[0], "also where something is found"
    assert "near spellings: memory" in find(index, "memroy").notes[0], "a slip that changes the stem"
    assert "leave out quotes" in find(index, '"texture compress"').notes[0]


def test_the_answer_is_sorted_and_at_most_k(index):
    result = find(index, "texture", "image", "path", k=3)
    scores = [fragment.score for fragment in result.results]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["the", "for", "of"], "only words that stand in every function"),
        ([""], "empty"),
        (["-texture"], "only excludes"),
        (["colour:red"], "unknown prefix 'colour:'"),
        (['"not closed'], "not closed"),
        (["word"] * 10_000, "10,000 words"),
    ],
)
def test_questions_that_cannot_be_asked(words, message):
    with pytest.raises(InputError, match=message):
        parse(words)


def test_a_scope_is_no_prefix():
    assert parse(["std::sort"]).clauses[0].words == ("std", "sort")


def test_unknown_rankings_and_kinds_are_refused(index):
    with pytest.raises(InputError, match="known: default, paper, bm25"):
        find(index, "texture", ranking="best")
    with pytest.raises(InputError, match="known: function, file"):
        find(index, "texture", kind="class")


def test_settings_of_another_file(index, tmp_path):
    own = tmp_path / "find.toml"
    own.write_text('[signals]\npagerank = 3.0\n[support]\nweight = 0.25\npatterns = ["third_party/"]\n')
    found = find(index, "compress", "texture", config=str(own))
    assert {fragment.parts["damping"] for fragment in found.results} == {1.0, 0.25}
    assert names(found)[0] == "nearest_colour", "the most called function, with such a weight"
    own.with_name("wrong.toml").write_text("[signal]\npagerank = 3.0\n")
    with pytest.raises(InputError, match="unknown section 'signal'"):
        find(index, "texture", config=str(own.with_name("wrong.toml")))


def test_support_patterns_are_folders_and_file_names():
    support = Support(patterns=("vendor/", "*Test.java", "test_*.c"))
    files = ["src/vendor/a.c", "vendor.c", "a/FooTest.java", "a/Testing.java", "test_x.c", "src/latest_x.c"]
    assert support_files(files, support).tolist() == [True, False, True, False, True, False]


def test_another_damping_of_pagerank_is_worked_out(index, tmp_path):
    own = tmp_path / "damping.toml"
    own.write_text("[signals]\npagerank = 1.0\ndamping = 0.1\n")
    usual = find(index, "name:pack").results[0].parts["pagerank"]
    assert find(index, "name:pack", config=str(own)).results[0].parts["pagerank"] != pytest.approx(usual)


def test_an_index_without_words_says_so(tmp_path):
    (tmp_path / "one").mkdir()
    Path(tmp_path / "one" / "a.c").write_text("int f(void) { return 1; }\n")
    bare = build_index([tmp_path / "one"], tmp_path / "index", BuildOptions(jobs=1, tables=()))
    with pytest.raises(IndexError_, match="terms"):
        find(bare, "texture")
