"""The band over every page: which page is marked, and what its search box finds and for whom."""

import json

import pytest

from components.frame import visitor
from services.contract.errors import NotPermitted
from services.importers import demo
from tests.publishing import load_once

ASKED = {"search asked": "CA-00001"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


def band(app):
    """What the band is sent."""
    (found,) = [
        sent
        for sent in (json.loads(one.proto.json) for one in app.get("bidi_component"))
        if "search" in sent
    ]
    return found


def found(app):
    """What stands below the search box, by kind."""
    groups = band(app)["search"]["groups"]
    return {group["label"]: [row["label"] for row in group["rows"]] for group in groups}


def test_every_page_of_the_navigation_stands_once_in_one_of_five_groups(visit, folder):
    groups = band(visit("pages/sources.py", folder))["groups"]
    assert {group["label"]: [one["label"] for one in group["pages"]] for group in groups} == {
        "Portfolio": ["Overview", "Loans", "Map", "Explore", "What if"],
        "Signals": ["Signals", "Changes", "Track record"],
        "Parties": ["Entities", "Sponsors", "Capital graph", "Connection"],
        "Work": ["Watchlist", "Cases", "Calendar", "My book"],
        "Data": ["Sources", "Your access"],
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
