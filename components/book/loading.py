"""What becomes of the rows of a tape, its files, and how it comes into the store."""

from dataclasses import replace
from typing import Final

import streamlit as st

from components.book.tape import Dropped
from components.frame import exports, recording, session, states
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import count, day, loan_count
from services.contract.audit import AuditAction, Deed
from services.contract.errors import CreditAtlasError
from services.contract.rounding import number_of
from services.tapes import BOOK, Seen, add, check_book, followed, opened

_BOOK: Final = "book name"
_REPLACE: Final = "book replaces"
#: Session key of what was loaded last, to be said once the page is drawn again.
_SAID: Final = "book said"


def rows(seen: Seen) -> None:
    """How many rows would be loaded, and the rejected ones with their reasons."""
    kind = f", recognised as: {seen.dialect}" if seen.dialect else ""
    text.sentence(f"{seen.file}: {seen.form}, header in row {count(seen.header_row)}{kind}.")
    with card(
        f"{number_of(seen.rows, 'row')}: {count(seen.rows - seen.rejected)} loaded, "
        f"{count(seen.rejected)} rejected",
        level=2,
    ):
        properties = (
            f" and {number_of(seen.properties, 'property', 'properties')}"
            if seen.properties
            else ""
        )
        dated = f", as of {day(seen.as_of)}" if seen.as_of else ""
        text.sentence(f"These rows hold {loan_count(seen.loans)}{properties}{dated}.")
        listed = [{"Row": count(row), "Reason": why} for row, why in seen.reasons]
        tables.plain(listed, "Rejected rows", scrolls=True)
        if seen.rejected > len(listed):
            text.caption(f"The first {count(len(listed))}; the file of rejects has all.")


def files(here: Dropped, seen: Seen) -> None:
    """The profile, and the rejected rows, to take away."""
    if reason := recording.refusal():
        text.caption(reason)
        return

    def profile() -> exports.Given:
        deed = _deed("export", "profile.toml", "Profile of a tape, TOML")
        return seen.profile.encode(), deed

    def rejects() -> exports.Given:
        said = f"CSV, {number_of(seen.rejected, 'rejected row')} of {seen.file}"
        with opened(here.data, here.name, here.profile, as_of=here.as_of,
                    columns=here.choices) as (tape, folder):  # fmt: skip
            path = folder / "rejects.csv"
            tape.write_rejects(path)
            return path.read_bytes(), _deed("export", path.name, said)

    with st.container(horizontal=True, gap="small"):
        mime = "application/toml"
        exports.give("Profile", profile, "profile.toml", mime, icon="download")
        if seen.rejected:
            label = f"Rejected rows, {count(seen.rejected)}"
            exports.give(label, rejects, "rejects.csv", "text/csv", icon="download")


def _deed(action: AuditAction, name: str, said: str) -> Deed:
    return Deed(action=action, kind="file", name=name, source=session.label(), detail=said)


def into_store(here: Dropped, seen: Seen) -> None:
    """The button that loads the tape; where nobody may from a page, the command that does."""
    with card("Add it to the store", level=2):
        if why := _why_not():
            text.sentence(f"{why} Take the profile, and whoever fills the store runs:")
            text.code("creditatlas import tape TAPE --profile profile.toml", language="bash")
            return
        if seen.asks:
            states.nothing("Answer what is asked above first.")
            return
        name = st.text_input(
            "Book", value=here.profile.book, max_chars=80, key=_BOOK, placeholder=BOOK, width=300
        )
        if _made_up() and not st.toggle(
            "Replace the made-up portfolio that the store holds", key=_REPLACE
        ):
            states.nothing("Reported and made-up loans do not mix.")
            return
        if st.button(
            text.label(f"Add {loan_count(seen.loans)} to the store"),
            type="primary",
            icon=":material/playlist_add:",
        ):
            _load(here, seen, name)


def _why_not() -> str:
    """Why a page of this server loads nothing; "" where it may."""
    settings = session.settings()
    if session.workspace().kind != "store":
        return "These pages read an API, and a tape goes into the embedded store."
    if followed(settings):
        return "This store follows a shelf, which would replace what is loaded here."
    if settings.sign_in != "none":
        return "Several people read this store, so nothing is loaded from a page."
    return ""


def _made_up() -> bool:
    if not session.mirrored():
        return False
    return any(one.provenance == "synthetic" for one in session.analytics().snapshot().sources)


def _load(here: Dropped, seen: Seen, name: str) -> None:
    record = recording.recorder("tape")
    bar = st.progress(0.0, text="Reading")

    def show(stage: str, part: float) -> None:
        bar.progress(min(1.0, part), text=text.label(stage))

    try:
        book = check_book(name or BOOK)
        said = f"{count(seen.loans)} loans of {book}, {number_of(seen.rejected, 'row')} rejected"
        record(_deed("load_tape", here.name[:200], said))
        profile = replace(here.profile, book=book)
        with opened(here.data, here.name, profile, as_of=here.as_of, columns=here.choices) as (
            tape,
            _,
        ):
            added = add(tape, session.settings(), progress=show)
    except CreditAtlasError as error:
        states.failed(error)
        return
    gone = len(added.missing)
    left = (
        f" {count(gone)} loans of the tape before are not on it and stay in its period."
        if gone
        else ""
    )
    st.session_state[_SAID] = f"Added: {said}.{left}"
    st.rerun()


def said() -> None:
    """What was loaded, on the run after."""
    if sentence := st.session_state.pop(_SAID, None):
        text.notice("info", sentence, "check_circle")
