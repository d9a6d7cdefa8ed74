"""Keys in PostgreSQL: added and revoked in one place, good or not on every node (D94)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from pydantic import SecretStr

from services.api.keys import KEY_SHAPE, Environment, Key, digest_of, new_id, new_secret
from services.contract.access import LicenceTier
from services.contract.errors import NotFound, ServiceUnavailable
from services.contract.queries import shortened
from services.database.connections import Connections

from .database import KEYS, Database, prepare
from .outage import Outage

#: After so long a key is asked for again: a revoked one is refused by then.
FRESH_SECONDS: Final = 1.0
#: So long a key stays good while the database does not answer: longer than a restart or a change
#: to its standby takes. Nobody can revoke a key meanwhile, unless only this node cannot reach it.
GRACE_SECONDS: Final = 60.0
#: Keys remembered, the ones asked for last; there are that many customers at most.
_MOST: Final = 10_000
_COLUMNS: Final = "id, tier, environment, sha256, created_at, revoked_at"


class _Found(NamedTuple):
    key: Key
    #: Before the database was asked, by a clock that only goes forward.
    asked: float


class PostgresKeys:
    """The keys of a database. One that was found is asked for again after FRESH_SECONDS.

    Unknown ones are not remembered: a key that was just added is good at once.
    """

    local: Final = False

    def __init__(
        self,
        address: SecretStr,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database: Database = Connections(address, KEYS)
        self._now = now
        self._monotonic = monotonic
        self._found: OrderedDict[str, _Found] = OrderedDict()
        self._guard = threading.Lock()
        self._outage = Outage(
            "API keys", f"those of the last {GRACE_SECONDS:.0f} seconds stay good"
        )

    def __repr__(self) -> str:
        return f"PostgresKeys({self._database.shown})"

    def find(self, secret: str) -> Key | None:
        """The key of this text, or None when it is unknown or revoked.

        Raises ServiceUnavailable when the database does not answer, and did not say so of this key
        in the last GRACE_SECONDS.
        """
        if not KEY_SHAPE.fullmatch(secret):
            return None  # guesses of any other form cost no question
        digest = digest_of(secret)
        now = self._monotonic()
        found = self._found.get(digest)
        if found is None or now - found.asked >= FRESH_SECONDS:
            try:
                found = self._asked(digest, now)
            except ServiceUnavailable as error:
                self._outage.failed(error)
                if found is None or now - found.asked >= GRACE_SECONDS:
                    raise ServiceUnavailable(
                        "API keys cannot be checked just now; try again in some seconds"
                    ) from error
            else:
                self._outage.answered()
        return None if found is None or found.key.revoked_at else found.key

    def all(self) -> tuple[Key, ...]:
        """Every key ever added, oldest first. Raises ServiceUnavailable, SettingsInvalid."""
        with self._database.one() as connection:
            prepare(connection, self._database.shown)
            rows = connection.execute(f"SELECT {_COLUMNS} FROM keys ORDER BY entry")
            return tuple(Key.model_validate(row) for row in rows)

    def add(self, tier: LicenceTier, environment: Environment) -> str:
        """Adds a key and returns its text, which is kept nowhere.

        Raises ServiceUnavailable, SettingsInvalid.
        """
        secret = new_secret(environment)
        statement = (
            "INSERT INTO keys (id, tier, environment, sha256, created_at) "
            "VALUES (%s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING RETURNING id"
        )
        with self._database.one() as connection:
            prepare(connection, self._database.shown)
            added = None
            while added is None:  # another key may have this id
                values = (new_id(), tier, environment, digest_of(secret), self._now())
                added = connection.execute(statement, values).fetchone()
        return secret

    def revoke(self, key_id: str) -> Key:
        """Revokes a key: no node takes it any more after FRESH_SECONDS.

        Raises NotFound, ServiceUnavailable, SettingsInvalid.
        """
        with self._database.one() as connection:
            prepare(connection, self._database.shown)
            # PostgreSQL has no text with this character, so no key is called by it.
            wanted = key_id.replace("\0", "\N{REPLACEMENT CHARACTER}")
            row = connection.execute(
                "UPDATE keys SET revoked_at = coalesce(revoked_at, %s) WHERE id = %s "
                f"RETURNING {_COLUMNS}",
                (self._now(), wanted),
            ).fetchone()
        if row is None:
            raise NotFound(
                f"PostgreSQL at {self._database.shown} has no key with the id '{shortened(key_id)}'"
            )
        return Key.model_validate(row)

    def close(self) -> None:
        """Ends the connections that nobody uses."""
        self._database.close()

    def _asked(self, digest: str, now: float) -> _Found | None:
        """What the database says of a hash, remembered unless a later answer is."""
        with self._database.one() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM keys WHERE sha256 = %s", (digest,)
            ).fetchone()
        if row is None:
            return None
        found = _Found(Key.model_validate(row), now)
        with self._guard:
            before = self._found.get(digest)
            if before is not None and before.asked > now:
                return before
            self._found[digest] = found
            self._found.move_to_end(digest)
            if len(self._found) > _MOST:
                self._found.popitem(last=False)
        return found
