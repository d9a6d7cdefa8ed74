"""The bar of filters over a result, and the choice of those that can be added to it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.frame import address, field_bar, licence, session
from components.frame.fields import Counts
from components.frame.filters import Filter
from services.contract.queries import Query

#: Filters that the reader of this session has added to the bar.
_ADDED: Final = "filters added"


def bar(
    filters: Sequence[Filter],
    api: type[Query],
    counts: Mapping[str, Counts] | None = None,
    offered: Sequence[Filter] = (),
) -> dict[str, Any]:
    """Draws the filters, and the choice of those `offered` that are not in sight; what is chosen,
    by name, None where nothing is. `api` is what the API itself can be asked.
    """
    known = chosen(filters)
    unopened = known.keys() - set(licence.conditions(known))
    # Over an API that lacks it nobody answers a filter without the mirror; one that is set can be
    # taken away.
    closed = {
        name
        for name, value in known.items()
        if value is None
        and (name in unopened or (name not in api.model_fields and not session.mirrored()))
    }
    return field_bar.draw(
        {one.name: one.field for one in filters},
        key="filters",
        label="Filters",
        on_fill=address.first_page,
        counts=counts,
        closed=closed,
        further=_further(offered) if offered else None,
        folds=True,
    )


def chosen(filters: Iterable[Filter]) -> dict[str, Any]:
    """What is chosen, by name, None where nothing is: seeded by the address, or typed since."""
    return field_bar.values({one.name: one.field for one in filters})


def added(filters: Sequence[Filter], query: Query) -> list[Filter]:
    """Of the filters that can be added those in sight: set in the address or by a click on a chart,
    or just added.
    """
    shown: list[str] = st.session_state.setdefault(_ADDED, [])
    known = chosen(filters)
    for one in filters:
        is_set = getattr(query, one.name) is not None or known[one.name] is not None
        if is_set and one.added_as not in shown:
            shown.append(one.added_as)
    return sorted(
        (one for one in filters if one.added_as in shown), key=lambda one: shown.index(one.added_as)
    )


def _further(offered: Sequence[Filter]) -> field_bar.Further:
    shown: list[str] = st.session_state.setdefault(_ADDED, [])
    opened = licence.conditions(one.name for one in offered)
    names = dict.fromkeys(one.added_as for one in offered if one.name in opened)
    left = [one for one in names if one not in shown]
    why_not = "" if session.mirrored() else "Needs the mirror"
    return field_bar.Further("Add filter", left, shown.append, why_not)
