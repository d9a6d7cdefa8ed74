"""Addresses of the dashboard's pages that show what a tool answers."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

#: A longer address is cut off by some browsers and mail programs.
_LONGEST: Final = 2_000
_SLICE: Final = ("page", "per_page")


def link(base: str | None, page: str, params: Mapping[str, str]) -> str | None:
    """The address of a page; its path alone where `base`, the dashboard's address, is not known.

    None where it would be too long. Pages of a result are left out: the dashboard has its own.
    """
    asked = urlencode({name: value for name, value in params.items() if name not in _SLICE})
    found = f"{(base or '').rstrip('/')}/{page}" + (f"?{asked}" if asked else "")
    return found if len(found) <= _LONGEST else None
