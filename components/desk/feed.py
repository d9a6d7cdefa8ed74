"""A user's calendar feed: its address, shown once when it is made, and how it is revoked."""

from functools import partial
from typing import Final

import streamlit as st

from components.desk import writing
from components.frame import session, visitor
from components.kit import text
from components.kit.formatting import day
from services.sign_in import user_by_name

#: Session key of a token that was just made: nothing else ever has it.
_MADE: Final = "calendar feed made"


def popover() -> None:
    """The feed of who looks: what there is, and buttons to make or revoke one."""
    with st.popover("Feed", icon=":material/rss_feed:"):
        text.caption(
            "An address that a calendar program reads by itself: dates to come of the loans that "
            "you watch and of your own book. Whoever has it reads them without signing in; a new "
            "address takes the place of the earlier."
        )
        fault = visitor.desk().fault()
        writing.told(fault)
        found = writing.read(partial(visitor.desk().feed_of, visitor.user()), said=bool(fault))
        if token := st.session_state.pop(_MADE, None):
            text.code(f"{session.site()}/feeds/{token}.ics", language=None)
            text.caption("It is shown this once; keep it as you keep a password.")
        if found:
            text.caption(f"You have had this feed since {day(found.made_at)}.")
        why = _why_not()
        if why:
            text.caption(why)
        else:
            said = "Make a new address" if found else "Make an address"
            writing.button(said, _make, off=bool(fault))
        if found:
            writing.button("Revoke the address", _revoke, off=bool(fault))


def _why_not() -> str:
    """Why this user can have no feed; empty where they can."""
    if denied := visitor.who().denied("export"):
        return f"{denied}."
    if user_by_name(visitor.user(), session.settings()) is None:
        return (
            "A feed is read without the sign-in proxy, which alone knows your groups; ask the "
            "administrator to give you a role by your name."
        )
    return ""


def _make() -> None:
    st.session_state[_MADE] = visitor.desk("export").make_feed(visitor.user())
    writing.done("The address of your calendar feed is made.")


def _revoke() -> None:
    visitor.desk().revoke_feed(visitor.user())
    writing.done("Your calendar feed is revoked; its address opens nothing now.")
