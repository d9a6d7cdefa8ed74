"""Leases: the largest tenants of each property, three or five of them."""

from collections.abc import Iterator

from services.importers.base import Facts
from services.importers.cmbs.parties import TENANTS
from services.importers.cmbs.property import place


def leases(facts: Facts, loan: int) -> Iterator[dict[str, object]]:
    """Rows of LEASES of one property. An area of 0 is not published."""
    for tenant in TENANTS:
        row = {
            "tenant": place(facts, tenant),
            "square_feet": facts.whole(f"{tenant}_square_feet") or None,
            "expires": facts.day(f"{tenant}_lease_expiration"),
        }
        if any(row.values()):
            yield {"loan": loan, **row}
