"""How loans of a family are connected in words, and where they stand on the timeline."""

from datetime import date

import pytest

from components.families import contagion, timeline, ways
from services.contract.families import FamilyLink, FamilyLoan
from services.signals.limits import Limits
from services.signals.rules import rules

TODAY = date(2026, 9, 30)


def loan(number, *up, worst=None, **facts):
    below, way = number, []
    for above, confidence in up:
        way.append(FamilyLink(below=below, above=above, confidence=confidence))
        below = above
    known = dict.fromkeys(FamilyLoan.model_fields) | facts
    return FamilyLoan(**{**known, "loan_number": number, "worst": worst, "way": tuple(way)})


FIRST = loan("L-1", ("B1", 0.93), ("S", 0.98), ("O", 0.95))
SAME_SPONSOR = loan("L-2", ("B2", 0.92), ("H", 0.99), ("S", 0.71), ("O", 0.95), worst="severe")
SAME_BORROWER = loan("L-3", ("B1", 0.9), ("S", 0.98), ("O", 0.95), worst="critical")
OTHER_SIDE = loan("L-4", ("B4", 0.8), ("O", 0.7), worst="moderate")


def test_two_loans_meet_at_the_first_party_that_is_above_both():
    # D71
    met = ways.joint(FIRST, SAME_SPONSOR)
    assert met.party == "S"
    assert met.sentence == "L-1 –0.93→ B1 –0.98→ S ←0.71– H ←0.99– B2 ←0.92– L-2"
    assert met.weakest == 0.71
    assert ways.joint(FIRST, SAME_BORROWER).sentence == "L-1 –0.93→ B1 ←0.90– L-3"
    assert ways.joint(FIRST, OTHER_SIDE).party == "O"
    assert ways.joint(FIRST, loan("L-5")) is None


def test_distressed_siblings_are_those_severe_or_critical_but_for_the_loan_itself():
    family = [SAME_BORROWER, SAME_SPONSOR, OTHER_SIDE, FIRST]
    assert [one.sibling.loan_number for one in ways.siblings(FIRST, family)] == ["L-3", "L-2"]
    assert [one.sibling.loan_number for one in ways.siblings(SAME_BORROWER, family)] == ["L-2"]


@pytest.mark.parametrize("critical", range(4))
@pytest.mark.parametrize("severe", range(4))
def test_contagion_is_graded_as_the_rule_grades_it(critical, severe):
    """The rule's own rank of siblings, through its own ladder."""
    rank = 3 if critical > 1 else 2 if critical or severe > 1 else int(severe > 0)
    word = {0: None, 1: "moderate", 2: "elevated", 3: "severe"}[rank]
    assert ways.graded(critical, severe) == word
    remark = next(one for one in rules(Limits.packaged()) if one.id == "CT-1").remark
    assert "Moderate: one severe; elevated: one critical, or two severe; severe: two" in remark


def test_the_sentence_counts_the_siblings_and_says_what_the_rule_says():
    joints = ways.siblings(FIRST, [SAME_BORROWER, SAME_SPONSOR])
    graded = FIRST.model_copy(update={"contagion": "severe"})
    said = contagion.said(graded, joints, graded.loan_number)
    assert said == (
        "Distressed siblings of L-1 in this family: 1 critical and 1 severe."
        " Under this head alone contagion is ▲ elevated."
        " CT-1 grades the loan ◆ severe, by the owner with the most distressed loans."
    )
    assert "in this family: 1 severe. Under" in contagion.said(
        graded, joints[1:], graded.loan_number
    )
    assert contagion.said(FIRST, [], FIRST.loan_number) == (
        "No sibling of L-1 in this family is severe or critical. CT-1 does not grade the loan."
    )


def test_the_loan_of_the_address_is_looked_at_else_the_worst():
    family = [SAME_BORROWER, SAME_SPONSOR]
    assert contagion.chosen(family, "L-2") == SAME_SPONSOR
    assert contagion.chosen(family, "L-9") == contagion.chosen(family, None) == SAME_BORROWER
    assert contagion.chosen([], None) is None


def dated(number, lender="Alder Bank", worst=None, book_value=1_000_000):
    return loan(number, worst=worst, lender_normalized=lender, book_value=book_value,
                effective_maturity=date(2030, 1, 1))  # fmt: skip


def test_marks_have_colour_shape_and_word_by_severity_the_worst_on_top():
    loans = [dated("L-1", worst="critical"), dated("L-2"), dated("L-3", worst="moderate")]
    figure = timeline.timeline(loans, TODAY, "value", {})
    assert [trace.name for trace in figure.data] == ["no signal", "◔ moderate", "⬢ critical"]
    assert len({trace.marker.symbol for trace in figure.data}) == 3
    assert len({trace.marker.color for trace in figure.data}) == 3
    assert figure.data[2].customdata[0][0] == "L-1"


def test_loans_without_a_place_on_the_timeline_are_counted_not_dropped():
    undated = loan("L-9", book_value=5)
    worthless = dated("L-8", book_value=0)
    loans = [dated("L-1"), worthless, undated]
    assert [one.loan_number for one in timeline.dated(loans, "value")] == ["L-1"]
    assert [one.loan_number for one in timeline.dated(loans, "lender")] == ["L-1", "L-8"]
    assert "2 of 3 loans are not on it" in timeline.missing(1, 3, "value")
    assert "not on it" not in timeline.missing(3, 3, "value")


def test_lanes_are_lenders_those_of_most_loans_on_top_and_the_rest_share_one():
    loans = [
        dated("L-1", "B & Co."),
        dated("L-2", "A Bank"),
        dated("L-3", "A Bank"),
        dated("L-4", None),
    ]
    assert timeline.lanes_of(loans) == {
        "L-2": "A Bank", "L-3": "A Bank", "L-1": "B &amp; Co.", "L-4": "no lender named",
    }  # fmt: skip
    many = [dated(f"L-{at:02}", f"Bank {at:02}") for at in range(timeline.MOST_LANES + 5)]
    lanes = timeline.lanes_of(many)
    assert len(set(lanes.values())) == timeline.MOST_LANES
    assert lanes["L-34"] == "other lenders"
    axis = timeline.timeline(many, TODAY, "lender", {}).layout.yaxis
    assert axis.categoryarray[-1] == "Bank 00"
