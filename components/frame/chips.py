"""The row of chips beside every heading: provenance, as-of day, source; and the source picker."""

from collections.abc import Callable

import streamlit as st

from components.frame import licence, links, session
from components.frame.routes import ACCESS
from components.kit import text
from components.kit.formatting import count, day
from services.contract.endpoints import LICENCE_TIERS

_LABELS = {"store": "Embedded store", "api": "API"}


def drawn(stands_on: Callable[[], None] | None = None) -> None:
    """What the figures on this page stand on; always in sight.

    `stands_on` draws the badges of a page whose figures are not those of the snapshot.
    """
    workspace = session.workspace()
    _visitor()
    (stands_on or _snapshot)()
    if workspace.sandbox:
        text.badge("Sandbox", "violet", help_text="The key is one of the sandbox environment.")
    _source(workspace.label)


def _snapshot() -> None:
    """Provenance and as-of day of the snapshot that answers."""
    if not session.mirrored():
        text.badge("No mirror yet", "gray", help_text="Aggregates need the mirror: see Sources.")
        return
    snapshot = session.analytics().snapshot()
    if snapshot.synthetic:
        text.badge(
            "Demonstration data",
            "orange",
            help_text="Made-up loans, parties and figures; no real party is meant.",
        )
    elif session.workspace().kind == "store":
        names = ", ".join(source.title for source in snapshot.sources)
        text.badge("Reported data", "green", help_text=f"Loaded: {names}")
    else:
        counted = snapshot.counted_by_source.get("loans")
        text.badge(
            f"Aggregates over {count(snapshot.loans)}"
            + ("" if snapshot.whole else f" of {count(counted)}")
            + " mirrored loans",
            "gray",
            help_text="Maps, totals and matrices come from the mirror of the API's records.",
        )
    text.badge(
        f"As of {day(snapshot.as_of)}",
        "gray",
        help_text="Today, for every figure on this page.",
    )


def _visitor() -> None:
    """Who looks, where there is a sign-in, and as which licence tier, where it is not the widest.

    Both lead to what that opens.
    """
    if session.settings().sign_in != "none":
        who = session.who()
        links.link(ACCESS, f"{who.name}, {who.role}", "person")
    if (tier := licence.tier()) != "complete":
        links.link(ACCESS, f"Seen as {LICENCE_TIERS[tier]}", "visibility")


def _source(label: str) -> None:
    offered = session.kinds()
    if len(offered) == 1:
        text.badge(label, "blue", help_text="Where the figures come from.")
        return
    st.segmented_control(
        "Source",
        list(offered),
        default=session.workspace().kind,
        format_func=lambda kind: text.label(_LABELS[kind]),
        key=session.PICKED,
        label_visibility="collapsed",
        required=True,
    )
