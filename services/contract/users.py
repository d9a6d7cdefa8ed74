"""Who uses the dashboard."""

import unicodedata
from collections.abc import Callable
from typing import Final

from pydantic import Field

from .access import ACTIONS, MAY, ROLES, Action, UserRole
from .errors import NotPermitted
from .records import Record

#: Letters that the name of a user has at most.
LONGEST_USER: Final = 200


class User(Record):
    """A person, as the machine or the sign-in proxy names them."""

    name: str = Field(min_length=1, max_length=LONGEST_USER)
    role: UserRole

    def may(self, action: Action) -> bool:
        """Whether their role may do it."""
        return action in MAY[self.role]

    def require(self, action: Action) -> None:
        """Raises NotPermitted where their role may not."""
        if denied := self.denied(action):
            raise NotPermitted(denied)

    def denied(self, action: Action) -> str | None:
        """That their role may not do it, and which roles may; None where it may."""
        if self.may(action):
            return None
        return f"The role {self.role} may not {ACTIONS[action]}; {_roles_that(action)} may"


def _roles_that(action: Action) -> str:
    return " and ".join(role for role in ROLES if action in MAY[role])


#: Who writes, asked at each write: the user with their role of now. Raises NotPermitted where the
#: session is over, or for somebody who is no user any more.
Authority = Callable[[], User]


def user_name(text: str) -> str:
    """A name as it is shown: one spelling of each letter (NFKC), single blanks, none around it."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def name_key(name: str) -> str:
    """What names of one user have in common, however they are spelled: roles and the desk go by
    it.
    """
    # Folding case can undo the normal form, as of a capital sigma with an accent.
    return user_name(user_name(name).casefold())
