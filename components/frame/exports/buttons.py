"""The formats in which all rows can be taken away, as buttons.

Few rows are written when a format is chosen, and come at once. Many are written once the page is
drawn, with their progress below; then a button gives the file. Any other click reruns the
page, and that stops it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.frame import licence, recording, session, visitor
from components.kit import text
from components.kit.formatting import count, fixed
from components.platform.types import DeltaGenerator
from services.contract.rounding import number_of

from .export import Export
from .formats import MOST_IN_XLSX, Format, for_rows
from .giving import give
from .ready import Given, Ready, contents, deed

#: Up to so many rows a file is written within a second or two, and comes when it is asked for.
AT_ONCE: Final = 20_000
#: Session key of the file that is ready.
_READY: Final = "export_ready"
_MIB: Final = 2**20
_ICON: Final = ":material/download:"


@dataclass(frozen=True, slots=True)
class _Offer:
    """Rows that can be taken away."""

    make: "partial[Export]"
    rows: int
    stem: str

    @property
    def asked(self) -> tuple[object, ...]:
        """What they are, compared with what a file that is ready was asked for."""
        snapshot = session.analytics().snapshot().snapshot_id if session.mirrored() else ""
        return self.stem, snapshot, self.make.func, self.make.args, self.make.keywords


@dataclass(frozen=True, slots=True)
class _Build:
    """A file to be written once the page is drawn, and where its progress is shown."""

    offer: _Offer
    format: Format
    place: DeltaGenerator


_builds: ContextVar[list[_Build]] = ContextVar("builds")


def download(
    make: "partial[Export]", rows: int, stem: str, *, live: bool = False, alone: bool = False
) -> None:
    """The buttons, `alone` at the right end of their line. `make` reads the rows, `rows` of them;
    `stem` is the file's name, no suffix.

    All rows come from a snapshot, and over an API without its mirror a button says so (D33);
    with `live` they are answers of the six reads, which need none.
    """
    if reason := why_not(live=live):
        st.button("Export", disabled=True, icon=_ICON, help=text.label(reason))
        return
    if refusal := recording.refusal():
        text.caption(refusal)
        return
    offer = _Offer(make, rows, stem)
    # Not a popover: by the Tab key its contents come last on the page.
    with st.container(width="stretch" if alone else "content", gap="xsmall", key=f"{stem}-export"):
        with st.container(horizontal=True, horizontal_alignment="right",
                          vertical_alignment="center", gap="xsmall"):  # fmt: skip
            text.caption(f"Export all {count(rows)}", width="content")
            if rows <= AT_ONCE:
                _at_once(offer)
                return
            pressed = _to_build(offer)
        if rows > MOST_IN_XLSX:
            text.caption(f"XLSX is for up to {count(MOST_IN_XLSX)} rows.")
        _below(offer, pressed)


def why_not(*, live: bool = False) -> str | None:
    """Why the rows of this page are given to nobody who looks at it now; None where they are."""
    if not live and not session.mirrored():
        return "Needs the mirror."
    if licence.tier() != "complete":
        return "Files hold what a licence tier may not open: see pages whole, on Your access."
    if not visitor.who().may("export"):
        return "Your role takes nothing away; see Your access."
    return None


def _at_once(offer: _Offer) -> None:
    """Buttons that give a file, written when one is pressed."""

    def written(form: Format) -> Given:
        return contents(offer.make(), form, offer.stem)

    for form in for_rows(offer.rows):
        name = f"{offer.stem}{form.suffix}"
        give(form.name, partial(written, form), name, form.mime, key=f"{name}-{form.name}")


def _to_build(offer: _Offer) -> Format | None:
    """Buttons that have a file written. Gives the format that was asked for just now."""
    pressed = None
    for form in for_rows(offer.rows):
        if st.button(text.label(form.name), key=f"{offer.stem}{form.suffix}-build"):
            pressed = form
    return pressed


def _below(offer: _Offer, pressed: Format | None) -> None:
    """The place of a file that is being written, or is ready."""
    place = st.empty()
    ready = st.session_state.get(_READY)
    if pressed:
        _builds.get().append(_Build(offer, pressed, place))
    elif ready and ready.asked == offer.asked:
        _take(ready, place)


@contextmanager
def built() -> Iterator[None]:
    """Around a page: once it is drawn, the file that was asked for on it is written."""
    asked: list[_Build] = []
    token = _builds.set(asked)
    try:
        yield
    finally:
        _builds.reset(token)
    for one in asked:
        _build(one)


def _build(one: _Build) -> None:
    offer, stem = one.offer, one.offer.stem
    if former := st.session_state.pop(_READY, None):
        former.remove()
    export = offer.make()
    ready = Ready(offer.asked, one.format, stem, deed(export, one.format, stem))
    with one.place.container():
        bar = st.progress(0.0, text="Reading")
        # Any click reruns the page, and that ends this run.
        st.button("Stop", icon=":material/stop_circle:", key=f"{stem}-stop")

    def show(written: int) -> None:
        said = f"{count(written)} of {number_of(offer.rows, 'row')}"
        bar.progress(min(1.0, written / offer.rows), text=text.label(said))

    try:
        one.format.write(ready.path, export, show)
    except BaseException:  # a rerun that was asked for is one
        ready.remove()
        raise
    st.session_state[_READY] = ready
    _take(ready, one.place)


def _take(ready: Ready, place: DeltaGenerator) -> None:
    """The button that gives a file that is ready."""
    with place:
        name = ready.path.name
        label = f"Download {name}, {fixed(ready.size / _MIB, 1)} MiB"
        give(label, ready.given, name, ready.format.mime, key=f"{name}-{label}")
