"""Which entity the address names, and what to do when it names none."""

from typing import ClassVar, Final

import streamlit as st

from components.frame import address, back, links, paging, session, states
from components.frame.routes import ENTITIES, ENTITY
from components.kit import text
from services.contract.aggregates import EntityDossier
from services.contract.errors import MirrorMissing, NotFound
from services.contract.queries import Exact, PageNumber, Query
from services.contract.source import Dossiers, Suggestions

_NEAR: Final = 5


class EntityView(Query):
    """The Entity page: which entity, which page of its loans, which of its signals."""

    entity_name: Exact | None = None
    signals_page: PageNumber = 1

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page", "signals_page"})


def entity_found() -> tuple[EntityView, EntityDossier] | None:
    """What the address asks for, and the entity; None after saying why there is none to show."""
    back.link(ENTITIES, "Search names")
    view = address.asked(EntityView, ENTITY, paging.check)
    if view is None:
        return None
    if view.entity_name is None:
        _ask("")
        return None
    try:
        dossier = session.ask(Dossiers.entity, view.entity_name)
    except MirrorMissing as error:
        states.failed(error)
        address.left_blank()
        _ask(view.entity_name)
        return None
    except NotFound as error:
        text.notice("warning", f"{error}.", "search_off")
        address.left_blank()
        _near(view.entity_name)
        _ask(view.entity_name)
        return None
    chosen = {name: st.session_state[name] for name in EntityView.slicing}
    view = view.model_copy(update=chosen)
    address.settle(view)
    return view, dossier


def _near(name: str) -> None:
    near = session.ask(Suggestions.near_entities, name, _NEAR)
    if near:
        text.sentence("Names written like it:")
        for one in near:
            links.link(ENTITY, one, params={"entity_name": one})


def _ask(name: str) -> None:
    with st.form("find", border=True, width=480):
        typed = st.text_input("Name", value=name[:200], max_chars=200, placeholder="as you know it")
        if st.form_submit_button("Search names") and typed.strip():
            st.switch_page(ENTITIES.file, query_params={"name": typed.strip()})
