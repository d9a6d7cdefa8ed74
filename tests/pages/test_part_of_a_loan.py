"""What the page of a note says of its own share, and of the debt that its filing tells of."""

import re
from datetime import date

import pytest

from components.kit import fields
from components.loans.facts import telling
from components.loans.income import period
from services.contract.loan_figures import Statement
from services.importers.sec_absee import portfolio
from services.rates.reference import ReferenceRates
from tests.filed_loans import house, loan
from tests.pages.screen import facts, headings, headlines, said, tables
from tests.publishing import load, load_once
from tests.store.test_notes import INTEREST_ONLY_NOTES, RECORDS, exhibit, of_bank5

#: Pinnacle Retail Portfolio of BANK5: the servicer files NOI under NCF too, and its DSCR of that.
ON_NOI = {
    "assetNumber": "13",
    "originatorName": "Morgan Stanley Bank, N.A.",
    "reportingPeriodEndDate": "12-11-2025",
    "originationDate": "10-29-2025",
    "originalLoanAmount": "28000000.00",
    "originalTermLoanNumber": "60",
    "maturityDate": "11-01-2030",
    "originalInterestRatePercentage": "0.0695",
    "interestAccrualMethodCode": "3",
    "originalInterestOnlyTermNumber": "60",
    "firstLoanPaymentDueDate": "12-01-2025",
    "loanStructureCode": "WL",
    "paymentTypeCode": "3",
    "reportPeriodEndActualBalanceAmount": "28000000.00",
    "realizedLossToTrustAmount": "0.00",
    "property": {
        "propertyTypeCode": "RT",
        "netOperatingIncomeSecuritizationAmount": "2889696.80",
        "netCashFlowFlowSecuritizationAmount": "2781003.45",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "1.41",
        "mostRecentFinancialsStartDate": "07-01-2024",
        "mostRecentFinancialsEndDate": "06-30-2025",
        "mostRecentNetOperatingIncomeAmount": "1724030.47",
        "mostRecentNetCashFlowAmount": "1724030.47",
        "mostRecentDebtServiceAmount": "1973027.76",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "0.87",
    },
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """UBS 2017-C1, and the A note of BANK5 whose B note no figure of the filing tells of."""
    folder = tmp_path_factory.mktemp("parts")
    senior = of_bank5(*INTEREST_ONLY_NOTES[0][:-1], None)
    senior["property"]["netOperatingIncomeSecuritizationAmount"] = "40000000.00"
    files = (("UBS_2017-C1__12.xml", RECORDS), ("BANK5__12.xml", [senior, ON_NOI]))
    books = [one for name, of in files for one in portfolio([exhibit(folder / name, of)])]
    load_once(folder / "store", books, rates=ReferenceRates.packaged())
    return folder / "store"


@pytest.fixture
def broad(visit, store):
    return visit("pages/loan.py", store, {"loan_number": "UBS 2017-C1:7"})


def test_the_tile_of_a_note_tells_its_own_share_and_that_of_the_whole_loan(broad):
    tile = headlines(broad)["At refinance"]
    assert tile.value == "nothing short"  # the senior notes are repaid first
    assert tile.of_what.startswith("whole loan $")
    assert "short · debt yield binds" in tile.of_what
    assert "this note's share: nothing short." in said(broad)
    assert "uncovered" not in said(broad)  # more than 60 months before it falls due: no signal


def test_the_page_of_a_note_says_of_each_figure_whose_it_is(broad):
    """D281."""
    assert re.search(
        r"nothing short on this note, \$\d+\.\dM short on the whole loan at refinance", said(broad)
    )
    (card,) = [one for one in headings(broad, 3) if one.startswith("Refinance at")]
    assert re.search(r": nothing short on this note, \$\d+\.\dM short on the whole loan$", card)
    for name in ("DSCR at the refi rate", "LTV", "Debt yield"):
        assert headlines(broad)[name].of_what.startswith("whole loan · ")
    for name in ("Refinance in both conventions", "Largest new loan by constraint"):
        assert all(next(iter(row)).endswith(", whole loan") for row in tables(broad)[name])


def test_a_signal_of_a_note_near_its_maturity_tells_the_share_of_that_note(visit, tmp_path):
    near = {"reportingPeriodBeginningDate": "11-12-2025", "reportingPeriodEndDate": "12-11-2025"}
    path = exhibit(tmp_path / "UBS_2017-C1__12.xml", [one | near for one in RECORDS])
    load(tmp_path / "store", portfolio([path]), rates=ReferenceRates.packaged())
    app = visit("pages/loan.py", tmp_path / "store", {"loan_number": "UBS 2017-C1:7"})
    assert "uncovered, none of it on this note, " in said(app)


def test_two_ratios_of_two_debts_are_not_compared(broad):
    sized = [
        row["A year at the refi rate, whole loan"]
        for row in tables(broad)["Refinance in both conventions"]
    ]
    assert "Required NCF" in sized  # a lender asks the least DSCR of NCF
    rows = {row["Figure"]: row for row in tables(broad)["Income, occupancy and value"]}
    assert (rows["DSCR"]["Underwritten"], rows["DSCR"]["Change"]) == ("4.17x", "other debt")
    assert rows["NOI, a year"]["Change"] == "−11.4%"
    assert "DSCR was underwritten on the senior notes alone" in said(broad)
    # Nor does a rule: 4.17x on 92 million, 1.39x on 242 million, and NCF fell by 12.2 %.
    assert "is 12.2% under the underwritten $15,850,232" in said(broad)
    assert "under the underwritten 4.17x" not in said(broad)


@pytest.mark.parametrize(
    ("number", "end"), [("7", "lowest"), ("10", "highest"), ("10A", "highest")]
)
def test_a_loan_stands_among_loans_and_not_among_their_notes(visit, store, number, end):
    """The offices of that vintage are two: 75 Broad Street, and one that is filed three times."""
    app = visit("pages/loan.py", store, {"loan_number": f"UBS 2017-C1:{number}"})
    (row,) = [
        one for one in tables(app)["Its place among peers"] if one["Figure"].startswith("Coupon")
    ]
    assert row["Its place"] == f"{end} of 2"
    assert "Among 2 office loans" in said(app)


def test_what_is_filed_without_reserves_is_not_compared_with_what_has_them(visit, store):
    app = visit("pages/loan.py", store, {"loan_number": "BANK5:13"})
    rows = {row["Figure"]: row["Change"] for row in tables(app)["Income, occupancy and value"]}
    assert rows == {
        "NOI, a year": "−40.3%",
        "Net cash flow, a year": "no reserves now",
        "DSCR": "NCF, now NOI",
    }
    # The statement ended four months before the loan was made.
    assert "Income before the loan covers 87% of debt service" in said(app)
    assert "Income: NOI of Jul 2024–Jun 2025, 12 mo, before the loan." in said(app)
    assert "Income before the loan: DSCR 0.87x, NOI 40.3% below underwriting" in said(app)
    assert "Underwritten NOI $2,889,697 is 67.6% above the $1,724,030" in said(app)
    # Nothing was lost, and nobody asked.
    assert "Realized loss" not in facts(app, "Performance and refinancing")


def test_a_value_of_before_the_loan_says_so_beside_income_on_another_basis(visit, tmp_path):
    """NCF is filed as NOI now, and was after reserves when underwritten; nothing was appraised."""
    plaza = house(mostRecentNetCashFlowAmount="3000000")
    found = portfolio([exhibit(tmp_path / "PLAZA 2017-1__rpt.xml", [loan("1", plaza)])])
    load_once(tmp_path / "store", found)
    app = visit("pages/loan.py", tmp_path / "store", {"loan_number": "PLAZA 2017-1:1"})
    rows = {row["Figure"]: row["Change"] for row in tables(app)["Income, occupancy and value"]}
    assert (rows["Appraised value"], rows["Net cash flow, a year"], rows["DSCR"]) == (
        "not reappraised", "no reserves now", "NCF, now NOI",
    )  # fmt: skip


def test_what_a_note_lacks_at_most_is_a_bound_wherever_it_stands(visit, store):
    """Of an A note whose B note is not known, no sentence says more than is known."""
    (number,) = [f"BANK5:{INTEREST_ONLY_NOTES[0][0]}"]
    app = visit("pages/loan.py", store, {"loan_number": number, "sizing": "yes"})
    tile = headlines(app)["At refinance"]
    bound = tile.value.split(" $")[0]
    assert bound in {"at most", "at least"}
    assert f"this note's share: {tile.value}." in said(app)
    assert tile.of_what.startswith(f"whole loan {bound} $")
    assert "is at least as large as underwriting implies" in said(app)
    for name, first in (("Largest new loan by constraint", "Largest new loan, whole loan"),
                        ("Proceeds by constraint", "Proceeds")):  # fmt: skip
        rows = tables(app)[name]
        assert rows[0][first].startswith("By DSCR")
        assert {row["Less what is due"][:2] for row in rows} == {"≤ "}, name
    assert re.search(r"(surplus of at most|shortfall of at least) \$", said(app))
    (due,) = (row for row in tables(app)["What is owed, and until when"]
              if row["Owed"] == "Whole loan at maturity")  # fmt: skip
    assert due["Of what"] == "at least, interest only"


def test_no_fact_is_told_twice_or_denied(broad):
    terms = facts(broad, "Terms and property")
    assert terms["Matures"] == "5 Apr 2027"
    assert "Legal maturity" not in terms
    assert "Sum of its notes" not in terms
    done = facts(broad, "Performance and refinancing")
    assert "More debt than is known" not in done
    assert "Debt due with the loan" not in done  # no more than the whole loan's
    assert done["Note of a larger loan"] == "yes"


def test_what_repeats_no_other_fact_stays():
    values = {
        "maturity_date": date(2030, 1, 1),
        "effective_maturity": "2027-01-01",
        "debt_due": 8_500_000,
        "whole_loan_debt": 7_850_000,
        "own_dollars_short": 0,
        "dollars_short": 650_000,
        "debt_at_least": True,
        "payment_status": "0",
    }
    assert telling(values, ended=False) == values
    assert "realized_loss" not in telling(values | {"realized_loss": 0}, ended=False)
    assert telling({"realized_loss": 5}, ended=False) == {"realized_loss": 5}
    assert telling({"realized_loss": 0}, ended=True) == {"realized_loss": 0}
    assert "payment_status" not in telling(values, ended=True)


@pytest.mark.parametrize(
    ("start", "end", "months", "written"),
    [
        (date(2022, 12, 31), date(2023, 12, 31), 12, "Jan–Dec 2023, 12 mo"),
        (date(2022, 10, 1), date(2023, 9, 30), 12, "Oct 2022–Sep 2023, 12 mo"),
    ],
)
def test_a_period_is_named_by_its_months(start, end, months, written):
    assert period(Statement(start=start, end=end, months=months)) == written


def test_the_name_of_another_field_is_written_as_words():
    values = {"balance_basis": "odd_balance_at_end", "odd_balance_at_end": 7, "remark": "a_b"}
    assert fields.further(values) == [
        ("balance basis", "odd balance at end"),
        ("odd balance at end", "7"),
        ("remark", "a_b"),
    ]


def test_a_surplus_on_debt_of_which_more_is_due_is_a_bound_and_a_loss_is_none():
    part = {"debt_at_least": True, "refinance_gap": -0.201, "proforma_dscr": -0.4}
    assert fields.bound("refinance_gap", part) == "≥ "
    assert fields.bound("proforma_dscr", part) == ""
    assert fields.bound("refinance_gap", part | {"debt_at_least": False}) == ""
