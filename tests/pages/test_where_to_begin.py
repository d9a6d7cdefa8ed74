"""What pages show before anything is chosen: loans to watch, graphs to start from, solved
connections, loans to compare (D265).
"""

import json

import pytest

from components.frame.licence import SEEN_AS
from services.contract.families import FamilyFilter
from services.desk.sqlite import SqliteDesk
from services.importers import demo
from services.sign_in import local_user
from services.sources import StoreWorkspace
from services.store.leases import Store
from tests.pages.ledger_reading import column, ledgers, rows, send
from tests.pages.screen import headings, links, said
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

WORST = ("critical", "severe", "elevated", "moderate", "low")
LIST = "Loans to watch"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begin") / "store"
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


@pytest.fixture(scope="module")
def filing(tmp_path_factory):
    """Four loans of two originators; nobody is known above a borrower."""
    folder = tmp_path_factory.mktemp("filing") / "store"
    s = Sketch(info_of("deal"))
    for at, status in enumerate("0630"):
        s.loan(f"deal:{at}", book_value=(at + 1) * 1_000_000, payment_status=status)
        s.tie(f"deal:{at}", "originator", "Big Bank" if at else "Small Bank", 1.0)
        s.tie(f"deal:{at}", "servicer", "Serve Co", 1.0)
    load_once(folder, [s.portfolio()], rates=RATES)
    return folder


@pytest.fixture
def watchlist(visit, tmp_path):
    desk = tmp_path / "desk.sqlite"

    def run(folder):
        return visit("pages/watchlist.py", folder, {}, {}, desk=str(desk))

    run.watched = lambda: {one.subject.name for one in watched(desk)}
    return run


def watched(desk):
    return SqliteDesk(desk).watched(local_user().name, StoreWorkspace.label)


def worst_first(folder):
    """Numbers of the loans with a signal, by the list of each."""
    with Store(folder).lease() as source:
        numbers = [f"CA-{at:06}" for at in range(1, 301)]
        ranks = {number: [WORST.index(one.severity) for one in source.signals_of(number)]
                 for number in numbers}  # fmt: skip
    return {number: WORST[min(found)] for number, found in ranks.items() if found}


def test_an_empty_watchlist_shows_the_ten_worst_loans_and_why(watchlist, store):
    app = watchlist(store)
    assert not app.exception
    assert "Nothing is watched yet" in said(app)
    listed = rows(app, "Why")
    assert len(listed) == 10
    worst = worst_first(store)
    grades = [row["Worst signal"].split()[-1] for row in listed]
    assert grades == [worst[row["Loan"]] for row in listed]
    assert sorted(grades, key=WORST.index) == sorted(worst.values(), key=WORST.index)[:10]
    assert all("limit" in row["Why"] or row["Why"] for row in listed)
    with Store(store).lease() as source:
        dollars = sum(source.loan(row["Loan"]).book_value for row in listed)
    (hero,) = [one for one in said(app).splitlines() if one.startswith("Start with the ten worst")]
    assert hero.endswith(f"on ${dollars / 1e6:,.1f}M.")


def test_a_loan_is_watched_by_the_button_of_its_row_and_the_next_takes_its_place(watchlist, store):
    app = watchlist(store)
    ten = column(app, "Why"), [row["Loan"] for row in rows(app, "Why")]
    app = send(app, LIST, "acted", ten[1][2])
    assert watchlist.watched() == {ten[1][2]}
    assert "1 loan is on your watchlist." in said(app)
    assert [row["Loan"] for row in ledgers(app)["Watched loans"]] == [ten[1][2]]
    left = [row["Loan"] for row in rows(app, "Why")]
    assert len(left) == 10
    assert left[:9] == [one for one in ten[1] if one != ten[1][2]]
    assert "The worst loans that you do not watch yet" in said(app)


def test_all_ten_are_watched_at_once_and_then_no_more_are_suggested(watchlist, store):
    app = watchlist(store)
    ten = {row["Loan"] for row in rows(app, "Why")}
    app.button(key="watch suggested").click().run()
    assert watchlist.watched() == ten
    assert LIST not in ledgers(app)


