"""Every page in every state that it may find: full, without chains, no data, damaged, at fault.

A new page: add a row to PAGES. (file, heading, least number of each element on the full store.)
"""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from services.importers import demo, sec_absee
from tests.pages import graph_stage
from tests.pages.ledger_reading import ledgers
from tests.pages.screen import badges, headings, links, said, shown, tables
from tests.publishing import load_once

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests/importers/sample_2025-1__mixed.xml"
PAGES = [
    ("pages/overview.py", "Overview", {"html": 18, "bidi_component": 2}),
    ("pages/loans.py", "Loans", {"bidi_component": 3, "pagination": 1}),
    ("pages/map.py", "Map", {"bidi_component": 4, "deck_gl_json_chart": 1, "button_group": 2}),
    ("pages/explore.py", "Explore", {"bidi_component": 4, "plotly_chart": 1}),
    ("pages/tenants.py", "Tenants", {"bidi_component": 4, "button_group": 2, "expander": 1}),
    ("pages/loan.py", "Loan", {"text_input": 1}),
    ("pages/signals.py", "Signals", {"bidi_component": 5, "button_group": 2, "pagination": 1}),
    ("pages/changes.py", "Changes", {"page_link": 1}),
    ("pages/watchlist.py", "Watchlist", {"bidi_component": 2, "button": 1, "page_link": 1}),
    ("pages/cases.py", "Cases", {"button_group": 1, "page_link": 1}),
    ("pages/calendar.py", "Calendar", {"bidi_component": 4, "expander": 1, "button_group": 2}),
    ("pages/what_if.py", "What if", {"bidi_component": 5, "expander": 2}),
    ("pages/entities.py", "Entities", {"bidi_component": 3}),
    ("pages/entity.py", "Entity", {"text_input": 1}),
    ("pages/compare.py", "Compare", {}),
    ("pages/compare_parties.py", "Compare parties", {}),
    ("pages/sponsors.py", "Sponsors", {"bidi_component": 3}),
    ("pages/family.py", "Family", {"page_link": 2}),
    ("pages/capital_graph.py", "Capital graph", {"bidi_component": 2}),
    ("pages/connection.py", "Connection", {"bidi_component": 3}),
    ("pages/track_record.py", "Track record", {"html": 12, "expander": 1}),
    ("pages/my_book.py", "My book", {"file_uploader": 2}),
    ("pages/sources.py", "Sources", {"html": 12, "expander": 1}),
]


