"""The scope of every page: which loans it is about. It stands in the address of every page, goes
with every link, and is looked up once a run (D230).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import streamlit as st

from components.frame import session, visitor
from services.cache import ByteCache
from services.contract.desk import SavedSearch
from services.contract.errors import InvalidRequest, NotFound
from services.contract.queries import Query, parse
from services.contract.scope import BOOK, Scope, Scoped, own_sources

PARAMETER: Final = "scope"
#: Bytes that a process keeps of the numbers of sets, which never change.
_SET_BYTES: Final = 64 * 2**20
_LETTER_BYTES: Final = 60
_sets: ByteCache[Scope] = ByteCache(
    _SET_BYTES, lambda one: sum(_LETTER_BYTES + len(number) for number in one.numbers or ())
)
#: The scope of this run, once it is known.
_known: ContextVar[list[Scope | None]] = ContextVar("scope of this run")


class _Asked(Query):
    scope: Scoped | None = None


@contextmanager
def run() -> Iterator[None]:
    """One run of a page: its scope is looked up once."""
    token = _known.set([])
    try:
        yield
    finally:
        _known.reset(token)


def chosen() -> Scope | None:
    """The scope of the page on screen; None is everything.

    Raises InvalidRequest for what is no scope, and for a set that is not there or that this visitor
    may not read; DeskUnavailable.
    """
    known = _known.get([])
    if not known:
        asked = parse(_Asked, {PARAMETER: st.query_params.to_dict().get(PARAMETER, "")}).scope
        known.append(asked and looked_up(asked))
    return known[0]


def looked_up(scope: Scope) -> Scope:
    """The same with its loan numbers. Raises as `chosen` does."""
    if scope.kind == "book" or scope.numbers is not None:
        return scope
    desk, user, label = visitor.desk(), visitor.user(), session.label()
    if scope.kind == "watched":
        watches = desk.watched(user, label)
        numbers = tuple(one.subject.name for one in watches if one.subject.kind == "loan")
        return Scope.of("watched", numbers, "Watched by you")
    try:
        saved = desk.saved_set(user, label, scope.set_id)
        key = (label, saved.search_id, saved.name, saved.saved_at)
        return _sets.get_or_make(
            key, lambda: _read(saved, desk.set_numbers(user, label, saved.search_id))
        )
    except NotFound as error:
        raise InvalidRequest(str(error), parameter=PARAMETER) from None


def _read(saved: SavedSearch, numbers: tuple[str, ...]) -> Scope:
    return Scope.of("set", numbers, f"the set “{saved.name}”", saved.search_id)


def carried() -> dict[str, str]:
    """The scope of the page on screen as a parameter of a link; empty of everything."""
    given = st.query_params.to_dict().get(PARAMETER, "")
    try:
        return parse(_Asked, {PARAMETER: given}).params()
    except InvalidRequest:
        return {}


def carrying(params: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a link with the scope of the page; a blank one takes it away."""
    both = carried() | dict(params)
    return {name: value for name, value in both.items() if name != PARAMETER or value}


def has_book() -> bool:
    """Whether any source of this run's snapshot is a tape of the reader's own."""
    return session.mirrored() and bool(own_sources(session.analytics().snapshot()))


def ours() -> Scope | None:
    """Whose loans are "ours" on the page of a party: the scope chosen, else the book there is."""
    return chosen() or (BOOK if has_book() else None)