def test_a_book_without_signals_says_how_to_watch(watchlist, tmp_path):
    s = Sketch(info_of("calm"))
    s.loan("one", book_value=1_000_000)
    load_once(tmp_path / "calm", [s.portfolio()])
    app = watchlist(tmp_path / "calm")
    assert "Nothing is watched yet. Press Watch on the page of a loan or a party." in said(app)
    assert {"To the loans", "To the names"} <= set(links(app))


def roots(app):
    """The drawings of a page: the nodes of each by the name of its first."""
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component")
            if one.proto.component_name == "atlas_graph"]  # fmt: skip
    return {one["nodes"][0]["name"]: [node["name"] for node in one["nodes"]] for one in sent}


def test_a_capital_graph_starts_from_the_worst_loan_or_a_family(visit, store):
    app = visit("pages/capital_graph.py", store)
    assert not app.exception
    with Store(store).lease() as source:
        largest = source.families(FamilyFilter(per_page=1)).items[0]
        distressed = source.families(FamilyFilter(order="-stressed", per_page=1)).items[0]
    assert distressed.stressed > 0
    heads = headings(app, 2)
    assert heads[0].startswith("Worst loan: ")
    assert heads[1] == f"Most distressed family: {distressed.entity_name}"
    assert (heads[2] == f"Largest family: {largest.entity_name}") is (largest != distressed)
    assert len(roots(app)) == 3
    assert len(roots(app)[distressed.entity_name]) > 2
    assert links(app).count("Start from it") == 3


def test_of_a_filing_it_starts_from_who_made_or_services_most_loans(visit, filing):
    app = visit("pages/capital_graph.py", filing)
    assert headings(app, 2) == ["Worst loan: deal:2", "Largest originator: Big Bank",
                                "Largest servicer: Serve Co"]  # fmt: skip
    assert "3 loans, $9.0M, worst ⬢ critical" in said(app)
    drawn = roots(app)["Serve Co"]
    assert sorted(drawn[1:]) == ["deal:0", "deal:1", "deal:2", "deal:3"]


def test_two_ends_to_begin_with_are_connected_in_words(visit, filing, store):
    app = visit("pages/connection.py", filing)
    assert "Choose two ends, each a loan or a party." in said(app)
    assert headings(app, 2) == ["The two worst loans", "The two largest loans",
                                "The worst loan and the largest"]  # fmt: skip
    assert "deal:3 and deal:2" in said(app)
    assert "Both originated by Big Bank; both serviced by Serve Co." in said(app)
    assert roots(app) == {}
    found = {one.proto.query_string for one in app.get("page_link") if one.proto.label == "Open it"}
    assert "from_loan=deal%3A3&to_loan=deal%3A2" in found
    drawn = roots(visit("pages/connection.py", store))
    assert len(drawn) == 3
    one = visit("pages/connection.py", store, {"from_loan": "CA-000001"})
    assert headings(one, 2) == [
        "With its sponsor", "With another loan of its sponsor", "With the worst loan"
    ]  # fmt: skip
    (drawn,) = roots(one).values()
    assert drawn[0] == "Bramble Heights Office Park (CA-000001)"


@pytest.mark.parametrize("page", ["capital_graph", "connection"])
def test_a_tier_without_the_graph_is_shown_no_box_and_what_opens_it(visit, store, page):
    locked = visit(f"pages/{page}.py", store, {}, {SEEN_AS: "base"})
    assert "Capital Graph or Complete opens it" in said(locked)
    assert boxes(locked) == []
    opened = visit(f"pages/{page}.py", store, {}, {SEEN_AS: "capital_graph"})
    assert "opens it" not in said(opened)
    assert boxes(opened)
    assert roots(opened) == {}


def boxes(app):
    from tests.pages.field_reading import fields

    return [name for name in fields(app) if name.startswith(("graph_search", "connection_"))]


def test_compare_begins_with_the_worst_loans(visit, filing):
    app = visit("pages/compare.py", filing)
    assert "Compare the 4 worst loans" in links(app)
    one = visit("pages/compare.py", filing, {"loans": "deal:1"})
    assert not any(label.endswith("worst loans") for label in links(one))
