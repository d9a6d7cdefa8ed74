"""A heading with nothing beneath: what a page says in its place."""

from datetime import date

import pytest

from tests.pages.ledger_reading import ledgers
from tests.pages.screen import headings, headlines, said, tables
from tests.pilot_street import pilot_street
from tests.publishing import load, load_once
from tests.world import RATES, Sketch, info_of


@pytest.fixture(scope="module")
def stale(tmp_path_factory):
    """A source of two filings, and one whose only filing is two years later."""
    folder = tmp_path_factory.mktemp("stale") / "store"
    for info, days in (("old", (date(2024, 1, 8), date(2024, 2, 8))), ("new", (date(2026, 1, 8),))):
        for day in days:
            sketch = Sketch(info_of(info, day))
            for at in range(12):
                sketch.loan(f"{info}-{at}", book_value=10_000_000, payment_status="0")
            load_once(folder, [sketch.portfolio()], rates=RATES)
    return folder


def test_changes_between_dates_without_any_say_so(visit, stale):
    app = visit("pages/changes.py", stale, {"since": "2024-02-08", "until": "2025-01-01"})
    assert not app.exception
    assert "No loan had an event between these dates." in said(app)
    assert "Loans by kind of event" not in ledgers(app)


def test_roll_rates_of_months_without_two_filings_say_so(visit, stale):
    app = visit("pages/overview.py", stale, {"trends": "yes", "window": "3"})
    assert not app.exception
    assert any(one.startswith("Roll rates") for one in headings(app, 3))
    assert "No source has two filings in a row that reach into these months." in said(app)
    assert "Roll rates from one filing to the next" not in tables(app)


def test_a_party_has_loans_of_the_loans_and_not_of_their_notes(visit, tmp_path):
    """Five records are two loans; the trust holds a note of one."""
    load(tmp_path, pilot_street())
    app = visit("pages/entity.py", tmp_path, {"entity_name": "Pilot Street LLC"})
    assert headlines(app)["Loans"][:2] == ("1", "of 2")
    app = visit("pages/family.py", tmp_path, {"entity_name": "Ada Quill"})
    assert headlines(app)["Loans"][:2] == ("1", "of 2")


def test_a_party_without_loans_has_no_contagion(visit, tmp_path):
    load(tmp_path, pilot_street())
    app = visit("pages/family.py", tmp_path, {"entity_name": "Quay Bank"})
    assert not app.exception
    assert not any("Contagion" in one for one in headings(app, 3))
