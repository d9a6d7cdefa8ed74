"""Genuine files of a CREFC reporting package (2018) against their raw cells, by another library
and typed by hand (D194).
"""

import json
from datetime import date
from decimal import Decimal

import openpyxl
import pytest

from services.importers.crefc_irp import histories
from services.store.leases import Store
from tests.genuine import SHARED
from tests.publishing import load

FOLDER = SHARED / "crefc-irp"
SETUP = FOLDER / "loan_setup_WFCM2017-C42.xlsx"
PROPERTY = FOLDER / "property_WFCM2017-C42.xlsx"
PERIODIC = FOLDER / "loan_periodic_CGCMT2015-GC33.xlsx"
FINANCIAL = FOLDER / "financial_MSBAM2017-C34.xlsx"
WATCHLIST = FOLDER / "watchlist_CGCMT2014-GC19.xlsx"

pytestmark = [
    pytest.mark.skipif(not SETUP.exists(), reason="the shared data folder is not on this machine"),
    pytest.mark.filterwarnings("ignore:Workbook contains no default style"),
]


def read(*paths, **options):
    (filing,) = histories(paths, **options)
    return filing.read()


def by_number(found):
    rows = found.loans.to_pylist()
    return {
        row["loan_number"].rpartition(":")[2]: {**row, "further": json.loads(row["further"])}
        for row in rows
    }


def raw(path):
    """Rows of cells as another library reads them."""
    sheet = openpyxl.load_workbook(path).worksheets[0]
    return [row for row in sheet.iter_rows(values_only=True) if any(row)]


@pytest.fixture(scope="module")
def periodic():
    return read(PERIODIC)


@pytest.fixture(scope="module")
def wells():
    return read(SETUP, PROPERTY)


def test_periodic_balances_are_those_of_the_trust(periodic):
    rows = by_number(periodic)
    cents = [Decimal(repr(row[6])) for row in raw(PERIODIC)]
    assert (len(rows), sum(cents)) == (65, Decimal("947573801.20"))
    assert periodic.info.as_of == date(2018, 1, 12)
    stated = [
        Decimal(str(row["further"]["scheduled_balance_at_period_end"])) for row in rows.values()
    ]
    assert sum(stated) == Decimal("947573801.20")
    # Whole dollars, each rounded.
    assert sum(row["book_value"] for row in rows.values()) == sum(round(one) for one in cents)
    assert (periodic.rejects.num_rows, periodic.info.unmapped) == (0, {})


def test_one_loan_is_in_special_servicing_and_bankruptcy(periodic):
    rows = by_number(periodic)
    (number,) = [one for one, row in rows.items() if row["special_servicing_since"]]
    row = rows[number]
    assert (number, row["book_value"], row["workout"]) == ("2", 96_596_232, "3")
    assert [one for one, row in rows.items() if row["further"]["in_bankruptcy"]] == ["2"]
    further = row["further"]
    assert further["scheduled_balance_at_period_end"] == 96_596_232.17
    assert further["bankruptcy_date"] == "2016-06-26"
    # 1,067,146.71 of payments, and other expenses; no other loan has advances.
    names = ("payment_advances", "tax_advances", "other_advances")
    assert [row[name] for name in names] == [1_067_147, 0, 287_048]
    assert sum(one[name] for one in rows.values() for name in names) == 1_354_195
    assert row["paid_through"] == date(2017, 11, 6)


TYPED = {
    # number: balance, coupon, DSCR, income basis, NOI of a year, occupancy, status, structure
    "1": (
        *(100_000_000, 4.495, 1.491, "NCF, 1 Jan to 30 Sep 2017, 9 months, annualised"),
        *(round(14_923_549 * 365 / 273), 0.75, "0", "PP"),
    ),
    "2": (
        *(96_596_232, 4.9535, 2.1322, "NCF, 1 Jan to 31 Mar 2017, 3 months, annualised"),
        *(round(9_717_584 * 365 / 90), 0.72, "1", "PP"),
    ),
    "13": (
        *(16_000_000, 4.56, 2.5979, "NCF, 1 Oct 2016 to 30 Sep 2017, 12 months"),
        *(1_963_033, 0.85, "0", None),
    ),
    "24": (
        *(10_275_000, 4.82, 1.3621, "NCF, 1 Jan to 30 Sep 2017, 9 months, annualised"),
        *(round(563_596 * 365 / 273), 0.9, "0", None),
    ),
    "31": (
        *(8_944_261, 4.55, 4.0132, "NCF, 1 Jan to 31 Dec 2016, 12 months"),
        *(1_842_344, 0.83, "0", None),
    ),
}


