"""A button that opens on what is written about a record, and says in its label how much that is."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

import streamlit as st

from components.kit import text
from services.contract.desk import Subject


def named(subject: Subject) -> str:
    """What widgets about a subject are keyed by: no draft turns up under another one."""
    return sha256(subject.model_dump_json().encode()).hexdigest()[:16]


@contextmanager
def under(label: str, icon: str, key: str) -> Iterator[bool]:
    """Draws what the block draws in it; yields whether it was ever opened here: from then on it is
    drawn, because a draft outlives the closing.
    """
    opened, labelled = f"{key} opened", f"{key} label"
    # Under another label it is another one to Streamlit: what was open stays so.
    if st.session_state.get(labelled, label) != label:
        st.session_state[key] = bool(st.session_state.get(key))
    st.session_state[labelled] = label
    found = st.popover(text.label(label), icon=f":material/{icon}:", key=key, on_change="rerun")
    if found.open:
        st.session_state[opened] = True
    with found:
        yield opened in st.session_state
