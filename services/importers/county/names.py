"""Names as counties write them: who is meant, in whose care, and who only stands for another."""

import re
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from services.names.normalise import key

#: What begins whose care a name is in.
_CARE: Final = re.compile(r"\s*(?:%|\bC/O\b|\bATTN:?|\s#\s?(?=[A-Z]))\s*", re.IGNORECASE)
_OTHERS: Final = re.compile(r"\bET\s?ALS?\b\.?$", re.IGNORECASE)
#: A trustee of a deed of trust or of a securitisation holds for others, and lends nothing; nor does
#: the nominee that registers a mortgage for its lender.
_FOR_OTHERS: Final = re.compile(
    r"\bTRUSTEES?\b|\bTR\s*$|\bMORTGAGE ELECTRONIC REGISTRATION\b|\bMERS\b", re.IGNORECASE
)
#: Likeness from which two owners of one parcel, one after the other, are one: where the price
#: of the last sale is nominal, and where it is not.
_ALIKE: Final = {True: 0.75, False: 0.90}


class Owner(NamedTuple):
    """A name taken apart."""

    name: str
    care_of: str | None
    others: bool


def owner(raw: str) -> Owner:
    """Whose name it is: "ELM LLC % J FIR" is Elm LLC in the care of J Fir.

    "FIR LLC &ETALS" has others beside it.
    """
    found = _CARE.search(raw)
    name = raw[: found.start()] if found else raw
    care = raw[found.end() :].strip() if found else None
    name = name.strip(" ,")
    others = _OTHERS.search(name)
    bare = name[: others.start()].rstrip(" ,&") if others else name
    return Owner(bare or raw, care or None, bool(others))


def lends(raw: str) -> bool:
    """Whether a mortgagee of record may be the lender."""
    return not _FOR_OTHERS.search(raw)


def respelt(before: str, after: str, *, nominal: bool) -> bool:
    """Whether an owner's next name is a new spelling of the one before."""
    one, other = key(owner(before).name), key(owner(after).name)
    return one == other or fuzz.token_sort_ratio(one, other) / 100 >= _ALIKE[nominal]
