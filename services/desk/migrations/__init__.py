"""How the tables of a desk came to be: numbered files of SQL, applied in order, never changed."""

from importlib.resources import files
from typing import Literal

from services.database.scripts import numbered


def scripts(kind: Literal["sqlite", "postgres"]) -> tuple[str, ...]:
    """The scripts in order; the first is migration 1.

    Those for SQLite can be run twice: two processes may prepare one file at once.
    """
    return numbered(files(__package__).joinpath(kind))
