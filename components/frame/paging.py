"""The bar under a paged table: which rows these are, how many a page, which page."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import streamlit as st

from components.frame import address
from components.kit.asset import asset
from components.kit.formatting import count
from services.contract.errors import InvalidRequest
from services.contract.queries import Query
from services.contract.records import Page

T = TypeVar("T")
HTML: Final = asset("paging.html")
CSS: Final = asset("paging.css")
JS: Final = asset("paging.js")
# One element: Streamlit's page buttons and select box took a third of what a list costs a browser.
_draw: Final = st.components.v2.component(
    "atlas_paging", html=HTML, css=CSS, js=JS, isolate_styles=False
)
_KEY: Final = "paging"
#: Rows a page that the tables offer.
PAGE_SIZES: Final = (25, 50, 100)


def page_of(found: Sequence[T], query: Query) -> Page[T]:
    """The page that a query asks for of records that are all at hand."""
    items = tuple(found[query.offset : query.offset + query.per_page])
    return Page(items=items, page=query.page, per_page=query.per_page, total=len(found))


def bar(page: Page[Any]) -> None:
    """The page of the address; filters.loan_query reads what is chosen here."""
    first = (page.page - 1) * page.per_page + 1
    last = first + len(page.items) - 1
    said = f"{count(first)} to {count(last)} of {count(page.total)}" if page.items else ""
    _draw(
        key=_KEY,
        data={
            "said": said,
            "page": page.page,
            "pages": page.pages,
            "size": page.per_page,
            "sizes": list(PAGE_SIZES),
        },
        on_page_change=lambda: _turn(page.pages),
        on_size_change=_resize,
    )


def _turn(pages: int) -> None:
    # The browser is believed in nothing but a page that there is.
    sent = st.session_state[_KEY].get("page")
    if isinstance(sent, int) and 1 <= sent <= pages:
        st.session_state["page"] = sent


def _resize() -> None:
    sent = st.session_state[_KEY].get("size")
    if sent in PAGE_SIZES:
        st.session_state["per_page"] = sent
        address.first_page()


def check(query: Query) -> None:
    """Raises InvalidRequest for a page size that the bar does not offer."""
    if query.per_page not in PAGE_SIZES:
        raise InvalidRequest(
            f"Parameter 'per_page' is '{query.per_page}' but this page shows"
            f" {', '.join(map(str, PAGE_SIZES))} rows at a time",
            parameter="per_page",
        )
