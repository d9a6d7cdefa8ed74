"""The buttons that give a file; that it is taken is recorded before it is handed out (D92)."""

from collections.abc import Callable
from typing import Final, Literal

import streamlit as st

from components.frame import recording, session
from components.kit import text

from .export import Origin, origin
from .ready import Given

#: Media types of reports.
_REPORTS: Final = {
    "PDF": "application/pdf",
    "DOCX": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def give(
    label: str,
    make: Callable[[], Given],
    file_name: str,
    mime: str,
    *,
    icon: str = "",
    key: str | None = None,
    help_text: str | None = None,
    off: bool = False,
) -> None:
    """A button for a file that is made once it is pressed, of the snapshot that is current then;
    `icon` is a Material symbol's name.
    """
    of, record = session.workspace(), recording.recorder()

    def taken() -> bytes:
        with session.lease(of):
            found, deed = make()
        record(deed)
        return found

    st.download_button(
        text.label(label),
        data=taken,
        file_name=file_name,
        mime=mime,
        icon=f":material/{icon}:" if icon else None,
        key=key,
        help=text.label(help_text),
        on_click="ignore",
        disabled=off,
    )


def report(
    file_name: str,
    form: Literal["PDF", "DOCX"],
    make: Callable[[], bytes],
    shown: str,
    label: str,
    of: Origin | None = None,
) -> None:
    """A button for a report; `shown` says in words what it is of, `of` where its figures come from
    if they were read before it is pressed.
    """

    def made() -> Given:
        deed = recording.file("report", file_name, form=form, shown=shown, of=of or origin())
        return make(), deed

    give(label, made, file_name, _REPORTS[form], icon="download")
