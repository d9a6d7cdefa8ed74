"""One healthy loan, fixed rates, and a way to grade variations of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from services.contract.book import Scores
from services.contract.portfolio import LOANS, shaped
from services.rates.reference import Quote, ReferenceRates
from services.rates.spreads import Sizings
from services.signals.assumptions import Assumptions
from services.signals.engine import evaluate
from services.signals.limits import Limits
from tests.signals.healthy import AS_OF, HEALTHY, LEASES, healthy_book, tables_of

QUOTED = date(2026, 8, 31)


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
    scored: Scores


@pytest.fixture(scope="session")
def as_of() -> date:
    return AS_OF


@pytest.fixture(scope="session")
def rates() -> ReferenceRates:
    quotes = (("DGS10", 4.50), ("DGS5", 4.00), ("DGS7", 4.25))
    return ReferenceRates("test", tuple(Quote(s, QUOTED, p) for s, p in quotes))


@pytest.fixture(scope="session")
def assumptions(rates) -> Assumptions:
    """Those rates, the packaged limits and spreads."""
    return Assumptions(rates, Limits.packaged(), Sizings.packaged())


@pytest.fixture(scope="session")
def loans_of() -> Callable[..., pa.Table]:
    """Table of LOANS: the healthy loan with each given dict's changes, a row each."""

    def build(*changes: dict[str, Any]) -> pa.Table:
        rows = [{**HEALTHY, "loan_number": f"A-{i}", **row} for i, row in enumerate(changes, 1)]
        names = {name for row in rows for name in row}
        return shaped(LOANS, {name: [row.get(name) for row in rows] for name in names})

    return build


@pytest.fixture(scope="session")
def outcome_of(assumptions) -> Callable[..., Outcome]:
    """Grade the healthy loan with some facts changed."""

    def grade(
        *,
        as_of: date = AS_OF,
        using: Assumptions = assumptions,
        leases: Sequence[tuple[Any, Any]] = LEASES,
        **changes: Any,
    ) -> Outcome:
        scored = evaluate(tables_of(healthy_book(changes, leases)), as_of, using)
        rules = {}
        for entry in scored.coverage:
            # The ballast is not applicable to any rule.
            counts = {"silent": entry.silent, "not applicable": entry.not_applicable - 1}
            counts |= entry.fired | entry.reasons
            (rules[entry.rule],) = [word for word, count in counts.items() if count]
        signals = [one for one in scored.signals.to_pylist() if one["loan"] == 0]
        return Outcome(
            rules=rules,
            features=scored.features.slice(0, 1).to_pylist()[0],
            signals={one["signal_type"]: one["severity"] for one in signals},
            components=scored.components.to_pylist(),
            said={one["signal_type"]: one["description"] for one in signals},
            scored=scored,
        )

    return grade
