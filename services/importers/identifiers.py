"""Identifiers of parties as sources write them, to the one way in which we keep them.

Each raises ValueError saying what is wrong with it.
"""

import re
from typing import Final

_LEI: Final = re.compile(r"[A-Z0-9]{18}[0-9]{2}", re.ASCII)
_CIK: Final = re.compile(r"0*([1-9][0-9]{0,9})", re.ASCII)
_COMPANY: Final = re.compile(r"([A-Z]{2}(?:-[A-Z0-9]{1,3})?) ([A-Z0-9][A-Z0-9./-]{0,30})", re.ASCII)


def lei(raw: str) -> str:
    """A Legal Entity Identifier whose check digits hold (ISO 17442)."""
    found = "".join(raw.split()).upper()
    if not _LEI.fullmatch(found):
        raise ValueError("is not an LEI of 20 letters and digits")
    if int("".join(str(int(character, 36)) for character in found)) % 97 != 1:
        raise ValueError("is no LEI: its check digits do not hold")
    return found


def cik(raw: str) -> str:
    """A number of the SEC, without leading zeros."""
    if not (found := _CIK.fullmatch(raw.strip())):
        raise ValueError("is not a number of the SEC of up to ten digits")
    return found[1]


def company_number(raw: str) -> str:
    """A number in a register of companies, its country or state first: "GB 01234567"."""
    found = " ".join(raw.upper().split())
    if not _COMPANY.fullmatch(found):
        raise ValueError("is not a company number with its country before it, as in GB 01234567")
    return found
