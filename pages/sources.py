"""Sources: what is loaded, from where, as of when, and by which rules it is read."""

from components.frame import routes, session, shell
from components.sources import mirror, panels
from services.sources import ApiWorkspace

shell.inside(routes.SOURCES)
shell.title("Sources")
workspace = session.workspace()
if isinstance(workspace, ApiWorkspace):
    mirror.quota(workspace)
    mirror.mirror(workspace)
    mirror.seen(workspace)
if session.mirrored():
    snapshot = session.analytics().snapshot()
    panels.loaded(snapshot)
    panels.rejected(session.analyse("rejects"), snapshot)
    panels.filled(session.analyse("fill_rates"), session.analyse("unranked_words"))
    panels.rates(snapshot)
    panels.rules(session.analyse("rule_coverage"))
panels.decisions()
