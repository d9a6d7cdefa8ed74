"""The figures of a scope, of a store and of mirrors, against an oracle that keeps its loans alone;
and how many of a party's loans a scope holds (D230, D232, D234).
"""

from copy import copy
from functools import partial

import pytest

from services.contract.errors import InvalidRequest, NotFound
from services.contract.loan_filter import LoanFilter
from services.contract.scope import BOOK, Scope
from tests.alike import alike
from tests.conformance.test_screens import numbers, parties
from tests.world import BOTH

EVERY_THIRD = tuple(sorted(numbers)[::3])
SETS = {
    "every third": EVERY_THIRD,
    "a note": ("A-1",),
    "none": (),
    "unknown": ("no such loan",),
    "all": tuple(numbers),
}


def set_of(found):
    return Scope.of("set", tuple(found), "the set", "0123456789abcdef")


def among(oracle, found):
    """The oracle with these loans alone, scored and screened as they are among all."""
    some = copy(oracle)
    some._screened = [row for row in oracle.screened() if row["loan_number"] in found]
    some.rows = [row for row in oracle.rows if row["loan_number"] in found]
    some.found = [one for one in oracle.found if one[0]["loan_number"] in found]
    return some


@pytest.mark.parametrize("name", SETS)
def test_the_headline_figures_are_those_of_the_scope_s_loans(held, name):
    scope, true = set_of(SETS[name]), among(held.oracle, SETS[name])
    source = held.source
    assert alike(source.totals(scope), true.totals())
    assert alike(source.maturity_wall(scope), true.maturity_wall())
    assert alike(source.worst_severities(scope), true.worst_severities())


def test_without_a_scope_they_are_those_of_everything(held):
    assert held.source.totals() == held.source.totals(None)
    assert alike(held.source.totals(set_of(SETS["all"])), held.source.totals())


def test_a_set_that_nobody_looked_up_is_an_error_and_never_everything(held):
    asked = LoanFilter(scope="set:0123456789abcdef")
    for read in (held.source.loan_totals, partial(held.source.loan_ranking, by="state", limit=9)):
        with pytest.raises(InvalidRequest, match="give the loan numbers"):
            read(asked)
    with pytest.raises(InvalidRequest):
        held.source.totals(asked.scope)


def test_a_source_without_tapes_has_no_book_of_one_s_own(held):
    assert held.source.loan_totals(LoanFilter(scope=BOOK)).records == 0


def whole_loans(rows):
    """Loans among records: several notes of one are one."""
    return {row["whole_loan"] or ("alone", row["loan_number"]) for row in rows}


def counted(oracle, theirs, found):
    """Holding, counted record by record."""
    rows = [row for row in oracle.screened() if row["loan_number"] in theirs]
    every = {row["loan_number"]: row for row in oracle.screened()}
    ours = whole_loans(every[number] for number in found if number in every)
    held = [row for row in rows if whole_loans([row]) & ours]
    others = [row for row in rows if row not in held]
    critical = whole_loans(row for row in others if row["worst_severity"] == "critical")
    severe = whole_loans(row for row in others if row["worst_severity"] == "severe")
    return (
        len(whole_loans(rows)),
        len(whole_loans(held)),
        sum(row["book_value"] or 0 for row in held if not row["sums_notes"]),
        len(critical),
        len(severe - critical),
    )


@pytest.mark.parametrize("name", SETS)
def test_of_every_party_s_loans_so_many_are_held_and_so_many_others_are_bad(held, name):
    scope, seen = set_of(SETS[name]), set()
    for party in sorted(set(parties)):
        try:
            own = set(held.oracle.tied(party))
            found = held.source.holding(party, scope)
        except NotFound:
            continue
        said = tuple(found.model_dump().values())
        assert said == counted(held.oracle, own, SETS[name]), party
        seen.add(said)
        family = held.source.holding(party, scope, family=True)
        theirs = held.oracle.family_of(party)
        assert tuple(family.model_dump().values()) == counted(held.oracle, theirs, SETS[name])
    if name == "every third":
        assert any(0 < one[1] < one[0] for one in seen)
    with pytest.raises(NotFound):
        held.source.holding("nobody at all", scope)


def test_the_world_has_what_is_tried():
    assert "A-1" in BOTH[0].loans["loan_number"].to_pylist()
