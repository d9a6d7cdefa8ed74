"""Family: all loans under one sponsor or owner, when they mature, contagion between them."""

from functools import partial

from components.families import contagion, lookup, panels, timeline
from components.frame import api_call, exports, routes, session, shell, states
from components.loans import columns, table
from components.properties import on_map
from services.contract import endpoints
from services.contract.frame_call import frame_of
from services.contract.loan_filter import LoanFilter

shell.inside(routes.FAMILY)
shell.title("Family")
with states.panel(endpoints.OWNERSHIP):
    if found := lookup.family_found():
        view, dossier = found
        family, today = dossier.family, session.today()
        panels.heading(family)
        panels.figures(dossier, session.analytics().snapshot())
        if family.loans:
            query = LoanFilter(family=family.entity_name, order="-worst_severity")
            names = columns.names_of("refinance")
            exports.download(
                partial(table.export, query, names), family.loans, "credit-atlas-family"
            )
            timeline.panel(family.entity_name, dossier.loans, family.loans, today, view.lanes)
            on_map.of_family(family.entity_name, view.property_page)
        contagion.members(dossier, today)
        contagion.panel(dossier, view.loan, today)
        panels.tree(family.entity_name)
        if family.loans:
            panels.lenders(dossier)
            api_call.frames(frame_of("loans", query))
