"""Entities, Entity, and the ownership chain of a loan: what is shown, and every odd state."""

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from components.entities import search
from components.frame import session
from components.kit import compared, severity
from components.kit.formatting import money
from services.contract.paging import every
from services.contract.parties import PartyFilter
from services.contract.queries import EntityQuery, LoanQuery, Query
from services.importers import demo, sec_absee
from services.store.leases import Store
from tests.exported import file_of
from tests.pages.ledger_reading import column, ledgers, open_row, rows, send
from tests.pages.screen import (
    headings,
    headlines,
    links,
    markdown,
    metrics,
    said,
    shown,
    table,
    tables,
)
from tests.publishing import load, load_once
from tests.world import RATES, Sketch, info_of

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests/importers/sample_2025-1__mixed.xml"
HOSTILE = (
    "<script>alert(1)</script>",
    'a"b\\c',
    "[x](javascript:alert(1))",
    "$x$ & :material/home: **b** `c`",
    "\\N&lt;\\",
)
CASES = ("diamond", "open", "hostile", "none")


def odd_book():
    """One loan a case of ownership."""
    s = Sketch(info_of("odd"))
    for name in CASES:
        s.loan(name, payment_status="3")
    s.tie("diamond", "borrower", "Pier 9 Owner LLC", 0.97)
    for owned, owner, sure in (
        ("Pier 9 Owner LLC", "Cypress Sponsor LP", 0.92),
        ("Pier 9 Owner LLC", "Juniper Family Trust", 0.95),
        ("Cypress Sponsor LP", "Ada Quill", 0.94),
        ("Juniper Family Trust", "Ada Quill", 0.5),  # the chain leaves this one out (D31)
    ):
        s.party(owner, "owner" if owner == "Ada Quill" else "sponsor")
        s.link(owned, "owned_by", owner, sure)
    s.tie("open", "borrower", "Nobody Above LLC", 0.8)
    s.tie("hostile", "borrower", HOSTILE[0], 0.9)
    for owned, owner in pairwise(HOSTILE):
        s.link(owned, "owned_by", owner, 0.9)
    for at in range(230):
        s.link(f"Holding {at:03} LLC", "owned_by", "Great Holder LP", 0.99)
    return s.portfolio()


