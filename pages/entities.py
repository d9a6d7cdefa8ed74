"""Entities: find a party by its name, however it is spelt."""

from functools import partial

from components.entities import comparison, search, table
from components.frame import api_call, exports, paging, routes, session, shell, states
from components.kit import actions
from services.contract.frame_call import frame_of
from services.contract.requests import request_for
from services.contract.source import CreditSource

shell.inside(routes.ENTITIES)
shell.title("Entities")
if view := search.entity_view():
    query, chosen = view.query(), view.compare or ()
    page = session.ask(CreditSource.entities, query)
    if not page.total:
        search.nothing(query)
    else:
        with actions.beside(search.sentence(query, page.total), key="list"):
            if query.name:
                exports.download(
                    partial(search.export, query, page.total),
                    page.total,
                    "credit-atlas-entities",
                    live=True,
                )
        if page.items:
            ticks = comparison.ticks(chosen) if session.mirrored() else None
            table.found(page.items, "entities", searched=query.name is not None, ticks=ticks)
            paging.bar(page)
            comparison.link(chosen)
        else:
            states.beyond_last(page, routes.ENTITIES, query.at(1).params())
    api_call.popover(request_for(query), page, frame=frame_of("entities", query))
