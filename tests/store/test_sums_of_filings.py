"""Totals of page views over genuine filings against sums over their XML, read here by lxml.

Overview's wall and horizons, rankings, maps of states and the base of What if: UBS 2017-C1 of
December 2019 and BANK5 2025-5YR19 of December 2025, each alone and both as one book. Grades are
taken as given; dollars, loans, lenders, states and dates are the filings'. Loan 10 of UBS is filed
three times, as the sum of its notes and as each of them, and counts once (D151, D152).
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pytest
from lxml import etree

from services.contract.families import FamilyFilter
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import Scenario
from services.contract.signal_filter import SignalFilter
from services.importers.sec_absee import portfolio
from services.rates.reference import ReferenceRates
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.genuine import BANK5, SEVEN_YEARS, SHARED
from tests.oracle_maturities import HORIZONS, SINCE, months_after
from tests.publishing import load_once

FILINGS = {
    "UBS": SHARED / "sec-absee-history/UBS_2017-C1__rpt_2019-12.xml",
    "BANK5": BANK5,
}
BOOKS = {"UBS": ["UBS"], "BANK5": ["BANK5"], "both": ["UBS", "BANK5"]}
#: The record that is the sum of others, and these.
SUM, NOTES = "10", ("10A", "10B")
#: `originatorName` of the filings, and the lender that it is.
LENDER = {
    "WFB": "Wells Fargo Bank",
    "Wells Fargo Bank, National Association": "Wells Fargo Bank",
    "Wells Fargo Bank, National Association; Goldman Sachs Mortgage Company": "Wells Fargo Bank",
    "BANA": "Bank of America",
    "MSBNA": "Morgan Stanley Bank",
    "JPMCB": "JPMorgan Chase Bank",
    "CREFI": "Citi Real Estate Funding",
    "Natixis Real Estate Capital LLC": "Natixis Real Estate Capital",
    "UBS AG": "UBS",
    "Societe Generale": "Societe Generale",
    "Rialto Mortgage Finance, LLC": "Rialto Mortgage Finance",
    "CIBC Inc.": "CIBC",
    "Deutsche Bank AG, New York Branch": "Deutsche Bank",
}
TYPE = {
    "RT": "retail", "MF": "multifamily", "LO": "lodging", "OF": "office", "IN": "industrial",
    "MH": "manufactured housing", "SS": "self storage", "MU": "mixed use",
}  # fmt: skip

pytestmark = pytest.mark.skipif(
    not (SEVEN_YEARS and FILINGS["BANK5"].exists()), reason="the filings are not beside the project"
)


@dataclass
class Filed:
    """A loan as its filing has it, notes of one loan as one."""

    deal: str
    number: str
    as_of: date
    dollars: int
    lender: str
    state: str
    kind: str
    matures: date
    #: Defeased in full, or REO: nobody refinances it.
    exempt: bool

    @property
    def quarter(self):
        return date(self.matures.year, self.matures.month - (self.matures.month - 1) % 3, 1)


def day(text):
    month, day_of, year = map(int, text.split("-"))
    return date(year, month, day_of)


def filed(deal):
    """The loans of a filing, from its elements."""
    assets = etree.parse(FILINGS[deal]).getroot().findall("{*}assets")
    by_number = {one.findtext("{*}assetNumber"): one for one in assets}

    def of(asset, name):
        return (asset.findtext(f".//{{*}}{name}") or "").strip()

    def dollars(number):  # whole ones, half to even
        return round(Decimal(of(by_number[number], "reportPeriodEndActualBalanceAmount")))

    for number, asset in by_number.items():
        if not of(asset, "originatorName") or number in NOTES:
            continue
        # A portfolio's properties are records of their own: 4.01, 4.02.
        placed = [one for own, one in by_number.items() if own.startswith(f"{number}.")] or [asset]
        first = max(placed, key=lambda one: Decimal(of(one, "valuationSecuritizationAmount")))
        parts = NOTES if deal == "UBS" and number == SUM else (number,)
        yield Filed(
            deal,
            number,
            day(of(asset, "reportingPeriodEndDate")),
            sum(map(dollars, parts)),
            LENDER[of(asset, "originatorName")],
            of(first, "propertyState"),
            TYPE[of(first, "propertyTypeCode")],
            day(of(asset, "maturityDate")),
            of(first, "DefeasedStatusCode") == "F" or of(asset, "workoutStrategyCode") == "7",
        )


def sums(loans, by):
    """{group: (loans, dollars)}."""
    found = defaultdict(lambda: (0, 0))
    for one in loans:
        count, dollars = found[by(one)]
        found[by(one)] = (count + 1, dollars + one.dollars)
    return dict(found)


@pytest.fixture(scope="module", params=BOOKS)
def view(request, tmp_path_factory):
    """(source, its loans as filed)."""
    folder = tmp_path_factory.mktemp(request.param) / "store"
    deals = BOOKS[request.param]
    books = [one for deal in deals for one in portfolio([FILINGS[deal]])]
    load_once(folder, books, rates=ReferenceRates.packaged())
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        yield source, [one for deal in deals for one in filed(deal)]
    store.close()


def test_the_filings_are_those_that_were_counted_by_hand():
    """56 loans and 35; 949,066,382.67 is what BANK5 states for its pool."""
    ubs, bank5 = list(filed("UBS")), list(filed("BANK5"))
    assert (len(ubs), len(bank5)) == (56, 35)
    assert sum(one.dollars for one in bank5) == 949_066_383
    assert next(one.dollars for one in ubs if one.number == SUM) == 14_854_409
    assert {one.number for one in ubs if one.exempt} == {"24", "44", "64"}
    assert not any(one.exempt for one in bank5)


def test_the_wall_is_what_somebody_must_refinance_by_quarter(view):
    source, loans = view
    owing = [one for one in loans if not one.exempt]
    today = max(one.as_of for one in loans)
    wall = source.maturity_wall()
    found = defaultdict(lambda: (0, 0))
    for bar in wall:
        key = (bar.quarter, bar.overdue, bar.fell_due)
        found[key] = (found[key][0] + bar.loans, found[key][1] + bar.book_value)
    assert found == sums(
        owing,
        lambda one: (one.quarter, one.matures < one.as_of, one.as_of <= one.matures < today),
    )
    assert sum(bar.book_value for bar in wall) == sum(one.dollars for one in owing)


def horizon(one, today):
    if one.matures < today:
        return HORIZONS[0] if one.matures < one.as_of else SINCE
    ends = zip((12, 24, 60), HORIZONS[1:], strict=False)
    return next((word for end, word in ends if one.matures <= months_after(today, end)), "later")


def test_totals_and_horizons_are_those_of_the_filings(view):
    source, loans = view
    today = max(one.as_of for one in loans)
    totals = source.loan_totals(LoanFilter())
    assert (totals.loans, totals.book_value) == (len(loans), sum(one.dollars for one in loans))
    due = sums([one for one in loans if not one.exempt], lambda one: horizon(one, today))
    assert {one.word: (one.loans, one.book_value) for one in totals.by_horizon if one.loans} == due
    left = sum(one.dollars for one in loans if one.exempt)
    assert sum(one.book_value for one in totals.left_out) == left


@pytest.mark.parametrize(
    ("by", "of"),
    [
        ("lender", lambda one: one.lender),
        ("state", lambda one: one.state),
        ("property_type", lambda one: one.kind),
    ],
)
def test_a_ranking_is_of_the_filings(by, of, view):
    source, loans = view
    ranking = source.loan_ranking(LoanFilter(), by, 1000)
    expected = sums(loans, of)
    assert {one.word: (one.loans, one.book_value) for one in ranking.groups} == expected
    dollars = [one.book_value for one in ranking.groups]
    assert dollars == sorted(dollars, reverse=True)
    whole = sum(dollars)
    assert ranking.hhi == pytest.approx(10_000 * sum((one / whole) ** 2 for one in dollars))


def test_filings_name_no_family(view):
    """No borrower, sponsor or owner is in an Exhibit 102: no family, and all under no sponsor."""
    source, loans = view
    assert source.families(FamilyFilter(kind="either")).total == 0
    (group,) = source.loan_ranking(LoanFilter(), "sponsor", 10).groups
    whole = sum(one.dollars for one in loans)
    assert (group.word, group.loans, group.book_value) == (None, len(loans), whole)


def _signals(source):
    """All signals; their grades are not what is checked."""
    pages = (source.signals_found(SignalFilter(page=at, per_page=100), ()) for at in range(1, 9))
    return [one.signal for page in pages for one in page.items]


def _loan(signal):
    """The loan of a signal as its filing numbers it; of a note, that of the sum."""
    number = signal.loan_number.split(":")[1]
    return SUM if number in NOTES else number


def test_the_map_of_states_is_of_the_filings(view):
    source, loans = view
    states = source.signal_states(SignalFilter())
    assert {one.state: (one.of_loans, one.of_book_value) for one in states} == sums(
        loans, lambda one: one.state
    )
    graded = {(one.loan_number[:3], _loan(one)) for one in _signals(source)}
    with_signals = [one for one in loans if (one.deal[:3], one.number) in graded]
    assert len(with_signals) == len(graded) > 0
    assert {one.state: (one.loans, one.book_value) for one in states if one.loans} == sums(
        with_signals, lambda one: one.state
    )


def test_what_if_starts_from_the_filings(view):
    source, loans = view
    today = max(one.as_of for one in loans)
    found = source.what_if(LoanFilter(), Scenario(rate_5=100, rate_7=100, rate_10=100))
    whole = (len(loans), sum(one.dollars for one in loans))
    assert (found.loans, found.book_value) == whole
    moved = [(one.loans, one.book_value) for one in found.moves]
    assert tuple(map(sum, zip(*moved, strict=True))) == whole
    assert {one.property_type: (one.loans, one.book_value) for one in found.by_type} == sums(
        loans, lambda one: one.kind
    )
    due = sums([one for one in loans if not one.exempt], lambda one: horizon(one, today))
    assert {one.word: one.loans for one in found.by_horizon if one.loans} == {
        word: count for word, (count, _) in due.items()
    }
    # One sum of what is short, however it is cut.
    totals = source.loan_totals(LoanFilter())
    cuts = (found.moves, found.by_type, found.by_horizon)
    assert {sum(one.short_before for one in cut) for cut in cuts} == {totals.dollars_short}
    assert found.short_before.dollars == totals.dollars_short
