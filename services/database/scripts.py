"""Numbered files of SQL, applied in order and never changed: how tables came to be."""

from importlib.resources.abc import Traversable
from typing import Final

_NUMBER_DIGITS: Final = 4


def numbered(folder: Traversable) -> tuple[str, ...]:
    """The scripts of a folder in order; the first is migration 1."""
    names = sorted(one.name for one in folder.iterdir() if one.name.endswith(".sql"))
    if [int(name[:_NUMBER_DIGITS]) for name in names] != list(range(1, len(names) + 1)):
        raise RuntimeError(f"migrations of {folder.name} are not numbered from 1: {names}")
    return tuple(folder.joinpath(name).read_text(encoding="utf-8") for name in names)
