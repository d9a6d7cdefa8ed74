"""The memo on the loan page: made when asked for, shown, and recorded when it is taken away
(D250).
"""

from datetime import date

import pytest

from services.contract.audit import AuditFilter
from services.settings import load as settings
from services.sources import open_audit
from tests.pages.field_reading import press
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

OPENED = {"loan_number": "L1", "memo": "yes"}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memo")
    s = Sketch(info_of("book", date(2024, 2, 29)))
    s.loan("L1", book_value=12_000_000, value=20_000_000, property_name="Pier 9")
    load_once(folder, [s.portfolio()], rates=RATES)
    return folder


@pytest.mark.usefixtures("visited_before")
def test_a_memo_is_made_when_it_is_asked_for_and_recorded_when_it_is_taken(store, visit, pressed):
    app = visit("pages/loan.py", store, OPENED)
    assert not app.exception
    assert pressed == {}
    app = press(app, "Make the memo")
    assert not app.exception
    assert app.query_params["memo"] == "yes"
    assert pressed["credit-atlas-memo-l1.pdf"]().startswith(b"%PDF")
    entries = open_audit(settings()).entries(AuditFilter()).items
    assert [(one.action, one.name) for one in entries] == [("report", "credit-atlas-memo-l1.pdf")]
    assert "memo of loan L1" in entries[0].detail


@pytest.mark.parametrize("held", [{"seen_as": "base"}, {"seen_as": "capital_graph"}])
def test_a_tier_that_lacks_a_part_of_it_is_offered_none(store, visit, held):
    app = visit("pages/loan.py", store, OPENED, held)
    assert "Make the memo" not in [one.label for one in app.button]


def test_a_closed_memo_asks_for_nothing(store, visit):
    app = visit("pages/loan.py", store, {"loan_number": "L1"})
    assert "Make the memo" not in [one.label for one in app.button]


@pytest.mark.usefixtures("visited_before")
def test_a_list_has_its_pack(store, visit, pressed):
    app = visit("pages/loans.py", store)
    app = press(app, "Pack")
    assert not app.exception
    [name] = [one for one in pressed if "pack" in one and one.endswith(".pdf")]
    assert pressed[name]().startswith(b"%PDF")
    word = pressed[name.replace(".pdf", ".docx")]()
    assert word.startswith(b"PK")
    listed = pressed[name.replace(".pdf", "-sources.csv")]().decode("utf-8-sig")
    assert '"L1"' in listed
    assert "12000000 / 20000000" in listed


def test_a_tier_that_lacks_parties_is_offered_no_pack(store, visit):
    app = visit("pages/loans.py", store, {}, {"seen_as": "base"})
    assert "Pack" not in [one.label for one in app.button]
