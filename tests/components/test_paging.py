"""The bar under a list: of what a browser sends only pages and sizes that it offers are heeded."""

import pytest

from components.frame import paging


@pytest.mark.parametrize(
    ("sent", "page"), [(1, 1), (60, 60), *((odd, 7) for odd in (0, 61, -1, "2", 2.5, None, [2]))]
)
def test_only_a_page_that_there_is_is_turned_to(monkeypatch, sent, page):
    state = {"paging by page": {"page": sent}, "page": 7}
    monkeypatch.setattr(paging.st, "session_state", state)
    paging._turn("paging by page", "page", 60)
    assert state["page"] == page


@pytest.mark.parametrize(
    ("sent", "size", "page"),
    [(100, 100, 1), *((odd, 25, 7) for odd in (33, 0, "50", None, [50], 10**9))],
)
def test_only_an_offered_size_is_taken_and_begins_at_the_first_page(monkeypatch, sent, size, page):
    state = {"paging by page": {"size": sent}, "page": 7, "per_page": 25}
    monkeypatch.setattr(paging.st, "session_state", state)
    paging._resize("paging by page", paging.PAGE_SIZES)
    assert (state["per_page"], state["page"]) == (size, page)
