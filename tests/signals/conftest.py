"""One healthy loan, fixed rates, and a way to grade variations of it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from services.contract.portfolio import LOANS, shaped
from services.rates.reference import Quote, ReferenceRates
from services.signals.engine import Scored, evaluate

AS_OF = date(2026, 9, 30)
QUOTED = date(2026, 8, 31)

#: Refi rate 4.50 + 2.75 = 7.25 % is the coupon; 30 months to maturity; no rule fires.
HEALTHY: dict[str, Any] = {
    "loan_number": "A-1",
    "book_value": 10_000_000,
    "interest_rate": 7.25,
    "property_type": "office",
    "maturity_date": date(2029, 3, 30),
    "original_term_months": 120,
    "amortization_months": 0,
    "value": 20_000_000,
    "noi": 1_450_000,
    "dscr": 2.0,
    "payment_status": "0",
    "structure": "WL",
}


@dataclass(frozen=True)
class Outcome:
    """What happened to one loan."""

    #: Rule -> severity, "silent", "not applicable", or the reason for "not testable".
    rules: dict[str, str]
    features: dict[str, Any]
    signals: dict[str, str]
    components: list[dict[str, Any]]
    #: Signal type -> what it says.
    said: dict[str, str]
    scored: Scored


@pytest.fixture(scope="session")
def as_of() -> date:
    return AS_OF


@pytest.fixture(scope="session")
def rates() -> ReferenceRates:
    quotes = (("DGS10", 4.50), ("DGS5", 4.00), ("DGS7", 4.25))
    return ReferenceRates("test", tuple(Quote(s, QUOTED, p) for s, p in quotes))


@pytest.fixture(scope="session")
def loans_of() -> Callable[..., pa.Table]:
    """Table of LOANS: the healthy loan with each given dict's changes, a row each."""

    def build(*changes: dict[str, Any]) -> pa.Table:
        rows = [{**HEALTHY, "loan_number": f"A-{i}", **row} for i, row in enumerate(changes, 1)]
        names = {name for row in rows for name in row}
        return shaped(LOANS, {name: [row.get(name) for row in rows] for name in names})

    return build


@pytest.fixture(scope="session")
def outcome_of(loans_of, rates) -> Callable[..., Outcome]:
    """Grade the healthy loan with some facts changed."""

    def grade(*, as_of: date = AS_OF, using: ReferenceRates = rates, **changes: Any) -> Outcome:
        table = loans_of(changes)
        scored = evaluate(table, as_of, using)
        rules = {}
        for entry in scored.coverage:
            counts = {**entry.fired, "silent": entry.silent, "not applicable": entry.not_applicable}
            (rules[entry.rule],) = [
                word for word, count in {**counts, **entry.reasons}.items() if count
            ]
        (found,) = scored.features.to_pylist()
        return Outcome(
            rules=rules,
            features=found,
            signals={s["signal_type"]: s["severity"] for s in scored.signals.to_pylist()},
            components=scored.components.to_pylist(),
            said={s["signal_type"]: s["description"] for s in scored.signals.to_pylist()},
            scored=scored,
        )

    return grade
