"""The bar under a paged table: which rows these are, how many a page, which page."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import streamlit as st

from components.frame import address
from components.kit import text
from components.kit.formatting import count
from services.contract.errors import InvalidRequest
from services.contract.queries import Query
from services.contract.records import Page

T = TypeVar("T")
#: Rows a page that the tables offer.
PAGE_SIZES: Final = (25, 50, 100)


def page_of(found: Sequence[T], query: Query) -> Page[T]:
    """The page that a query asks for of records that are all at hand."""
    items = tuple(found[query.offset : query.offset + query.per_page])
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found))


def bar(page: Page[Any]) -> None:
    """The page of the address; filters.loan_query reads what is chosen here."""
    with st.container(horizontal=True, vertical_alignment="center", key="paging"):
        first = (page.page - 1) * page.per_page + 1
        if page.items:
            last = first + len(page.items) - 1
            text.caption(f"{count(first)} to {count(last)} of {count(page.total)}")
        with st.container(horizontal=True, horizontal_alignment="right"):
            st.selectbox(
                "Rows a page",
                PAGE_SIZES,
                key="per_page",
                width=110,
                label_visibility="collapsed",
                format_func=lambda size: f"{size} rows",
                on_change=address.first_page,
            )
            st.pagination(page.pages, key="page", width=360)


def check(query: Query) -> None:
    """Raises InvalidRequest for a page size that the bar does not offer."""
    if query.per_page not in PAGE_SIZES:
        raise InvalidRequest(
            f"Parameter 'per_page' is '{query.per_page}' but this page shows"
            f" {', '.join(map(str, PAGE_SIZES))} rows at a time",
            parameter="per_page",
        )
