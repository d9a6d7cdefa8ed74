"""The dashboard over the API: the same rows as over the store, each refusal in its own words."""

from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest
from streamlit.testing.v1 import AppTest

from components.frame import exports, session
from services.api import app as api_app
from services.api.document import operations
from services.api.limiting import allowances
from services.importers import demo
from services.settings import load as settings
from services.sources import open_workspace
from tests import history_book
from tests.client.fault_server import FaultServer, cut, drop, html_reply, json_reply
from tests.pages.conftest import forget
from tests.pages.field_reading import ADD, fields
from tests.pages.ledger_reading import ledgers
from tests.pages.screen import headings, headlines, metrics, said, tables
from tests.publishing import load_once
from tests.servers import service

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=260)])
    return folder


@pytest.mark.parametrize(
    ("file", "given"),
    [
        ("pages/map.py", {}),
        ("pages/map.py", {"layer": "hexagons", "cell": "wide.-32.20"}),
        ("pages/loan.py", {"loan_number": "CA-000012", "on_map": "yes"}),
    ],
)
def test_a_map_without_a_mirror_says_what_is_missing(file, given, store, app_on, tmp_path):
    with serving(store, tmp_path) as api:
        app = over_api(app_on, file, api.address, api.key(), given=given)
    assert not app.exception
    assert not app.get("deck_gl_json_chart")
    sentence = "This needs figures over all records, which the API does not give one by one; fill"
    more = 1 if file == "pages/map.py" else 3  # of signals and peers, too
    assert said(app).count(sentence) == more


@contextmanager
def serving(store, folder, variant="a", **options):
    """The API over the store."""
    workspace = open_workspace(settings(store=store), "store")
    with service(folder, {"production": workspace}, variant=variant, **options) as running:
        yield running
    workspace.close()


@pytest.fixture
def app_on(visit, tmp_path):
    """Runs a page of the app with these settings and query parameters."""

    def run(
        file: str, *, given=MappingProxyType({}), store=tmp_path / "own", **settings
    ) -> AppTest:
        return visit(file, store, given, **settings)

    return run


def over_api(app_on, file, address, key, **more):
    return app_on(file, source="api", api_url=address, api_key=key, **more)


@pytest.mark.parametrize("variant", ["a", "b"])
@pytest.mark.parametrize(
    ("file", "given"),
    [
        ("pages/loans.py", {"page": "3"}),
        ("pages/loans.py", {"rate_pressure": "severe", "maturity_before": "2029-01-01"}),
        ("pages/entities.py", {"name": "capital partners", "per_page": "100"}),
        (
            "pages/signals.py",
            {"severity": "critical", "order": "loan_number", "columns": "book_value"},
        ),
    ],
)
def test_a_page_shows_the_same_rows_over_store_and_api(
    file, given, variant, store, app_on, tmp_path
):
    # The API has neither the order nor the columns that the page begins with over a store.
    like_the_api = {"order": "loan_number", "columns": "terms"} if "loans" in file else {}
    own = app_on(file, given={**given, **like_the_api}, store=str(store))
    with serving(store, tmp_path, variant) as api:
        over = over_api(
            app_on, file, api.address, api.key(), given=given, store=str(tmp_path / "none")
        )
    assert not over.exception
    # A store has the map's table before the list.
    left, right = (list(ledgers(app).values())[-1] for app in (own, over))
    # Days count from another today without a mirror.
    timeless = [[{**row, "Due": ""} for row in rows] for rows in (left, right)]
    if "entities" in file:  # an API says nothing of exposure, which names of one match go by (D263)
        shared = ("Name", "Match")
        timeless = [sorted([row[one] for one in shared] for row in rows) for rows in timeless]
    assert timeless[0] == timeless[1]
    assert len(left) > 0


def test_a_tier_locks_its_panels_and_no_others(store, app_on, tmp_path):
    # D33
    with serving(store, tmp_path) as api:
        key = api.key("base")
        app = over_api(
            app_on, "pages/loan.py", api.address, key, given={"loan_number": "CA-000012"}
        )
    assert not app.exception
    assert "Resolution or Complete opens it" in said(app)
    assert "Capital Graph or Complete opens it" in said(app)
    assert "Preview: the columns that this shows, without data." in said(app)
    assert "CA-000012 · " in said(app)
    assert {"Capital stack by layer", "Terms and property"} <= set(headings(app, 3))


def test_aggregates_name_the_mirror_before_it_is_filled_and_use_it_after(store, app_on, tmp_path):
    # D33
    with serving(store, tmp_path) as api:
        key = api.key()
        before = over_api(app_on, "pages/overview.py", api.address, key)
        assert "fill the mirror on the Sources page" in said(before)
        assert not headlines(before)
        workspace = open_workspace(settings(), "api")
        filled = workspace.upstream.fill_mirror(progress=lambda _stage, _part: None)
        workspace.close()
        assert filled.complete
        assert filled.requests <= -(-filled.counts["loans"][1] // 100) + -(
            -filled.counts["signals"][1] // 100
        )
        after = over_api(app_on, "pages/overview.py", api.address, key)
    assert list(metrics(after))[:2] == ["Book value", "Weighted coupon"]
    assert "Aggregates over 260 mirrored loans" in said(after)


