"""The row of chips beside every heading: provenance, as-of day, source; and the source picker."""

from collections.abc import Callable, Sequence

import streamlit as st

from components.frame import licence, links, scope_picker, session, visitor
from components.frame.routes import ACCESS
from components.kit import badge, text
from components.kit.badge import Badge
from components.kit.formatting import count, day, days
from services.contract.access import LICENCE_TIERS
from services.contract.snapshot_info import Snapshot

_LABELS = {"store": "Embedded store", "api": "API"}


def drawn(stands_on: Callable[[], list[Badge]] | None = None) -> None:
    """What the figures on this page stand on; always in sight.

    `stands_on` gives the badges of a page whose figures are not those of the snapshot.
    """
    workspace, offered = session.workspace(), session.kinds()
    _visitor()
    scope_picker.picker()
    badges = (stands_on or _snapshot)()
    if within := scope_picker.badge():
        badges.insert(0, within)
    if workspace.sandbox:
        badges.append(Badge("Sandbox", "violet", "The key is one of the sandbox environment."))
    if len(offered) == 1:
        badges.append(Badge(workspace.label, "blue", "Where the figures come from."))
    badge.row(badges)
    if len(offered) > 1:
        _picker(offered)


def _snapshot() -> list[Badge]:
    """Provenance and as-of day of the snapshot that answers."""
    if not session.mirrored():
        return [Badge("No mirror yet", "gray", "Aggregates need the mirror: see Sources.")]
    snapshot = session.analytics().snapshot()
    if snapshot.synthetic:
        said = "Made-up loans, parties and figures; no real party is meant."
        origin = Badge("Demonstration data", "orange", said)
    elif session.workspace().kind == "store":
        names = ", ".join(source.title for source in snapshot.sources)
        origin = Badge("Reported data", "green", f"Loaded: {names}")
    else:
        counted = snapshot.counted_by_source.get("loans")
        of_all = "" if snapshot.whole else f" of {count(counted)}"
        origin = Badge(
            f"Aggregates over {count(snapshot.loans)}{of_all} mirrored loans",
            "gray",
            "Maps, totals and matrices come from the mirror of the API's records.",
        )
    return [origin, _as_of(snapshot)]


def _as_of(snapshot: Snapshot) -> Badge:
    """The day of all loans, or from when to when their sources date."""
    if snapshot.oldest == snapshot.as_of:
        said = "Today, for every figure on this page."
    else:
        said = (
            "Each loan is scored at the date of its own source. Windows count from the newest, "
            f"{day(snapshot.as_of)}."
        )
    return Badge(f"As of {days(snapshot.oldest, snapshot.as_of)}", "gray", said)


def _visitor() -> None:
    """Who looks, where there is a sign-in, and as which licence tier, where it is not the widest.

    Both lead to what that opens.
    """
    if session.settings().sign_in != "none":
        who = visitor.who()
        links.link(ACCESS, f"{who.name}, {who.role}", "person")
    if (tier := licence.tier()) != "complete":
        links.link(ACCESS, f"Seen as {LICENCE_TIERS[tier]}", "visibility")


def _picker(offered: Sequence[str]) -> None:
    st.segmented_control(
        "Source",
        list(offered),
        default=session.workspace().kind,
        format_func=lambda kind: text.label(_LABELS[kind]),
        key=session.PICKED,
        label_visibility="collapsed",
        required=True,
    )
