"""Pages of a deal of a CREFC reporting package: what the servicer writes, and what is missing."""

import pytest

from services.importers.crefc_irp import histories
from services.store.leases import Store
from tests.irp_files import WATCHLIST, cells, line_row, periodic_row, setup_row, workbook
from tests.pages.screen import headings, said, table
from tests.publishing import load_once

HOSTILE = "Call **Bob** <b>now</b>: [here](https://example.com) for $5 to $6."


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("irp")
    rows = [*WATCHLIST, [*WATCHLIST[-1][:3], "2", *WATCHLIST[-1][4:13], HOSTILE]]
    periodic = [
        periodic_row(
            number, **{"Date Added to Servicer Watchlist": 20190506 if number < 4 else None}
        )
        for number in (1, 2, 3, 4)
    ]
    files = [
        workbook(
            folder / "s.xlsx", cells("setup", *(setup_row(number) for number in (1, 2, 3, 4)))
        ),
        workbook(folder / "p.xlsx", cells("periodic", *periodic)),
        workbook(folder / "w.xlsx", rows),
    ]
    lines = workbook(
        folder / "f.xlsx",
        cells("financial", line_row(7, "010GROSRNT", 900_000, **{"Transaction ID": "OTHER19"})),
    )
    from datetime import date

    filings = [*histories(files), *histories([lines], as_of=date(2019, 6, 1))]
    load_once(folder / "store", [filing.read() for filing in filings])
    return folder / "store"


def page(visit, store, number):
    app = visit("pages/loan.py", store, {"loan_number": number})
    assert not app.exception
    assert "could not be drawn" not in said(app)
    return app


def test_the_comment_stands_on_the_page_with_its_date_and_source(visit, store):
    app = page(visit, store, "MADE18X1:1")
    assert "Servicer's watchlist" in headings(app, 3)
    shown = said(app)
    assert "On it since 6 May 2019; trigger codes 1E | 1F" in shown
    assert "Largest tenant gave notice.\n\n6/1/2019: Leasing is under way." in shown
    assert "Source: MADE18X1, as of 8 Jun 2019." in shown


def test_each_of_the_servicers_codes_is_beside_what_is_filed(visit, store):
    """D283; no statement of these loans is loaded, and an inspection is in no filing."""
    rows = table(page(visit, store, "MADE18X1:1"), "Servicer")
    assert [(row["Trigger"], row["Servicer"], row["By what is filed"]) for row in rows] == [
        ("1E: DSCR under 1.10x; lodging and health care 1.20x", "listed", "not testable"),
        (
            "1F: DSCR under 1.40x and under 75% of the underwritten one",
            "listed",
            "not testable",
        ),
    ]


def test_a_comment_is_shown_as_written(visit, store):
    assert HOSTILE in said(page(visit, store, "MADE18X1:2"))


def test_a_loan_without_a_comment_says_so(visit, store):
    shown = said(page(visit, store, "MADE18X1:3"))
    assert "On it since 6 May 2019" in shown
    assert "No file with the servicer's comment is loaded." in shown
    assert "Servicer's watchlist" not in headings(page(visit, store, "MADE18X1:4"), 3)


def test_comments_are_in_the_export(store):
    from services.contract.facts import FACT

    names = ("watchlist_since", "watchlist_triggers", "watchlist_comment", "watchlist_as_of")
    assert all(FACT[name].exported for name in names)
    snapshots = Store(store)
    with snapshots.lease() as source:
        loan = source.loan("MADE18X1:1")
    snapshots.close()
    assert loan.extended["watchlist_comment"].startswith("Largest tenant")


def test_a_loan_of_which_only_lines_are_known_says_what_is_missing(visit, store):
    shown = said(page(visit, store, "OTHER19:7"))
    assert "The source gives neither income nor occupancy nor value." in shown
    assert "The source states none of it." in shown
    assert "The source lists no properties of this loan." in shown


@pytest.mark.parametrize("path", ["pages/overview.py", "pages/loans.py", "pages/sources.py"])
def test_the_book_draws(visit, store, path):
    app = visit(path, store)
    assert not app.exception
    assert "could not be drawn" not in said(app)
