"""Entity: one party whole: its loans, who owns it, what it owns, signals on its loans."""

from components import entity_lookup, entity_panels, session, shell
from services.contract.queries import Query

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
