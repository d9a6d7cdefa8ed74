"""Which desk the settings name: a file on this machine, or the database of a team."""

from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic import SecretStr

from services.contract.errors import SettingsInvalid
from services.contract.resolution import Pair, Verdict
from services.settings import Settings, naming

from .sqlite import SqliteDesk

if TYPE_CHECKING:
    from .postgres import PostgresDesk


def opened(settings: Settings) -> "SqliteDesk | PostgresDesk":
    """The desk of the settings, by default desk.sqlite beside the snapshots.

    Raises SettingsInvalid for an address of a database that cannot be used, and without psycopg.
    """
    if isinstance(settings.desk, SecretStr):
        return _database(settings.desk, settings.writes_per_minute)
    path = settings.desk or settings.store / "desk.sqlite"
    return SqliteDesk(path, most_a_minute=settings.writes_per_minute)


def checked(settings: Settings) -> "SqliteDesk | PostgresDesk":
    """The same, found to be there where the settings name it. Raises SettingsInvalid,
    DeskUnavailable.
    """
    desk = opened(settings)
    if settings.desk is not None:
        with naming("desk"):
            desk.check()
    return desk


def verdicts(settings: Settings) -> dict[Pair, Verdict]:
    """What users said of matches, for an import to honour. Raises as `checked`: an import that
    cannot read it would part again what somebody joined.
    """
    return {one.pair: one.verdict for one in checked(settings).decided()}


@lru_cache(maxsize=8)
def _database(address: SecretStr, most_a_minute: int) -> "PostgresDesk":
    """One for each address in this process, with its connections."""
    try:
        from .postgres import PostgresDesk
    except ImportError:
        raise SettingsInvalid(
            "CREDIT_ATLAS_DESK names a PostgreSQL database, and psycopg, which talks to it, is not "
            "installed; install it with: "
            "pip install --require-hashes -r services/shelf/deploy/requirements.txt"
        ) from None
    return PostgresDesk(address, most_a_minute=most_a_minute)
