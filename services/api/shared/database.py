"""The schema of keys and quotas: its tables, and who may do what in it."""

from importlib.resources import files
from typing import Final

from pydantic import SecretStr

from services.contract.errors import ServiceUnavailable, SettingsInvalid
from services.database.connections import Connection, Connections, Use
from services.database.scripts import numbered
from services.database.tables import Tables

_SCHEMA: Final = "credit_atlas_api"
_TABLES: Final = Tables(_SCHEMA, numbered(files(f"{__package__}.migrations")))
#: What the role of the nodes may do: it counts, and only reads keys.
_RIGHTS: Final = (
    "SELECT ON keys, quotas, migrations",
    "INSERT, UPDATE, DELETE ON quotas",
)
KEYS: Final = Use(
    "CREDIT_ATLAS_KEYS", _SCHEMA, "API keys cannot be read or written now", ServiceUnavailable
)
QUOTAS: Final = Use(
    "CREDIT_ATLAS_QUOTAS", _SCHEMA, "Daily quotas cannot be counted now", ServiceUnavailable
)
Database = Connections[ServiceUnavailable]


def prepare(connection: Connection, shown: str) -> None:
    """Brings the tables up to date. Raises SettingsInvalid for younger ones, and where this user
    may not.

    `shown` is the database without its password.
    """
    found, wanted = _TABLES.version(connection), len(_TABLES.scripts)
    if found > wanted:
        raise SettingsInvalid(
            f"A newer Credit Atlas made the tables of API keys and quotas in PostgreSQL at {shown};"
            " update this one"
        )
    if found < wanted and not _TABLES.migrate(connection):
        raise SettingsInvalid(
            f"The tables of API keys and quotas in PostgreSQL at {shown} are not up to date; run "
            "'creditatlas keys migrate' as their owner"
        )


def migrate(address: SecretStr, grant: str | None = None) -> tuple[int, int]:
    """Brings the tables up to date; the migration they stood at before, and that now.

    `grant` names a role that may then count requests, and only read keys. Raises
    ServiceUnavailable, SettingsInvalid.
    """
    database = Connections(address, KEYS)
    try:
        with database.one() as connection:
            before = _TABLES.version(connection)
            prepare(connection, database.shown)
            if grant is not None:
                _TABLES.grant(connection, grant, _RIGHTS)
            return before, _TABLES.version(connection)
    finally:
        database.close()