@pytest.mark.parametrize("number", TYPED)
def test_five_periodic_loans_typed_off_the_cells(periodic, number):
    row = by_number(periodic)[number]
    names = ("book_value", "interest_rate", "dscr", "income_basis", "noi", "occupancy")
    names += ("payment_status", "structure")
    assert tuple(row[name] for name in names) == TYPED[number]


def test_every_cell_of_the_periodic_file_is_told(periodic):
    """All that is not blank stands among the further fields or in a column."""
    rows = by_number(periodic)
    for cells in raw(PERIODIC):
        row = rows[str(cells[3]).removesuffix(".0")]
        told = {str(value) for value in row["further"].values()}
        for at in (8, 23, 24, 25, 36, 52, 53, 54, 55, 56, 61, 66, 67, 68, 69, 70, 92, 96, 97, 104):
            cell = cells[at - 1]
            if isinstance(cell, float) and at != 8:
                assert f"{cell:g}" in told or str(cell).removesuffix(".0") in told, at


def test_setup_and_properties_join(wells):
    rows = by_number(wells)
    cents = [Decimal(repr(row[43])) for row in raw(SETUP)[2:]]
    assert (len(rows), sum(cents)) == (38, Decimal("744811779.48"))
    stated = [Decimal(str(row["further"]["balance_at_securitization"])) for row in rows.values()]
    assert sum(stated) == Decimal("744811779.48")
    assert wells.properties.num_rows == 66
    assert len(set(wells.properties["loan"].to_pylist())) == 37
    assert wells.info.as_of == date(2018, 1, 18)
    assert (wells.rejects.num_rows, wells.info.unmapped) == (0, {})


@pytest.mark.parametrize(
    ("number", "typed"),
    [
        ("5", (40_000_000, 3.6189, "office", "CA", 351_000_000, 19_684_992, 2.08, 1.0, "PP", 360)),
        ("7", (27_470_000, 4.379, "retail", "MN", 386_700_000, 24_937_758, 2.72, 1.0, "PP", 0)),
        ("7A", (7_500_000, 4.379, None, None, None, None, None, None, "PP", 0)),
        ("8", (32_500_000, 4.603, "office", "MI", 103_000_000, 8_150_842, 1.75, 0.94, "PP", 360)),
        ("30", (4_750_000, 5.06, "multifamily", "NY", 6_900_000, 411_681, 1.31, 1.0, "WL", 360)),
    ],
)
def test_five_setup_loans_typed_off_the_cells(wells, number, typed):
    row = by_number(wells)[number]
    names = ("book_value", "interest_rate", "property_type", "property_state", "value", "noi")
    names += ("dscr", "occupancy", "structure", "amortization_months")
    assert tuple(row[name] for name in names) == typed


def test_every_line_item_belongs_to_a_loan():
    found = read(FINANCIAL, as_of=date(2018, 1, 31))
    rows = by_number(found)
    lines = [
        amount
        for row in rows.values()
        for name, statement in row["further"].items()
        if name.startswith("operating_statement_")
        for amount in statement.values()
    ]
    assert (len(rows), len(lines)) == (42, 579)
    assert sum(lines) == pytest.approx(sum(row[8] for row in raw(FINANCIAL)))
    assert found.loans["book_value"].null_count == 42


def test_comments_of_the_watchlist_are_facts_of_their_loans():
    found = read(WATCHLIST)
    rows = by_number(found)
    assert set(rows) == {"12", "18", "28", "29", "33", "35", "61", "68"}
    assert found.info.as_of == date(2018, 1, 8)
    for cells in raw(WATCHLIST)[4:]:
        row = rows[cells[3]]
        assert row["watchlist_comment"].split() == cells[18].split()
        assert row["watchlist_triggers"] == cells[17]
        assert row["watchlist_since"] == cells[8].date()
        assert row["watchlist_as_of"] == date(2018, 1, 8)
        assert row["property_state"] == cells[7].strip()
    assert rows["33"]["watchlist_triggers"] == "1E | 1F | 4A"
    assert "\n\n11/29/2017: YE 2016 NCF DSCR was 0.38x" in rows["33"]["watchlist_comment"]
    assert rows["12"]["property_city"] is None  # "VARIOUS"


def test_the_check_sheet_of_a_package_rolls_forward_to_the_cent(periodic, tmp_path):
    """D282; its records report for a day before that of the payments, all for the same."""
    load(tmp_path, [periodic])
    with Store(tmp_path).lease() as source:
        sheet = source.check_sheet(periodic.info.key)
    assert (sheet.findings, sheet.roll.records) == ((), 65)
    assert (sheet.roll.rolled, sheet.roll.closing) == (947_573_801.20, 947_573_801.20)
