"""The row of chips beside every heading: provenance, as-of day, source; and the source picker."""

import streamlit as st

from components.frame import session
from components.kit.formatting import count, day

_LABELS = {"store": "Embedded store", "api": "API"}


def standing() -> None:
    """What the figures on this page stand on; always in sight."""
    workspace = session.workspace()
    if session.mirrored():
        snapshot = session.analytics().snapshot()
        if snapshot.synthetic:
            st.badge(
                "Demonstration data",
                color="orange",
                help="Made-up loans, parties and figures; no real party is meant.",
            )
        elif workspace.kind == "store":
            names = ", ".join(source.title for source in snapshot.sources)
            st.badge("Reported data", color="green", help=f"Loaded: {names}")
        else:
            st.badge(
                f"Aggregates over {count(snapshot.loans)}"
                + ("" if snapshot.whole else f" of {count(snapshot.told.get('loans'))}")
                + " mirrored loans",
                color="gray",
                help="Maps, totals and matrices come from the mirror of the API's records.",
            )
        st.badge(
            f"As of {day(snapshot.as_of)}",
            color="gray",
            help="Today, for every figure on this page.",
        )
    else:
        st.badge("No mirror yet", color="gray", help="Aggregates need the mirror: see Sources.")
    if workspace.sandbox:
        st.badge("Sandbox", color="violet", help="The key is one of the sandbox environment.")
    _source(workspace.label)


def _source(label: str) -> None:
    offered = session.kinds()
    if len(offered) == 1:
        st.badge(label, color="blue", help="Where the figures come from.")
        return
    st.segmented_control(
        "Source",
        list(offered),
        default=session.workspace().kind,
        format_func=lambda kind: _LABELS[kind],
        key=session.PICKED,
        label_visibility="collapsed",
        required=True,
    )
