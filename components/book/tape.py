"""The tape of a session: the file that was dropped, what was said and read of it."""

from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, cast

import streamlit as st

from components.kit import text
from components.platform import asking
from services.contract.errors import CreditAtlasError, ImportRefused
from services.tapes import MANY, MOST_MEGABYTES, Choice, Profile, Seen, look, opened, parse

#: Session key of it.
_HERE: Final = "book tape"
FILE: Final = "book file"
PROFILE: Final = "book profile"
KINDS: Final = ("csv", "tsv", "txt", "xlsx", "xlsm")


@dataclass(slots=True)
class Dropped:
    """A file, and what its user has said of it so far."""

    file_id: str
    name: str
    data: bytes
    profile: Profile
    choices: dict[str, Choice] = field(default_factory=dict)
    as_of: date | None = None
    #: Read by what was said; None once something else is.
    seen: Seen | None = None
    refused: str = ""

    def say(self, column: str, said: Choice) -> None:
        """Says something of a column, beside what was said of it before."""
        before = self.choices.get(column, Choice())
        self.choices[column] = Choice(
            before.field if said.field is None else said.field,
            None if said.field is not None else said.read,
        )
        self._again()

    def is_field(self, column: str, field: str) -> None:
        """Says what a column is; another one that was that is kept under its own name."""
        for one in self.seen.columns if self.seen else ():
            if field and field == one.field and one.name != column and field not in MANY:
                self.say(one.name, Choice(field=""))
        self.say(column, Choice(field=field))

    def numbered(self, columns: tuple[str, ...]) -> None:
        """Says which columns tell loans apart."""
        self.profile = replace(self.profile, number=columns)
        self._again()

    def dated(self, day: date | None) -> None:
        """Says of which day the figures are."""
        self.as_of = day
        self._again()

    def _again(self) -> None:
        self.seen, self.refused = None, ""


def dropped() -> Dropped | None:
    """Draws the uploaders. Gives the file that is there, read; None without one.

    What was said of a file goes with it.
    """
    st.session_state[asking.UPLOADER] = asking.page()
    left, right = st.columns(2, gap="small")
    with left:
        file = st.file_uploader(
            text.label(f"Loan tape: CSV or XLSX, at most {MOST_MEGABYTES} MB"),
            type=list(KINDS),
            max_upload_size=MOST_MEGABYTES,
            key=FILE,
        )
    with right:
        told = st.file_uploader(
            text.label("Profile of the book (TOML), if you have one"),
            type=["toml"],
            max_upload_size=1,
            key=PROFILE,
        )
    if file is None:
        st.session_state.pop(_HERE, None)
        return None
    found_id = f"{file.file_id} {told.file_id if told else ''}"
    here = cast("Dropped | None", st.session_state.get(_HERE))
    if here is None or here.file_id != found_id:
        try:
            profile = parse(told.getvalue(), told.name) if told else Profile()
        except ImportRefused as error:
            text.notice("error", f"{error}.", "error")
            return None
        here = Dropped(found_id, file.name, file.getvalue(), profile)
        st.session_state[_HERE] = here
    _read(here)
    if here.refused:
        text.notice("error", f"{here.refused}.", "error")
    return here


def _read(here: Dropped) -> None:
    if here.seen is not None or here.refused:
        return
    with st.spinner("Reading the tape"):
        try:
            with opened(
                here.data, here.name, here.profile, as_of=here.as_of, columns=here.choices
            ) as (tape, _):
                here.seen = look(tape)
        except CreditAtlasError as error:
            here.refused = str(error)


def here() -> Dropped:
    """The file of this session, for callbacks. Raises KeyError without one."""
    return cast("Dropped", st.session_state[_HERE])