@pytest.mark.parametrize("variant", ["a", "b"])
def test_what_the_api_cannot_be_asked_runs_on_the_mirror_or_says_why_not(
    variant, store, app_on, tmp_path
):
    # D60, D61
    beyond = {"order": "-book_value", "property_type": "office,retail", "columns": "credit"}
    own = app_on("pages/loans.py", given=beyond, store=str(store))
    with serving(store, tmp_path, variant) as api:
        key = api.key()
        plain = over_api(app_on, "pages/loans.py", api.address, key, given={"state": "TX"})
        before = over_api(app_on, "pages/loans.py", api.address, key, given=beyond)
        workspace = open_workspace(settings(), "api")
        workspace.upstream.fill_mirror(progress=lambda _stage, _part: None)
        workspace.close()
        after = over_api(app_on, "pages/loans.py", api.address, key, given=beyond)
    assert "Totals, orders and further filters need the mirror" in said(plain)
    assert {name: fields(plain)[name]["disabled"] for name in (ADD, "property_type", "state")} == {
        ADD: True, "property_type": True, "state": False,
    }  # fmt: skip
    assert len(ledgers(plain)["Loans"]) > 0
    # No list in place of an answer that nobody can give.
    assert "fill the mirror on the Sources page" in said(before)
    assert not ledgers(before)
    assert not fields(after)["property_type"]["disabled"]
    order = [row["Loan"] for row in ledgers(after)["Loans"]]
    assert order == [row["Loan"] for row in ledgers(own)["Loans"]]
    assert "Aggregates over 260 mirrored loans" in said(after)


@pytest.mark.parametrize(
    ("file", "given"),
    [
        ("sponsors", {}),
        ("family", {"entity_name": "Nobody LP"}),
        ("explore", {}),
        ("explore", {"show": "boxes"}),
        ("explore", {"show": "vintages"}),
    ],
)
def test_figures_over_all_records_need_the_mirror_and_say_so(file, given, store, app_on, tmp_path):
    with serving(store, tmp_path) as api:
        key = api.key()
        app = over_api(app_on, f"pages/{file}.py", api.address, key, given=given)
    assert not app.exception
    assert "fill the mirror" in said(app)


@pytest.mark.parametrize(
    ("file", "given", "sentence", "button"),
    [
        ("loan", {"loan_number": "CA-9"}, "No loan has the number 'CA-9'", "Open the loan"),
        ("entity", {"entity_name": "Nobody LP"}, "fill the mirror", "Search names"),
    ],
)
def test_without_a_mirror_an_unknown_record_still_offers_its_form(
    file, given, sentence, button, store, app_on, tmp_path
):
    with serving(store, tmp_path) as api:
        key = api.key()
        app = over_api(app_on, f"pages/{file}.py", api.address, key, given=given)
    assert not app.exception
    assert sentence in said(app)
    assert [one.label for one in app.button] == [button]
    assert [one.value for one in app.text_input] == list(given.values())


def test_files_of_live_rows_say_that_they_are_live(store, app_on, tmp_path):
    with serving(store, tmp_path) as api:
        key = api.key()
        app = over_api(app_on, "pages/entities.py", api.address, key, given={"name": "capital"})
        assert [one.label for one in app.get("download_button")] == ["CSV", "XLSX", "Parquet"]
        workspace = open_workspace(settings(), "api")
        workspace.upstream.fill_mirror(progress=lambda _stage, _part: None)
        with session.lease(workspace):
            held = workspace_origin(workspace)
        workspace.close()
    assert held["mirrored"].snapshot
    assert held["mirrored"].as_of < held["live"].as_of
    assert held["live"].as_of.startswith("asked on 20")
    assert (held["live"].source, held["live"].snapshot) == (workspace.label, "")


