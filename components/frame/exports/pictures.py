"""What is drawn as a picture to take away, made when it is asked for."""

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

import streamlit as st

from components.frame import recording

from .buttons import why_not
from .export import origin
from .giving import give
from .ready import Given

Form = Literal["png", "svg"]
FORMS: Final[dict[Form, str]] = {"png": "image/png", "svg": "image/svg+xml"}


def pictures(make: Callable[[Form], bytes], shown: str, stem: str) -> None:
    """A button for each form. `make` reads nothing, for it runs when no page does; `shown` says in
    words what is drawn. Nothing where rows cannot be taken away: their buttons say why.
    """
    if why_not() or recording.refusal():
        return
    of = origin()

    def made(form: Form) -> Given:
        said = f"{form.upper()}, a map"
        return make(form), recording.file("export", f"{stem}.{form}", form=said, shown=shown, of=of)

    with st.container(horizontal=True, width="content", gap="xsmall", key=f"{stem}-pictures"):
        for form, mime in FORMS.items():
            name = f"{stem}.{form}"
            give(form.upper(), partial(made, form), name, mime, key=name)
