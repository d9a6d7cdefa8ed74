"""One loan of 35 million in four records of two trusts, and a note of another loan beside it."""

from datetime import date

from services.contract.portfolio import Portfolio
from tests.world import Sketch, info_of

#: Of every note of the loan on 1 Pilot Street.
NOTE = {
    "structure": "PP",
    "address": "1 Pilot Street",
    "origination_date": date(2017, 4, 7),
    "maturity_date": date(2027, 4, 6),
    "interest_rate": 4.733,
    "underwritten_ncf": 4_000_000,
    "underwritten_dscr": 1.60,
    "amortization_months": 0,
    "payment_type": "3",
    "value": 80_000_000,
    "noi": 4_100_000,
    "dscr": 1.05,
    "income_basis": "NCF, underwritten",
}


def pilot_street() -> tuple[Portfolio, Portfolio]:
    """15 million are filed as a whole and as notes of 10 and 5; another trust holds 20."""
    one, other = Sketch(info_of("pilot")), Sketch(info_of("street"))
    amounts = {"note-1": 15_000_000, "note-1A": 10_000_000, "note-1B": 5_000_000}
    for number, dollars in amounts.items():
        one.loan(number, **NOTE, book_value=dollars, original_amount=dollars)
        one.layer(number, 1, "Pilot Trust", amount=dollars)
        one.tie(number, "borrower", "Pilot Street LLC", 0.9)
    one.link("Pilot Street LLC", "owned_by", "Ada Quill", 0.9)
    one.loan("note-2", **{**NOTE, "address": "2 Pilot Street"})
    written = {**NOTE, "address": "1 PILOT STREET.", "lender_normalized": "Quay Bank"}
    other.loan("other-9", **written, book_value=20_000_000, original_amount=20_000_000)
    other.tie("other-9", "borrower", "Pilot Street LLC", 0.9)
    return one.portfolio(), other.portfolio()
