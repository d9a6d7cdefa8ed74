"""The scope of every page: in the address, in the head, on every link, in every figure (D230)."""

import pytest

from components.frame.routes import ROUTES
from services.contract.desk import SearchFound, Subject, set_of
from services.contract.errors import DeskUnavailable
from services.contract.loan_filter import LoanFilter
from services.contract.scope import BOOK, Scope
from services.desk.sqlite import SqliteDesk
from services.sign_in import local_user
from services.sources import StoreWorkspace
from tests.hostile import WORDS
from tests.pages.ledger_reading import addresses, rows
from tests.pages.screen import headlines, said
from tests.publishing import load_once
from tests.world import AS_OF, RATES, harbour, quay

FOUND = SearchFound(records=3, book_value=1, snapshot_id="old", as_of=AS_OF)
SCOPED = [one for one in ROUTES if one.scoped]
GONE = "This saved set was deleted, or is another user's and not shared"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scopes") / "store"
    load_once(folder, [harbour(), quay(importer="tape")], rates=RATES)
    return folder


@pytest.fixture
def page(folder, visit, tmp_path):
    def run(file="pages/loans.py", /, **params):
        app = visit(file, folder, params, desk=str(tmp_path / "desk.sqlite"))
        assert not app.exception
        return app

    run.desk = SqliteDesk(tmp_path / "desk.sqlite")
    run.me = local_user().name
    return run


def saved(page, numbers, name="Drawn", owner=None, **options):
    search = set_of(StoreWorkspace.label, numbers)
    return page.desk.save_search(owner or page.me, name, search, FOUND, **options).search_id


def numbers_on(app):
    try:
        return {row["Loan"] for row in rows(app, "Loan")}
    except AssertionError:  # no list at all
        return set()


def test_my_book_is_the_loans_that_came_as_tapes(page, source):
    app = page(scope="book")
    assert numbers_on(app) == {"Q/1", "Q/2", "Q/3", "Q/4"}
    assert "Loans within My book: 4" in said(app)
    assert app.query_params["scope"] == "book"
    # 10 + 20 + 30 + 40 million, typed off tests/world.py.
    assert source.totals(BOOK).book.model_dump() == {"loans": 4, "book_value": 100_000_000}
    headline = headlines(page("pages/overview.py", scope="book"))["Book value"]
    assert headline.value == "$100.0M"


def test_a_set_is_read_by_its_id_on_every_page_and_stays_in_every_address(page):
    numbers = ("Q/1", "bal-0", "bal-1", "no such loan")
    at = f"set:{saved(page, numbers)}"
    app = page(scope=at)
    assert numbers_on(app) == {"Q/1", "bal-0", "bal-1"}
    assert "Loans within the set “Drawn”: 3" in said(app)
    assert all(f"scope=set%3A{at[4:]}" in one for one in addresses(app, "Loan"))
    app = page(scope=at, state="NY")
    assert numbers_on(app) == set()
    assert "within the set “Drawn”" in said(app)
    for route in SCOPED:
        app = page(route.file, scope=at)
        assert app.query_params["scope"] == at, route.file


@pytest.mark.parametrize("route", SCOPED, ids=lambda route: route.path)
def test_a_set_that_is_not_there_or_another_s_is_one_sentence_and_never_everything(page, route):
    private = f"set:{saved(page, ['Q/1'], owner='somebody else')}"
    for at in (private, "set:0123456789abcdef"):
        app = page(route.file, scope=at)
        assert GONE in said(app)
        assert "Nothing is shown" in said(app)
        assert "bal-0" not in said(app)
        assert numbers_on(app) == set()


def test_what_is_no_scope_is_one_sentence(page):
    for at in (
        "everything",
        "set:1",
        "set:0123456789ABCDEF",
        "book,book",
        "<b>",
        "set:" + "0" * 99,
    ):
        app = page(scope=at)
        assert "must be book, watched, or set: and the id of a saved set" in said(app)
        assert numbers_on(app) == set()


def test_a_shared_set_is_read_by_others(page):
    at = saved(page, ["Q/1"], owner="somebody else", shared=True)
    assert numbers_on(page(scope=f"set:{at}")) == {"Q/1"}


def test_while_the_desk_does_not_read_nothing_is_shown(page, monkeypatch):
    def down(*_):
        raise DeskUnavailable("Notes cannot be read now")

    at = saved(page, ["Q/1"])
    monkeypatch.setattr(SqliteDesk, "saved_set", down)
    app = page(scope=f"set:{at}")
    assert "Notes cannot be read now" in said(app)
    assert numbers_on(app) == set()


def test_what_i_watch_is_a_scope(page):
    watch = Subject(source=StoreWorkspace.label, kind="loan", name="Q/2")
    page.desk.watch(page.me, watch, None)
    page.desk.watch("somebody else", watch.model_copy(update={"name": "Q/3"}), None)
    assert numbers_on(page(scope="watched")) == {"Q/2"}


@pytest.mark.parametrize("word", WORDS[:12])
def test_a_hostile_name_of_a_set_is_shown_as_written(page, word):
    at = saved(page, ["Q/1"], name=word)
    app = page(scope=f"set:{at}")
    assert numbers_on(app) == {"Q/1"}


def test_what_is_not_scoped_ignores_it_and_carries_it(page):
    app = page("pages/sources.py", scope="set:0123456789abcdef")
    assert GONE not in said(app)
    assert app.query_params["scope"] == "set:0123456789abcdef"


def test_the_figures_of_pages_are_those_of_the_scope(page, source):
    numbers = ("Q/1", "Q/2", "bal-5", "bal-6")
    at = saved(page, numbers)
    query = LoanFilter(scope=Scope.of("set", numbers, "x", at))
    loans = source.loan_totals(query).loans
    assert loans == 4
    for file in ("pages/map.py", "pages/what_if.py", "pages/explore.py", "pages/sponsors.py"):
        app = page(file, scope=f"set:{at}", **({"noi": "-10"} if "what" in file else {}))
        assert "the set “Drawn”" in said(app), file


def test_a_party_says_how_many_of_its_loans_are_held(page, source):
    app = page("pages/entity.py", entity_name="Quay Owner LLC")
    found = source.holding("Quay Owner LLC", BOOK)
    assert (found.loans, found.held) == (1, 1)
    assert "We hold this party's only loan." in said(app)
    at = saved(page, ["bal-0"])
    app = page("pages/entity.py", entity_name="Quay Owner LLC", scope=f"set:{at}")
    assert "The set “Drawn” holds none of this party's 1 loan" in said(app)
