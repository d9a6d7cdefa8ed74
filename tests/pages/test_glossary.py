"""Glossary (D267): terms by subject, those that a search finds, their limits, the file."""

from datetime import date

import pytest

from tests.pages.screen import said, tables
from tests.publishing import load_once
from tests.world import Sketch, info_of


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one") / "store"
    one = Sketch(info_of("deal", date(2024, 1, 31)))
    one.loan("1")
    load_once(folder, [one.portfolio()])
    return folder


def terms(app):
    return {row["Term"]: row for rows in tables(app).values() for row in rows}


def test_a_term_says_what_it_is_where_it_is_missing_and_what_its_rules_call_trouble(visit, store):
    app = visit("pages/glossary.py", store)
    assert not app.exception
    assert list(tables(app)) == [
        "Income", "Debt", "Refinancing", "Servicing", "Signals", "Parties", "Data",
    ]  # fmt: skip
    ltv = terms(app)["LTV"]
    assert ltv["What it is"] == (
        "Debt due with the loan over appraised value. An appraisal of over 24 months is marked as "
        "stale. Missing where the value or the whole loan's debt is not known, or it is defeased "
        "in full."
    )
    assert ltv["Limits"] == "LV-1 LTV: moderate over 70%, elevated over 80%, severe over 100%."
    # No rule grades it, and no fact of a loan is it.
    assert terms(app)["Break-even rate"]["Limits"] == ""


def test_a_search_shows_the_terms_called_so_else_those_that_speak_of_it(visit, store, pressed):
    app = visit("pages/glossary.py", store, {"find": "coverage"})
    assert list(terms(app)) == ["DSCR"]
    app = visit("pages/glossary.py", store, {"find": "Treasury"})
    assert list(terms(app)) == ["Defeased", "Refi rate"]
    assert list(tables(app)) == ["Debt", "Refinancing"]
    lines = pressed["credit-atlas-glossary.csv"]().decode("utf-8-sig").splitlines()
    assert len([line for line in lines if line.startswith('"Debt","Defeased"')]) == 1
    assert not [line for line in lines if "LTV" in line]


def test_a_search_that_finds_nothing_says_so_and_one_click_shows_all(visit, store):
    app = visit("pages/glossary.py", store, {"find": "zebra"})
    assert not tables(app)
    assert "No term goes by this" in said(app)
