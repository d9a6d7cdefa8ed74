"""Sources: what is loaded, from where, as of when, and by which rules it is read."""

from components.frame import links, routes, session, shell
from components.sources import mirror, panels
from services.contract.source import Inventory

shell.inside(routes.SOURCES)
shell.title("Sources")
links.link(routes.ACCESS, "Your access", "badge")
if api := session.workspace().upstream:
    mirror.quota(api)
    mirror.mirror(api)
    mirror.seen(api)
if session.mirrored():
    snapshot = session.analytics().snapshot()
    panels.loaded(snapshot)
    panels.rejected(session.ask(Inventory.rejects), snapshot)
    panels.filled(session.ask(Inventory.fill_rates), session.ask(Inventory.unranked_words))
    panels.rates(snapshot)
    panels.rules(session.ask(Inventory.rules), session.ask(Inventory.rule_coverage))
panels.decisions()
