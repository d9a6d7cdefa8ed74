"""Facts of genuine filings against a separate reading of their XML (D52, D54).

Nothing of the importer is used on the side that is compared with: elements are found by name, and
amounts are read, annualised and rounded here again.
"""

from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from services.contract.facts import FACT
from services.importers.sec_absee import portfolio
from services.importers.sec_absee.source import filing_rules
from tests.genuine import BANK5 as FILING
from tests.genuine import THREE_YEARS

pytestmark = pytest.mark.skipif(
    not (FILING.exists() and THREE_YEARS), reason="the shared data folder is not on this machine"
)
#: Notes without a property of their own (D55).
NOTES = {"10A", "10B"}


class Record:
    """One loan of a filing: its elements, and those of its first property block."""

    def __init__(self, asset):
        self.own = {_name(one): (one.text or "").strip() for one in asset if not len(one)}
        blocks = [one for one in asset if _name(one) == "property"]
        self.block = {_name(one): (one.text or "").strip() for one in blocks[0]} if blocks else {}
        self.number = self.own["assetNumber"]

    def text(self, element):
        return self.own.get(element) or self.block.get(element) or None

    def figure(self, element):
        return Fraction(text) if (text := self.text(element)) else None

    def day(self, element):
        text = self.text(element)
        return text and datetime.strptime(text, "%m-%d-%Y").replace(tzinfo=UTC).date()

    def some(self, element):
        """A figure, of which zero is none."""
        return self.figure(element) or None


def _name(element):
    return element.tag.split("}")[1]


def read(path, deal):
    """(row of loans, record) of each loan of a filing."""
    rows = portfolio([path], deal=deal)[0].loans.to_pylist()
    assets = ET.parse(path).getroot()  # noqa: S314 (a public file, read by a test)
    found = {one.number: one for one in map(Record, assets) if one.own.get("originatorName")}
    assert len(found) == len(rows)
    return [(row, found[row["loan_number"].rpartition(":")[2]]) for row in rows]


@pytest.fixture(scope="module")
def history():
    return [pair for at, path in enumerate(THREE_YEARS) for pair in read(path, f"month {at}")]


@pytest.fixture(scope="module")
def filing():
    return read(FILING, "deal")


@pytest.fixture(scope="module")
def every(history, filing):
    return history + filing


def dollars(figure):
    """Half to even, as fractions round."""
    return None if figure is None else round(figure)


def percent(figure):
    return None if not figure else float(figure * 100)


def payment(one):
    if (modified := one.figure("postModificationPaymentAmount")) and modified > 0:
        return modified
    if (one.figure("scheduledPrincipalAmount") or 0) > 0:
        return one.some("totalScheduledPrincipalInterestDueAmount")
    return one.some("periodicPrincipalAndInterestPaymentSecuritizationAmount")


def amortisation(one):
    if one.text("paymentTypeCode") == "3":
        return 0
    return int(one.figure("originalAmortizationTermNumber") or 0) or None


FLAGS = {"true": True, "false": False, None: None}
SAID = {
    "payment_type": lambda one: one.text("paymentTypeCode"),
    "accrual_method": lambda one: one.text("interestAccrualMethodCode"),
    "interest_only_months": lambda one: one.figure("originalInterestOnlyTermNumber"),
    "amortization_months": amortisation,
    "first_payment_date": lambda one: one.day("firstLoanPaymentDueDate"),
    "monthly_payment": lambda one: dollars(payment(one)),
    "ard_date": lambda one: one.day("hyperAmortizingDate"),
    "balloon": lambda one: FLAGS[one.text("balloonIndicator")],
    "rate_type": lambda one: one.text("originalInterestRateTypeCode"),
    "rate_index": lambda one: one.text("armIndexCode"),
    "rate_margin": lambda one: percent(one.figure("armMarginNumber")),
    "rate_cap": lambda one: percent(one.figure("lifetimeRateCapPercentage")),
    "rate_floor": lambda one: percent(one.figure("lifetimeRateFloorPercentage")),
    "modified_on": lambda one: one.day("lastModificationDate"),
    "modification": lambda one: one.text("modificationCode"),
    "defeasance": lambda one: one.text("DefeasedStatusCode"),
    "special_servicing_since": lambda one: one.day("mostRecentSpecialServicerTransferDate"),
    "special_servicing_returned": lambda one: one.day("mostRecentMasterServicerReturnDate"),
    "payment_status": lambda one: one.text("paymentStatusLoanCode"),
    "paid_through": lambda one: one.day("paidThroughDate"),
    "scheduled_balance": lambda one: dollars(
        one.figure("reportPeriodEndScheduledLoanBalanceAmount")
    ),
    "payment_advances": lambda one: dollars(
        one.figure("totalPrincipalInterestAdvancedOutstandingAmount")
    ),
    "tax_advances": lambda one: dollars(one.figure("totalTaxesInsuranceAdvancesOutstandingAmount")),
    "other_advances": lambda one: dollars(one.figure("otherExpensesAdvancedOutstandingAmount")),
    "structure": lambda one: one.text("loanStructureCode"),
}


