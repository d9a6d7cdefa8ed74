"""Calendar feeds in SQL: one a user, by the hash of its token, each write with its entry in the
audit, which never holds the token.
"""

import secrets
from typing import Final

from services.contract.audit import AuditAction, Deed
from services.contract.feeds import TOKEN_BYTES, Feed, hashed
from services.contract.users import name_key

from .cases import SqlCases
from .seals import row_of
from .tables import MINE
from .transactions import Row, Transaction
from .writing import Writing

#: The migration that made the table.
_SINCE: Final = 7
_OF_OWNER: Final = f"SELECT * FROM feeds WHERE {MINE}"


class SqlFeeds(SqlCases):
    """Calendar feeds; see Feeds."""

    def make_feed(self, owner: str) -> str:
        """See Feeds."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._writing() as desk:
            desk.desk.alone(f"feed of {name_key(owner)}")
            for row in _standing(desk.desk, owner):
                desk.drop("feeds", row)
            desk.put("feeds", row_of("feeds", hashed(token), owner, self._now()))
            self._done(desk, owner, "make_feed")
        return token

    def revoke_feed(self, owner: str) -> None:
        """See Feeds."""
        with self._writing() as desk:
            found = _standing(desk.desk, owner)
            for row in found:
                desk.drop("feeds", row)
            if found:
                self._done(desk, owner, "revoke_feed")

    def feed_of(self, owner: str) -> Feed | None:
        """See Feeds."""
        return self._feed(_OF_OWNER, name_key(owner))

    def feed_by(self, token: str) -> Feed | None:
        """See Feeds."""
        known = hashed(token)
        return self._feed("SELECT * FROM feeds WHERE token_hash = ?", known) if known else None

    def _feed(self, sql: str, value: str) -> Feed | None:
        found = self._made(self._rows(sql, (value,), _SINCE), _feed, "feeds")
        return found[0] if found else None

    def _done(self, desk: Writing, owner: str, action: AuditAction) -> None:
        self._recorded(desk, owner, Deed(action=action, kind="file", name="calendar feed"))


def _standing(desk: Transaction, owner: str) -> list[Row]:
    return desk.rows(f"{_OF_OWNER}{desk.locking}", (name_key(owner),))


def _feed(row: Row) -> Feed:
    return Feed(owner=row["owner"], made_at=row["made_at"])
