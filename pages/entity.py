"""Entity: one party whole: its loans, who owns it, what it owns, signals on its loans."""

from components import api_call, entity_lookup, entity_panels, session, shell
from services.contract.queries import PathQuery, Query
from services.sources import request_for

PAGE = "pages/entity.py"
shell.inside(PAGE)
shell.title("Entity")
if view := entity_lookup.entity_view(PAGE):
    snapshot = session.analytics().snapshot()
    dossier = session.analyse("entity", view.entity_name)
    name = dossier.entity_name
    entity_panels.heading(dossier)
    entity_panels.figures(dossier, snapshot)
    entity_panels.ownership(dossier)
    entity_panels.parts(dossier)
    entity_panels.loans(
        session.analyse("loans_of", name, Query(page=view.page, per_page=view.per_page)),
        snapshot.as_of,
        name,
    )
    entity_panels.signals(
        session.analyse("signals_of_entity", name, Query(page=view.signals_page, per_page=10)),
        entity_panels.rule_titles(),
        name,
    )
    api_call.popover(
        request_for(PathQuery(entity_name=name, depth=1)),
        None,
        "The API has no endpoint for one party: its loans are the paths of one edge around it, "
        "their signals the pages of /v1/signals.",
    )
