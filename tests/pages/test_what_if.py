"""What if: what stands on the page, what goes into files, and what it says over an API (D67)."""

import csv
import io
from functools import partial
from pathlib import Path

import pytest

from components.frame import session
from components.frame.exports.formats import CSV, PARQUET, XLSX
from components.frame.exports.ready import contents
from components.what_if import files, wording
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import MovedFilter, Scenario
from services.importers import demo
from services.settings import load as settings
from services.sources import open_workspace
from tests.pages.field_reading import fields
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import headings, headlines, links, metrics, said, tables
from tests.publishing import load_once
from tests.servers import service

TEXAS = LoanFilter(state=("TX",))
SCENARIO = Scenario.of(rates=100, noi=-10, cap=50)
ASKED = {"state": "TX", "rates": "100", "noi": "-10", "cap": "50"}
PAGE = "pages/what_if.py"


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("what-if") / "store"
    load_once(folder, [demo.portfolio(loans=500)])
    return folder


@pytest.fixture
def workspace(store):
    opened = open_workspace(settings(store=store), "store")
    with session.lease(opened):
        yield session.analytics()
    opened.close()


def test_the_page_shows_the_figures_of_the_scenario(store, visit, workspace):
    app = visit(PAGE, store, ASKED)
    found = workspace.what_if(TEXAS, SCENARIO)
    moved = [one for one in found.moves if one.before != one.after]
    assert headings(app, 2) == ["Scenario 1: Rates +100 bp, NOI −10%, cap rate +50 bp"]
    assert metrics(app)["Get worse"].startswith("$")
    assert headlines(app)["Get worse"].of_what.startswith(f"{found.worse.loans} loans; ")
    assert f"Loans in Texas: {found.loans}" in said(app)
    moves, loans = (ledgers(app)[name] for name in ("Moves in scenario 1", "Loans that move"))
    ordered = sorted(moved, key=lambda one: (-rank(one.after), rank(one.before)))
    stay = found.loans - sum(one.loans for one in moved)
    assert [int(row["Loans"].replace(",", "")) for row in moves] == [
        *(one.loans for one in ordered), stay, found.loans
    ]  # fmt: skip
    assert [row["Worst signal"] for row in moves][-2:] == ["Same worst signal", "All loans"]
    query = MovedFilter(state=("TX",))
    expected = workspace.moved_loans(query, SCENARIO).items
    assert [row["Loan"] for row in loans] == [one.loan_number for one in expected]


def rank(word):
    return ("none", "moderate", "elevated", "severe", "critical").index(word)


def test_date_basis_and_convention_stand_beside_the_figures(store, visit):
    words = said(visit(PAGE, store, {**ASKED, "state": ""}))
    for part in (
        "As of 30 Sep 2026",
        "10-year 4.95% of 10 Sep 2026",
        "Value is NOI over cap rate",
        "Coupons of floating loans move with their index between floor and cap",
        "defeased in full or without a balance, which stay as they are",
        "without NOI",
        "never a probability of default",
    ):
        assert part in words, part


def test_without_a_scenario_the_page_offers_some_with_the_filters_kept(store, visit):
    app = visit(PAGE, store, {"state": "TX"})
    assert "Type a scenario" in said(app)
    assert {"Rates +100 bp", "NOI −10%", "Cap rate +50 bp"} < set(links(app))


def test_without_a_scenario_the_page_shows_what_the_first_of_them_does(store, visit, workspace):
    """D265: with its figures, and each move as a link to its loans in that scenario."""
    app = visit(PAGE, store, {"state": "TX"})
    assert headings(app, 2) == ["For example: rates +100 bp"]
    found = workspace.what_if(TEXAS, Scenario.of(rates=100))
    assert headlines(app)["Get worse"].of_what.startswith(f"{found.worse.loans} loans; ")
    (moves,) = ledgers(app).values()
    assert (moves[-1]["Worst signal"], moves[-1]["Loans"]) == ("All loans", str(found.loans))
    assert addresses(app, "Moves in scenario 1")[0].startswith("what_if?state=TX&rates=100&")
    none = visit(PAGE, store, {"find": "no such loan"})
    assert "No loan matches these filters" in said(none)
    assert not headlines(none)


def test_rates_by_tenor_are_drawn_where_they_are_asked_for_or_opened(store, visit):
    def typed(app):
        return {
            name: sent["value"] for name, sent in fields(app).items() if name.startswith("rate_")
        }

    assert typed(visit(PAGE, store, ASKED)) == {}
    opened = typed(visit(PAGE, store, ASKED, {"tenors": True}))
    assert opened == {"rate_5": "", "rate_7": "", "rate_10": "", "rate_short": ""}
    asked = typed(visit(PAGE, store, {**ASKED, "rate_7_2": "50"}))
    assert asked == {"rate_5_2": "", "rate_7_2": "50", "rate_10_2": "", "rate_short_2": ""}


