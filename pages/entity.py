"""Entity: one party whole: its loans, who owns it, what it owns, signals on its loans."""

from components.desk import strip
from components.entities import lookup, panels, roles
from components.exposure import holding
from components.frame import api_call, routes, session, shell, states
from services.contract import endpoints
from services.contract.frame_call import frame_call
from services.contract.queries import PathQuery, Query
from services.contract.requests import request_for
from services.contract.source import Dossiers, Portfolio

shell.inside(routes.ENTITY)
shell.title("Entity")
if found := lookup.entity_found():
    view, dossier = found
    snapshot = session.analytics().snapshot()
    name = dossier.entity_name
    panels.heading(dossier)
    strip.of_party(dossier)
    holding.of_party(name)
    panels.figures(dossier, session.ask(Portfolio.totals).book)
    with states.panel(endpoints.ENTITIES):
        roles.exposure(session.ask(Dossiers.exposure, name))
    panels.identity(dossier)
    panels.ownership(dossier)
    panels.parts(dossier)
    with states.panel(endpoints.LOANS):
        query = Query(page=view.page, per_page=view.per_page)
        roles.loans(
            session.ask(Dossiers.loans_of, name, query, view.role),
            snapshot.as_of,
            session.ask(Dossiers.exposure, name),
            view.role,
        )
    panels.signals(
        session.ask(Dossiers.signals_of_entity, name, Query(page=view.signals_page, per_page=10)),
        name,
    )
    api_call.popover(
        request_for(PathQuery(entity_name=name, depth=1)),
        None,
        "The API has no endpoint for one party: its loans are the paths of one edge around it, "
        "their signals the pages of /v1/signals.",
        frame_call("loans_of", name, role=view.role),
    )
