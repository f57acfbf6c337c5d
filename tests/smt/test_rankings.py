"""The three orders of results, and agreement between projects."""

from java_cases import encoded

from beryl.smt.behaviour import agreement, behaviour, probes
from beryl.smt.examples import read_specification
from beryl.smt.match import Budget, Check, Outcome
from beryl.smt.rankings import Found, fused, satsy_ranked, satsy_round_robin, words_of
from beryl.types import Verdict


def found(function, bucket, equal=True, joint=Verdict.MATCH, **more):
    """A method in a bucket."""
    outcome = Outcome((), joint, 1, 1, bucket, None)
    values = {"name": "f", "project": 0, "size": 10, "behaviour": (), "fields": 0, "uses_inputs": True, "echo": False}
    return Found(function, function, outcome, equal, **(values | more))


def order(ranked):
    return [item.found.function for item in ranked]


def test_satsy_ranked_goes_by_buckets_4_2_1_3_with_equal_signatures_only():
    items = [found(number, number) for number in range(1, 11)] + [found(11, 4, equal=False)]
    assert order(satsy_ranked(items, [])) == [4, 2, 1, 3]


def test_round_robin_takes_one_of_each_bucket_in_turn_and_wider_signatures_last():
    items = [found(1, 1), found(2, 2), found(3, 2), found(4, 9), found(5, 2, equal=False)]
    ranked = order(satsy_round_robin(items, []))
    assert ranked[1] == 1
    assert ranked[2] == 4
    assert {ranked[0], ranked[3]} == {2, 3}
    assert ranked[4] == 5


def test_the_order_within_a_bucket_is_the_same_in_every_run():
    items = [found(number, 2) for number in range(20)]
    assert order(satsy_ranked(items, [])) == order(satsy_ranked(items[::-1], []))


def test_fused_puts_joint_matches_first_then_those_that_use_their_inputs_then_equal_signatures():
    items = [
        found(1, 2, joint=Verdict.MISMATCH),
        found(2, 2, uses_inputs=False),
        found(3, 2, equal=False),
        found(4, 2),
        found(5, 2, joint=Verdict.UNKNOWN),
        found(6, 9),
    ]
    assert order(fused(items, [])) == [4, 3, 2, 5, 1]


def test_names_that_several_projects_share_rank_higher():
    items = [
        found(1, 2, name="twist", project=0),
        found(2, 2, name="capitalize", project=1),
        found(3, 2, name="capitalizeFirst", project=2),
    ]
    assert order(fused(items, ["twist", "capitalize", "capitalizeFirst", "trim"]))[0] == 2
    assert words_of("isAsciiDigit2") == ["is", "ascii", "digit", "2"]


def test_what_most_projects_do_counts_most():
    share = agreement([(("a", "b"), 0), (("a", "b"), 1), (("a", "c"), 2), (("a", "c"), 2)])
    assert share(("a", "b")) == 1.0
    assert share(("a", "c")) == 0.5
    assert share(()) == 0.0


def test_methods_that_fit_the_examples_but_differ_elsewhere_behave_differently():
    specification = read_specification(["2 -> true", "-4 -> false"])
    inputs = probes(specification)
    positive = behaviour(encoded("static boolean f(int x) { return x > 0; }"), ("x",), inputs)
    also_positive = behaviour(encoded("static boolean f(int x) { return !(x <= 0); }"), ("x",), inputs)
    power = behaviour(encoded("static boolean f(int x) { return (x & (x - 1)) == 0; }"), ("x",), inputs)
    assert positive == also_positive
    assert positive != power


def test_an_answer_is_determined_where_free_values_do_not_matter():
    specification = read_specification(["\"cd\" -> 'c'"])
    other = "static char f(String s, char other) { return s.isEmpty() ? other : s.charAt(0); }"
    index = "static char f(String s, int index) { return s.charAt(index); }"
    budget = Budget.of(5.0, 30.0)
    assert Check(encoded(other), specification, budget).determined(("s",))
    assert not Check(encoded(index), specification, budget).determined(("s",))
