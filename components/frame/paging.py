"""The bar under a paged table: which rows these are, how many a page, which page."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import streamlit as st

from components.frame import address
from components.frame.switch import switch
from components.kit import text
from components.kit.formatting import count
from services.contract.errors import InvalidRequest
from services.contract.queries import Query
from services.contract.records import Page

T = TypeVar("T")
#: Rows a page that the tables offer.
PAGE_SIZES: Final = (25, 50, 100)
#: Pages that are offered at once, and pixels of a button.
_PAGES: Final = 7
_BUTTON: Final = 44


def page_of(found: Sequence[T], query: Query) -> Page[T]:
    """The page that a query asks for of records that are all at hand."""
    items = tuple(found[query.offset : query.offset + query.per_page])
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found))


def bar(
    page: Page[Any], name: str = "page", *, sizes: Sequence[int] = PAGE_SIZES, explained: str = ""
) -> None:
    """Which rows of a list these are, and the choice of another page, or of another size of page.

    What is chosen stands in the session's state: the page by `name`, the size by `per_page`.
    `explained` is a sentence on what the list shows.
    """
    first = (page.page - 1) * page.per_page + 1
    last = first + len(page.items) - 1
    said = f"{count(first)} to {count(last)} of {count(page.total)}" if page.items else ""
    with st.container(horizontal=True, vertical_alignment="center", key=f"paging by {name}"):
        text.caption(f"{said}. {explained}" if explained else said)
        if sizes:
            offered = {size: f"{count(size)} rows" for size in sizes}
            switch("per_page", "Rows a page", offered, address.first_page)
        if 1 <= page.page <= page.pages:
            # Where it may choose its own width it hides pages that there is room for.
            buttons = min(page.pages, _PAGES) + 2
            st.pagination(
                page.pages,
                max_visible_pages=_PAGES,
                width=buttons * _BUTTON,
                **address.widget(name),
            )


def check(query: Query) -> None:
    """Raises InvalidRequest for a page size that the bar does not offer."""
    if query.per_page not in PAGE_SIZES:
        raise InvalidRequest(
            f"Parameter 'per_page' is '{query.per_page}' but this page shows"
            f" {', '.join(map(str, PAGE_SIZES))} rows at a time",
            parameter="per_page",
        )
