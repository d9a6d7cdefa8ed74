"""The audit on Your access: who wrote, took away or changed what, the newest first."""

from datetime import UTC, datetime
from functools import partial
from typing import Final

import streamlit as st

from components.frame import address, exports, paging, session, states, visitor
from components.frame.fields import EARLIEST, LATEST
from components.frame.ledger import Column, ledger
from components.frame.routes import ACCESS
from components.kit import text
from components.kit.card import card
from components.kit.formatting import MISSING, count, day
from services.contract.audit import AUDIT_ACTIONS, AuditEntry, AuditFilter
from services.contract.errors import DeskUnavailable, InvalidRequest
from services.sources import open_audit

_FILTERS: Final = ("by", "action", "since")
#: Of each filter, in pixels: in a narrow window they stand below each other.
_WIDTH: Final = 260


def panel() -> None:
    """The entries that the address asks for, to those who may read them; to others, that they may
    not.
    """
    with card("Audit", level=2):
        if not visitor.who().may("audit"):
            states.nothing(
                "Who wrote, took away or changed what is recorded; your role does not read it."
            )
            return
        try:
            _entries()
        except DeskUnavailable as error:
            text.notice("warning", f"{error}.", "edit_off")


def _entries() -> None:
    query = address.asked(AuditFilter, ACCESS, _check)
    if query is None:
        return
    audit = visitor.audit("audit")
    query = _filtered(query, audit.people())
    page = audit.entries(query)
    with st.container(horizontal=True, vertical_alignment="center"):
        text.lead(f"{sentence(query)}: {count(page.total)}", "Newest first.")
        if page.total:
            make = partial(export, query.at(1))
            exports.download(make, page.total, "credit-atlas-audit", live=True)
    narrowed = f"{sentence(query)}." if query.filters() else ""
    empty = "Nothing was written or taken away yet."
    if states.has_rows(page, ACCESS, query, empty=empty, unmatched=narrowed):
        ledger(
            _COLUMNS,
            page.items,
            opens=lambda one: (ACCESS, {"by": one.by}),
            caption="Audit",
        )
        paging.bar(page)


def _check(query: AuditFilter) -> None:
    paging.check(query)
    if query.since and not EARLIEST <= query.since <= LATEST:
        raise InvalidRequest(
            f"Parameter 'since' is '{query.since}' but must lie from {EARLIEST} to {LATEST}",
            parameter="since",
        )


def _filtered(query: AuditFilter, people: tuple[str, ...]) -> AuditFilter:
    """The filters, and what is asked for with them."""
    who = people if query.by is None or query.by in people else (*people, query.by)
    with st.container(horizontal=True, gap="small"):
        st.selectbox(
            "Person",
            who,
            index=None,
            format_func=text.line,
            placeholder="Everybody",
            width=_WIDTH,
            **address.widget("by", address.first_page),
        )
        st.selectbox(
            "What was done",
            list(AUDIT_ACTIONS),
            index=None,
            format_func=lambda one: _capital(AUDIT_ACTIONS[one]),
            placeholder="Everything",
            width=_WIDTH,
            **address.widget("action", address.first_page),
        )
        st.date_input(
            "Since",
            value=None,
            min_value=EARLIEST,
            max_value=LATEST,
            format="YYYY-MM-DD",
            width=_WIDTH,
            **address.widget("since", address.first_page),
        )
    return address.settled(query, {}, (*_FILTERS, "page", "per_page"))


def sentence(query: AuditFilter) -> str:
    """Which entries, in words."""
    said = _capital(AUDIT_ACTIONS[query.action]) if query.action else "All that was recorded"
    said += f" by {query.by}" if query.by else ""
    return said + (f" since {day(query.since)}" if query.since else "")


def export(query: AuditFilter) -> exports.Export:
    """All entries that match, the newest first, as they are kept.

    Written in a thread that knows no user: it is offered only to those who may read it.
    """
    found = [one.model_dump() for one in open_audit(session.settings()).every_entry(query)]
    texts = ("at", "by", "role", "action", "kind", "name", "source", "detail")
    kinds = {"entry": int, **dict.fromkeys(texts, str)}
    rows = [{**one, "at": one["at"].isoformat()} for one in found]
    asked = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    of = exports.Origin(asked, "Audit of Credit Atlas", "as recorded")
    return exports.of_rows("audit", sentence(query), rows, kinds, of=of)


def _capital(said: str) -> str:
    return said[0].upper() + said[1:]


_COLUMNS: Final[tuple[Column[AuditEntry], ...]] = (
    Column("by", "Who", lambda one: one.by, help="Leads to all that this person did."),
    Column("at", "When", lambda one: f"{day(one.at)}, {one.at:%H:%M} UTC"),
    Column("role", "Role", lambda one: one.role),
    Column("action", "What was done", lambda one: AUDIT_ACTIONS[one.action], short=True),
    Column("name", "To what", lambda one: one.name),
    Column("detail", "Details", lambda one: one.detail or MISSING),
    Column("source", "Source", lambda one: one.source or MISSING),
)
