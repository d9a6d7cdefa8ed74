"""Your access: who may what, what each licence tier opens, and pages seen as a tier (D81, D82)."""

import json
import sys
from itertools import chain
from pathlib import Path

import pytest
import streamlit as st

from components.frame.licence import SEEN_AS
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.sign_in import PROXY_HEADER, Roles
from services.store.leases import Store
from tests.pages.field_reading import ADD, fields
from tests.pages.ledger_reading import rows
from tests.pages.screen import headings, links, said, tables
from tests.pages.test_navigation import found
from tests.publishing import load_once

PAGE = "pages/access.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, [demo.portfolio(loans=60)])
    return folder


def table(app, name):
    """A table of the page as its rows, by the first column."""
    return {next(iter(row.values())): row for row in tables(app)[name]}


def test_the_matrix_is_that_of_the_specification(visit, folder):
    """Spec 8.4, typed by hand; the dossier of a loan goes with the loans (D48)."""
    app = visit(PAGE, folder)
    assert headings(app, 1) == ["Your access"]
    opened = {
        path: [name for name in ("Base", "Resolution", "Capital Graph", "Complete")
               if "yes" in row[name]]
        for path, row in table(app, "What each licence tier opens").items()
    }  # fmt: skip
    assert opened == {
        "/v1/loans": ["Base", "Complete"],
        "/v1/loans/{loan_number}": ["Base", "Complete"],
        "/v1/entities": ["Resolution", "Complete"],
        "/v1/entities/{loan_number}/ownership": ["Resolution", "Complete"],
        "/v1/graph/paths": ["Capital Graph", "Complete"],
        "/v1/signals": ["Base", "Complete"],
        "/v1/loans/{loan_number}/history": ["Base", "Complete"],
        "/v1/changes": ["Base", "Complete"],
    }
    may = table(app, "What each role may do")
    assert "no" in may["Write notes"]["Reader"]
    assert "yes" in may["Write notes"]["Admin (you)"]
    shared = may["Share lists and searches with everybody"]
    assert [shared[one] for one in ("Reader", "Analyst")] == [
        may["Write notes"][one] for one in ("Reader", "Analyst")
    ]
    assert "This server has no sign-in" in said(app)


_OPENED_BY = {
    **dict.fromkeys(("loans", "signals", "overview", "what_if"), "Base or Complete"),
    "entities": "Resolution or Complete",
    "capital_graph": "Capital Graph or Complete",
}
#: The columns that a page shows of what it may not read.
_PREVIEWS = {
    **dict.fromkeys(("loans", "overview", "what_if"), ("Loan", "Property", "City", "Book value")),
    "signals": ("Severity", "Signal", "Loan", "Because"),
    "entities": ("Name", "Match", "Confidence", "Related loans"),
    "capital_graph": ("From", "Relation", "To", "Confidence"),
}


@pytest.mark.parametrize(
    ("tier", "opened", "locked"),
    [
        ("base", ["loans", "signals", "overview", "what_if"], ["entities", "capital_graph"]),
        ("resolution", ["entities"], ["loans", "signals", "overview", "capital_graph", "what_if"]),
        ("capital_graph", ["capital_graph"], ["loans", "signals", "overview", "entities"]),
        ("complete", ["loans", "signals", "overview", "entities", "capital_graph"], []),
    ],
)
def test_pages_seen_as_a_tier_show_what_it_opens_and_lock_the_rest(
    visit, folder, tier, opened, locked
):
    given = {"capital_graph": {"loan_number": "CA-000012"}}
    for page in opened + locked:
        app = visit(f"pages/{page}.py", folder, given.get(page, {}), {SEEN_AS: tier})
        assert not app.exception
        assert (f"{_OPENED_BY[page]} opens it" in said(app)) is (page in locked), page
        if page in locked:
            preview = tables(app)["Preview without data"]
            assert [tuple(row)[:4] for row in preview] == [_PREVIEWS[page]] * 5, page
            assert {*chain.from_iterable(row.values() for row in preview)} == {""}, page
        assert any(one.startswith("Seen as") for one in links(app)) is (tier != "complete")


def test_without_its_proxys_headers_nobody_is_shown_anything(visit, folder, tmp_path):
    (tmp_path / "roles.toml").write_text("default = 'admin'", encoding="utf-8")
    settings = {
        "sign_in": "proxy",
        "proxy_secret": "a secret of thirty-two letters and some",
        "roles": str(tmp_path / "roles.toml"),
    }
    app = visit("pages/overview.py", folder, {}, {}, **settings)
    assert "This server is reached through its sign-in proxy only" in said(app)
    assert headings(app, 1) == []


def test_seen_as_base_no_sponsor_is_ranked_and_no_file_is_given(visit, folder):
    app = visit("pages/loans.py", folder, {"by": "sponsor"}, {SEEN_AS: "base"})
    assert not app.exception
    # Resolution opens the names and not the loans that are ranked (D141).
    assert "; Complete opens it" in said(app)
    (export,) = [one for one in app.button if one.label == "Export"]
    assert export.disabled


