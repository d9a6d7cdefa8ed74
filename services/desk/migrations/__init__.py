"""How the tables of a desk came to be: numbered files of SQL, applied in order, never changed."""

from importlib.resources import files
from typing import Final, Literal

_NUMBER_DIGITS: Final = 4


def scripts(kind: Literal["sqlite", "postgres"]) -> tuple[str, ...]:
    """The scripts in order; the first is migration 1.

    Those for SQLite can be run twice: two processes may prepare one file at once.
    """
    folder = files(__package__).joinpath(kind)
    names = sorted(one.name for one in folder.iterdir() if one.name.endswith(".sql"))
    if [int(name[:_NUMBER_DIGITS]) for name in names] != list(range(1, len(names) + 1)):
        raise RuntimeError(f"migrations of {kind} are not numbered from 1: {names}")
    return tuple(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
