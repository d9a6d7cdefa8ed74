"""Sources: what is loaded, from where, as of when, and by which rules it is read."""

from components import mirror_panel, provenance, session, shell
from services.sources import ApiWorkspace

shell.inside("pages/sources.py")
shell.title("Sources")
workspace = session.workspace()
if isinstance(workspace, ApiWorkspace):
    mirror_panel.quota(workspace)
    mirror_panel.mirror(workspace)
    mirror_panel.seen(workspace)
if session.mirrored():
    snapshot = session.analytics().snapshot()
    provenance.loaded(snapshot)
    provenance.rejected(session.analyse("rejects"), snapshot)
    provenance.filled(session.analyse("fill_rates"), session.analyse("unranked_words"))
    provenance.rates(snapshot)
    provenance.rules(session.analyse("rule_coverage"))
provenance.decisions()
