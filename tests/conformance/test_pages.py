"""Paging (spec 4.7, D3 to D5), and the walk over pages of services/contract/paging.py."""

import pickle

import pytest

from services.contract.paging import every, pages
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.contract.records import Page

SIZES = (1, 3, 25, 100)
QUERIES = [
    LoanQuery(),
    LoanQuery(state="NY"),
    LoanQuery(lender="harbour bank", maturity_before="2025-03-01"),
    EntityQuery(),
    EntityQuery(confidence_min=0.9),
    EntityQuery(name="oak street holdings"),
    SignalQuery(),
    SignalQuery(severity="critical"),
    PathQuery(loan_number="diamond"),
    PathQuery(entity_name="Ada Quill", depth=6),
    PathQuery(entity_name="Harbour Bank"),
]


def reader(source, query):
    """The read that answers a query, as query -> page."""
    reads = {
        LoanQuery: source.loans,
        EntityQuery: source.entities,
        SignalQuery: source.signals,
        PathQuery: lambda asked: source.paths(asked)[1],
    }
    return reads[type(query)]


def sized(query, per_page):
    most = 25 if isinstance(query, PathQuery) else 100
    return query.model_copy(update={"per_page": min(per_page, most)})


def same(page):
    return [str(item) for item in page.items]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.params()))
def test_pages_of_every_size_partition_the_result(source, query):
    read = reader(source, query)
    wholes = []
    sizes = SIZES[1:] if read(query).total > 50 else SIZES  # page by page of 1 takes its time
    for per_page in sizes:
        found, at = [], sized(query, per_page)
        while True:
            page = read(at)
            assert (page.page, page.per_page) == (at.page, at.per_page)
            found += same(page)
            if page.is_last:
                break
            assert len(page.items) == page.per_page
            at = at.at(at.page + 1)
        assert len(found) == len(set(found)) == page.total > 0
        wholes.append(found)
    assert all(whole == wholes[0] for whole in wholes)


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.params()))
def test_a_page_beyond_the_last_is_empty_and_keeps_the_total(source, query):
    read = reader(source, query)
    total = read(query).total
    for beyond in (-(-total // query.per_page) + 1, 10**9):
        page = read(query.at(beyond))
        assert (page.items, page.total, page.page) == ((), total, beyond)
        assert page.is_last


def test_an_empty_result_has_one_empty_page(source):
    page = source.loans(LoanQuery(state="WY"))
    assert (page.items, page.total, page.pages, page.is_last) == ((), 0, 1, True)


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: str(query.params()))
def test_every_reads_all_pages_and_pages_stops_by_rule_4(source, query):
    read, asked = reader(source, query), []

    def counted(at):
        asked.append(at.page)
        return read(at)

    small = sized(query, 3)
    found = [str(item) for item in every(counted, small)]
    first = same(read(sized(query, 100)))
    assert found[: len(first)] == first
    assert len(found) == read(query).total
    assert asked == list(range(1, -(-len(found) // 3) + 1))


@pytest.mark.parametrize(("limit", "reads"), [(0, 1), (1, 1), (3, 1), (4, 2), (7, 3), (99, 3)])
def test_every_stops_at_its_limit(limit, reads):
    asked = []

    def read(query):
        asked.append(query.page)
        return _page(query, list(range(8)))

    assert list(every(read, LoanQuery(per_page=3), limit=limit)) == list(range(min(limit, 8)))
    assert len(asked) <= reads


def test_pages_begin_where_the_query_stands():
    found = list(pages(lambda query: _page(query, list(range(8))), LoanQuery(per_page=3, page=2)))
    assert [page.items for page in found] == [(3, 4, 5), (6, 7)]


def test_pages_end_at_an_empty_page_when_the_result_shrank():
    rows = list(range(9))

    def read(query):
        page = _page(query, rows)
        del rows[4:]  # and yet the total that was told stays
        return page.model_copy(update={"total": 9})

    found = [page.items for page in pages(read, LoanQuery(per_page=3))]
    assert found == [(0, 1, 2), (3,), ()]


@pytest.mark.parametrize(
    ("total", "page", "last", "count"),
    [(0, 1, True, 1), (50, 1, False, 2), (50, 2, True, 2), (51, 2, False, 3), (51, 3, True, 3)],
)
def test_rule_4_and_the_count_of_pages(total, page, last, count):
    found = Page(items=(), page=page, per_page=25, total=total)
    assert (found.is_last, found.pages) == (last, count)


def _page(query, rows):
    part = tuple(rows[query.offset : query.offset + query.per_page])
    return Page(items=part, page=query.page, per_page=query.per_page, total=len(rows))


@pytest.mark.parametrize(
    "ask",
    [
        lambda source: source.loans(LoanQuery()),
        lambda source: source.entities(EntityQuery()),
        lambda source: source.signals(SignalQuery()),
        lambda source: source.loan(source.loans(LoanQuery()).items[0].loan_number),
    ],
)
def test_an_answer_can_be_kept_by_a_cache(source, ask):
    answer = ask(source)
    assert pickle.loads(pickle.dumps(answer)) == answer  # noqa: S301 - our own bytes
