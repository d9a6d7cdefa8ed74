"""The buttons that give a file; that a report is taken is recorded before (D92)."""

from collections.abc import Callable
from typing import Final, Literal

import streamlit as st

from components.frame import recording
from components.kit import text

from .export import origin

#: Media types of reports.
_REPORTS: Final = {
    "PDF": "application/pdf",
    "DOCX": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def give(
    label: str,
    make: Callable[[], bytes],
    file_name: str,
    mime: str,
    *,
    icon: str = "",
    key: str | None = None,
    help_text: str | None = None,
    off: bool = False,
) -> None:
    """A button for a file that is made once it is pressed; `icon` is a Material symbol's name."""
    st.download_button(
        text.label(label),
        data=make,
        file_name=file_name,
        mime=mime,
        icon=f":material/{icon}:" if icon else None,
        key=key,
        help=text.label(help_text),
        on_click="ignore",
        disabled=off,
    )


def report(
    file_name: str, form: Literal["PDF", "DOCX"], make: Callable[[], bytes], shown: str, label: str
) -> None:
    """A button for a report; `shown` says in words what it is of."""
    record = recording.recorder()
    deed = recording.file("report", file_name, form=form, shown=shown, of=origin())

    def taken() -> bytes:
        record(deed)
        return make()

    give(label, taken, file_name, _REPORTS[form], icon="download")
