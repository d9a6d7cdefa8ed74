"""The list of the Signals page: in the order asked for, which the endpoint does not have."""

import pytest

from components.kit.formatting import money
from services.contract.queries import LoanQuery, SignalQuery
from services.importers import demo
from services.store.leases import Store
from tests.pages.ledger_reading import ledgers
from tests.pages.screen import said
from tests.publishing import load_once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("signals") / "store"
    load_once(folder, [demo.portfolio(loans=90)])
    return folder


def test_the_largest_loans_come_first_where_they_are_asked_for(folder, visit):
    app = visit("pages/signals.py", folder, {"order": "-book_value", "severity": "any"})
    assert not app.exception
    with Store(folder).lease() as source:
        worth = {
            one.loan_number: one.book_value for one in source.loans(LoanQuery(per_page=90)).items
        }
        found = source.signals(SignalQuery(per_page=100))
    assert found.total <= 100
    largest = sorted((worth[one.loan_number] for one in found.items), reverse=True)
    shown = ledgers(app)["Signals"]
    assert [one["Book value"] for one in shown] == [money(one) for one in largest[: len(shown)]]
    assert len(shown) == 25


def test_without_a_signal_there_is_no_empty_table(visit, tmp_path):
    load_once(tmp_path / "store", [demo.portfolio(loans=3)])
    app = visit("pages/signals.py", tmp_path / "store", {"severity": "critical", "state": "WY"})
    assert not app.exception
    assert "No state has any." in said(app)
    assert "By state and severity" not in said(app)
    assert "Critical signals in Wyoming: none." in said(app)