@pytest.mark.parametrize("name", SAID)
def test_a_fact_is_what_the_filing_says(every, name):
    assert [row[name] for row, _ in every] == [SAID[name](one) for _, one in every]


OF_PROPERTY = {
    "value": lambda one: dollars(
        one.some("mostRecentValuationAmount") or one.some("valuationSecuritizationAmount")
    ),
    "underwritten_value": lambda one: dollars(one.some("valuationSecuritizationAmount")),
    "underwritten_noi": lambda one: dollars(one.some("netOperatingIncomeSecuritizationAmount")),
    "underwritten_ncf": lambda one: dollars(one.some("netCashFlowFlowSecuritizationAmount")),
    "underwritten_dscr": lambda one: (
        one.some("debtServiceCoverageNetCashFlowSecuritizationPercentage")
        or one.some("debtServiceCoverageNetOperatingIncomeSecuritizationPercentage")
    ),
    "income_from": lambda one: one.day("mostRecentFinancialsStartDate"),
    "income_to": lambda one: one.day("mostRecentFinancialsEndDate"),
    "rentable_area": lambda one: (
        one.some("netRentableSquareFeetNumber")
        or one.some("netRentableSquareFeetSecuritizationNumber")
    ),
}


@pytest.mark.parametrize("name", OF_PROPERTY)
def test_a_fact_of_the_properties_is_what_the_filing_says(every, name):
    compared = 0
    for row, one in every:
        if one.number in NOTES:
            continue
        said = OF_PROPERTY[name](one)
        assert row[name] == (float(said) if isinstance(said, Fraction) else said), one.number
        compared += 1
    assert compared == 2_051


def test_a_value_is_dated_as_filed(every):
    """Of five loans it is not; of four of them each property is, and the earliest counts."""
    undated = set()
    for row, one in every:
        if one.number in NOTES:
            continue
        recent = one.some("mostRecentValuationAmount") is not None
        filed = one.day("mostRecentValuationDate" if recent else "valuationSecuritizationDate")
        if filed is None:
            undated.add((one.number, row["value_date"] and row["value_date"].isoformat()))
        else:
            assert row["value_date"] == filed, one.number
    assert undated == {
        *(("1", None), ("4", "2025-09-29"), ("13", "2025-07-05"), ("19", "2025-09-04")),
        ("20", "2025-08-25"),
    }


#: Loans of the filing that date a quarter and state amounts of a year.
YEARLY = {"5", "11", "30"}


def annual(one, element, filing):
    """A year's amount of the filed period, from the dates and the amount alone."""
    amount = one.figure(element)
    first, last = (one.day(f"mostRecentFinancials{end}Date") for end in ("Start", "End"))
    days = (last - first).days + 1
    is_year = 360 <= days <= 371 or (filing and one.number in YEARLY)
    return amount if is_year else amount * 365 / days


@pytest.mark.parametrize(
    ("which", "periods", "parts"), [("history", 1_917, 1_131), ("filing", 34, 3)]
)
def test_income_is_that_of_the_latest_filed_period(request, which, periods, parts):
    """D52: what is filed as NCF and is NOI is called NOI; the DSCR is as filed."""
    compared, annualised = 0, Counter()
    for row, one in request.getfixturevalue(which):
        if one.number in NOTES:
            continue
        if one.day("mostRecentFinancialsEndDate") is None:
            assert row["income_basis"] in {"NCF, underwritten", "NOI, underwritten", None}
            continue
        noi, ncf = (
            annual(one, f"mostRecent{name}Amount", which == "filing")
            for name in ("NetOperatingIncome", "NetCashFlow")
        )
        assert (row["noi"], row["ncf"]) == (dollars(noi), dollars(ncf)), one.number
        filed = one.text("mostRecentDebtServiceCoverageNetCashFlowpercentage")
        assert row["dscr"] == float(filed), one.number
        words = row["income_basis"].split(", ")
        assert words[0] == ("NOI" if noi == ncf else "NCF")
        assert ("amounts of a year" in words) == (which == "filing" and one.number in YEARLY)
        hotel = one.text("propertyTypeCode") == "LO"
        assert ("seasonal" in words) == (hotel and "annualised" in words)
        annualised["part"] += bool({"annualised", "amounts of a year"} & set(words))
        compared += 1
    assert (compared, annualised["part"]) == (periods, parts)


