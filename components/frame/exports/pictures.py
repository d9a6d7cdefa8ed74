"""What is drawn as a picture to take away, made when it is asked for."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

import streamlit as st

from components.frame import recording
from components.kit import text

from .buttons import why_not
from .export import origin

Form = Literal["png", "svg"]
FORMS: Final[dict[Form, str]] = {"png": "image/png", "svg": "image/svg+xml"}


def pictures(make: Callable[[Form], bytes], shown: str, stem: str) -> None:
    """A button for each form. `make` reads nothing, for it runs when no page does; `shown` says in
    words what is drawn. Nothing where rows cannot be taken away: their buttons say why.
    """
    if why_not() or recording.refusal():
        return
    record, of = recording.recorder(), origin()

    def made(form: Form) -> bytes:
        found = make(form)
        name = f"{stem}.{form}"
        record(
            recording.file(
                "export", name, form=f"{form.upper()}, a map", shown=shown, as_of=of.as_of,
                source=of.source,
            )
        )  # fmt: skip
        return found

    with st.container(horizontal=True, width="content", gap="xsmall", key=f"{stem}-pictures"):
        for form, mime in FORMS.items():
            st.download_button(
                text.label(form.upper()),
                data=partial(made, form),
                file_name=f"{stem}.{form}",
                mime=mime,
                on_click="ignore",
                key=f"{stem}.{form}",
            )
