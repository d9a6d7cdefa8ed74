"""Family: all loans under one sponsor or owner, when they mature, contagion between them."""

from functools import partial

from components.exposure import holding
from components.families import contagion, lookup, panels, timeline
from components.frame import api_call, exports, routes, session, shell, states
from components.history import of_family
from components.loans import columns, table
from components.properties import on_map
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.loan_filter import LoanFilter
from services.contract.source import Portfolio

shell.inside(routes.FAMILY)
shell.title("Family")
with states.panel(endpoints.OWNERSHIP):
    if found := lookup.family_found():
        view, dossier = found
        family, today = dossier.family, session.today()
        panels.heading(family)
        holding.of_family(family.entity_name)
        panels.figures(dossier, session.ask(Portfolio.totals).book)
        if family.loans:
            query = LoanFilter(family=family.entity_name, order="-worst_severity")
            names = columns.dated(columns.names_of("refinance"))
            exports.download(
                partial(table.export, query, names), family.loans, "credit-atlas-family"
            )
            timeline.panel(family.entity_name, dossier.loans, family.loans, today, view.lanes)
            of_family.panel(family.entity_name, view)
            on_map.of_family(family.entity_name, view.property_page)
        contagion.members(dossier, today)
        if family.loans:
            contagion.panel(dossier, view.loan, today)
        panels.tree(family.entity_name)
        if family.loans:
            panels.lenders(dossier)
            api_call.frames(frame_of("loans", query))
