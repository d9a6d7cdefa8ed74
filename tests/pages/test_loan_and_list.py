"""A loan's page says what the list says, by own spreads and limits, over store and API (D139)."""

import pytest

from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.settings import load as settings
from services.sources import open_workspace
from tests.pages.ledger_reading import rows
from tests.pages.screen import facts, headlines, said
from tests.pages.test_api_mode import serving
from tests.publishing import load_once
from tests.store.test_loan_figures import own_tables

SHOWN = "loan_number,refi_rate,proforma_dscr,max_proceeds,refinance_gap,dollars_short"
FACTS = "Performance and refinancing"


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """Tables, and a store of 200 loans that they scored."""
    tables, folder = tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=200)], assumptions=own_tables(tables))
    return tables, folder


@pytest.fixture(scope="module")
def short(own):
    """Five loans that the list has as short at refinance, as it writes them."""
    workspace = open_workspace(settings(store=str(own[1])), "store")
    with workspace.lease() as lease:
        found = lease.analytics
        query = LoanFilter(order="-dollars_short", per_page=5)
        numbers = [one.loan_number for one in found.loans_found(query, ()).items]
    workspace.close()
    return numbers


def test_a_loan_s_page_says_what_the_list_says_and_itself(own, short, visit):
    _, folder = own
    listed = visit("pages/loans.py", folder, {"order": "-dollars_short", "columns": SHOWN})
    named = {row["Loan"]: row for row in rows(listed, "Loan", "Short at refinance")}
    for number in short:
        app = visit("pages/loan.py", folder, {"loan_number": number})
        assert not app.exception
        held, shown = facts(app, FACTS), headlines(app)
        assert shown["Refi rate"].value == held["Refi rate today"]
        row = named[number]
        assert shown["At refinance"].value.removeprefix("at least ") == (
            f"{row['Short at refinance']} short"
        )
        assert row["Refi rate today"] == held["Refi rate today"]
        assert row["DSCR at the refi rate"] == held["DSCR at the refi rate"]
        assert row["DSCR at the refi rate"] == shown["DSCR at the refi rate"].value


@pytest.mark.parametrize("mirrored", [False, True])
def test_over_the_api_with_the_same_tables_the_page_is_the_store_s(
    mirrored, own, short, visit, tmp_path
):
    tables, folder = own
    at_store = visit("pages/loan.py", folder, {"loan_number": short[0]})
    with serving(str(folder), tmp_path) as api:
        over = {
            "source": "api",
            "api_url": api.address,
            "api_key": api.key(),
            "spreads": str(tables / "spreads.toml"),
        }
        if mirrored:
            workspace = open_workspace(settings(store=str(tmp_path / "own"), **over), "api")
            workspace.upstream.fill_mirror(progress=lambda _stage, _part: None)
            with workspace.lease() as lease:
                used = {one.table: one.origin for one in lease.analytics.snapshot().rests_on}
            workspace.close()
            assert used["spreads"] == "spreads.toml"
        app = visit("pages/loan.py", tmp_path / "own", {"loan_number": short[0]}, **over)
    assert not app.exception
    assert "could not be drawn" not in said(app)
    for name in ("Refi rate", "DSCR", "DSCR at the refi rate", "At refinance"):
        assert headlines(app)[name] == headlines(at_store)[name]
