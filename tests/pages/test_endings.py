"""Pages of a book of loans that ended and one that goes on, as their servicer filed them (D150)."""

import pyarrow as pa
import pytest

from components.report.contents import contents
from services.contract.loan_filter import LoanFilter
from services.importers.sec_absee import portfolio
from services.store.leases import Store
from tests.filed_endings import LAST_PERIOD, write
from tests.pages.ledger_reading import ledgers, rows
from tests.pages.screen import expanders, headings, headlines, said
from tests.publishing import load_once

GOING_ON = {
    "originalLoanAmount": "10750000.0",
    "reportPeriodEndActualBalanceAmount": "9710715.0",
    "maturityDate": "03-06-2027",
    "loanStructureCode": "WL",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("endings")
    path = write(folder / "UBS_2017-C1__rpt.xml", {**LAST_PERIOD, "32": GOING_ON})
    load_once(folder / "store", portfolio([path]))
    return folder / "store"


def page(visit, store, number):
    app = visit("pages/loan.py", store, {"loan_number": f"UBS 2017-C1:{number}"})
    assert not app.exception
    assert "could not be drawn" not in said(app)
    return app


@pytest.mark.parametrize(
    ("number", "line"),
    [
        ("14", ("Liquidated, 29 Feb 2024: $11,874,863 lost, 63.1% of the $18,828,946 owed before, "
               "54.0% of the original amount.")),
        ("5", "Paid off before maturity, 5 Aug 2021: $34,000,000 received."),
    ],
)  # fmt: skip
def test_the_head_of_a_loan_says_how_it_ended(visit, store, number, line):
    app = page(visit, store, number)
    assert line in said(app)
    # Nothing of a living loan: no coverage, refinance, stack, sizing or peers.
    listed = " ".join(headings(app, 3))
    for word in ("Refinance", "Income", "Capital stack", "peers"):
        assert word not in listed, word
    assert expanders(app) == []
    assert "No rule tests a loan that owes nothing." in said(app)
    # No type and no city: later filings leave them out.
    assert all("—" not in one for one in headings(app, 1))
    assert "LTV" not in said(app).replace("no LTV", "")


def test_a_loan_that_goes_on_has_its_panels_and_no_such_line(visit, store):
    app = page(visit, store, "32")
    assert "Liquidated" not in said(app)
    listed = " ".join(headings(app, 3))
    assert all(word in listed for word in ("Refinance", "Income", "Capital stack"))
    assert "Size a new loan" in expanders(app)


def test_loans_are_counted_and_found_by_how_they_ended(visit, store):
    app = visit("pages/loans.py", store)
    line = "1 outstanding ($9.7M); 2 paid off before maturity; 3 liquidated ($21.2M lost)."
    assert line in said(app)
    lost = {"disposition": "liquidated", "columns": "endings", "order": "-realized_loss"}
    app = visit("pages/loans.py", store, lost)
    found = rows(app, "Disposition", "Realized loss")
    assert [(one["Loan"], one["Disposition"], one["Realized loss"]) for one in found] == [
        ("UBS 2017-C1:14", "Liquidated", "$11.9M"),
        ("UBS 2017-C1:52", "Liquidated", "$4.7M"),
        ("UBS 2017-C1:44", "Liquidated", "$4.5M"),
    ]
    assert [one["Loss of what was owed"] for one in found] == ["63.1%", "94.3%", "64.1%"]
    assert "Loans that are liquidated: 3" in said(app)


def test_the_overview_lists_them_with_what_was_lost(visit, store):
    app = visit("pages/overview.py", store)
    assert not app.exception
    found = rows(app, "Disposition", "Loans with a loss")
    assert [tuple(one.values()) for one in found] == [
        ("Outstanding", "1", "$9.7M", "—", "0"),
        ("Paid off before maturity", "2", "$0", "—", "0"),
        ("Liquidated", "3", "$0", "$21.2M", "3"),
    ]
    assert headlines(app)["Book value"].of_what == "6 loans, 5 of them ended"


def test_the_report_and_an_export_hold_the_same(store):
    held = Store(store)
    with held.lease() as source:
        said = contents(source, LoanFilter(), "All loans")["dispositions"]
        taken = pa.Table.from_batches(source.loan_batches(LoanFilter(), ())).to_pylist()
    held.close()
    assert said["rows"] == [
        ["Outstanding", "1", "$9.7M", "—"],
        ["Paid off before maturity", "2", "$0", "—"],
        ["Liquidated", "3", "$0", "$21.2M"],
    ]
    lost = {row["loan_number"]: row["realized_loss"] for row in taken if row["realized_loss"]}
    assert lost == {
        "UBS 2017-C1:14": 11_874_863, "UBS 2017-C1:44": 4_548_626, "UBS 2017-C1:52": 4_735_348,
    }  # fmt: skip
    assert {row["disposition"] for row in taken} == {
        *("outstanding", "paid off before maturity", "liquidated"),
    }


def test_a_book_that_names_no_sponsor_is_ranked_by_none(visit, store):
    app = visit("pages/overview.py", store)
    assert "Concentration by sponsor" not in headings(app, 2)  # the sources state none (D254)
    assert "Loans by Lender" in ledgers(app)
    assert "Loans by Sponsor" not in ledgers(app)
    # And what no maturity counts, it says once.
    assert said(app).count("Left out of maturities: 5 without a balance, $0.") == 1
