"""Entity: one party whole: its loans, who owns it, what it owns, signals on its loans."""

from components.desk import strip
from components.entities import lookup, panels, roles
from components.exposure import holding
from components.frame import api_call, routes, session, shell, states
from services.contract import endpoints
from services.contract.frame_call import frame_call
from services.contract.parties import Parties
from services.contract.queries import PathQuery, Query
from services.contract.requests import request_for
from services.contract.source import Dossiers, Portfolio

shell.inside(routes.ENTITY)
if found := lookup.entity_found():
    view, dossier = found
    name = dossier.entity_name
    party = session.ask(Parties.party, name)
    acts = shell.record(name, routes.ENTITIES, "Search names")
    panels.heading(dossier, acts)
    strip.of_party(dossier, acts)
    holding.of_party(name)
    with shell.parted(panels.parts_of(party)):
        panels.figures(dossier, party, session.ask(Portfolio.totals).book)
        with states.panel(endpoints.LOANS):
            role = view.role or party.role
            roles.loans(
                session.ask(Dossiers.loans_of, name, view.part(Query), role),
                session.analytics().snapshot().as_of,
                session.ask(Dossiers.exposure, name),
                role,
                party.role,
            )
        if party.has_own:
            query = Query(page=view.signals_page, per_page=10)
            panels.signals(session.ask(Dossiers.signals_of_entity, name, query), name)
            panels.parts(dossier)
        with states.panel(endpoints.ENTITIES):
            roles.exposure(session.ask(Dossiers.exposure, name))
        panels.ownership(dossier)
        panels.identity(dossier)
    api_call.popover(
        request_for(PathQuery(entity_name=name, depth=1)),
        None,
        "The API has no endpoint for one party: its loans are the paths of one edge around it, "
        "their signals the pages of /v1/signals.",
        frame_call("loans_of", name, role=view.role),
    )
