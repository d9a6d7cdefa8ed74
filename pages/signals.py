"""Signals: where stress is, by state and property type, and the signals behind every mark."""

from functools import partial

from components.desk import saving, writing
from components.frame import api_call, exports, paging, routes, session, shell, states
from components.kit import actions
from components.kit.formatting import count
from components.signals import filters, table, totals, where
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.requests import request_for

shell.inside(routes.SIGNALS)
shell.title("Signals")
writing.outcome()
if view := filters.signal_view():
    query = view.filter()
    names = table.names_of(view.columns)
    page = table.found(query, names)
    sentence = filters.sentence(query)
    with actions.beside(f"{sentence}: {count(page.total)}", key="list"):
        if page.total:
            saving.search("signals", view, query, sentence)
            table.chooser(view.columns)
            exports.download(
                partial(table.export, query, names), page.total, "credit-atlas-signals"
            )
    with states.panel(endpoints.SIGNALS):
        totals.strip(query)
        filters.look(query)
        where.everywhere(view)
    if states.has_rows(page, routes.SIGNALS, view, unmatched=f"{sentence}: none."):
        table.result(page.items, names, session.today(), query)
        paging.bar(page)
    api_call.popover(
        request_for(query.specified()), table.as_listed(page), frame=frame_of("signals", query)
    )
