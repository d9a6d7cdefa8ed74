"""Links to pages, and opening a record: labels are outside text, shown as it is."""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qs, quote

import streamlit as st

from components.frame import back, scope
from components.frame.routes import BY_PATH, OVERVIEW, Route
from components.kit import text

#: Session key of the route to go to, and its parameters.
GOTO: Final = "goto"


def link(
    route: Route,
    label: str,
    icon: str | None = None,
    params: Mapping[str, str] | None = None,
    *,
    scoped: bool = True,
) -> None:
    """A link to a page with these parameters and, if `scoped`, the scope of this one; `icon` is the
    name of a Material symbol.
    """
    st.page_link(
        route.file,
        label=text.label(label),
        icon=f":material/{icon}:" if icon else None,
        query_params=scope.carrying(params or {}) if scoped else dict(params or {}),
    )


def address(route: Route, at: str | Mapping[str, str]) -> str:
    """An address relative to any page of the app, in the scope of this one:
    loan?loan_number=CA-000012.

    `at` is the name of a record, or the parameters of a page.
    """
    params = {_record(route): at} if isinstance(at, str) else at
    return f"{route.path}?{query(scope.carrying(params))}"


def query(params: Mapping[str, str]) -> str:
    """Parameters as an address writes them: state=TX&severity=critical."""
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in params.items())


@lru_cache(4096)
def _quoted(word: str) -> str:
    # The same few hundred words stand in the addresses of a map and its matrices.
    return quote(word, safe="")


def place_at(address: str) -> tuple[Route, dict[str, str]] | None:
    """The page at such an address and its parameters; None for any other address."""
    path, _, query = address.partition("?")
    given = parse_qs(query, keep_blank_values=True)
    if path not in BY_PATH or any(len(values) > 1 for values in given.values()):
        return None
    return BY_PATH[path], {name: values[0] for name, values in given.items()}


def open_record(route: Route, name: str) -> None:
    """Opens the page of one record, and remembers the page on screen as the way back."""
    open_page(route, {_record(route): name})


def open_page(route: Route, params: dict[str, str]) -> None:
    """Opens a page, and remembers that on screen as the way back.

    For callbacks, which run before the page: `shell.enter` goes there instead of drawing it again.
    """
    back.leaving(route)
    go(route, params)


def go(route: Route, params: Mapping[str, str]) -> None:
    """Opens a page in the next run, in place of one with nothing to show: it is no way back."""
    st.session_state[GOTO] = (route, list(scope.carrying(params).items()))


def going() -> str | None:
    """The path of the page that opens next, empty for the first one; None where none does."""
    route, _ = st.session_state.get(GOTO, (None, ()))
    return "" if route == OVERVIEW else route and route.path


def follow(sent: object, offered: Collection[str]) -> None:
    """For callbacks: opens the page at an address that a browser says was clicked, if it is one of
    those that it was offered. The browser is trusted with nothing else.
    """
    if isinstance(sent, str) and sent in offered and (found := place_at(sent)):
        open_page(*found)


def following(key: str, offered: Collection[str]) -> Callable[[], None]:
    """The callback of a component that sends the address of a clicked link as `opened`."""
    return lambda: follow(st.session_state[key].get("opened"), offered)


def _record(route: Route) -> str:
    if route.record is None:
        raise ValueError(f"{route.file} shows no single record")
    return route.record
