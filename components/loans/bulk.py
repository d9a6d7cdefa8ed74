"""Many loans looked up at once: numbers pasted or uploaded, found, opened as one set."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Protocol

import streamlit as st
from pydantic import Field

from components.frame import links, session
from components.frame.routes import LOANS
from components.kit import text
from components.kit.formatting import count
from components.platform import asking
from services import number_lists
from services.contract.errors import ImportRefused
from services.contract.source import Suggestions

#: The short key of a set.
Key = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
#: Sets of this session, by the short key that stands in the address.
_SETS: Final = "sets of loans"
_MOST_SETS: Final = 20
_PASTED: Final = "numbers pasted"
_FILE: Final = "numbers in a file"
#: The file that was read last in this session, and what came of it.
_READ: Final = "numbers read of a file"
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the numbers of one list."""

    known: tuple[str, ...]
    unknown: tuple[str, ...]


def look_up() -> None:
    """The panel: a box to paste into, a file to choose, what was found of it."""
    if not session.mirrored():
        return
    with st.popover(text.label("Look up numbers"), icon=":material/playlist_add_check:"):
        st.text_area(
            "Loan numbers, one a line or with commas between",
            key=_PASTED,
            height=120,
            placeholder="CA-000012\nCA-000743",
        )
        st.session_state[asking.UPLOADER] = asking.page()
        file = st.file_uploader(
            text.label(f"Or a CSV, text or XLSX file of at most {number_lists.MOST_MEGABYTES} MB"),
            type=["csv", "txt", "xlsx"],
            max_upload_size=number_lists.MOST_MEGABYTES,
            key=_FILE,
        )
        try:
            columns = _columns(st.session_state[_PASTED] or "", file)
        except ImportRefused as refused:
            text.notice("warning", f"{refused.message}.", "error")
            return
        if columns:
            _outcome(_best(columns))


def numbers_of(key: str) -> tuple[str, ...] | None:
    """The numbers of a set of this session; None of one that it does not have."""
    found: tuple[str, ...] | None = st.session_state.get(_SETS, {}).get(key)
    return found


def unknown_set(key: str) -> None:
    """What stands on the page when the address names a set that this session does not have."""
    text.notice(
        "warning",
        f"The set '{key}' was pasted in another session, and sets are not stored. Paste it again "
        "under “Look up numbers”.",
        "link_off",
    )
    links.link(LOANS, "Show all loans", "restart_alt")


def _outcome(found: Found) -> None:
    total = len(found.known) + len(found.unknown)
    text.sentence(f"{count(len(found.known))} of {count(total)} numbers found.")
    if found.known:
        links.link(LOANS, "Open them as one set", "open_in_new", {"set": keep(found.known)})
    if found.unknown:
        text.lead("Not found")
        for number in found.unknown[:_SHOWN]:
            near = session.ask(Suggestions.near_loans, number, 2)
            text.caption(f"{number}: near {' and '.join(near)}" if near else number)
        if len(found.unknown) > _SHOWN:
            text.caption(f"and {count(len(found.unknown) - _SHOWN)} more")


def keep(numbers: tuple[str, ...]) -> str:
    """The key of these numbers in this session; the oldest sets make room."""
    key = hashlib.sha256("\n".join(numbers).encode()).hexdigest()[:8]
    sets: dict[str, tuple[str, ...]] = st.session_state.setdefault(_SETS, {})
    sets[key] = numbers
    while len(sets) > _MOST_SETS:
        del sets[next(iter(sets))]
    return key


class _Upload(Protocol):
    file_id: str
    name: str

    def getvalue(self) -> bytes: ...


def _columns(pasted: str, file: _Upload | None) -> list[list[str]]:
    """Numbers by column. Raises ImportRefused. A file is read once a session, not once a run."""
    if pasted.strip():
        return number_lists.pasted(pasted)
    if file is None:
        return []
    read = st.session_state.get(_READ)
    if read is None or read[0] != file.file_id:
        try:
            found: list[list[str]] | str = number_lists.uploaded(
                text.line(file.name), file.getvalue(), waits=_asked_for
            )
        except ImportRefused as refused:
            found = refused.message
        read = st.session_state[_READ] = (file.file_id, found)
    if isinstance(read[1], str):
        raise ImportRefused(read[1])
    return read[1]


def _asked_for() -> None:
    """Ends the run where its browser has gone, as every use of Streamlit does."""
    st.session_state.get(_READ)


def _best(columns: Sequence[Sequence[str]]) -> Found:
    """The column with the most numbers of loans; the first of a tie. A head is no number."""
    every = tuple(dict.fromkeys(one for column in columns for one in column))
    known = session.ask(Suggestions.loan_names, every)

    def found(column: Sequence[str]) -> Found:
        asked = tuple(dict.fromkeys(column))
        return Found(
            tuple(one for one in asked if one in known),
            tuple(
                one
                for at, one in enumerate(asked)
                if one not in known and not (at == 0 and len(asked) > 1 and _is_head(one))
            ),
        )

    return max(map(found, columns), key=lambda one: len(one.known))


def _is_head(cell: str) -> bool:
    return not any(character.isdigit() for character in cell)
