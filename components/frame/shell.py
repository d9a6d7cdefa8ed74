"""The frame around every page: the way in, one error boundary, the heading."""

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

import streamlit as st

from components.frame import (
    address,
    back,
    chips,
    exports,
    navigation,
    scope,
    session,
    states,
    visitor,
)
from components.frame.links import GOTO
from components.frame.routes import BY_PATH, OVERVIEW, Route
from components.kit import severity, text
from components.kit.actions import actions
from components.kit.asset import asset
from components.kit.badge import Badge
from components.platform import asking
from components.platform.looks import LOOKS, PAPER
from components.platform.types import DeltaGenerator, StreamlitPage
from services.contract.errors import CreditAtlasError, InvalidRequest, NotPermitted

Asked = TypeVar("Asked")

log = logging.getLogger("credit_atlas")

#: The look of every page: what is printed comes after what is drawn on a screen.
STYLE = f"<style>{LOOKS}{asset('atlas.css')}{PAPER}{severity.style()}</style>"
PRODUCT = "Credit Atlas"
#: How soon a page leaves the screen once its session is over.
_LOOKS_EVERY = timedelta(minutes=1)
#: Where no session ends.
_COMES_BACK_EVERY = timedelta(hours=12)


def inside(route: Route) -> None:
    """First statement of every page: enters by app.py when the page was run without it.

    On a freshly started server Streamlit runs pages/*.py directly for a deep link, without frame,
    navigation or data; the query parameters are carried over.
    """
    if not session.leased():
        given = [(key, value) for key in st.query_params for value in st.query_params.get_all(key)]
        # A record that was just opened comes before the page that it was opened from.
        st.session_state.setdefault(GOTO, (route, given))
        st.switch_page("app.py")
    back.arrived(route)


def enter() -> None:
    """In app.py, straight after st.navigation: goes on to the page that is to be opened, if any."""
    if goto := st.session_state.pop(GOTO, None):
        route, given = goto
        st.switch_page(route.file, query_params=given)
    st.html(STYLE)


def run(page: StreamlitPage) -> None:
    """Runs a page on one snapshot, below the band; whatever goes wrong becomes a sentence, never a
    traceback.
    """
    with visitor.run():
        _run(page)
    # What browser tests wait for: the page has drawn its last element.
    with st.container(key="page-end"):
        st.html("<span></span>")


def _run(page: StreamlitPage) -> None:
    try:
        asking.page_begins()
        navigation.drawn(page)
        if visitor.ended():
            states.ended(session.settings().sign_out)
        else:
            _watched()
            with session.lease(), exports.built(), scope.run():
                if _in_scope(page):
                    page.run()
                    address.drawn()
    except CreditAtlasError as error:
        if isinstance(error, NotPermitted):
            visitor.refused(error)
        states.failed(error)
    except Exception:
        # The boundary: the details go to the log, a number to find them by goes to the screen.
        number = secrets.token_hex(4)
        log.exception("page failed, reference %s", number)
        states.broken(number)


def _in_scope(page: StreamlitPage) -> bool:
    """Whether there is a scope for the page to be about; else says what is wrong with it."""
    route = BY_PATH.get(page.url_path, OVERVIEW)
    if not route.scoped:
        return True
    try:
        scope.chosen()
    except InvalidRequest as error:
        text.title(route.title)
        address.left_blank()
        states.invalid(error, route, address.params())
        return False
    return True


def _watched() -> None:
    """Draws nothing, and looks by itself whether the session is over: then nothing of the page
    stays on the screen.

    It is also why a browser whose server was killed asks the next one for a run: it does so only
    where a part of the page runs by itself. Without that its first click reaches a session that
    has drawn nothing yet, and is lost.
    """
    signed_in = session.settings().sign_in != "none"
    every = _LOOKS_EVERY if signed_in else _COMES_BACK_EVERY

    @st.fragment(run_every=every)
    def looks() -> None:
        try:
            over = visitor.ended()
        except NotPermitted:
            over = True
        if over:
            st.rerun()

    looks()


def tab(shown: str) -> None:
    """What the browser's tab and its bookmarks say: CA-000743, Office, Dallas - Credit Atlas."""
    st.set_page_config(page_title=f"{text.line(shown)} - {PRODUCT}")


def title(name: str, stands_on: Callable[[], list[Badge]] | None = None) -> None:
    """The page's heading, and in the same row what the figures stand on.

    `stands_on` gives the badges of a page whose figures are not those of the snapshot.
    """
    with _heading(stands_on):
        text.title(name)
        tab(name)


@contextmanager
def _heading(stands_on: Callable[[], list[Badge]] | None = None) -> Iterator[None]:
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        yield
        with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
            chips.drawn(stands_on)


@contextmanager
def parted(parts: Sequence[tuple[str, str]]) -> Iterator[None]:
    """Draws a long page with links to its parts at its side: the name of each part, as its heading
    has it, and what it is called.
    """
    with st.container(key="parted"):
        if parts:
            text.parts(parts)
        yield


def way_in(
    route: Route, listed: Route, label: str, ask: Callable[[], Asked | None]
) -> Asked | None:
    """What a page about one record asks for. Where there is none it says so, below a heading and
    the way back to the list.
    """
    heading, found = st.container(), None
    try:
        found = ask()
    finally:
        if found is None:
            with heading:
                back.link(listed, label)
                title(route.title)
    return found


def record(name: str, listed: Route, label: str) -> DeltaGenerator:
    """The heading of a page about one record, which stays in sight while the page scrolls: over it
    the way back to the list, and what the figures stand on.

    Returns the place of what can be done with the record, beside its name.
    """
    with _heading():
        back.link(listed, label)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="record"):
        text.title(name)
        return actions("record")
