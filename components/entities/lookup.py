"""Which entity the address names, and what to do when it names none."""

from typing import Any, ClassVar, Final

import streamlit as st

from components.frame import address, links, paging, session, shell, states
from components.frame.routes import ENTITIES, ENTITY
from services.contract.aggregates import EntityDossier
from services.contract.errors import MirrorMissing, NotFound
from services.contract.exposure import Role
from services.contract.queries import Exact, PageNumber, Query, YesNo
from services.contract.records import Page
from services.contract.source import Dossiers, Suggestions

_NEAR: Final = 5


class EntityView(Query):
    """The Entity page: which entity, which of its loans, which page of them and of its signals."""

    entity_name: Exact | None = None
    #: Loans in which it has this role, in place of those that count as its own.
    role: Role | None = None
    signals_page: PageNumber = 1
    #: Whether it is shown what the links to its owners and holdings rest on.
    evidence: YesNo = False

    slicing: ClassVar[frozenset[str]] = frozenset(
        {"page", "per_page", "role", "signals_page", "evidence"}
    )


def entity_found() -> tuple[EntityView, EntityDossier] | None:
    """What the address asks for, and the entity; None after saying why there is none to show."""
    return shell.way_in(ENTITY, ENTITIES, "Search names", _asked)


def _asked() -> tuple[EntityView, EntityDossier] | None:
    view = address.asked(EntityView, ENTITY, paging.check)
    if view is None:
        return None
    if view.entity_name is None:
        _ask("")
        return None
    try:
        dossier = session.ask(Dossiers.entity, view.entity_name)
    except (MirrorMissing, NotFound) as error:
        states.failed(error)
        address.left_blank()
        if isinstance(error, NotFound):
            near = session.ask(Suggestions.near_entities, view.entity_name, _NEAR)
            states.near("Names written like it:", ENTITY, near)
        _ask(view.entity_name)
        return None
    named = {"entity_name": view.entity_name}
    return address.settled(view, named, EntityView.slicing), dossier


def _ask(name: str) -> None:
    with st.form("find", border=True, width=480):
        typed = st.text_input("Name", value=name[:200], max_chars=200, placeholder="as you know it")
        if st.form_submit_button("Search names") and typed.strip():
            links.go(ENTITIES, {"name": typed.strip()})
            st.rerun()


def beyond_last(page: Page[Any], parameter: str) -> None:
    """A page after the last one, with a link to the first; `parameter` is what names it."""
    given = st.query_params.to_dict()
    given.pop(parameter, None)
    states.beyond_last(page, ENTITY, given)
