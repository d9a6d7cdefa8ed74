"""Sources: what is loaded, from where, as of when, and by which rules it is read."""

from components import provenance, session, shell

shell.inside("pages/sources.py")
shell.title("Sources")
snapshot = session.analytics().snapshot()
provenance.loaded(snapshot)
provenance.rejected(session.analyse("rejects"), snapshot)
provenance.filled(session.analyse("fill_rates"), session.analyse("unranked_words"))
provenance.rates(snapshot)
provenance.rules(session.analyse("rule_coverage"))
provenance.decisions()
