"""What the settings name: keys in a file or a database, and where nodes count together."""

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from services.contract.errors import CreditAtlasError, SettingsInvalid

from .keys import KeyFile
from .limiting import Counts, open_storage

if TYPE_CHECKING:
    from .shared.keys import PostgresKeys
    from .shared.quotas import PostgresQuotas


def open_keys(place: Path | SecretStr) -> "KeyFile | PostgresKeys":
    """The keys of a file, or of the database at an address. Raises SettingsInvalid."""
    if isinstance(place, Path):
        return KeyFile(place)
    try:
        from .shared.keys import PostgresKeys
    except ImportError:
        raise _missing("CREDIT_ATLAS_KEYS") from None
    return PostgresKeys(place)


def open_quotas(address: SecretStr) -> "PostgresQuotas":
    """The counts of a day in the database at an address, its tables brought up to date.

    Raises ServiceUnavailable, SettingsInvalid.
    """
    try:
        from .shared.quotas import PostgresQuotas
    except ImportError:
        raise _missing("CREDIT_ATLAS_QUOTAS") from None
    found = PostgresQuotas(address)
    try:
        found.prepare()
    except CreditAtlasError:
        found.close()
        raise
    return found


def open_rates(uri: SecretStr) -> Counts:
    """The counts of a minute in the storage that a URI names. Raises SettingsInvalid."""
    from .shared.rates import SharedRates

    return SharedRates(open_storage(uri.get_secret_value()))


def _missing(setting: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"{setting} names a PostgreSQL database, and psycopg, which talks to it, is not installed; "
        "install it with: pip install --require-hashes -r services/shelf/deploy/requirements.txt"
    )
