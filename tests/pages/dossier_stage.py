"""Eight loans that a dossier must tell apart, in a portfolio of their own."""

from datetime import date

from services.contract.portfolio import LOANS, Portfolio
from tests.world import Sketch, info_of

AS_OF = date(2026, 9, 30)
LEASES = (
    ("Alder & Finch LLP", 64_000, date(2027, 5, 31)),
    ("[Kestrel](//example.com) Advisers", 41_500, date(2029, 11, 30)),
    ("Northbridge Insurance Company", 22_250, date(2033, 1, 31)),
)
UNDERWRITTEN = {
    "underwritten_noi": 4_350_000,
    "underwritten_ncf": 4_080_000,
    "underwritten_dscr": 1.62,
    "underwritten_occupancy": 0.95,
    "underwritten_value": 68_000_000,
}
NINE_MONTHS = {
    "noi": 3_890_000,
    "ncf": 3_610_000,
    "dscr": 1.43,
    "occupancy": 0.88,
    "income_basis": "NCF, 1 Oct 2025 to 30 Jun 2026, 9 months, annualised",
    "income_from": "2025-10-01",
    "income_to": "2026-06-30",
    "value": 61_500_000,
    "value_date": "2022-03-15",
}
#: Number -> facts.
LOANS_OF = {
    "PARTIAL-IO": {
        **UNDERWRITTEN,
        **NINE_MONTHS,
        "book_value": 41_000_000,
        "original_amount": 41_000_000,
        "interest_rate": 4.35,
        "property_type": "office",
        "property_name": "Alder Exchange",
        "payment_type": "5",
        "accrual_method": "3",
        "amortization_months": 360,
        "interest_only_months": 60,
        "first_payment_date": "2022-06-06",
        "maturity_date": date(2032, 5, 6),
        "structure": "WL",
        "rentable_area": 212_000,
    },
    "PART-OF-LARGER": {
        **UNDERWRITTEN,
        "underwritten_noi": 17_900_000,
        "underwritten_ncf": 16_200_000,
        "underwritten_dscr": 1.85,
        "underwritten_value": 265_000_000,
        "book_value": 48_500_000,
        "original_amount": 50_000_000,
        "interest_rate": 5.12,
        "property_type": "lodging",
        "payment_type": "2",
        "accrual_method": "3",
        "amortization_months": 360,
        "first_payment_date": "2023-08-01",
        "maturity_date": date(2028, 7, 1),
        "original_term_months": 60,
        "structure": "PP",
        "noi": 15_100_000,
        "ncf": 12_950_000,
        "dscr": 1.38,
        "occupancy": 0.71,
        "income_basis": "NCF, 1 Jan to 30 Jun 2026, 6 months, annualised, seasonal",
        "income_from": "2026-01-01",
        "income_to": "2026-06-30",
        "value": 231_000_000,
        "value_date": "2025-11-20",
    },
    "DEFEASED": {
        **UNDERWRITTEN,
        "book_value": 22_400_000,
        "interest_rate": 3.98,
        "property_type": "multifamily",
        "amortization_months": 360,
        "payment_type": "2",
        "maturity_date": date(2027, 12, 1),
        "defeasance": "F",
    },
    "TAKEN-OVER": {
        **UNDERWRITTEN,
        **NINE_MONTHS,
        "book_value": 51_000_000,
        "interest_rate": 7.9,
        "property_type": "office",
        "payment_type": "3",
        "maturity_date": date(2028, 7, 1),
        "payment_status": "3",
        "workout": "7",
        "structure": "WL",
    },
    "SPECIAL-SERVICING": {
        **UNDERWRITTEN,
        "book_value": 31_200_000,
        "original_amount": 34_000_000,
        "interest_rate": 4.81,
        "property_type": "retail",
        "amortization_months": 360,
        "payment_type": "2",
        "accrual_method": "3",
        "first_payment_date": "2016-11-01",
        "maturity_date": date(2036, 10, 1),
        "ard_date": "2026-10-01",
        "structure": "WL",
        "payment_status": "2",
        "workout": "4",
        "special_servicing_since": "2026-03-17",
        "noi": 1_480_000,
        "ncf": 1_210_000,
        "dscr": 0.56,
        "occupancy": 0.62,
        "income_basis": "NCF, 1 Jan to 31 Dec 2025, 12 months",
        "income_from": "2025-01-01",
        "income_to": "2025-12-31",
        "value": 27_900_000,
        "value_date": "2026-06-01",
    },
    "NO-INCOME": {
        "book_value": 7_150_000,
        "interest_rate": 5.60,
        "property_type": "industrial",
        "amortization_months": 300,
        "maturity_date": date(2029, 3, 1),
    },
    "SELF-AMORTISING": {
        **NINE_MONTHS,
        "book_value": 9_300_000,
        "original_amount": 15_000_000,
        "interest_rate": 4.10,
        "property_type": "self storage",
        "amortization_months": 180,
        "payment_type": "1",
        "balloon": False,
        "maturity_date": date(2034, 2, 1),
    },
    "LOSS": {
        **NINE_MONTHS,
        "noi": -310_000,
        "ncf": -420_000,
        "dscr": -0.31,
        "rate_type": "2",
        "rate_index": "Q",
        "rate_margin": 2.85,
        "rate_cap": 7.0,
        "book_value": 18_000_000,
        "interest_rate": 7.0,
        "property_type": "lodging",
        "amortization_months": 0,
        "maturity_date": date(2027, 2, 1),
    },
}


def book() -> Portfolio:
    """The seven loans, with a stack of two or three layers where there is more than one."""
    sketch = Sketch(info_of("dossier", AS_OF, title="Seven loans"))
    for number, facts in LOANS_OF.items():
        held = {name: _stored(name, fact) for name, fact in facts.items()}
        sketch.loan(number, **{"original_term_months": 120, **held})
        sketch.tie(number, "borrower", f"{number.title()} Owner LLC", 0.95)
        sketch.layer(
            number,
            1,
            "Harbour Bank",
            "Midland Loan Services",
            amount=facts["book_value"],
            interest_rate=facts["interest_rate"],
        )
    sketch.layer("PARTIAL-IO", 2, "Kestrel Crédit Partners, L.P.", layer="private credit",
                 amount=9_200_000, interest_rate=9.75)  # fmt: skip
    sketch.layer("PARTIAL-IO", 3, "Juniper Preferred Equity Fund II", layer="private credit",
                 amount=4_100_000, interest_rate=12.0)  # fmt: skip
    sketch.layer("SPECIAL-SERVICING", 2, None, layer="private credit", amount=6_000_000)
    for tenant, square_feet, expires in LEASES:
        sketch.lease("PARTIAL-IO", tenant, square_feet, expires)
    sketch.place("PARTIAL-IO", property_name="Alder Exchange", city="Port Alder", state="TX",
                 property_type="office", value=61_500_000, noi=3_890_000, occupancy=0.88,
                 year_built=1998)  # fmt: skip
    return sketch.portfolio()


def _stored(name: str, fact: object) -> object:
    """A fact as its column holds it."""
    is_day = isinstance(fact, str) and "date" in str(LOANS.field(name).type)
    return date.fromisoformat(str(fact)) if is_day else fact
