"""Walking the pages of a list (spec 4.7): when a client asks on, and when it stops."""

import pytest

from services.contract.paging import every, pages
from services.contract.queries import LoanQuery
from services.contract.records import Page


class Numbers:
    """The numbers from 0 on, in pages; remembers which pages were asked for."""

    def __init__(self, total, there=None):
        self.total = total
        self.there = total if there is None else there
        self.asked = []

    def __call__(self, query):
        self.asked.append(query.page)
        items = range(self.there)[query.offset : query.offset + query.per_page]
        return Page(items=tuple(items), page=query.page, per_page=query.per_page, total=self.total)


@pytest.mark.parametrize(
    ("total", "asked"), [(0, 1), (1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (21, 3), (100, 10)]
)
def test_a_client_stops_when_page_times_per_page_reaches_total(total, asked):
    read = Numbers(total)
    assert list(every(read, LoanQuery(per_page=10))) == list(range(total))
    assert read.asked == list(range(1, asked + 1))


def test_a_walk_begins_at_the_page_of_the_query():
    read = Numbers(35)
    assert list(every(read, LoanQuery(per_page=10, page=3))) == list(range(20, 35))
    assert read.asked == [3, 4]


def test_a_walk_beyond_the_last_page_is_one_empty_page():
    read = Numbers(35)
    assert [page.items for page in pages(read, LoanQuery(per_page=10, page=9))] == [()]
    assert read.asked == [9]


def test_an_empty_page_ends_the_walk_of_a_result_that_shrank():
    read = Numbers(1_000, there=15)
    assert list(every(read, LoanQuery(per_page=10))) == list(range(15))
    assert read.asked == [1, 2, 3]


@pytest.mark.parametrize(
    ("limit", "asked"), [(0, []), (1, [1]), (10, [1]), (11, [1, 2]), (20, [1, 2]), (99, [1, 2, 3])]
)
def test_a_limit_is_kept_without_reading_a_page_too_many(limit, asked):
    read = Numbers(25)
    assert list(every(read, LoanQuery(per_page=10), limit=limit)) == list(range(25))[:limit]
    assert read.asked == asked


def test_pages_are_read_only_as_they_are_needed():
    read = Numbers(100)
    walk = pages(read, LoanQuery(per_page=10))
    assert read.asked == []
    next(walk)
    assert read.asked == [1]


def test_the_filters_stay_from_page_to_page():
    seen = []

    def read(query):
        seen.append(query)
        return Page(items=(0,), page=query.page, per_page=query.per_page, total=3)

    query = LoanQuery(state="TX", per_page=1)
    list(pages(read, query))
    assert seen == [query, query.at(2), query.at(3)]


@pytest.mark.parametrize(
    ("total", "pages_there", "last"), [(0, 1, 1), (1, 1, 1), (25, 1, 1), (26, 2, 2), (50, 2, 2)]
)
def test_a_page_knows_how_many_there_are_and_whether_it_is_the_last(total, pages_there, last):
    for number in range(1, last + 2):
        page = Page(items=(), page=number, per_page=25, total=total)
        assert page.pages == pages_there
        assert page.is_last == (number >= last)
