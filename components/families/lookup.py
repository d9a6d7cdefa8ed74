"""Which family the address names, and what to do when it names none."""

from typing import ClassVar, Literal

import streamlit as st

from components.frame import address, history_window, links, session, shell, states
from components.frame.history_window import Window
from components.frame.routes import FAMILY, SPONSORS
from components.kit import text
from services.contract.errors import NotFound
from services.contract.families import Families, FamilyDossier
from services.contract.queries import Exact, PageNumber, YesNo


class FamilyView(Window):
    """The Family page: whose family, whose siblings are looked at, how the timeline is laid out,
    what of its history is shown.
    """

    entity_name: Exact | None = None
    #: The loan whose distressed siblings are listed; the worst one without it.
    loan: Exact | None = None
    #: What stands up the timeline.
    lanes: Literal["value", "lender"] = "value"
    #: Whether its properties are shown on a map, and the page of their table.
    on_map: YesNo = False
    property_page: PageNumber = 1

    slicing: ClassVar[frozenset[str]] = frozenset(
        {"page", "per_page", "loan", "lanes", "on_map", "property_page", *history_window.NAMES}
    )


def family_found() -> tuple[FamilyView, FamilyDossier] | None:
    """What the address asks for, and the family; None after saying why there is none to show."""
    return shell.way_in(FAMILY, SPONSORS, "All sponsors", _asked)


def _asked() -> tuple[FamilyView, FamilyDossier] | None:
    view = address.asked(FamilyView, FAMILY)
    if view is None:
        return None
    if view.entity_name is None:
        states.nothing("The address of this page names no sponsor or owner.")
        links.link(SPONSORS, "Choose a family", "arrow_forward")
        return None
    try:
        dossier = session.ask(Families.family, view.entity_name)
    except NotFound as error:
        text.notice("warning", f"{error}.", "search_off")
        address.left_blank()
        return None
    chosen = {name: st.session_state[name] for name in ("loan", "lanes", "on_map", "property_page")}
    chosen |= history_window.held()
    if dossier.loans and chosen["loan"] == dossier.loans[0].loan_number:
        chosen["loan"] = None  # as the page begins
    return address.settled(view, chosen | {"entity_name": view.entity_name}, ()), dossier
