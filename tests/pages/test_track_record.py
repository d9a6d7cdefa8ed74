"""The page Track record: whose run it shows, by which rules, what it says first, and its file."""

from pathlib import Path

import pytest

from components.track_record.panels import export
from services.contract import track_record_wording as wording
from services.importers import demo
from services.signals.assumptions import Assumptions
from services.track_record.history import read_history
from services.track_record.run import record
from services.track_record.saved import FILE, packaged_run, save
from tests.exported import file_of
from tests.pages.screen import headings, said, tables
from tests.publishing import load_once
from tests.track_record.planted import TODAY, write

PAGE = "pages/track_record.py"
PACKAGED = packaged_run()


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The track record of a made-up history."""
    folder = write(tmp_path_factory.mktemp("history"))
    return record(read_history([folder], Assumptions.packaged()), Assumptions.packaged(), TODAY)


@pytest.fixture
def opened(visit, store):
    """Runs the page on the store, which holds the given run, or none."""

    def page(held=None):
        if held is not None:
            save(held, store / FILE)
        app = visit(PAGE, store)
        assert not app.exception
        return app

    yield page
    (store / FILE).unlink(missing_ok=True)


def test_without_a_run_of_its_own_a_store_shows_the_packaged_one_and_says_so(opened):
    app = opened()
    assert headings(app, 2)[0] == wording.headline(PACKAGED)
    assert headings(app, 2)[0].startswith("Few events: ")
    assert "The run that ships with the program, of " in said(app)
    assert "UBS 2017-C1, 84 filings from Jul 2017 to Jun 2024: 56 loans" in said(app)
    assert "Graded by the rules in force: 13 rules; limits packaged" in said(app)
    assert not app.warning
    assert "Demonstration data" not in said(app)


def test_the_stores_last_run_comes_before_the_packaged_one(opened, run):
    app = opened(run)
    assert headings(app, 2)[0] == wording.headline(run)
    assert "The store's last run, of 22 Nov 2026: MADE UP 2020-1" in said(app)


def test_figures_by_other_rules_than_those_in_force_are_marked(opened, run):
    older = run.rules[0].model_copy(update={"version": 1})
    app = opened(run.model_copy(update={"rules": (older, *run.rules[1:])}))
    assert "are not those of the rules in force: rule ST-1 is of version 3, then 1." in said(app)
    assert "Graded by the rules in force" not in said(app)


def test_tables_hold_the_figures_of_the_charts(opened):
    found = list(tables(opened()).values())
    ranked = [one for one in found if "AUC (95%)" in one[0]]
    shares = [one for one in found if "Distressed loans" in one[0]]
    assert [[row["AUC (95%)"] for row in one] for one in ranked] == [
        [wording.auc(one) for one in horizon.discriminations] for horizon in PACKAGED.horizons
    ]
    assert [[row["Severity"] for row in one] for one in shares] == 2 * [
        ["○ low", "◔ moderate", "▲ elevated", "◆ severe", "⬢ critical"]
    ]
    missed, others = [one for one in found if "Filing before" in one[0]]
    assert [row["Property"] for row in missed] == ["HILTON WOODCLIFF LAKE"]
    assert len(missed) + len(others) == len(PACKAGED.distressed)


def test_a_run_without_events_has_no_chart_and_no_figure(opened, run):
    bare = [
        one.model_copy(
            update={
                "discriminations": tuple(
                    each.model_copy(update={"auc": None, "low": None, "high": None})
                    for each in one.discriminations
                )
            }
        )
        for one in run.horizons
    ]
    app = opened(run.model_copy(update={"distressed": (), "horizons": tuple(bare)}))
    assert headings(app, 2)[0].startswith("No distress to learn from")
    charts = app.get("plotly_chart")
    assert len(charts) == 2  # the bars by severity
    assert "not enough events" in str(tables(app))


def test_a_damaged_run_gives_one_sentence(opened, store):
    (store / FILE).write_text("nonsense", "utf-8")
    app = opened()
    assert len(app.error) == 1
    assert "run 'creditatlas track-record' over its filings again" in said(app)


def test_over_an_api_without_a_mirror_the_packaged_run_stands_there(visit, tmp_path):
    app = visit(
        PAGE,
        tmp_path / "none",
        source="api",
        api_url="http://127.0.0.1:9",
        api_key="made-up-key",
    )
    assert not app.exception
    assert not app.error
    assert headings(app, 2)[0] == wording.headline(PACKAGED)
    assert "Graded by the rules in force" in said(app)


def test_the_file_names_every_distressed_loan_and_no_cell_is_a_formula(run):
    named = run.distressed[0].model_copy(update={"property_name": "=HYPERLINK(1)"})
    made = export(run.model_copy(update={"distressed": (named, *run.distressed[1:])}))
    lines = file_of(made).decode().splitlines()
    rows = [line for line in lines if not line.startswith("#")]
    assert rows[0].startswith('"trust","loan_number","property_name","property_type","as_of",')
    assert len(rows) == 1 + len(run.distressed)
    assert ',"\'=HYPERLINK(1)",' in rows[1]
    assert "# As of,2023-06-13" in lines
