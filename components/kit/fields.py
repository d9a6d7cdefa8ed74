"""Every field of a loan by name: its label, its unit, how its value is written."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final

from components.kit.formatting import MISSING, basis_points, day, dollars, multiple, percent, words

Write = Callable[[Any], str]


def _as_share(value: float) -> str:
    return percent(100 * value, 1)


def _date(value: str | date) -> str:
    try:
        return day(value if isinstance(value, date) else date.fromisoformat(value))
    except ValueError:
        return str(value)


def _months(value: float) -> str:
    return f"{value:,.0f} months" if float(value).is_integer() else f"{value:,.1f} months"


def _amortization(value: int) -> str:
    return "interest only" if value == 0 else _months(value)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


#: Schedule AL codes in words (research/domain.md 3.2 and 3.3).
PAYMENT_STATUS: Final = {
    "0": "current",
    "A": "not received, within grace or not yet due",
    "B": "late, under 30 days",
    "1": "30 to 59 days late",
    "2": "60 to 89 days late",
    "3": "90 days late or more",
    "4": "performing matured balloon",
    "5": "non-performing matured balloon",
}
STRUCTURE: Final = {
    "WL": "whole loan",
    "PP": "pari passu note, further debt outside the trust",
    "A1": "A note of an A/B loan",
    "A2": "A note of an A/B/C loan",
    "B1": "B note of an A/B loan",
    "B2": "B note of an A/B/C loan",
    "C2": "C note of an A/B/C loan",
    "MZ": "mezzanine",
}
WORKOUT: Final = {
    "1": "modification",
    "2": "foreclosure",
    "3": "bankruptcy",
    "4": "extension",
    "5": "note sale",
    "6": "discounted payoff",
    "7": "real estate owned",
    "8": "resolved",
    "9": "return to master servicer",
    "10": "deed in lieu",
    "11": "full payoff",
    "12": "representations and warranties",
    "13": "to be determined",
    "98": "other or none",
}


def _coded(codes: Mapping[str, str]) -> Write:
    return lambda value: f"{value}: {codes[value]}" if value in codes else f"{value}: unranked"


#: Reference rates by the name of their series (Federal Reserve H.15, New York Fed).
SERIES_WORDS: Final = {
    "DGS5": "5-year Treasury",
    "DGS7": "7-year Treasury",
    "DGS10": "10-year Treasury",
    "SOFR": "SOFR",
}
#: Terms first, then property, then performance; the order in which they are shown.
FIELDS: Final[dict[str, tuple[str, Write]]] = {
    "book_value": ("Book value", dollars),
    "original_amount": ("Original amount", dollars),
    "interest_rate": ("Coupon", lambda v: percent(v, 3)),
    "origination_date": ("Originated", _date),
    "maturity_date": ("Matures", _date),
    "original_term_months": ("Original term", _months),
    "amortization_months": ("Amortisation", _amortization),
    "structure": ("Loan structure", _coded(STRUCTURE)),
    "property_name": ("Property", str),
    "address": ("Address", str),
    "property_city": ("City", str),
    "property_state": ("State", str),
    "property_type": ("Property type", words),
    "multi_state": ("Properties in several states", _yes),
    "value": ("Appraised value", dollars),
    "occupancy": ("Occupancy", _as_share),
    "noi": ("NOI, a year", dollars),
    "ncf": ("Net cash flow, a year", dollars),
    "income_basis": ("Income and DSCR from", str),
    "dscr": ("DSCR", multiple),
    "proforma_dscr": ("DSCR at the refi rate", multiple),
    "ltv": ("LTV", _as_share),
    "debt_yield": ("Debt yield", percent),
    "whole_loan_debt": ("Whole-loan debt", dollars),
    "whole_loan_basis": ("Whole-loan debt is", str),
    "partial_note": ("Note of a larger loan", _yes),
    "payment_status": ("Payment status", _coded(PAYMENT_STATUS)),
    "workout": ("Workout strategy", _coded(WORKOUT)),
    "reference_series": ("Reference rate", lambda v: SERIES_WORDS.get(v, str(v))),
    "refi_rate": ("Refi rate today", percent),
    "rate_gap_bp": ("Gap to the coupon", basis_points),
    "months_to_maturity": ("To maturity", _months),
    "rate_pressure": ("Rate pressure", str),
    "confidence_tier": ("Ownership chain", str),
    "lender_normalized": ("Lender", str),
}
#: The two cards of the loan page: up to the property, and from its figures on.
_NAMES: Final = tuple(FIELDS)
TERMS: Final = ("lender_normalized", *_NAMES[: _NAMES.index("value")])
PERFORMANCE: Final = _NAMES[_NAMES.index("value") : -1]
#: Shown in panels of their own.
ELSEWHERE: Final = frozenset({"loan_number", "debt_layers", "properties", "as_of", "source",
                              "provenance"})  # fmt: skip


def written(name: str, value: object) -> str:
    """A field's value as an analyst writes it."""
    if value is None:
        return MISSING
    return FIELDS[name][1](value)


def known(values: Mapping[str, object], names: Iterable[str]) -> list[tuple[str, str]]:
    """(label, value) of those of the fields that have a value, in the order given."""
    return [
        (FIELDS[name][0], written(name, values[name]))
        for name in names
        if values.get(name) is not None
    ]


def further(values: Mapping[str, object]) -> list[tuple[str, str]]:
    """(name, value) of the fields that have no place of their own, as they came (D17)."""
    return [
        (name.replace("_", " "), _plain(value))
        for name, value in values.items()
        if name not in FIELDS and name not in ELSEWHERE and value is not None
    ]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _yes(value)
    if isinstance(value, list | tuple):
        return "; ".join(_plain(one) for one in value)
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_plain(one)}" for name, one in value.items())
    grouped = isinstance(value, int | float) and abs(value) >= 10_000  # noqa: PLR2004
    return f"{value:,}" if grouped else str(value)
