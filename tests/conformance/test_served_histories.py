"""A service's histories and changes are those of its store, in either spelling (D187).

Asked of the book of tests/world.py, filed once, and of a book that was filed four times.
"""

from datetime import date
from random import Random

import pytest

from services.contract.errors import InvalidRequest, NoHistory, NotFound
from services.contract.events import EVENT_KINDS
from services.contract.history import SIDES, ChangeQuery, HistoryQuery
from services.contract.paging import pages
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests import history_book
from tests.book_by_month import DAYS, LOANS, filled
from tests.conformance.conftest import speaking
from tests.publishing import load_once
from tests.tiers import seeds


def opened(folder):
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as source:
        yield source
    store.close()


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """A book of two sources, filed on four days."""
    yield from opened(filled(tmp_path_factory.mktemp("months")))


@pytest.fixture(scope="module")
def owned(tmp_path_factory):
    """A book with sponsors, filed on seven days; names in it are hostile."""
    folder = tmp_path_factory.mktemp("owned")
    load_once(folder, history_book.portfolios(), rates=history_book.RATES)
    yield from opened(folder)


@pytest.fixture(scope="module", params=["a", "b"])
def over_http(request, months, owned, tmp_path_factory):
    """Clients of services over the two books, in one spelling."""
    with (
        speaking(months, request.param, tmp_path_factory.mktemp("m")) as one,
        speaking(owned, request.param, tmp_path_factory.mktemp("o")) as other,
    ):
        yield {"months": one, "owned": other}


def test_any_loan_of_the_book_has_the_same_line(source, store_source, oracle):
    for number in list(oracle.by_number)[::7]:
        for query in (HistoryQuery(), HistoryQuery(sponsors=True)):
            assert source.history(number, query) == store_source.history(number, query)
    with pytest.raises(NotFound):
        source.history("no such loan", HistoryQuery())


def test_the_changes_of_one_date_are_the_same(source, store_source):
    for query in (ChangeQuery(), ChangeQuery(severity_after=SIDES, per_page=100)):
        assert source.changes(query) == store_source.changes(query)


def test_a_line_of_several_filings_is_the_same(over_http, months, owned):
    answered = 0
    for at in range(LOANS):
        number = f"H-{at:03}"
        try:
            told = months.history(number, HistoryQuery())
        except NotFound:
            continue
        answered += len(told.events)
        assert over_http["months"].history(number, HistoryQuery()) == told
    assert answered > LOANS
    for number in ("L1", "L2", "M1", "alone"):
        for query in (
            HistoryQuery(sponsors=True),
            HistoryQuery(since=date(2024, 2, 1), until=date(2024, 6, 1)),
            HistoryQuery(since=date(2030, 1, 1)),
        ):
            told = owned.history(number, query)
            assert over_http["owned"].history(number, query) == told


def drawn(rng):
    """Some question to the book of four days."""

    def some(words):
        return tuple(sorted(set(rng.sample(words, rng.randint(1, 3)))))

    def perhaps(value):
        return value if rng.random() < 0.4 else None

    since, until = sorted(rng.sample(DAYS, 2))
    return ChangeQuery(
        since=perhaps(since),
        until=perhaps(until),
        kind=perhaps(some([kind.name for kind in EVENT_KINDS])),
        state=perhaps(some(["TX", "CA", "NY", "VT", "WA"])),
        property_type=perhaps(some(["office", "retail", "lodging"])),
        lender=perhaps(rng.choice(["Harbour Bank", "nobody"])),
        min_balance=perhaps(rng.choice([1, 2_000_000, 10_000_001])),
        max_balance=perhaps(rng.choice([0, 2_000_000, 30_999_999])),
        maturity_before=perhaps(rng.choice([date(2025, 9, 30), date(2029, 2, 28)])),
        maturity_after=perhaps(rng.choice([date(2024, 12, 31), date(2025, 9, 30)])),
        numbers=perhaps(some([f"H-{at:03}" for at in range(LOANS)])),
        severity_before=perhaps(some(SIDES)),
        severity_after=perhaps(some(SIDES)),
        sponsors=rng.choice([None, True, False]),
        order=rng.choice(["importance", "-dollars", "loan_number"]),
        page=rng.choice([1, 1, 2, 9]),
        per_page=rng.choice([1, 7, 25, 100]),
    )


@pytest.mark.parametrize("seed", seeds(15, 40))
def test_any_question_of_changes_has_the_same_answer(over_http, months, seed):
    query = drawn(Random(seed))
    try:
        told = months.changes(query)
    except InvalidRequest:
        with pytest.raises(InvalidRequest):
            over_http["months"].changes(query)
    else:
        assert over_http["months"].changes(query) == told


def test_pages_are_walked_as_those_of_any_list(over_http, months):
    query = ChangeQuery(since=DAYS[0], per_page=7)
    whole = months.changes(query.model_copy(update={"per_page": 100})).found
    read = lambda query: over_http["months"].changes(query).found  # noqa: E731
    walked = [loan for page in pages(read, query) for loan in page.items]
    assert len(walked) > 14
    assert tuple(walked) == whole.items


def test_a_store_without_periods_is_an_error_on_either_side(tmp_path, months):
    class Forgetful:
        """A snapshot that keeps none."""

        def history(self, *_):
            raise NoHistory("No period is kept")

        changes = history

    del months
    with speaking(Forgetful(), "a", tmp_path) as client:
        with pytest.raises(NoHistory, match="No period is kept"):
            client.changes(ChangeQuery())
        with pytest.raises(NotFound, match="No period is kept"):
            client.history("1", HistoryQuery())