def test_no_dscr_below_one_is_hidden_behind_an_older_one(every):
    """D52."""
    shown = Counter()
    for row, one in every:
        filed = one.figure("mostRecentDebtServiceCoverageNetCashFlowpercentage")
        if filed is not None and filed < 1:
            assert row["dscr"] == float(filed)
            shown["below one"] += 1
            shown["below zero"] += filed < 0
    assert shown == {"below one": 220, "below zero": 101}


def test_an_income_below_zero_stays_below_zero(every):
    losses = [row for row, one in every if (one.figure("mostRecentNetCashFlowAmount") or 0) < 0]
    assert len(losses) == 101
    assert all(row["ncf"] < 0 for row in losses)
    assert sum(row["noi"] < 0 for row in losses) == 70


def test_loans_that_amortise_later_have_their_amortisation(history):
    """D54: interest only until maturity is payment type 3 alone."""
    terms = Counter((row["payment_type"], bool(row["amortization_months"])) for row, _ in history)
    assert terms == {("2", True): 1_224, ("5", True): 504, ("3", False): 360}


def test_every_code_that_is_filed_has_words(every):
    fields = {name: one for group in filing_rules().fields.values() for name, one in group.items()}
    seen = Counter()
    for _, record in every:
        for element, text in [*record.own.items(), *record.block.items()]:
            if element.endswith("Code") and text and element != "propertyTypeCode":
                assert text in fields[element].codes, (element, text)
                seen[element] += 1
    assert len(seen) == 19
    coded = [fact for fact in FACT.values() if fact.codes]
    for row, _ in every:
        for fact in coded:
            if fact.origin == "reported" and row[fact.name] is not None:
                assert row[fact.name] in fact.codes


def test_a_defeased_loan_has_no_recent_income_and_one_in_special_servicing_says_since_when(history):
    defeased = [row for row, _ in history if row["defeasance"] == "F"]
    assert len(defeased) == 95
    assert {row["income_basis"] for row in defeased} == {"NCF, underwritten"}
    assert {(row["dscr"], row["income_to"]) for row in defeased} == {(None, None)}
    special = [row for row, _ in history if row["special_servicing_since"]]
    assert len(special) == 148
    assert {row["loan_number"].rpartition(":")[2] for row in special} == {
        *("14", "16", "24", "44", "49", "50", "52"),
    }


def test_notes_filed_without_a_property_have_that_of_the_note_beside_them(history):
    """D55: 10A and 10B beside 10, every month."""
    taken = ("property_type", "value", "underwritten_dscr", "dscr", "noi", "income_basis")
    by_month = {}
    for row, one in history:
        if one.number in {"10", *NOTES}:
            month = row["loan_number"].partition(":")[0]
            by_month.setdefault(month, []).append(tuple(row[name] for name in taken))
    assert len(by_month) == 36
    assert {(len(each), len(set(each))) for each in by_month.values()} == {(3, 1)}


def test_leases_of_a_filing_are_those_of_its_properties():
    """Of every tenant element but those of portfolios' totals, which state none."""
    count = 0
    for asset in ET.parse(FILING).getroot():  # noqa: S314 (a public file, read by a test)
        names = [one for one in asset.iter() if _name(one).lower().endswith("largesttenant")]
        count += sum(bool((one.text or "").strip()) for one in names)
    leases = portfolio([FILING])[0].leases
    assert leases.num_rows == count == 42
    assert leases["expires"].null_count == 0
    assert leases["square_feet"].null_count == 0


def test_the_book_is_as_large_as_ever(filing):
    rows = [row for row, _ in filing]
    balance = sum(row["book_value"] for row in rows)
    assert (len(rows), balance) == (35, 949_066_383)
    weighted = sum(row["book_value"] * row["interest_rate"] for row in rows) / balance
    assert round(weighted, 4) == 6.3181
