"""Leases of an Exhibit 102: the three largest tenants of each property."""

from collections.abc import Iterator
from typing import Final

from services.importers.base import Facts
from services.importers.sec_absee.property import place

_TENANTS: Final = ("largest_tenant", "second_largest_tenant", "third_largest_tenant")


def leases(facts: Facts, loan: int) -> Iterator[dict[str, object]]:
    """Rows of LEASES of one property. An area of 0 is not published."""
    for tenant in _TENANTS:
        row = {
            "tenant": place(facts, tenant),
            "square_feet": facts.whole(f"{tenant}_square_feet") or None,
            "expires": facts.day(f"{tenant}_lease_expiration"),
        }
        if any(row.values()):
            yield {"loan": loan, **row}