def test_seen_as_base_no_table_of_loans_names_parties(visit, folder):
    asked = {"columns": "parties"}
    whole, base = (
        list(rows(visit("pages/loans.py", folder, asked, {SEEN_AS: tier}), "Book value")[0])
        for tier in ("complete", "base")
    )
    assert [label for label in whole if label not in base] == [
        "Sponsor", "Its sponsor's share of the book", "Owner", "Borrower",
    ]  # fmt: skip
    assert [label for label in whole if label in base] == base


@pytest.fixture(scope="module")
def sponsor(folder):
    """The sponsor of the worst loan that has one."""
    store = Store(folder)
    with store.lease() as source:
        query = LoanFilter(order="-worst_severity", per_page=100)
        found = source.loans_found(query, ("sponsor",)).items
    store.close()
    return next(one.values["sponsor"] for one in found if one.values["sponsor"])


@pytest.mark.parametrize("page", ["loans", "signals"])
@pytest.mark.parametrize("asked", ["sponsor", "order", "-order"])
def test_seen_as_base_no_list_is_filtered_or_ordered_by_sponsor(
    visit, folder, sponsor, page, asked
):
    """D141: who filters by a sponsor learns which loans are theirs, and who sorts, who is whose."""
    params = {"sponsor": {"sponsor": sponsor}, "order": {"order": "sponsor"}}
    given = params.get(asked, {"order": "-sponsor"})
    whole = visit(f"pages/{page}.py", folder, given)
    assert "opens it" not in said(whole)
    assert rows(whole, "Book value")
    app = visit(f"pages/{page}.py", folder, given, {SEEN_AS: "base"})
    assert not app.exception
    assert "Your licence does not cover this; Complete opens it." in said(app)
    with pytest.raises(AssertionError, match="no table"):
        rows(app, "Book value")


def test_seen_as_base_no_filter_by_parties_is_offered(visit, folder):
    def offered(tier):
        app = visit("pages/loans.py", folder, {}, {SEEN_AS: tier})
        return {one["label"] for one in fields(app)[ADD]["options"]}

    assert offered("complete") - offered("base") == {
        "Borrower, sponsor or owner",
        "Sponsor",
        "Family",
    }


@pytest.mark.parametrize("letters", ["sponsor", "spons"])
def test_the_search_box_takes_every_word_for_a_word(visit, folder, letters):
    """The word "sponsor" was refused, and "spons" was not."""
    app = visit("pages/sources.py", folder, {}, {"search asked": letters, SEEN_AS: "base"})
    assert not app.exception
    assert "Sponsors" in found(app)["Pages"]


def test_the_search_box_shows_parties_to_tiers_that_open_them(visit, folder, sponsor):
    kinds = {
        tier: set(
            found(visit("pages/sources.py", folder, {}, {"search asked": sponsor, SEEN_AS: tier}))
        )
        for tier in ("base", "resolution", "complete")
    }
    assert "Parties" in kinds["complete"]
    assert "Parties" in kinds["resolution"]
    assert "Parties" not in kinds["base"]


def test_the_file_of_roles_is_read_once_a_run_of_a_page(visit, folder, tmp_path, monkeypatch):
    """The page of a loan read it fourteen times; a callback still asks again (D116)."""
    roles = tmp_path / "roles.toml"
    roles.write_text("default = 'analyst'", encoding="utf-8")
    secret = "a secret of thirty-two letters and some"
    headers = {PROXY_HEADER: secret, "X-Forwarded-User": "anna"}
    monkeypatch.setattr(type(st.context), "headers", property(lambda _: headers))
    read, counted = Roles.read, []
    monkeypatch.setattr(Roles, "read", lambda path: counted.append(path) or read(path))
    settings = {
        "sign_in": "proxy", "proxy_secret": secret, "roles": str(roles),
        "user_header": "X-Forwarded-User", "desk": str(tmp_path / "desk.sqlite"),
    }  # fmt: skip
    app = visit("pages/loan.py", folder, {"loan_number": "CA-000012"}, {}, **settings)
    assert not app.exception
    assert "anna, analyst" in links(app)
    assert counted == [roles]


def test_an_assistant_is_connected_by_what_can_be_copied(visit, folder, monkeypatch):
    """For the command and over HTTP; no key stands in it, whatever is set."""
    secret = "ca_live_" + "k" * 43
    monkeypatch.setenv("CREDIT_ATLAS_API_KEY", secret)
    app = visit(PAGE, folder)
    assert "Connect an assistant" in headings(app, 2)
    shown = [json.loads(one.value)["mcpServers"]["credit-atlas"] for one in app.code]
    assert shown == [
        {
            "command": str(Path(sys.executable).with_name("creditatlas")),
            "args": ["mcp", "--store", str(folder.resolve())],
        },
        {
            "type": "http",
            "url": "http://127.0.0.1:8000/mcp",
            "headers": {"Authorization": "Bearer ${CREDIT_ATLAS_API_KEY}"},
        },
    ]
    assert secret not in str(app.main)
