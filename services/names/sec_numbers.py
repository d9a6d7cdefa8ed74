"""Numbers that the SEC gives to trusts and loan sellers (CIK), by every name that we know of them.

`sec_numbers.csv` holds names as EDGAR spells them, and the short names of trusts beside them.
"""

import csv
from importlib.resources import files
from typing import NamedTuple

from .lenders import canonical_lender
from .normalise import key


class SecNumber(NamedTuple):
    """A registrant of the SEC."""

    #: As EDGAR spells it.
    name: str
    cik: str


def _rows() -> list[dict[str, str]]:
    text = (files(__package__) / "sec_numbers.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _known() -> dict[str, SecNumber]:
    found = {}
    for row in _rows():
        one = SecNumber(row["name"], row["cik"])
        for name in (row["name"], canonical_lender(row["name"]), *row["also"].split(";")):
            if name:
                found[key(name)] = one
    return found


_BY_KEY = _known()
_SHORT = {int(row["cik"]): row["also"].split(";")[0] for row in _rows() if row["also"]}


def sec_number(name: str) -> SecNumber | None:
    """The registrant of this name: "UBS 2017-C1" -> (UBS Commercial Mortgage Trust 2017-C1,
    1706060). None where the list has none of it, which is not to say that the SEC has none.
    """
    return _BY_KEY.get(key(name))


def short_name(cik: int) -> str | None:
    """What a trust of this number is called in short: 1706060 -> "UBS 2017-C1". None where the list
    knows no short name.
    """
    return _SHORT.get(cik)
