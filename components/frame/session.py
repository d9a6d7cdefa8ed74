"""What a browser session reads: the workspace, one lease a run, and the only caches of the screen.

Answers are remembered by (source, snapshot, question), so a new snapshot is never answered from
the old one. Bounded: the least recently used answers go first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import Any, Final

import streamlit as st

from services.contract.errors import MirrorMissing
from services.contract.queries import Query
from services.contract.source import Analytics, CreditSource
from services.settings import load
from services.sources import Kind, Reading, Workspace, configured, open_workspace

_reading: ContextVar[Reading] = ContextVar("reading")
#: Session key of the source picked; absent, the settings' own.
PICKED: Final = "source_picked"


def kinds() -> tuple[Kind, ...]:
    """The kinds of source that can be picked, the preferred one first."""
    return configured(load())


def workspace() -> Workspace:
    """The workspace that this session reads. Raises SettingsInvalid."""
    offered = kinds()
    picked = st.session_state.get(PICKED)
    return _workspace(picked if picked in offered else offered[0])


@st.cache_resource(show_spinner=False, on_release=lambda workspace: workspace.close())
def _workspace(kind: Kind) -> Workspace:
    """One of each kind for the whole server."""
    return open_workspace(load(), kind)


@contextmanager
def lease(of: Workspace | None = None) -> Iterator[Reading]:
    """Holds what there is to read for one run of a page, or for one file that is built."""
    with (of or workspace()).lease() as reading:
        token = _reading.set(reading)
        try:
            yield reading
        finally:
            _reading.reset(token)


def leased() -> bool:
    """Whether this run holds something to read: whether it came by app.py."""
    return _reading.get(None) is not None


def source() -> CreditSource:
    """The six reads, of the snapshot that this run holds."""
    return _reading.get().source


def analytics() -> Analytics:
    """The aggregates, of the snapshot that this run holds. Raises MirrorMissing (D33)."""
    found = _reading.get().analytics
    if found is None:
        raise MirrorMissing(
            "This needs figures over all records, which the API does not give one by one; "
            "fill the mirror on the Sources page"
        )
    return found


def mirrored() -> bool:
    """Whether aggregates can be asked for in this run."""
    return _reading.get().analytics is not None


def today() -> date:
    """The day that windows and distances count from: the snapshot's, else the calendar's (D26)."""
    if mirrored():
        return analytics().snapshot().as_of
    return datetime.now(UTC).date()


def read(method: str, *question: Query | str) -> Any:  # noqa: ANN401 - as the method answers
    """The answer of a `CreditSource` method, remembered."""
    return _asked(source(), method, question)


def analyse(method: str, *question: Query | str | int | None) -> Any:  # noqa: ANN401
    """The answer of an `Analytics` method, remembered."""
    return _asked(analytics(), method, question)


def _asked(side: object, method: str, question: tuple[object, ...]) -> Any:  # noqa: ANN401
    key = tuple(
        one.model_dump_json(exclude_defaults=True) if isinstance(one, Query) else one
        for one in question
    )
    ask: Callable[..., object] = getattr(side, method)
    reading = _reading.get()
    return _remembered(reading.label, reading.snapshot_id, method, key, lambda: ask(*question))


@st.cache_data(max_entries=512, show_spinner=False)
def _remembered(
    label: str, snapshot_id: str, method: str, key: tuple[object, ...], _ask: Callable[[], object]
) -> object:
    del label, snapshot_id, method, key  # they are what the answer is remembered by
    return _ask()
