"""Sponsors and Family: what is ranked, what one family shows, and every odd state."""

import csv
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.families import ranking, timeline
from components.frame import session
from services.contract.families import FamilyFilter
from services.contract.loan_filter import LoanFilter
from services.importers import demo, sec_absee
from services.store.leases import Store
from tests.exported import file_of
from tests.pages.ledger_reading import addresses, column, open_row, rows
from tests.pages.screen import headings, links, metrics, said, shown
from tests.publishing import load_once

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests/importers/sample_2025-1__mixed.xml"


@pytest.fixture(scope="module")
def stores(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stores")
    load_once(folder / "demo", [demo.portfolio(loans=400)])
    load_once(folder / "filing", sec_absee.portfolio([SAMPLE]))
    return {name: folder / name for name in ("demo", "filing")}


@pytest.fixture
def opened(stores, visit):
    """Runs a page of the app on a store with the parameters given."""

    def run(page: str, store: str = "demo", /, **params: str) -> AppTest:
        app = visit(f"pages/{page}.py", stores[store], params)
        assert not app.exception
        return app

    return run


@pytest.fixture(scope="module")
def largest(stores):
    """The largest family of a sponsor that is in trouble and has siblings."""
    store = Store(stores["demo"])
    with store.lease() as source:
        found = source.families(FamilyFilter(per_page=100)).items
        name = next(one.entity_name for one in found if one.stressed and one.loans > 2)
        dossier = source.family(name)
    store.close()
    return dossier


def test_families_are_ranked_by_exposure_and_each_row_leads_to_its_family(opened, stores):
    # D70
    app = opened("sponsors")
    store = Store(stores["demo"])
    with store.lease() as source:
        expected = source.families(FamilyFilter())
    store.close()
    assert column(app, "Family of") == [one.entity_name for one in expected.items]
    assert f"Families of sponsors, all loans: {expected.total}" in said(app)
    assert addresses(app, "Families of loans")[0].startswith("family?entity_name=")
    app = open_row(app, "Families of loans")
    assert headings(app, 1) == [expected.items[0].entity_name]
    assert "All sponsors" in links(app)


@pytest.mark.parametrize("order", ["-worst", "-lenders", "-dollars_short", "-loans", "-stressed"])
def test_another_order_and_filters_of_loans_stand_in_the_address(opened, stores, order):
    query = FamilyFilter(order=order, state="TX", kind="owner")
    store = Store(stores["demo"])
    with store.lease() as source:
        expected = source.families(query)
    store.close()
    app = opened("sponsors", **query.params())
    assert column(app, "Family of") == [one.entity_name for one in expected.items]
    assert "Families of owners, loans in Texas" in said(app)


def test_the_numbers_of_a_set_stand_in_the_address_too(opened, largest):
    numbers = ",".join(one.loan_number for one in largest.loans[:2])
    app = opened("sponsors", numbers=numbers)
    assert dict(app.query_params)["numbers"] == numbers
    assert "loans of a set of 2 numbers" in said(app)


def test_a_source_without_owners_has_no_families_and_says_so(opened):
    app = opened("sponsors", "filing")
    assert "No sponsor or owner is resolved in this book: filings name none." in said(app)
    assert "Page 9 is beyond the last of" in said(opened("sponsors", page="9"))


def test_the_export_holds_every_family_in_the_order_of_the_page(opened):
    opened("sponsors")
    query = FamilyFilter(order="-lenders")
    with session.lease():
        text = file_of(ranking.export(query)).decode()
        total = session.analytics().families(query).total
    head, *listed = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    assert head == ["entity_name", "kind", "loans", "book_value_usd", "worst", "stressed",
                    "lenders", "dollars_short_usd"]  # fmt: skip
    assert len(listed) == total
    lenders = [int(line[6]) for line in listed]
    assert lenders == sorted(lenders, reverse=True)


def test_the_timeline_is_a_file_of_the_loans_that_it_draws(opened, largest):
    name = largest.family.entity_name
    app = opened("family", entity_name=name, lanes="lender")
    (drawn,) = app.get("plotly_chart")
    marks = [mark[0] for one in json.loads(drawn.proto.spec)["data"] for mark in one["customdata"]]
    assert f"Export all {len(marks)}" in said(app)
    with session.lease():
        made = timeline.export(timeline.dated(largest.loans, "lender"), name, "lender")
        lines = file_of(made).decode().splitlines()
    assert f'# Shown,"When its loans mature, family of {name}, by lender"' in lines
    head, *listed = csv.reader(line for line in lines if not line.startswith("#"))
    assert head == ["loan_number", "effective_maturity", "book_value_usd", "lender_normalized",
                    "worst"]  # fmt: skip
    assert sorted(line[0] for line in listed) == sorted(marks)
    assert [line[1] for line in listed] == sorted(line[1] for line in listed)
    of = {one.loan_number: one for one in largest.loans}
    for number, matures, dollars, lender, worst in listed:
        one = of[number]
        assert matures == one.effective_maturity.isoformat()
        assert dollars == str(one.book_value)
        assert (lender, worst) == (one.lender_normalized or "", one.worst or "")


def test_a_family_shows_its_loans_its_siblings_and_how_they_hang_together(opened, largest):
    # D71
    name = largest.family.entity_name
    app = opened("family", entity_name=name)
    assert metrics(app)["Loans"] == str(largest.family.loans)
    assert metrics(app)["Lenders exposed"] == str(largest.family.lenders)
    assert column(app, "Worst signal")
    assert [row["Loan"] for row in rows(app, "Contagion", "Held by")] == [
        one.loan_number for one in largest.loans
    ]
    ill = [one for one in largest.loans if one.worst in {"severe", "critical"}]
    healthy = next(one for one in largest.loans if one not in ill)
    app = opened("family", entity_name=name, loan=healthy.loan_number)
    ways = rows(app, "How they are connected")
    assert [row["Sibling"] for row in ways] == [one.loan_number for one in ill]
    for row in ways:
        assert row["How they are connected"].startswith(f"{healthy.loan_number} –")
        assert row["How they are connected"].endswith(f"– {row['Sibling']}")
        assert row["Meet at"] in row["How they are connected"]
    assert {"Its page", "Its loans", "Capital graph"} <= set(links(app))


def test_the_loans_page_lists_a_family_by_its_filter(opened, largest):
    name = largest.family.entity_name
    assert f"Loans in the family of “{name}”: {largest.family.loans}" in said(
        opened("loans", family=name)
    )
    assert LoanFilter(family=name).within_specification is None


def test_a_loan_that_is_not_of_the_family_is_said_to_be_none(opened, largest):
    app = opened("family", entity_name=largest.family.entity_name, loan="CA-999999")
    assert "CA-999999 is not among the loans listed above." in said(app)


def test_a_party_without_a_family_and_an_unknown_one_say_so(opened):
    assert "Choose a family" in links(opened("family"))
    app = opened("family", entity_name="Nobody at all")
    assert "No entity has the name 'Nobody at all'" in shown(app.warning[0].value)
    lender = column(opened("entities", name="bank"), "Name")[0]
    app = opened("family", entity_name=lender)
    assert "No loan stands under it over links of 0.70 or better." in said(app)


def test_the_page_of_a_sponsor_leads_to_its_family(opened, largest):
    assert "Family of loans" in links(opened("entity", entity_name=largest.family.entity_name))


def test_a_loan_leads_to_its_family_where_its_own_siblings_are_listed(opened, largest):
    loan = largest.loans[-1]
    app = opened("loan", loan_number=loan.loan_number)
    (found,) = [one for one in links(app) if "contagion to this loan" in one]
    assert found.startswith("Family of ")
