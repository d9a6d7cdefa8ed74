"""What stands on a page when there is nothing to show, and why."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import streamlit as st

from components.frame import links
from components.frame.routes import SOURCES, Route
from components.kit import tables, text
from components.kit.formatting import count
from services.contract.endpoints import ENDPOINTS, Endpoint
from services.contract.errors import (
    BadPayload,
    CreditAtlasError,
    Forbidden,
    InternalError,
    InvalidRequest,
    MirrorMissing,
    NotFound,
    NotPermitted,
    NotRescored,
    RateLimited,
    SettingsInvalid,
    StoreDamaged,
    StoreMissing,
    Unauthorized,
    Unreachable,
)
from services.contract.queries import Query
from services.contract.records import Page

#: Rows of a preview.
_PREVIEWED: Final = 5
_BY_READ: Final[Mapping[str, Endpoint[Any, Any]]] = {one.read: one for one in ENDPOINTS}


@contextmanager
def panel(endpoint: Endpoint[Any, Any]) -> Iterator[None]:
    """A part of a page that may fail on its own: it keeps its place and says why (D33).

    `endpoint` is what it reads, or what the licence for it goes by.
    """
    try:
        yield
    except CreditAtlasError as error:
        failed(error, endpoint)


def failed(error: CreditAtlasError, endpoint: Endpoint[Any, Any] | None = None) -> None:
    """One of our errors as a sentence with what to do."""
    match error:
        case StoreMissing():
            _no_data()
        case MirrorMissing():
            text.notice("info", f"{error}.", "cloud_sync")
            links.link(SOURCES, "To the mirror", "arrow_forward")
        case Forbidden():
            _locked(error, endpoint or _BY_READ.get(error.read))
        case Unauthorized():
            text.notice(
                "error",
                "The API refused the key. Check CREDIT_ATLAS_API_KEY on the server; a key that was "
                "seen in public is revoked.",
                "key_off",
            )
            _reference(error)
        case RateLimited():
            countdown(error)
        case InternalError() | BadPayload():
            text.notice("error", error.message, "cloud_off")
            _reference(error)
        case Unreachable():
            text.notice("error", str(error), "wifi_off")
            st.button(
                "Try again",
                key=f"again {endpoint.name if endpoint else ''}",
                icon=":material/refresh:",
            )
        case NotRescored():
            text.notice("info", f"{error}.", "database")
        case NotFound() | NotPermitted():
            icon = "search_off" if isinstance(error, NotFound) else "lock_person"
            text.notice("warning", f"{error}.", icon)
        case _:
            mended = isinstance(error, StoreDamaged | SettingsInvalid)
            text.notice("error", str(error), "build" if mended else "error")


def _no_data() -> None:
    text.notice("info", "No data yet.", "database")
    text.sentence("Fill the store, then reload this page:")
    text.code(
        "creditatlas demo                        # made-up portfolio\n"
        "creditatlas import sec-absee FILE.xml   # an SEC Exhibit 102\n"
        "creditatlas import crefc-irp FOLDER     # a trust's CREFC reporting package\n"
        "creditatlas import tape FILE.csv        # your own loan tape",
        language="bash",
    )


def _locked(error: Forbidden, endpoint: Endpoint[Any, Any] | None) -> None:
    """A licence tier that does not cover this: which one does, and what would stand here."""
    tiers = " or ".join(error.tiers) or "another tier"
    text.notice("info", f"Your licence does not cover this; {tiers} opens it.", "lock")
    if endpoint and (columns := endpoint.preview):
        text.caption("Preview: the columns that this shows, without data.")
        blank = [dict.fromkeys(columns, "")] * _PREVIEWED
        rows = tables.of_figures(blank, "Preview without data", prose=columns)
        text.show(text.element("div", rows, class_="atlas-preview"))


def countdown(error: RateLimited) -> None:
    """Seconds until the service answers again; asks again by itself when they are over."""
    until = time.time() + error.retry_after

    @st.fragment(run_every=1)
    def ticking() -> None:
        left = round(until - time.time())
        if left <= 0:
            st.rerun()
        text.notice(
            "warning",
            f"The API's rate limit is reached. It answers again in {left} s; this page then asks "
            "by itself.",
            "hourglass_top",
        )

    ticking()
    _reference(error)


def _reference(error: CreditAtlasError) -> None:
    if error.request_id:
        text.caption("For the service's support, the request id:")
        text.code(error.request_id, language=None)


def ended(sign_out: str | None) -> None:
    """A session that has lasted as long as one may, or whose user signed out; `sign_out` is where
    the sign-in proxy signs out, if that is known.
    """
    text.notice("info", "Your session has ended. Reload the page to sign in again.", "logout")
    if sign_out:
        st.link_button("Sign out of the sign-in proxy too", sign_out, icon=":material/logout:")


def broken(reference: str) -> None:
    """An internal error that has no sentence of its own."""
    text.notice(
        "error",
        f"This page could not be drawn. The server's log has the details under {reference}.",
        "error",
    )


def invalid(error: InvalidRequest, route: Route, others: dict[str, str]) -> None:
    """A URL that asks for something else than it can: the sentence, and two ways on; no rows."""
    said = str(error)
    text.notice("error", said if said.endswith(("?", ".")) else f"{said}.", "link_off")
    text.sentence("Nothing is shown, because the address of this page does not say what to show.")
    with st.container(horizontal=True):
        if error.parameter and others:
            without = f"Go on without '{error.parameter}'"
            links.link(route, without, "filter_alt_off", others, scoped=error.parameter != "scope")
        # A scope that is at fault is not carried on.
        links.link(route, "Show all", "restart_alt", scoped=error.parameter != "scope")


def no_match(sentence: str, route: Route) -> None:
    """No record matches: which filters, and one click to clear them."""
    text.notice("info", f"No results. {sentence}", "search_off")
    links.link(route, "Clear the filters and show all", "restart_alt")


def beyond_last(page: Page[Any], route: Route, params: dict[str, str]) -> None:
    """A page after the last one (D5)."""
    text.notice(
        "info", f"Page {count(page.page)} is beyond the last of {count(page.pages)}.", "last_page"
    )
    links.link(route, "Go to the first page", params=params)


def has_rows(
    page: Page[Any], route: Route, view: Query, *, empty: str = "", unmatched: str = ""
) -> bool:
    """Whether a page of a list has rows to draw. Where it has none this is said: that it comes
    after the last one, which filters leave it `unmatched`, or why it is `empty`.
    """
    if page.items:
        return True
    if page.total:
        beyond_last(page, route, view.at(1).params())
    elif unmatched:
        no_match(unmatched, route)
    else:
        nothing(empty)
    return False


def near(sentence: str, route: Route, names: Sequence[str]) -> None:
    """Records that are called like one that is not there, each a link; nothing without any."""
    if names:
        text.sentence(sentence)
    for one in names:
        links.link(route, one, params={str(route.record): one})


def nothing(sentence: str) -> None:
    """A panel that has nothing to show, and what that means."""
    text.caption(sentence)
