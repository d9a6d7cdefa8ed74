"""Who uses the dashboard, and what each role may do."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field

from .errors import NotPermitted
from .records import Record

UserRole = Literal["reader", "analyst", "admin"]
#: What a role may do beside reading every page.
Action = Literal["watch", "export", "note", "share", "fill", "audit"]

#: The roles, the one that may most last.
ROLES: Final[tuple[UserRole, ...]] = ("reader", "analyst", "admin")
#: What each action is, after "may".
ACTIONS: Final[dict[Action, str]] = {
    "watch": "keep a watchlist and saved searches",
    "export": "take files and reports away",
    "note": "write notes",
    "share": "share lists and searches with everybody",
    "fill": "fill the mirror of an API",
    "audit": "read the audit",
}
#: What each role may do beside reading.
MAY: Final[Mapping[UserRole, frozenset[Action]]] = {
    "reader": frozenset({"watch"}),
    "analyst": frozenset({"watch", "export", "note", "share"}),
    "admin": frozenset(ACTIONS),
}


class User(Record):
    """A person, as the machine or the sign-in proxy names them."""

    name: str = Field(min_length=1, max_length=200)
    role: UserRole

    def may(self, action: Action) -> bool:
        """Whether their role may do it."""
        return action in MAY[self.role]

    def require(self, action: Action) -> None:
        """Raises NotPermitted where their role may not."""
        if denied := self.denied(action):
            raise NotPermitted(denied)

    def denied(self, action: Action) -> str | None:
        """That their role may not do it, and which roles may; null where it may."""
        if self.may(action):
            return None
        return f"The role {self.role} may not {ACTIONS[action]}; {_roles_that(action)} may"


def _roles_that(action: Action) -> str:
    return " and ".join(role for role in ROLES if action in MAY[role])
