"""Which of several records is the best in a fact, and which the weakest (D266)."""

import pytest

from components.kit.compared import Stated, lines_of, ranked, rows_of, weakest_in_words


def fact(written, amount=None, worse="", *, bound=False, group="Key figures", label="LTV"):
    return Stated(group, label, written, amount, worse, bound=bound)


def line(*facts):
    """The line of one fact, stated by records A, B, C in turn; None of one that does not."""
    stated = {name: [one] if one else [] for name, one in zip("ABC", facts, strict=False)}
    (found,) = lines_of(stated)
    return found


@pytest.mark.parametrize(
    ("worse", "best", "weakest"), [("high", "B", "C"), ("low", "C", "B"), ("", None, None)]
)
def test_the_side_of_a_figure_says_who_is_best_and_who_is_weakest(worse, best, weakest):
    found = line(fact("80%", 0.8, worse), fact("50%", 0.5, worse), fact("90%", 0.9, worse))
    assert (found.best, found.weakest) == (best, weakest)


def test_two_that_read_alike_are_neither_best_nor_weakest():
    found = line(fact("1.25x", 1.2501, "low"), fact("1.25x", 1.2499, "low"), fact("2x", 2, "low"))
    assert (found.best, found.weakest) == ("C", None)
    found = line(fact("$0", 0, "high"), fact("$0", 0, "high"), fact("$5", 5, "high"))
    assert (found.best, found.weakest) == (None, "C")


def test_a_figure_that_one_record_alone_states_marks_none():
    found = line(fact("80%", 0.8, "high"), None, fact("—", None, "high"))
    assert (found.best, found.weakest, found.ranked) == (None, None, [])


def test_what_may_be_worse_than_it_is_written_is_not_the_best():
    at_least, exact = fact("≥ 60%", 0.6, "high", bound=True), fact("70%", 0.7, "high")
    found = line(at_least, exact)
    # A may be 60% or 95%: B is not known to be better, nor A.
    assert (found.best, found.weakest) == (None, None)
    found = line(fact("50%", 0.5, "high"), at_least)
    assert (found.best, found.weakest) == ("A", "B")
    found = line(at_least, fact("≥ 70%", 0.7, "high", bound=True))
    assert (found.best, found.weakest) == (None, None)


def test_the_weakest_of_most_figures_is_named():
    def record(ltv, dscr, gap):
        return [
            fact(f"{ltv}%", ltv, "high"),
            fact(f"{dscr}x", dscr, "low", label="DSCR"),
            fact(f"{gap} bp", gap, "high", label="Gap"),
            fact("Office", label="Type"),
        ]

    called = {"A": "Elm Court", "B": "Oak Mall"}
    lines = lines_of({"A": record(80, 1.0, 10), "B": record(70, 1.5, 90)})
    assert weakest_in_words(lines, called) == "Elm Court is the weakest in 2 of 3 figures."
    assert ranked(lines) == 3
    # Of one figure each, and of as many each, none is.
    lines = lines_of({"A": record(80, 1.0, 10), "B": record(90, 0.9, 5)})[:2]
    assert weakest_in_words(lines, called) == "Oak Mall is the weakest in 2 of 2 figures."
    assert weakest_in_words(lines[:1], called) == ""
    lines = lines_of({"A": record(80, 1.0, 10), "B": record(70, 0.9, 10)})
    assert weakest_in_words(lines, called) == ""


def test_a_comparison_is_exported_as_it_is_written():
    lines = lines_of({
        "A": [fact("1", 1, label="Loans"), fact("70%", 70, "high")],
        "B": [fact("1", 1, label="Loans"), fact("Sponsor", label="Kind"), fact("90%", 90, "high")],
    })  # fmt: skip
    found = rows_of(lines, {"A": "Elm", "B": "Oak"})
    key = {"Group": "Key figures"}
    assert found == [
        {**key, "Fact": "Loans", "Elm": "1", "Oak": "1", "Best": "", "Weakest": "", "Differs": ""},
        {**key, "Fact": "LTV", "Elm": "70%", "Oak": "90%", "Best": "Elm", "Weakest": "Oak",
         "Differs": "≠"},
        {**key, "Fact": "Kind", "Elm": "—", "Oak": "Sponsor", "Best": "", "Weakest": "",
         "Differs": "≠"},
    ]  # fmt: skip


def test_facts_stay_in_their_group():
    later = fact("yes", group="Debt", label="Balloon")
    lines = lines_of({"A": [fact("70%"), later], "B": [fact("1x", label="DSCR"), later]})
    assert [(one.group, one.label) for one in lines] == [
        ("Key figures", "LTV"), ("Key figures", "DSCR"), ("Debt", "Balloon"),
    ]  # fmt: skip
