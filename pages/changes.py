"""Changes: what happened in the book between two as-of dates, worst first."""

import streamlit as st

from components.changes import loans, panels
from components.changes.view import changes_view, sentence, spans
from components.desk import looked, writing
from components.frame import address, api_call, links, periods, routes, session, shell, states
from components.kit import text
from services.contract import endpoints
from services.contract.changes_wording import since
from services.contract.frame_call import frame_of
from services.contract.history import Histories

shell.inside(routes.CHANGES)
shell.title("Changes")
with states.panel(endpoints.SIGNALS):
    kept = periods.kept()
    days = periods.dates(kept)
    if not days[1:]:
        address.left_blank()
        states.nothing("Changes need the book as of two dates: import further filings.")
        links.link(routes.SOURCES, "To the sources", "arrow_forward")
    else:
        held = looked.held()
        view = changes_view(kept)
        numbers: tuple[str, ...] | None = ()
        if view and view.watched:
            numbers = writing.read(looked.watched_loans, said=held is None)
        if view and numbers is not None:
            query = view.query(numbers)
            found = session.ask(Histories.changes, query)
            with st.container(horizontal=True, vertical_alignment="center"):
                text.lead(since(found))
                for label, day in spans(days, found).items():
                    links.link(routes.CHANGES, label, "history", view.but(since=day))
                if held:
                    looked.actions(held, days[-1])
            panels.headline(found)
            left, right = st.columns([1, 1.5], gap="small")
            with left:
                panels.kinds(found, view)
            with right:
                panels.crossed(found, view)
            said, deals = sentence(view, found, kept), len({one.source for one in kept})
            loans.listed(found, view, query, said, deals=deals)
            api_call.frames(frame_of("changes", query))
