"""Triggers of a servicer's watchlist by CREFC's codes: those that filed facts can tell."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

Trigger = Literal["1A", "1E", "1F", "1G", "4A", "4C", "4D", "5A"]
#: What the codes are of, wherever loans are chosen by them.
BASIS: Final = (
    "CREFC's codes, computed from what is filed, of loans that owe and are neither defeased nor "
    "REO. A servicer's own list may differ."
)
#: Between the codes of one loan, as servicers write them.
BETWEEN: Final = " | "

#: Months to the end of a lease; on debt of so many dollars or more LARGE_SOON.
SOON, LARGE_SOON, LARGE_LOAN = 6, 12, 30_000_000
#: Part of the area whose leases end: of one tenant, or of the largest together, each of which has
#: EACH_TENANT.
OF_AREA, EACH_TENANT = 0.30, 0.05


class Meaning(NamedTuple):
    """What holds of a loan, and what has to be filed to tell."""

    holds: str
    needs: str


_INCOME: Final = "a statement of at least six months (of a hotel twelve) and underwriting"
_LEASES: Final = "the rentable area and a dated lease"
#: services/signals/watch_triggers.py computes them.
TRIGGERS: Final[Mapping[str, Meaning]] = {
    "1A": Meaning("Payments 30 days late or more", "a payment status"),
    "1E": Meaning("DSCR under 1.10x; lodging and health care 1.20x", _INCOME),
    "1F": Meaning("DSCR under 1.40x and under 75% of the underwritten one", _INCOME),
    "1G": Meaning(
        "Floating rate: DSCR under 1.00x and NOI under 90% of the underwritten one", _INCOME
    ),
    "4A": Meaning(
        "Occupancy under 80% of the underwritten one; floating rate 90%",
        "occupancy today and at underwriting",
    ),
    "4C": Meaning(
        "A tenant's leases of over 30% of the area end within 6 months; from $30M of debt on, 12",
        _LEASES,
    ),
    "4D": Meaning(
        "Leases of the three largest tenants, each 5% of the area and together over 30%, end within"
        " 6 months",
        _LEASES,
    ),
    "5A": Meaning("Matures within 90 days, or has matured", "a maturity date"),
}


def codes_of(listed: str | None) -> list[str]:
    """The codes of a list such as "1E | 4A", a servicer's own too."""
    return [code for one in (listed or "").split("|") if (code := one.strip().upper())]


def named(code: str | None) -> str:
    """A code with what it means, where it is one of TRIGGERS: "1E: DSCR under 1.10x ..."."""
    meaning = TRIGGERS.get(code or "")
    return f"{code}: {meaning.holds}" if meaning else str(code)
