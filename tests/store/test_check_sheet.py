"""Check sheets (D282): two filings typed by hand in which each check fails once, limits to the
cent, and every filing of seven years against its own XML.
"""

from datetime import date
from itertools import pairwise
from math import fsum

import pytest
from lxml import etree

from services.contract.check_sheet import CHECKS, Balance
from services.contract.errors import NotFound
from services.importers.crefc_irp import histories
from services.importers.sec_absee import portfolio
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS, SHARED, seven_years
from tests.irp_files import cells, periodic_row, text
from tests.publishing import load
from tests.two_filings import FEBRUARY, KEY, MARCH, two_filings

#: Check -> loan or field -> what was expected, what was filed, and the note.
FOUND = {
    "roll-forward": {"2": (25_960_000, 25_961_000, ""), "13": (499_000, 499_001.01, "")},
    "opening balance": {"3": (26_000_000, 25_999_500, "")},
    "missing": {"10": (7_000_000, None, "")},
    "new": {"11": (None, 3_000_000, "")},
    "interest": {"4": (100_750, 109_200, "")},  # 31 days, the most that a month has
    "actual balance": {"5": (25_960_000, 26_035_426, "")},
    "coverage": {"6": (1.54, 1.80, "")},
    "reporting date": {"7": (None, None, "2026-02-11")},
    "duplicate": {
        "8": (None, 30_000_000, "DEAL 1:9"),
        "9": (None, 30_000_000, "DEAL 1:8"),
    },
    "fields": {"accrual_method": (1, round(11 / 13, 6), "")},
}


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """Both filings in a store."""
    with Store(two_filings(tmp_path_factory.mktemp("typed"))).lease() as source:
        yield source


def test_every_check_finds_what_was_typed_wrong_and_nothing_else(typed):
    sheet = typed.check_sheet(KEY)
    assert (sheet.title, sheet.as_of, sheet.before) == ("DEAL 1", MARCH, FEBRUARY)
    found = {name: {} for name in CHECKS}
    for one in sheet.findings:
        subject = one.field or one.loan_number.removeprefix("DEAL 1:")
        found[one.check][subject] = (one.expected, one.filed, one.remark)
    assert found == FOUND
    assert [one.check for one in sheet.checks] == list(CHECKS)
    tested = {one.check: one.tested for one in sheet.checks}
    assert tested["roll-forward"] == 13
    assert tested["opening balance"] == 12
    assert tested["interest"] == 11
    assert {one.check: one.found for one in sheet.checks} == {
        name: len(listed) for name, listed in FOUND.items()
    }


def test_balances_add_up_to_the_cent_and_roll_forward(typed):
    sheet = typed.check_sheet(KEY)
    closing = 7 * 25_960_000 + 25_961_000 + 25_959_500 + 3_000_000 + 499_001 + 499_001.01
    assert sheet.balances == (
        Balance(of="scheduled balance", every_record=False, records=13, dollars=closing),
        Balance(of="actual balance", every_record=False, records=13, dollars=closing + 75_426),
        Balance(of="book value", every_record=False, records=13, dollars=closing + 75_425.99),
    )
    roll = sheet.roll
    assert (roll.records, roll.losses, roll.closing) == (13, 4_000_000, closing)
    assert roll.opening == 9 * 26_000_000 - 500 + 3_000_000 + 1_000_000 + 10_000_000
    assert roll.principal == 9 * 40_000 + 2_000 + 6_000_000
    assert round(roll.closing - roll.rolled, 2) == 1_000 + 1 + 1.01


def test_the_first_filing_has_none_before_and_holds(typed):
    sheet = typed.check_sheet(KEY, FEBRUARY)
    assert (sheet.before, sheet.findings, sheet.records) == (None, (), 13)
    assert (sheet.loans, sheet.notes) == (13, 13)
    untested = {one.check for one in sheet.checks if not one.tested}
    assert untested == {"opening balance", "missing", "new", "fields"}


def test_the_list_of_filings_counts_what_the_sheets_find(typed):
    listed = typed.checked_filings(KEY)
    assert [one.as_of for one in listed] == [MARCH, FEBRUARY]
    assert typed.checked_filings() == listed[:1]
    for one in listed:
        agree(one, typed.check_sheet(KEY, one.as_of))


def agree(one, sheet):
    """A line of the list with its sheet."""
    said = ("source", "title", "as_of", "before", "file", "records", "roll")
    assert [getattr(one, name) for name in said] == [getattr(sheet, name) for name in said]
    assert one.found == {check.check: check.found for check in sheet.checks}


def test_a_source_or_a_date_that_is_not_there_is_refused(typed):
    with pytest.raises(NotFound, match="No filing of 'gone'"):
        typed.checked_filings("gone")
    with pytest.raises(NotFound, match="No filing of 'gone'"):
        typed.check_sheet("gone")
    with pytest.raises(NotFound, match=f"No filing of '{KEY}' as of 2026-03-12"):
        typed.check_sheet(KEY, date(2026, 3, 12))