def workspace_origin(workspace):
    """The two origins that files over this workspace have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "workspace", lambda: workspace)
        return {"mirrored": exports.origin(), "live": exports.origin(live=True)}


def test_a_refused_key_says_so_and_never_shows_it(store, app_on, tmp_path):
    with serving(store, tmp_path) as api:
        api.key("base")
        app = over_api(app_on, "pages/loans.py", api.address, "wrong-key-0123456789")
    assert "The API refused the key" in said(app)
    assert "wrong-key" not in said(app)
    assert not tables(app)
    assert not ledgers(app)


def test_a_rate_limit_counts_down(store, app_on, tmp_path):
    still = {"allowances": allowances(1), "clock": lambda: 1_800_000_000.25}
    with serving(store, tmp_path, **still) as api:
        key = api.key()
        over_api(app_on, "pages/loans.py", api.address, key)
        forget()  # or the first answer is shown again
        app = over_api(app_on, "pages/loans.py", api.address, key)
    assert "It answers again in" in said(app)
    assert not tables(app)
    assert not ledgers(app)


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (html_reply(200), "/v1/loans"),
        (json_reply({"data": [{}], "pagination": {}}), "/v1/loans"),
        (cut(b'{"data": [', 8), ""),
        (drop(), ""),
        (
            json_reply(
                {"error": {"code": "x", "message": "no", "request_id": "req_77"}}, status=500
            ),
            "req_77",
        ),
    ],
    ids=["proxy page", "garbage", "cut short", "dropped", "server error"],
)
def test_a_broken_answer_is_an_error_and_never_an_empty_list(reply, sentence, app_on):
    with FaultServer() as server:
        server.script(*[reply] * 12)
        app = over_api(app_on, "pages/loans.py", server.url, "some-key-0123456789")
    assert not app.exception
    assert app.error
    assert "No results" not in said(app)
    assert not tables(app)
    assert not ledgers(app)
    assert sentence in said(app) + "\n".join(code.value for code in app.code)


def test_no_connection_offers_to_try_again(app_on):
    app = over_api(app_on, "pages/loans.py", "http://127.0.0.1:9", "some-key-0123456789")
    assert app.error
    assert [button.label for button in app.button] == ["Try again"]


def test_a_sandbox_key_is_always_marked(store, app_on, tmp_path):
    # D35
    with serving(store, tmp_path) as api:
        key = api.key()
        app = over_api(app_on, "pages/loans.py", api.address, key, api_environment="sandbox")
    assert "Sandbox" in said(app)


def test_the_call_behind_a_view_has_a_placeholder_for_the_key(store, app_on, tmp_path):
    with serving(store, tmp_path) as api:
        key = api.key()
        app = over_api(app_on, "pages/loans.py", api.address, key, given={"state": "TX"})
    shown = "\n".join(code.value for code in app.code)
    assert f"{api.address}/v1/loans?state=TX" in shown
    assert "$CREDIT_ATLAS_API_KEY" in shown
    assert key not in shown
    assert '"pagination"' in shown


@pytest.fixture(scope="module")
def filed(tmp_path_factory) -> Path:
    """A store of seven filings."""
    folder = tmp_path_factory.mktemp("filed")
    load_once(folder, history_book.portfolios(), rates=history_book.RATES)
    return folder


LINE = {"loan_number": "L1", "history": "yes"}


@pytest.mark.parametrize("variant", ["a", "b"])
def test_a_history_is_the_services_own_before_a_mirror_is_filled_and_after(
    variant, filed, app_on, tmp_path
):
    # D189
    own = app_on("pages/loan.py", given=LINE, store=str(filed))
    with serving(filed, tmp_path, variant) as api:
        key = api.key()
        before = over_api(app_on, "pages/loan.py", api.address, key, given=LINE)
        workspace = open_workspace(settings(), "api")
        workspace.upstream.fill_mirror(progress=lambda _stage, _part: None)
        workspace.close()
        after = over_api(app_on, "pages/loan.py", api.address, key, given=LINE)
    charts = [app.get("plotly_chart")[0].proto.spec for app in (own, before, after)]
    assert charts[0] == charts[1] == charts[2]
    assert all("6 filings" in said(app) for app in (own, before, after))


def test_a_service_without_histories_is_named_and_the_mirror_answers_once_it_is_filled(
    filed, app_on, tmp_path, monkeypatch
):
    # D189
    monkeypatch.setattr(api_app, "EXTENSIONS", ())
    monkeypatch.setattr(operations, "EXTENSIONS", ())
    with serving(filed, tmp_path) as api:
        key = api.key()
        before = over_api(app_on, "pages/loan.py", api.address, key, given=LINE)
        workspace = open_workspace(settings(), "api")
        workspace.upstream.fill_mirror(progress=lambda _stage, _part: None)
        workspace.close()
        after = over_api(app_on, "pages/loan.py", api.address, key, given=LINE)
    assert not before.exception
    assert (
        f"{api.address} does not offer /v1/loans/{{loan_number}}/history, which is an extension of "
        "Credit Atlas's own service; fill the mirror on the Sources page, which keeps a date at "
        "each fill."
    ) in said(before)
    assert not before.get("plotly_chart")
    assert "One filing is kept" in said(after)


def test_a_tier_that_opens_no_loans_locks_the_history_too(filed, app_on, tmp_path):
    with serving(filed, tmp_path) as api:
        key = api.key("resolution")
        app = over_api(
            app_on, "pages/compare.py", api.address, key, given={"loans": "L1,L2", "history": "yes"}
        )
    assert not app.exception
    assert "Base or Complete opens it" in said(app)
    assert not app.get("plotly_chart")
