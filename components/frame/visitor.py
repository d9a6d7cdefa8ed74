"""Who looks at a page: their name and role, how long their session lasts, and desk and audit under
their name.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

import streamlit as st

from components.frame.session import settings
from services.contract.access import Action
from services.contract.audit import Audit
from services.contract.desk import Desk
from services.contract.errors import NotPermitted
from services.contract.users import Authority, User
from services.sign_in import local_user, user_of
from services.sign_in_audit import NOBODY, entrance
from services.sources import open_audit, open_desk

#: By this the server's own visitor is known, who opens pages before anybody is let in.
OWN_VISITOR: Final = {"credit_atlas": secrets.token_hex()}
_BEGAN: Final = "session_began"
#: Who looks at the page of this run, once that is known.
_known: ContextVar[list[User]] = ContextVar("known")


def desk(to: Action | None = None) -> Desk:
    """Where watches and notes are written; what it says is never remembered here.

    It asks by itself, at each write, whether the session still lasts and the role allows it. Raises
    NotPermitted for what the user may not do there.
    """
    if to:
        who().require(to)
    return open_desk(settings()).acting(authority())


def audit(to: Action | None = None) -> Audit:
    """Where it is recorded what the user does, under their role; never remembered here.

    It asks as the desk does. Raises NotPermitted for what the user may not do.
    """
    if to:
        who().require(to)
    return open_audit(settings()).acting(authority())


def authority() -> Authority:
    """Who writes: asked later and from any thread, as when a file is taken, and of a page that was
    drawn before the session was over.
    """
    user, over, own = who(), lasting(), settings().sign_in == "none"
    headers = st.context.headers

    def asked() -> User:
        if over():
            raise NotPermitted("Your session has ended; reload the page to sign in again")
        # The role of now: the file of roles may have changed since.
        return user if own else who(headers)

    return asked


def who(headers: Mapping[str, str] | None = None) -> User:
    """Who looks at this page, by the headers of their session. Raises NotPermitted for somebody who
    is no user.
    """
    if headers is None:
        if st.user.to_dict() == OWN_VISITOR:
            return local_user()
        known = _known.get([])  # a callback comes before the run, and is asked again
        if not known:
            known.append(user_of(st.context.headers, settings()))
        return known[0]
    return user_of(headers, settings())


@contextmanager
def run() -> Iterator[None]:
    """One run of a page: who looks is found out once, and the file of roles read once."""
    token = _known.set([])
    try:
        yield
    finally:
        _known.reset(token)


def ended() -> bool:
    """Whether this session is over. Raises NotPermitted for somebody who is no user."""
    return lasting()()


def lasting() -> Callable[[], bool]:
    """Says whether this session is over, later and from any thread: behind a sign-in one lasts only
    so many hours, and until its user signs out in any tab. Raises NotPermitted for somebody who is
    no user.
    """
    user, of = who(), settings()
    if of.sign_in == "none" or st.user.to_dict() == OWN_VISITOR:
        return lambda: False
    door = entrance(of)
    if _BEGAN not in st.session_state:
        st.session_state[_BEGAN] = time.time()
        door.came(user)
    began: float = st.session_state[_BEGAN]
    until = began + 3600 * of.session_hours
    return lambda: time.time() > until or door.is_over(user.name, began)


def sign_out() -> None:
    """For callbacks: ends all sessions of this user."""
    with suppress(NotPermitted):  # who is no user any more has no session that lasts
        entrance(settings()).went(who())


def refused(error: NotPermitted) -> None:
    """Notes what the user was refused; of somebody who is no user, the name that they came by."""
    door, headers = entrance(settings()), st.context.headers
    try:
        door.refused(str(error), who())
    except NotPermitted:
        door.refused(str(error), name=headers.get(settings().user_header, NOBODY))


def user() -> str:
    """Who watches and writes notes."""
    return who().name
