"""The panels of Your access."""

from collections.abc import Mapping
from typing import Final, get_args

import streamlit as st

from components.frame import licence, session, states, visitor
from components.kit import actions, tables, text
from components.kit.card import card
from services.contract.access import ACTIONS, LICENCE_TIERS, MAY, ROLES, LicenceTier
from services.contract.endpoints import ENDPOINTS, EXTENSIONS
from services.contract.users import User
from services.sources import Upstream

_YES, _NO = "✓ yes", "– no"
#: What an answer of a status means for the key that asked.
_SAID: Final[Mapping[int, str]] = {200: "open", 403: "not covered", 401: "key refused"}
_SEEN: Final = "see as"


def who(user: User) -> None:
    """The user, their role, and what each role may do."""
    with card("You", level=2):
        if session.settings().sign_in == "none":
            text.sentence(
                "This server has no sign-in: anyone who reaches it may do everything. Notes and "
                f"watches are saved under the name {user.name}."
            )
        else:
            text.sentence(f"You are {user.name}, as the sign-in proxy says, and {user.role}.")
            said = "Ends this session and those of your other tabs."
            actions.button("Sign out", visitor.sign_out, icon="logout", help_text=said)
        rows = [
            {
                "May": said[0].upper() + said[1:],
                **{_role(role, user): _YES if action in MAY[role] else _NO for role in ROLES},
            }
            for action, said in ACTIONS.items()
        ]
        every = {"May": "Read every page", **{_role(role, user): _YES for role in ROLES}}
        tables.plain([every, *rows], "What each role may do")


def _role(role: str, user: User) -> str:
    return f"{role.capitalize()} (you)" if role == user.role else role.capitalize()


def tiers(upstream: Upstream | None) -> None:
    """Which endpoints each licence tier opens, and what the key in use was answered so far."""
    with card("Licence tiers", level=2):
        answered = _answered(upstream) if upstream else {}
        rows = []
        for endpoint in (*ENDPOINTS, *EXTENSIONS):
            opened = {
                name: _YES if tier in endpoint.tiers else _NO
                for tier, name in LICENCE_TIERS.items()
            }
            ours = " (extension)" if endpoint in EXTENSIONS else ""
            row = {"Endpoint": endpoint.path, **opened, "What it answers": endpoint.title + ours}
            if upstream:
                row["Your key"] = answered.get(endpoint.read, "not asked yet")
            rows.append(row)
        tables.plain(rows, "What each licence tier opens")
        if upstream:
            states.nothing("Your key: what the newest answer of each endpoint meant.")
        else:
            states.nothing("The embedded store is your own: everything in it is open to you.")


def _answered(upstream: Upstream) -> dict[str, str]:
    """What the newest answer of each endpoint meant, by the endpoint's read."""
    newest = sorted(upstream.calls().values(), key=lambda call: call.at)
    return {
        call.read: _SAID.get(call.status, f"status {call.status}" if call.status else "no answer")
        for call in newest
        if call.path.startswith("/v1/")  # not the service's description
    }


def seen_as() -> None:
    """The choice of a licence tier to see all pages as, for demonstrations."""
    with card("See pages as a licence tier", level=2):
        st.session_state[_SEEN] = licence.tier()
        st.segmented_control(
            "Licence tier",
            list(LICENCE_TIERS),
            format_func=lambda tier: text.label(LICENCE_TIERS[tier]),
            key=_SEEN,
            required=True,
            label_visibility="collapsed",
            on_change=_see_as,
        )
        states.nothing(
            "What it does not open is shown locked, in this browser tab only. Figures over all "
            "loans and signals go with the lists of them, those of parties with their look-up."
        )


def _see_as() -> None:
    chosen = st.session_state[_SEEN]
    if chosen in get_args(LicenceTier):
        licence.see_as(chosen)