def test_what_adds_to_a_balance_is_negative_and_a_write_off_is_no_break(tmp_path):
    """CREFC's signs; a package alone has non-cash principal, as a modification writes it off."""
    moved = {"Other Principal Adjustments": -500, "Non Cash Principal Adjustment": 2_000_000}
    closing = {"Current Ending Scheduled Balance": 11_800_000 - 15_889.35 + 500 - 2_000_000}
    rows = cells("periodic", periodic_row(1, **moved, **closing), periodic_row(2, **moved))
    text(tmp_path / "periodic.csv", rows)
    (filing,) = histories([tmp_path / "periodic.csv"])
    load(tmp_path / "store", [filing.read()])
    with Store(tmp_path / "store").lease() as source:
        sheet = source.check_sheet("crefc-irp:MADE18X1")
    assert (sheet.roll.other_principal, sheet.roll.non_cash_principal) == (-1_000, 4_000_000)
    [found] = [one for one in sheet.findings if one.check == "roll-forward"]
    assert (found.loan_number, found.expected, found.filed) == (
        "MADE18X1:2", 9_784_610.65, 11_784_111.25
    )  # fmt: skip


# Genuine filings

needs_filings = pytest.mark.skipif(not SEVEN_YEARS, reason="the filings are not beside the project")
UBS = "sec-absee:UBS 2017-C1"
ENDS = (
    "reportPeriodBeginningScheduleLoanBalanceAmount",
    "reportPeriodEndScheduledLoanBalanceAmount",
)
PRINCIPAL = (
    "scheduledPrincipalAmount",
    "unscheduledPrincipalCollectedAmount",
    "otherPrincipalAdjustmentAmount",
)


@pytest.fixture(scope="module")
def ubs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ubs")
    seven_years(folder)
    with Store(folder).lease() as source:
        yield source


def filed(path):
    """Of each record of a file its amounts, codes and date, read without the importer."""
    records = {}
    for asset in etree.parse(path).getroot():
        values = {etree.QName(one).localname: one.text for one in asset}
        if values.get("originatorName"):
            records[values["assetNumber"]] = values
    return records


def amount(record, name):
    return float(record[name]) if record.get(name) else None


def apart(one, other):
    return abs(one - other) > max(1, max(abs(one), abs(other)) / 1_000_000)


@needs_filings
def test_every_filing_of_seven_years_agrees_with_its_own_xml(ubs):
    listed = ubs.checked_filings(UBS)
    assert [one.file for one in listed] == [path.name for path in reversed(SEVEN_YEARS)]
    files = [filed(path) for path in SEVEN_YEARS]
    found = {"roll-forward": [], "opening balance": [], "actual balance": []}
    for (before, now), one in zip(pairwise([{}, *files]), reversed(listed), strict=True):
        moved = losses = 0
        breaks = dict.fromkeys(found, 0)
        for number, record in now.items():
            opening, closing = (amount(record, name) for name in ENDS)
            rolled = opening - fsum(amount(record, name) or 0 for name in PRINCIPAL)
            loss = amount(record, "realizedLossToTrustAmount") or 0
            ended = apart(rolled, closing) and not apart(rolled - loss, closing)
            if number != "10":  # the sum of 10A and 10B
                moved += opening
                losses += loss if ended else 0
            breaks["roll-forward"] += apart(rolled - loss * ended, closing)
            if number in before:
                breaks["opening balance"] += apart(opening, amount(before[number], ENDS[1]))
            actual = amount(record, "reportPeriodEndActualBalanceAmount")
            if record.get("paymentStatusLoanCode") == "0" and closing > 0 and actual is not None:
                breaks["actual balance"] += apart(actual, closing)
        assert one.records == len(now) == 58
        assert one.roll.opening == pytest.approx(moved, abs=0.005)
        assert one.roll.losses == pytest.approx(losses, abs=2)  # a loss is kept in whole dollars
        assert {name: one.found[name] for name in breaks} == breaks
        for name, times in breaks.items():
            found[name] += [str(one.as_of)[:7]] * times
        agree(one, ubs.check_sheet(UBS, one.as_of))
    assert found == {
        "roll-forward": [],
        "opening balance": ["2020-06"],
        "actual balance": ["2017-07", "2017-12", "2020-06", "2020-07", "2020-08", "2020-09"],
    }


@needs_filings
def test_three_liquidations_are_what_closes_their_months(ubs):
    lost = {one.as_of: one.roll.losses for one in ubs.checked_filings(UBS) if one.roll.losses}
    assert lost == {
        date(2024, 1, 11): 4_548_626,
        date(2024, 3, 11): 11_874_863,
        date(2024, 6, 11): 4_735_348,
    }


@needs_filings
def test_the_one_opening_balance_that_is_not_the_closing_one_before(ubs):
    sheet = ubs.check_sheet(UBS, date(2020, 6, 11))
    assert (sheet.records, sheet.notes, sheet.loans) == (58, 57, 56)
    [found] = [one for one in sheet.findings if one.check == "opening balance"]
    assert (found.loan_number, found.expected, found.filed, found.difference) == (
        "UBS 2017-C1:20", 19_200_000, 19_174_762, -25_238
    )  # fmt: skip


@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of public data is not here")
def test_gs_2017_gs6_ties_to_the_cent(tmp_path):
    load(tmp_path, portfolio([SHARED / "sec-absee-retyped/GS_2017-GS6__rpt_2026-06.xml"]))
    with Store(tmp_path).lease() as source:
        sheet = source.check_sheet("sec-absee:GS 2017-GS6")
    assert (sheet.records, sheet.roll) == (33, None)
    cents = {one.of: one.dollars for one in sheet.balances}
    assert (cents["scheduled balance"], cents["actual balance"]) == (826_774_574.65,) * 2