@pytest.fixture(scope="module")
def stores(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stores")
    load_once(folder / "full", [demo.portfolio(loans=300)])
    load_once(folder / "filing", sec_absee.portfolio([SAMPLE]))
    load_once(folder / "damaged", [demo.portfolio(loans=20)])
    (folder / "damaged" / "current").write_text("nonsense\n", encoding="ascii")
    return {name: folder / name for name in ("full", "filing", "damaged", "missing")}


@pytest.fixture
def opened(stores, visit):
    """Runs a page of the app on a store, with the query parameters given."""

    def run(file: str, store: str, **params: str) -> AppTest:
        return visit(file, stores[store], params)

    return run


@pytest.mark.parametrize(("page", "heading", "least"), PAGES)
@pytest.mark.parametrize("store", ["full", "filing"])
def test_page_draws_what_it_promises(page, heading, least, store, opened):
    app = opened(page, store)
    assert not app.exception
    assert not app.error
    deal = store == "filing" and heading == "Overview"  # goes by its own name (D264)
    assert headings(app, 1) == ["sample 2025-1" if deal else heading]
    if store == "full":
        found = {kind: len(app.get(kind)) for kind in least}
        assert all(found[kind] >= count for kind, count in least.items()), found


@pytest.mark.parametrize(("page", "_heading", "_least"), PAGES)
def test_without_data_a_page_says_how_to_get_some(page, _heading, _least, opened):
    app = opened(page, "missing")
    assert not app.exception
    assert "No data yet" in said(app)
    assert "creditatlas demo" in app.code[0].value


@pytest.mark.parametrize(("page", "_heading", "_least"), PAGES)
def test_a_damaged_store_gives_one_sentence(page, _heading, _least, opened):
    app = opened(page, "damaged")
    assert not app.exception
    assert len(app.error) == 1
    assert "does not name a snapshot" in shown(app.error[0].value)


def test_a_fault_of_ours_never_shows_a_traceback(opened, monkeypatch):
    def broken(_self):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("services.store.source.StoreSource.totals", broken)
    app = opened("pages/overview.py", "full")
    assert not app.exception
    assert "could not be drawn" in shown(app.error[0].value)
    assert "secret detail" not in said(app)


@pytest.mark.parametrize(
    ("page", "params", "sentence"),
    [
        ("pages/loans.py", {"per_page": "33"}, "25, 50, 100 rows at a time"),
        ("pages/map.py", {"layer": "heat"}, "'points' or 'hexagons'"),
        ("pages/signals.py", {"severity": "low"}, "must be one of moderate"),
        ("pages/what_if.py", {"rates": "301"}, "'rates' is '301' but must be at most 300"),
        ("pages/explore.py", {"box": "1,2,3"}, "'box'"),
        ("pages/watchlist.py", {"show": "funds"}, "must be 'loans', 'parties' or 'searches'"),
        ("pages/loan.py", {"number": "1"}, "did you mean 'loan_number'"),
        ("pages/connection.py", {"from": "L1"}, "Unknown parameter 'from'"),
        ("pages/capital_graph.py", {"entity_name": "A", "depth": "7"}, "must be at most 6"),
        ("pages/sponsors.py", {"order": "colour"}, "'order'"),
    ],
)
def test_an_address_at_fault_gives_a_sentence_and_no_rows(page, params, sentence, opened):
    """What else is at fault: tests/components/test_addresses.py."""
    app = opened(page, "full", **params)
    assert not app.exception
    assert sentence in shown(app.error[0].value)
    assert not tables(app)
    assert not ledgers(app)
    assert not app.get("plotly_chart")
    assert not graph_stage.drawn(app)


def test_a_page_beyond_the_last_says_so(opened):
    app = opened("pages/loans.py", "full", page="99")
    assert "beyond the last of 12" in said(app)


def test_the_call_behind_a_view_of_a_store_goes_to_the_service_over_it(opened):
    app = opened("pages/loans.py", "full", state="TX")
    calls = [code.value for code in app.code if "/v1/loans" in code.value]
    assert len(calls) == 2
    assert "http://127.0.0.1:8000/v1/loans?state=TX" in calls[0]
    assert "creditatlas serve" in said(app)


def test_the_call_behind_a_view_goes_to_the_service_that_the_settings_name(stores, visit):
    url = "https://atlas.bank.example/credit/"
    app = visit("pages/loans.py", stores["full"], {"state": "TX"}, service_url=url)
    calls = [code.value for code in app.code if "/v1/loans" in code.value]
    assert "https://atlas.bank.example/credit/v1/loans?state=TX" in calls[0]
    assert "creditatlas serve" not in said(app)


def test_nothing_matches_names_the_filters(opened):
    app = opened("pages/loans.py", "full", lender="zzz", state="TX")
    assert "No results. Loans in Texas, lent by or serviced by “zzz”: none." in said(app)


def test_an_unknown_loan_offers_near_ones(opened):
    app = opened("pages/loan.py", "full", loan_number="CA-00012x")
    assert "No loan has the number 'CA-00012x'" in said(app)
    assert {"CA-000128", "CA-000129"} < set(links(app))


def test_a_loan_shows_its_panels(opened):
    app = opened("pages/loan.py", "full", loan_number="CA-000012")
    assert not app.exception
    cards = set(headings(app, 3))
    assert {"Signals and the rules behind them", "Capital stack by layer"} <= cards
    assert {"Ownership chain", "Next to it in the capital graph", "Further fields"} <= cards


def test_a_note_of_a_larger_loan_bears_the_badge(opened, stores):
    from services.contract.queries import LoanQuery
    from services.store.leases import Store

    store = Store(stores["filing"])
    with store.lease() as source:
        numbers = [loan.loan_number for loan in source.loans(LoanQuery()).items]
        partial = [n for n in numbers if source.loan(n).extended.get("partial_note")]
    store.close()
    app = opened("pages/loan.py", "filing", loan_number=partial[0])
    assert any("Pari passu" in said for said in badges(app))
