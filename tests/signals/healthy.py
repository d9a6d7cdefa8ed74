"""A healthy loan on which no rule fires, and the book that it stands in."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pyarrow as pa

from services.contract.portfolio import TABLES
from tests.world import Sketch, info_of

AS_OF = date(2026, 9, 30)

#: An office: refi rate 4.50 + 2.45 = 6.95 %, which is the coupon; minimum debt yield 11 %, minimum
#: DSCR 1.40x. Interest only, 30 months to maturity. No rule fires.
HEALTHY: dict[str, Any] = {
    "loan_number": "A-1",
    "book_value": 10_000_000,
    "original_amount": 10_000_000,
    "interest_rate": 6.95,
    "property_type": "office",
    "maturity_date": date(2029, 3, 30),
    "original_term_months": 120,
    "payment_type": "3",
    "amortization_months": 0,
    "rentable_area": 100_000,
    "value": 20_000_000,
    "value_date": date(2026, 1, 31),
    "noi": 1_450_000,
    "ncf": 1_400_000,
    "dscr": 2.0,
    "income_basis": "NCF, Jul 2025-Jun 2026, 12 months",
    "income_from": date(2025, 7, 1),
    "income_to": date(2026, 6, 30),
    "underwritten_noi": 1_450_000,
    "underwritten_ncf": 1_400_000,
    "underwritten_dscr": 2.0,
    "occupancy": 0.95,
    "underwritten_occupancy": 0.95,
    "payment_status": "0",
    "structure": "WL",
}
#: Tenant's area, and when the lease ends.
LEASES = ((20_000, date(2033, 12, 31)),)
#: What is said of it beside its number.
FACTS: dict[str, Any] = {name: said for name, said in HEALTHY.items() if name != "loan_number"}
#: What the sponsor of the healthy loan is called.
SPONSOR = "Harbour Sponsor LP"


def healthy_book(changes: Mapping[str, Any], leases: Sequence[tuple[Any, Any]]) -> Sketch:
    """The loan, and 990 million of defeased loans beside it, so that it is 1 % of the book."""
    sketch = Sketch(info_of("signals", AS_OF))
    facts = {**HEALTHY, **changes}
    number = facts.pop("loan_number")
    sketch.loan(number, **facts)
    for at, (feet, ends) in enumerate(leases):
        sketch.lease(number, f"Tenant {at}", feet, ends)
    sketch.tie(number, "borrower", "Pier Owner LLC", 0.95)
    sketch.party(SPONSOR, "sponsor")
    sketch.link("Pier Owner LLC", "owned_by", SPONSOR, 0.95)
    sketch.loan("ballast", book_value=990_000_000, defeasance="F")
    return sketch


def tables_of(sketch: Sketch) -> dict[str, pa.Table]:
    """The tables of a book, as rules read them."""
    portfolio = sketch.portfolio()
    return {name: getattr(portfolio, name) for name in TABLES}