def test_no_loan_matches(store, visit):
    app = visit(PAGE, store, {**ASKED, "find": "no such loan"})
    assert "No loan matches these filters" in said(app)
    assert not app.exception


def test_the_loans_of_a_move_and_those_that_stay(store, visit, workspace):
    for move in ("none,moderate", "moderate,moderate"):
        app = visit(PAGE, store, {**ASKED, "move": move})
        query = MovedFilter(state=("TX",), move=tuple(move.split(",")))
        total = workspace.moved_loans(query, SCENARIO).total
        assert f"in scenario 1: {total}" in said(app)
        assert "All loans that move" in links(app)


def test_floating_loans_have_coupon_and_coverage_of_their_own(store, visit, workspace):
    app = visit(PAGE, store, ASKED, {"floating_1": True})
    found = workspace.what_if(TEXAS, SCENARIO).floating
    rows = {row["Floating loans"]: row for row in tables(app)["Floating loans in scenario 1"]}
    stages = {
        "Now": found.now,
        "Then": found.then,
        "Caps expired": found.uncapped,
    }
    for head, stage in stages.items():
        assert rows["Coupon"][head] == f"{stage.coupon:.2f}%"
        for name, share in (
            ("DSCR under 1.25x", stage.thin),
            ("of which under 1.00x", stage.uncovered),
            ("At the floor", stage.at_floor),
            ("At a cap", stage.at_cap),
        ):
            assert rows[name][head].startswith(f"{share.loans} · $")
    assert found.then.thin.loans > found.now.thin.loans
    assert f"{found.loans} loans" in said(app)


def rows_of(make):
    text = contents(make(), CSV, "what-if")[0].decode()
    lines = text.splitlines()
    head = [line for line in lines if line.startswith("# ")]
    return head, list(csv.DictReader(io.StringIO("\n".join(lines[len(head) :]))))


def test_moves_and_loans_are_taken_away_with_what_they_are(workspace):
    head, rows = rows_of(partial(files.moves, TEXAS, SCENARIO))
    found = workspace.what_if(TEXAS, SCENARIO)
    assert '# Shown,"Loans in Texas. Rates +100 bp, NOI −10%, cap rate +50 bp"' in head
    assert "# As of,2026-09-30" in head
    assert [
        (row["before"], row["after"], int(row["loans"]), int(row["book_value_usd"]),
         int(row["short_before_usd"]), int(row["short_after_usd"]))
        for row in rows
    ] == [tuple(one.model_dump().values()) for one in found.moves]  # fmt: skip
    head, rows = rows_of(partial(files.loans, MovedFilter(state=("TX",)), SCENARIO))
    expected = workspace.moved_loans(MovedFilter(state=("TX",), per_page=100), SCENARIO)
    assert len(rows) == expected.total
    assert [row["loan_number"] for row in rows][:100] == [one.loan_number for one in expected.items]
    assert rows[0]["severity_before"] == expected.items[0].severity_before
    assert int(rows[0]["dollars_short_after_usd"]) == expected.items[0].dollars_short_after


@pytest.mark.parametrize("form", [XLSX, PARQUET], ids=lambda form: form.name)
@pytest.mark.usefixtures("workspace")
def test_other_formats_and_an_empty_result_are_written_too(form):
    for query in (MovedFilter(state=("TX",)), MovedFilter(find="no such loan")):
        assert contents(files.loans(query, SCENARIO), form, "what-if")[0]
    assert contents(files.moves(TEXAS, SCENARIO), form, "what-if")[0]


def test_over_an_api_it_says_that_it_needs_a_store_with_the_mirror_and_without(
    store, visit, tmp_path
):
    # D44, D66
    own = open_workspace(settings(store=store), "store")
    with service(tmp_path, {"production": own}, variant="a") as running:
        asked = {"source": "api", "api_url": running.address, "api_key": running.key()}
        nowhere = tmp_path / "none"
        before = visit(PAGE, nowhere, ASKED, **asked)
        upstream = open_workspace(settings(), "api")
        upstream.upstream.fill_mirror(progress=lambda _stage, _part: None)
        upstream.close()
        after = visit(PAGE, nowhere, ASKED, **asked)
    own.close()
    for app in (before, after):
        assert not app.exception
        assert "these loans bear the scores of their source" in said(app)
        assert "read a store of your own" in said(app)
        assert not headlines(app)


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (Scenario(), "Nothing changed"),
        (Scenario.of(rates=100), "Rates +100 bp"),
        (Scenario.of(rates=-50, noi=-12.5, cap=25), "Rates −50 bp, NOI −12.50%, cap rate +25 bp"),
        (Scenario.of(noi=5), "NOI +5%"),
        (
            Scenario(rate_5=-25, rate_7=50, rate_10=50),
            "5-year −25 bp, 7-year +50 bp, 10-year +50 bp",
        ),
        (Scenario(rate_short=100), "Index +100 bp"),
    ],
)
def test_a_scenario_in_words(scenario, words):
    assert wording.said(scenario) == words
