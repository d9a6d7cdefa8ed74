"""What a browser session reads: the workspace, one lease a run, and the only caches of the screen.

Answers are remembered by (source, snapshot, question), so a new snapshot is never answered from
the old one. Bounded by bytes: the least recently used answers go first.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import Concatenate, Final, ParamSpec, TypeVar, cast
from urllib.parse import urljoin

import streamlit as st
from pydantic import BaseModel

from components.frame import licence
from services.contract.errors import MirrorMissing
from services.contract.history import Histories
from services.contract.lease import Lease
from services.contract.scope import Scope
from services.contract.source import Analytics, CreditSource, Figures, Part
from services.contract.track_record import ShownRun
from services.settings import Settings, load
from services.sources import Kind, Workspace, configured, latest_run, open_workspace

P = ParamSpec("P")
T = TypeVar("T")

_lease: ContextVar[Lease] = ContextVar("lease")
#: Bytes that a process keeps of answers.
ANSWER_BYTES: Final = 256 * 2**20
#: Session key of the source picked; absent, the settings' own.
PICKED: Final = "source_picked"


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """The settings of this server. Raises SettingsInvalid."""
    return load()


def site() -> str:
    """Where browsers reach the dashboard, without a slash at its end: by the settings, else as the
    one of this session does.
    """
    return settings().dashboard_url or urljoin(st.context.url or "", ".").rstrip("/")


def kinds() -> tuple[Kind, ...]:
    """The kinds of source that can be picked, the preferred one first."""
    return configured(settings())


def workspace() -> Workspace:
    """The workspace that this session reads. Raises SettingsInvalid."""
    offered = kinds()
    picked = st.session_state.get(PICKED)
    return opened(picked if picked in offered else offered[0])


@st.cache_resource(show_spinner=False, on_release=lambda workspace: workspace.close())
def opened(kind: Kind) -> Workspace:
    """One of each kind for the whole server."""
    return open_workspace(settings(), kind)


@contextmanager
def lease(of: Workspace | None = None) -> Iterator[Lease]:
    """Holds what there is to read for one run of a page, or for one file that is built."""
    with (of or workspace()).lease() as held:
        token = _lease.set(held)
        try:
            yield held
        finally:
            _lease.reset(token)


def leased() -> bool:
    """Whether this run holds something to read: whether it came by app.py."""
    return _lease.get(None) is not None


def source() -> CreditSource:
    """The six reads, of the snapshot that this run holds."""
    return _lease.get().source


def analytics() -> Analytics:
    """The aggregates, of the snapshot that this run holds. Raises MirrorMissing (D33)."""
    found = _lease.get().analytics
    if found is None:
        raise MirrorMissing.of_figures()
    return found


def mirrored() -> bool:
    """Whether aggregates can be asked for in this run."""
    return _lease.get().analytics is not None


def label() -> str:
    """How the source is called that this run reads; watches and notes go by it."""
    return _lease.get().label


def today() -> date:
    """The day that windows and distances count from: the snapshot's, else the calendar's (D26)."""
    if mirrored():
        return analytics().snapshot().as_of
    return datetime.now(UTC).date()


def track_record() -> ShownRun:
    """What became of graded loans, beside the rules of this run's snapshot. Raises StoreDamaged."""
    snapshot = analytics().snapshot() if mirrored() else None
    return latest_run(settings(), snapshot)


def ask(read: Callable[Concatenate[Part, P], T], *question: P.args, **options: P.kwargs) -> T:
    """The answer of one read of the contract, remembered: `ask(CreditSource.loans, query)`.

    `read` is a method of CreditSource, which the source answers, or of one of the Protocols of
    Analytics, which a snapshot answers. Raises what the read raises; MirrorMissing (D33);
    Forbidden for what the tier that pages are seen as does not open.
    """
    licence.check(read, (*question, *options.values()))
    answer: Callable[..., T] = getattr(_answering(read), read.__name__)
    key = (*map(_plain, question), *((name, _plain(one)) for name, one in options.items()))
    lease = _lease.get()
    found = _remembered(
        lease.label, lease.snapshot_id, read.__name__, key, lambda: answer(*question, **options)
    )
    return cast("T", found)  # the cache hands out what `answer` gave


def ask_large(read: Callable[Concatenate[Part, P], T], *question: P.args, **options: P.kwargs) -> T:
    """The same, not remembered: for a megabyte that a snapshot gives in milliseconds."""
    licence.check(read, (*question, *options.values()))
    answer: Callable[..., T] = getattr(_answering(read), read.__name__)
    return answer(*question, **options)


def _answering(read: Callable[..., object]) -> object:
    """Who answers a read in this run. Raises MirrorMissing (D33)."""
    lease = _lease.get()
    if getattr(CreditSource, read.__name__, None) is read:
        return lease.source
    if read is Histories.history and lease.lines is not None:
        return lease.lines
    if lease.analytics is None and getattr(Figures, read.__name__, None) is read and lease.figures:
        return lease.figures
    return analytics()


def _plain(part: object) -> object:
    """A part of a question as the cache compares it."""
    if isinstance(part, Scope):
        return part.key
    if isinstance(part, BaseModel):
        return type(part).__name__, part.model_dump_json(exclude_defaults=True)
    return part


@st.cache_data(max_size=ANSWER_BYTES, show_spinner=False)
def _remembered(
    label: str, snapshot_id: str, method: str, key: tuple[object, ...], _ask: Callable[[], object]
) -> object:
    del label, snapshot_id, method, key  # they are what the answer is remembered by
    return _ask()
