"""Sources: what is loaded, from where, as of when, and by which rules it is read."""

import streamlit as st

from components.desk import matches
from components.frame import links, routes, session, shell
from components.sources import disagreements, filled, mirror, panels
from services.contract.source import Inventory

shell.inside(routes.SOURCES)
shell.title("Sources")
with st.container(horizontal=True):
    links.link(routes.CHECK_SHEET, "Check sheet of each filing", "fact_check")
    links.link(routes.ACCESS, "Your access", "badge")
if api := session.workspace().upstream:
    mirror.quota(api)
    mirror.mirror(api)
    mirror.seen(api)
if session.mirrored():
    snapshot = session.analytics().snapshot()
    panels.loaded(snapshot)
    panels.rejected(session.ask(Inventory.rejects), snapshot)
    matches.review(snapshot)
    disagreements.panel(snapshot)
    filled.panel(snapshot)
    panels.rates(snapshot)
    panels.rules(session.ask(Inventory.rules), session.ask(Inventory.rule_coverage))
panels.decisions()
