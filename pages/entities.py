"""Entities: find a party by its name, however it is spelt; the largest exposure first."""

from functools import partial

from components.entities import comparison, search, table
from components.frame import api_call, exports, paging, routes, session, sheets, shell, states
from components.kit import actions
from services.contract.frame_call import frame_of
from services.contract.queries import EntityQuery
from services.contract.requests import request_for

shell.inside(routes.ENTITIES)
shell.title("Entities")
if view := search.entity_view():
    query, chosen = view.query(), view.compare or ()
    page, ranked = search.found(query), search.ranked(query)
    search.kind_tabs(query)
    if not page.total:
        search.nothing(query)
    else:
        with actions.beside(search.sentence(query, page.total), key="list"):
            if query.name or ranked:
                exports.download(
                    partial(search.export, query, page.total),
                    page.total,
                    "credit-atlas-entities",
                    live=not ranked,
                )
        if states.has_rows(page, routes.ENTITIES, query):
            ticks = sheets.ticks(chosen) if session.mirrored() else None
            table.found(page.items, query, ticks)
            paging.bar(page)
            comparison.link(chosen)
    plain = query.part(EntityQuery)
    if ranked:
        api_call.popover(
            request_for(plain),
            None,
            "The API lists names in order of the alphabet, or of their match: it knows neither "
            "kinds nor what stands behind a name.",
            frame_of("parties", query),
        )
    else:
        api_call.popover(request_for(plain), page, frame=frame_of("entities", plain))