@pytest.fixture(scope="module")
def stores(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("stores")
    load_once(folder / "demo", [demo.portfolio(loans=300)])
    load_once(folder / "filing", sec_absee.portfolio([SAMPLE]))
    load_once(folder / "odd", [odd_book()], rates=RATES)
    return {name: folder / name for name in ("demo", "filing", "odd")}


@pytest.fixture
def opened(stores, visit):
    """Runs a page of the app on a store with the parameters given."""

    def run(page: str, store: str, /, **params: str) -> AppTest:
        app = visit(f"pages/{page}.py", stores[store], params)
        assert not app.exception
        return app

    return run


@pytest.fixture(scope="module")
def sponsor(stores) -> tuple[str, float]:
    """The entity with most holdings among the first chains, and its book value by hand."""
    store = Store(stores["demo"])
    with store.lease() as source:
        chains = [source.ownership(one.loan_number) for one in source.loans(LoanQuery()).items]
        names = {e.entity_name for c in chains for e in c.chain if e.role == "sponsor"}
        name = max(sorted(names), key=lambda one: source.entity(one).holdings_total)
        loans = source.loans_of(name, Query(per_page=100)).items
    store.close()
    return name, sum(loan.book_value for loan in loans)


def test_without_a_name_all_are_listed_the_largest_exposure_first(opened, stores):
    # D263
    app = opened("entities", "demo")
    store = Store(stores["demo"])
    with store.lease() as source:
        found = source.parties(PartyFilter())
        kinds = source.party_kinds(PartyFilter())
    store.close()
    assert column(app, "Name") == [one.entity_name for one in found.items]
    first, row = found.items[0], rows(app, "Name")[0]
    assert row["Exposure"] == money(first.book_value)
    assert row["Worst signal"] == severity.label(first.worst)
    assert row["Distressed loans"] == str(first.stressed)
    assert "Match" not in row
    assert f"All names: {found.total:,}" in said(app)
    tabs = app.segmented_control[0]
    assert tabs.options[:2] == [f"All {found.total:,}", f"Sponsors {kinds['sponsor']}"]
    assert len(tabs.options) == len(kinds) + 1


def test_a_kind_and_an_order_stand_in_the_address_and_servicers_count_what_they_service(opened):
    app = opened("entities", "demo", kind="servicer")
    services = rows(app, "Name")
    assert services
    assert all(row["Loans"].endswith(" as servicer") for row in services)
    assert f"{len(services)} servicer" in said(app)
    app = opened("entities", "demo", kind="sponsor", order="-stressed")
    counts = [int(row["Distressed loans"].replace("—", "0")) for row in rows(app, "Name")]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0
    app.segmented_control[0].set_value("").run()
    assert app.query_params.get("kind") is None
    assert "All names: " in said(app)


def test_the_page_of_a_servicer_shows_the_loans_that_it_services(opened):
    first = rows(opened("entities", "demo", kind="servicer"), "Name")[0]
    app = opened("entity", "demo", entity_name=first["Name"])
    number = first["Loans"].removesuffix(" as servicer")
    assert metrics(app)["Loans as servicer"] == number
    assert metrics(app)["Exposure"] == first["Exposure"]
    assert f"Its loans as servicer, the worst first: {number}" in headings(app, 3)
    assert column(app, "Worst signal")[0] == first["Worst signal"]
    # They are not its own, so no rule fired on loans of its own: that would say that none fired.
    assert "Signals" not in said(app)
    assert "No rule fired" not in said(app)


def test_a_misspelt_name_finds_its_party_and_says_what_the_number_counts(opened):
    app = opened("entities", "odd", name="cypres sponser")
    assert [row["Name"] for row in rows(app, "Name", "Match")] == ["Cypress Sponsor LP"]
    assert "1 name at or over the match cut-off for “cypres sponser”" in said(app)
    assert [one.label for one in app.get("download_button")] == ["CSV", "XLSX", "Parquet"]


def test_typing_a_name_asks_for_its_first_page_and_writes_the_address():
    def script():
        import streamlit as st

        from components.entities import search

        view = search.entity_view()
        st.text(repr(view and view.query()))

    app = AppTest.from_function(script)
    app.query_params["page"] = "3"
    app.query_params["confidence_min"] = "0.7"
    app.run()
    app.session_state["name"] = "  ada   quill "
    app.session_state["page"] = 1
    app.run()
    asked = PartyFilter(name="ada quill", confidence_min=0.7)
    assert app.text[0].value == repr(asked)
    assert app.query_params == {"name": "ada quill", "confidence_min": "0.7"}


def test_no_name_found_says_so_and_offers_a_way_out(opened):
    app = opened("entities", "odd", name="zzzz qqqq", confidence_min="0.9")
    assert "No results. 0 names" in said(app)
    assert not tables(app)
    assert not ledgers(app)
    assert any("at any confidence" in label for label in links(app))


def test_the_csv_says_what_it_holds_and_has_every_match(opened):
    opened("entities", "odd")
    with session.lease():
        query = PartyFilter(name="=holding 01")
        total = session.analytics().parties(query).total
        text = file_of(search.export(query, total)).decode()
    assert "“=holding 01”" in text.splitlines()[1]
    header, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    assert header == [
        *("entity_name", "kind", "confidence", "confidence_tier", "match_score", "role"),
        *("loans", "book_value_usd", "worst", "stressed", "dollars_short_usd"),
    ]
    assert len(rows) == total > 12
    assert all("holding" in row[0].casefold() for row in rows), rows


@pytest.mark.parametrize(
    ("page", "params", "parameter"),
    [
        ("entities", {"per_page": "7"}, "per_page"),
        ("entity", {"entity_name": "Ada Quill", "role": "friend"}, "role"),
    ],
)
def test_a_bad_parameter_shows_a_sentence_and_no_rows(opened, page, params, parameter):
    """What else is at fault: tests/components/test_addresses.py."""
    app = opened(page, "odd", **params)
    assert len(app.error) == 1
    assert f"'{parameter}'" in shown(app.error[0].value)
    assert not tables(app)
    assert not ledgers(app)
    assert not headlines(app)


@pytest.mark.parametrize(
    ("page", "params"),
    [
        ("entities", {"page": "99"}),
        ("entity", {"entity_name": "Pier 9 Owner LLC", "page": "99"}),
        ("entity", {"entity_name": "Pier 9 Owner LLC", "signals_page": "99"}),
    ],
)
def test_a_page_beyond_the_last_says_so_and_links_back(opened, page, params):
    app = opened(page, "odd", **params)
    assert any("Page 99 is beyond the last of" in shown(one.value) for one in app.info)
    assert "Go to the first page" in links(app)


def test_an_unknown_entity_offers_names_written_like_it(opened):
    app = opened("entity", "odd", entity_name="Cypres Sponsor")
    assert "No entity has the name 'Cypres Sponsor'" in shown(app.warning[0].value)
    assert "Cypress Sponsor LP" in links(app)
    assert not headlines(app)


def test_an_entity_shows_its_figures_and_parts_that_add_up(opened, sponsor):
    name, book_value = sponsor
    app = opened("entity", "demo", entity_name=name)
    figures = metrics(app)
    assert int(figures["Loans"]) == len(rows(app, "Due"))
    for part in ("State", "Property type"):
        found = table(app, part)
        assert sum(int(row["Loans"]) for row in found) == int(figures["Loans"])
        shares = [float(row["Share"].rstrip("%")) for row in found]
        assert sum(shares) == pytest.approx(100, 0.01)
    shown = float(re.sub(r"[$MBK]", "", figures["Exposure"]))
    scale = {"M": 1e6, "B": 1e9, "K": 1e3}[figures["Exposure"][-1]]
    assert shown * scale == pytest.approx(book_value, rel=0.01)
    assert len(app.get("graphviz_chart")) == 1


@pytest.fixture(scope="module")
def insurer(stores) -> str:
    """A lender that also stands behind a fund, and so has three numbers of loans."""
    store = Store(stores["demo"])
    with store.lease() as source:
        names = [e.entity_name for e in every(source.entities, EntityQuery(per_page=100))
                 if e.extra["kind"] == "lender"]  # fmt: skip
        found = [source.exposure(name) for name in names]
    store.close()
    several = [one for one in found if len(one.counted) > 1 and one.next_loans != one.loans]
    return max(several, key=lambda one: one.loans).entity_name


def test_one_lender_has_one_number_of_loans_or_each_page_says_why_not(opened, stores, insurer):
    # D69
    store = Store(stores["demo"])
    with store.lease() as source:
        found = source.exposure(insurer)
        first = {one.role: one.loans for one in found.counted}
    store.close()
    lent, through = first["lender"], first["source of a fund"]
    counts = f"{found.loans} loans count as its own: {lent} as lender and {through} only through"
    entity = opened("entity", "demo", entity_name=insurer)
    assert metrics(entity)["Loans"] == str(found.loans)
    for page, params in (
        ("entity", {"entity_name": insurer}),
        ("loans", {"lender": insurer}),
        ("capital_graph", {"entity_name": insurer, "depth": "1"}),
    ):
        assert counts in said(opened(page, "demo", **params))
    assert f"lent by or serviced by “{insurer}”: {lent}" in said(
        opened("loans", "demo", lender=insurer)
    )


def test_a_role_in_the_address_lists_its_loans_and_each_row_names_the_fund(opened, insurer):
    app = opened("entity", "demo", entity_name=insurer)
    roles = {row["Role"]: row for row in rows(app, "Role", "Its own dollars")}
    through = roles["Lender through a fund"]
    assert through["Its own dollars"] == "not stated"
    app = opened("entity", "demo", entity_name=insurer, role="source of a fund")
    assert f"Its loans as lender through a fund, the worst first: {through['Loans']}" in headings(
        app, 3
    )
    cells = column(app, "Its role")
    assert cells
    assert all("hrough " in cell and "share not stated" in cell for cell in cells)
    app = opened("entity", "demo", entity_name=insurer, role="tenant")
    assert "It has this role in no loan." in said(app)


def test_signals_of_an_entity_come_worst_first(opened, sponsor):
    app = opened("entity", "demo", entity_name=sponsor[0])
    words = [label.split()[1] for label in column(app, "Severity")]
    order = ["critical", "severe", "elevated", "moderate"]
    assert words == sorted(words, key=order.index)


def test_more_holdings_than_are_listed_are_counted(opened):
    app = opened("entity", "odd", entity_name="Great Holder LP")
    assert "Holdings below: 200 of 230" in said(app)
    assert "5 of 201 parties are drawn" in said(app)
    assert "No loan counts as its own" in said(app)


def test_choosing_a_party_opens_its_page(opened):
    app = opened("entity", "odd", entity_name="Cypress Sponsor LP")
    app = open_row(app, "Owners above")
    assert not app.exception
    assert headings(app, 1) == ["Ada Quill"]
    assert "Back to the entity" in links(app)


def test_the_chain_of_a_loan_names_its_weakest_link_and_the_product(opened):
    app = opened("loan", "odd", loan_number="diamond")
    text = said(app)
    assert "Weakest link: Ada Quill → Juniper Family Trust, 0.50 (inferred)." in text
    product = f"{0.97 * 0.92 * 0.94:.2f}"
    assert f"up to Ada Quill by the first path listed: {product}." in text
    sure = [row["Confidence"] for row in rows(app, "Product")]
    assert sure == ["0.97", "0.92", "0.95", "0.94", "weakest 0.50"]


def test_a_chain_that_ends_early_and_an_empty_one_say_what_that_means(opened):
    assert "No owner is named above Nobody Above LLC" in said(
        opened("loan", "odd", loan_number="open")
    )
    assert "not a statement that it has no owner" in said(opened("loan", "odd", loan_number="none"))


@pytest.mark.parametrize("name", HOSTILE[2:4])
def test_a_hostile_name_is_shown_as_text(opened, name):
    app = opened("entity", "odd", entity_name=name)
    assert headings(app, 1) == [name]
    assert not any(name in source for source in markdown(app))
    cells = {cell for rows in ledgers(app).values() for row in rows for cell in row.values()}
    assert name in cells | {one for one in HOSTILE if any(one in said.value for said in app.text)}


def test_a_hostile_search_is_shown_as_text(opened):
    name = " ".join(HOSTILE)
    app = opened("entities", "demo", name=name)
    assert f"“{name}”" in shown(app.info[0].value)
    assert not any(one in source for source in markdown(app) for one in HOSTILE)


def test_a_filing_without_chains_lists_its_parties(opened):
    app = opened("entities", "filing")
    names = column(app, "Name")
    assert names
    whole = opened("entity", "filing", entity_name=names[0])
    assert "The sources name no owner above this party and no holding below it." in said(whole)
    assert not whole.get("graphviz_chart")


def test_ticked_parties_are_compared_and_the_comparison_is_taken_away(stores, visit):
    """A name with a comma in it is one name."""
    app = visit("pages/entities.py", stores["odd"], {"name": "cypress"})
    (name,) = column(app, "Name")
    app = send(app, "Entities", "ticked", [name])
    assert app.query_params["compare"] == name
    parties = f"{name}|Ada Quill|{HOSTILE[0]}|Nobody, LLC"
    app = visit("pages/compare_parties.py", stores["odd"], {"parties": parties})
    assert not app.exception
    assert "There is no party 'Nobody, LLC'" in said(app)
    key, whom = tables(app).values()
    assert list(key[0])[1:] == list(whom[0])[1:] == [name, "Ada Quill", HOSTILE[0]]
    found = {next(iter(row.values())): row for row in (*key, *whom)}
    assert [found["Loans"][one] for one in (name, "Ada Quill")] == ["1", "1"]
    assert len(set(list(found["Kind"].values())[1:])) > 1


def test_a_party_called_like_a_column_is_told_from_it(visit, tmp_path):
    s = Sketch(info_of("odd"))
    for at, name in enumerate(compared.HEADS):
        s.loan(str(at))
        s.tie(str(at), "borrower", name, 0.9)
    load(tmp_path, [s.portfolio()])
    app = visit("pages/compare_parties.py", tmp_path, {"parties": "|".join(compared.HEADS)})
    assert not app.exception
    key, _ = tables(app).values()
    assert list(key[0]) == ["Fact", *(f"{name} (party)" for name in compared.HEADS)]
