"""The dates as a file for calendar programs."""

from typing import Final

import streamlit as st

from components.frame import exports, recording, session
from components.kit import text
from components.kit.file_name import stem
from components.kit.formatting import count
from services.calendar_file import MIME, MOST_DATES, written
from services.contract.loan_dates import DateFilter
from services.contract.paging import every
from services.contract.rounding import number_of

_PAGE: Final = 100


def button(query: DateFilter, sentence: str, total: int) -> None:
    """Gives them, the earliest first; of more than MOST_DATES it says that they are too many."""
    if exports.why_not() or recording.refusal():
        return  # what is taken away as a table says why
    if total > MOST_DATES:
        said = f"A calendar file holds up to {count(MOST_DATES)} dates: narrow the filters."
        st.button("ICS", disabled=True, icon=":material/event:", help=text.label(said))
        return
    file_name = stem("calendar", sentence) + ".ics"

    def made() -> exports.Given:
        snapshot = session.analytics().snapshot()
        asked = query.model_copy(update={"page": 1, "per_page": _PAGE})
        found = written(
            list(every(session.analytics().dates_found, asked, limit=MOST_DATES)),
            title=f"Credit Atlas: {sentence}",
            as_of=snapshot.as_of,
            built_at=snapshot.built_at,
            link=session.settings().dashboard_url or "",
        )
        form, of = f"ICS, {number_of(total, 'date')}", exports.origin()
        return found, recording.file("export", file_name, form=form, shown=sentence, of=of)

    said = "For calendar programs: one all-day entry a date."
    exports.give("ICS", made, file_name, MIME, icon="event", help_text=said)
