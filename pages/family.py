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
if found := lookup.family_found():
    view, dossier = found
    family, today, name = dossier.family, session.today(), dossier.family.entity_name
    acts = shell.record(name, routes.SPONSORS, "All sponsors")
    panels.heading(family, acts)
    holding.of_family(name)
    query = LoanFilter(family=name, order="-worst_severity")
    with shell.parted(panels.PARTS if family.loans else ()), states.panel(endpoints.OWNERSHIP):
        panels.figures(dossier, session.ask(Portfolio.totals).book)
        if family.loans:
            names = columns.dated(columns.names_of("refinance"))
            exports.download(
                partial(table.export, query, names), family.loans, "credit-atlas-family"
            )
        contagion.members(dossier, today)
        if family.loans:
            timeline.panel(name, dossier.loans, family.loans, today, view.lanes)
            contagion.panel(dossier, view.loan, today)
            panels.lenders(dossier)
            of_family.panel(name, view)
            on_map.of_family(name, view.property_page)
        panels.tree(name)
    if family.loans:
        api_call.frames(frame_of("loans", query))
