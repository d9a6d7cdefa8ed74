"""Watchlist triggers of a genuine filing (D283): as columns, filters, counts and groups."""

import pytest

from services.contract.errors import InvalidRequest
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse
from services.importers.sec_absee import portfolio
from tests.genuine import SEVEN_YEARS
from tests.publishing import load_once

#: UBS 2017-C1 of June 2024, typed from its filing.
HOLD = {
    "9": "1E",  # 0.95x of 2023, underwritten at 1.24x: 76 %
    "25": "1E | 1F",  # a hotel, 1.17x of a year, underwritten at 2.74x
    "26": "4A",  # 76 % let, underwritten at 98 %
    "47": "4C | 4D",  # one tenant by two leases: 31,860 of 77,063 square feet, April and August
    "48": "4A",  # 46 %, underwritten at 69 %
    "53": "4A",  # 64 %, underwritten at 100 %
    "63": "4D",  # 3,000 and 1,500 of 14,100 square feet: September, and October before
}
BOOK = {"4A": ("26", "48", "53"), "4D": ("47", "63"), "1E": ("25", "9")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("triggers")
    load_once(where, portfolio([SEVEN_YEARS[-1]]))
    return where


def found(source, *names, **query):
    page = source.loans_found(LoanFilter(**query, per_page=100), names)
    return {one.loan_number.removeprefix("UBS 2017-C1:"): one.values for one in page.items}


def test_codes_of_a_filing_are_those_that_its_record_gives(source):
    codes = {n: one["computed_triggers"] for n, one in found(source, "computed_triggers").items()}
    assert {number: one for number, one in codes.items() if one} == HOLD


@pytest.mark.parametrize("code", sorted(BOOK))
def test_a_filter_finds_every_loan_with_the_code(source, code):
    assert {*found(source, trigger=(code,))} == {*BOOK[code]}


def test_several_codes_find_the_loans_with_any(source):
    assert {*found(source, trigger=("1E", "4D"))} == {"9", "25", "47", "63"}


def test_counts_and_groups_have_a_loan_under_each_of_its_codes(source):
    counted = {one.word: one.loans for one in source.loan_counts(LoanFilter(), "trigger")}
    assert counted == {"1E": 2, "1F": 1, "4A": 3, "4C": 1, "4D": 2}
    ranked = source.loan_ranking(LoanFilter(), "trigger", 100)
    assert {one.word: one.loans for one in ranked.groups} == counted
    assert (ranked.total, ranked.hhi, ranked.effective) == (5, None, None)
    books = {n: one["book_value"] for n, one in found(source, "book_value").items()}
    for group in ranked.groups:
        of = [n for n, codes in HOLD.items() if group.word in codes]
        assert group.book_value == sum(books[n] for n in of), group


def test_what_cannot_be_tested_is_found_and_counted(source):
    """Statements of January to March 2024, of 23 records of 21 loans."""
    untested = found(source, "untested_triggers", untested_trigger=("1E",))
    assert len(untested) == 23
    assert {"47", "53", "63"} <= {*untested}
    counted = {one.word: one.loans for one in source.loan_counts(LoanFilter(), "untested_trigger")}
    assert counted == {"1E": 21, "1F": 21}


def test_codes_are_read_whatever_their_case_and_unknown_ones_are_refused():
    asked = parse(LoanFilter, {"trigger": "1e,4a"})
    assert asked.trigger == ("1E", "4A")
    with pytest.raises(InvalidRequest, match="trigger"):
        parse(LoanFilter, {"trigger": "9Z"})
