"""The band over every page: its pages (D267), and what its search box finds and for whom."""

from datetime import date

import pytest

from components.frame import visitor
from services.contract.errors import NotPermitted
from services.importers import demo
from tests.pages.screen import sent_to
from tests.publishing import load, load_once
from tests.world import Sketch, info_of

ASKED = {"search asked": "CA-00001"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


def band(app):
    """What the band is sent."""
    (found,) = sent_to(app, "atlas_navigation")
    return found


def found(app):
    """What stands below the search box, by kind."""
    groups = band(app)["search"]["groups"]
    return {group["label"]: [row["label"] for row in group["rows"]] for group in groups}


PAGES = {
    "Portfolio": ["Overview", "Loans", "Map", "Explore", "Tenants", "What if"],
    "Signals": ["Signals", "Changes", "Track record"],
    "Parties": ["Entities", "Sponsors", "Capital graph", "Connection"],
    "Work": ["Watchlist", "Cases", "Calendar", "My book"],
    "Data": ["Sources", "Check sheet", "Glossary", "Your access"],
}


def menu(app):
    return {
        group["label"]: [one["label"] for one in group["pages"]] for group in band(app)["groups"]
    }


def without(*titles):
    return {group: [one for one in pages if one not in titles] for group, pages in PAGES.items()}


def test_every_page_that_has_something_to_show_is_once_in_one_of_five_groups(visit, folder):
    # Made-up loans have sponsors, and here they are of one date.
    assert menu(visit("pages/sources.py", folder)) == without("Changes")


def test_a_filing_of_one_date_has_neither_changes_nor_sponsors_and_a_second_date_brings_them(
    visit, tmp_path
):
    filing = Sketch(info_of("deal", date(2024, 1, 31)))
    filing.loan("1")
    load(tmp_path / "store", [filing.portfolio()])
    app = visit("pages/sources.py", tmp_path / "store")
    assert menu(app) == without("Changes", "Sponsors", "Tenants")
    # Of a page that a tier does not open nothing is known: it says which tier opens it.
    app = visit("pages/sources.py", tmp_path / "store", {}, {"seen_as": "base"})
    assert menu(app) == without("Changes", "Tenants")
    # The page itself is in the menu while it is on screen, and says why it is empty.
    assert menu(visit("pages/changes.py", tmp_path / "store")) == without("Sponsors", "Tenants")
    later = Sketch(info_of("deal", date(2024, 2, 29)))
    later.loan("1")
    later.lease("1", "Grocer")
    load(tmp_path / "store", [later.portfolio()])
    assert menu(visit("pages/sources.py", tmp_path / "store")) == without("Sponsors")


def test_where_nothing_can_be_read_all_pages_are_listed(visit, tmp_path):
    app = visit("pages/sources.py", tmp_path / "none")
    assert menu(app) == PAGES
    assert not app.exception


def test_the_search_box_finds_terms_by_their_names_and_by_what_else_they_are_called(visit, folder):
    app = visit("pages/sources.py", folder, {}, {"search asked": "dscr"})
    assert found(app)["Glossary"] == ["DSCR", "DSCR at the refi rate"]
    (terms,) = [one for one in band(app)["search"]["groups"] if one["label"] == "Glossary"]
    assert terms["rows"][0]["href"] == "glossary?find=DSCR"
    assert found(visit("pages/sources.py", folder, {}, {"search asked": "loan to value"})) == {
        "Glossary": ["LTV"]
    }


def test_the_search_box_finds_loans_and_leads_to_them(visit, folder):
    app = visit("pages/sources.py", folder, {}, ASKED)
    # The number that is meant but for its zeros, then those that begin so.
    assert found(app)["Loans"] == [f"CA-{number:06}" for number in (1, 10, 11, 12, 13)]
    (loans,) = [one for one in band(app)["search"]["groups"] if one["label"] == "Loans"]
    assert loans["rows"][1]["href"] == "loan?loan_number=CA-000010"


def test_once_the_session_is_over_the_search_box_finds_no_more_than_pages(
    visit, folder, monkeypatch
):
    monkeypatch.setattr(visitor, "ended", lambda: True)
    assert found(visit("pages/sources.py", folder, {}, ASKED)) == {}
    assert found(visit("pages/sources.py", folder, {}, {"search asked": "sig"})) == {
        "Pages": ["Signals"]
    }


def test_the_search_box_finds_nothing_for_somebody_who_is_no_user(visit, folder, monkeypatch):
    def nobody():
        raise NotPermitted("eve has no role in Credit Atlas")

    monkeypatch.setattr(visitor, "who", nobody)
    assert found(visit("pages/sources.py", folder, {}, ASKED)) == {}
