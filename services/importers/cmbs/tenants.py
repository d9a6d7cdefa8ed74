"""Leases: the largest tenants of each property, three or five of them."""

from collections.abc import Iterator
from typing import Final

from services.importers.base import Facts
from services.importers.cmbs.property import place
from services.names.normalise import folded

#: Keys of tenants among the facts of a property, the largest first.
TENANTS: Final = tuple(
    f"{rank}largest_tenant" for rank in ("", "second_", "third_", "fourth_", "fifth_")
)
#: What filers write where no tenant is.
_NO_TENANT: Final = frozenset(
    {"", "vacant", "nap", "not applicable", "no tenant", "owner occupied", "0"}
)


def lets_to_none(name: str) -> bool:
    """Whether a tenant's name says that there is none: "VACANT", "N.A.P."."""
    return " ".join(folded(name)) in _NO_TENANT


def leases(facts: Facts, loan: int) -> Iterator[dict[str, object]]:
    """Rows of LEASES of one property. An area of 0 is not published; vacant area is not let."""
    for tenant in TENANTS:
        name = place(facts, tenant)
        row = {
            "tenant": name,
            "square_feet": facts.whole(f"{tenant}_square_feet") or None,
            "expires": facts.day(f"{tenant}_lease_expiration"),
        }
        if any(row.values()) and not (name and lets_to_none(name)):
            yield {"loan": loan, **row}
