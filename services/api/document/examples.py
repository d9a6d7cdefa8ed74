"""One record of each kind, made up, for the examples of the OpenAPI document."""

from datetime import date
from typing import Any, Final

from services.contract.compared import DealSpan
from services.contract.events import Event
from services.contract.happened import ChangeCount
from services.contract.history import ChangedLoan, Changes, HistoryRow, LoanHistory, Move
from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Record,
    Signal,
)

_SHOWN: Final[dict[str, Any]] = {
    "loan_number": "CA-000001",
    "book_value": 7_175_476,
    "interest_rate": 4.32,
    "property_type": "lodging",
    "property_city": "Newark",
    "property_state": "NJ",
    "lender_normalized": "Caldergate Life Assurance",
    "maturity_date": date(2029, 5, 1),
    "rate_pressure": "critical",
    "confidence_tier": "probable",
}
_WORSE: Final = Event(
    kind="signal_worse",
    as_of=date(2026, 9, 30),
    since=date(2026, 6, 30),
    signal_type="stress_indicator",
    before="moderate",
    after="severe",
    dollars=7_175_476,
    sentence="The signal of stress indicator worsened from moderate to severe.",
)
#: With a value in every field: FastAPI leaves nulls out of examples.
_ROW: Final = HistoryRow(
    as_of=date(2026, 9, 30),
    file="book 2026-09-30.xml",
    rules_version="limits version 9, rules 2e69c5c9",
    balance=7_175_476,
    interest_rate=4.32,
    rate_type="1",
    maturity_date=date(2029, 5, 1),
    effective_maturity=date(2029, 5, 1),
    amortization_months=360,
    payment_status="2",
    workout="13",
    modification="10",
    modified_on=date(2026, 8, 14),
    defeasance="N",
    special_servicing=True,
    disposition="outstanding",
    realized_loss=0,
    dscr=1.08,
    income_basis="NCF, 1 Jul 2025 to 30 Jun 2026",
    income_months=12,
    income_to=date(2026, 6, 30),
    noi=512_900,
    ncf=468_300,
    underwritten_dscr=1.52,
    underwritten_noi=655_300,
    occupancy=0.71,
    ltv=0.78,
    value=9_200_000,
    value_date=date(2025, 11, 3),
    debt_yield=7.148,
    dollars_short=1_900_000,
    sponsor="Walnut Knoll LLC",
    tenant="Newark Fitness",
    tenant_expires=date(2027, 12, 31),
    worst="severe",
    signals={"stress_indicator": "severe"},
    rules=("ST-1",),
)


def _counted(kind: str, loans: int, dollars: int) -> ChangeCount:
    return ChangeCount(kind=kind, loans=loans, dollars=dollars)


EXAMPLES: Final[dict[type[Record], Record]] = {
    Loan: Loan.model_validate(_SHOWN),
    LoanDetail: LoanDetail(
        **_SHOWN,
        origination_date=date(2019, 5, 1),
        extended={"dscr": 1.38, "ltv": 0.61, "noi": 655_300, "provenance": "synthetic"},
    ),
    Entity: Entity(
        entity_name="Walnut Knoll Investment Partners",
        confidence=0.93,
        confidence_tier="confirmed",
        related_loan_count=8,
    ),
    OwnershipChain: OwnershipChain(
        loan_number="CA-000001",
        chain=(
            ChainElement(entity_name="Canyon Ledge LP", role="borrower", confidence=0.94),
            ChainElement(entity_name="Walnut Knoll LLC", role="sponsor", confidence=0.93),
            ChainElement(entity_name="Adrian Donovan", role="owner", confidence=0.79),
        ),
        confidence_tier="probable",
    ),
    GraphResult: GraphResult(
        root="CA-000001",
        depth_reached=1,
        stopped_by="depth",
        next_level_edges=4,
        paths=(
            GraphPath(
                edges=(
                    Edge(
                        source="CA-000001",
                        target="Canyon Ledge LP",
                        relation="borrower",
                        confidence=0.94,
                    ),
                )
            ),
        ),
    ),
    Signal: Signal.model_validate(
        {
            **{k: v for k, v in _SHOWN.items() if k in Signal.model_fields},
            "signal_type": "rate_pressure",
            "severity": "critical",
            "description": "Refi rate 7.95 % is 363.5 bp above the 4.32 % coupon",
            "components": [
                {
                    "rule": "RP-1",
                    "severity": "critical",
                    "value": 363.5,
                    "limit": 300,
                    "title": "Rate gap",
                    "rule_version": 1,
                    "limits_version": 1,
                }
            ],
        }
    ),
    LoanHistory: LoanHistory(
        loan_number="CA-000001",
        property_name="Newark Suites",
        source="sec-absee:UBS 2017-C1",
        title="UBS 2017-C1",
        rows=(_ROW,),
        events=(_WORSE,),
        missing=(date(2026, 7, 31),),
    ),
    Changes: Changes(
        since=date(2026, 6, 30),
        until=date(2026, 9, 30),
        counts=(_counted("signal_worse", 1, 7_175_476),),
        worse=_counted("worse", 1, 7_175_476),
        better=_counted("better", 0, 0),
        found=Page(
            items=(
                ChangedLoan(
                    loan_number="CA-000001",
                    property_name="Newark Suites",
                    property_type="lodging",
                    city="Newark",
                    state="NJ",
                    lender="Caldergate Life Assurance",
                    deal="UBS 2017-C1",
                    dollars=7_175_476,
                    severity_before="moderate",
                    severity_after="severe",
                    events=(_WORSE,),
                ),
            ),
            page=1,
            per_page=25,
            total=1,
        ),
        dollars=7_175_476,
        moves=(
            Move(before="moderate", after="severe", loans=1, dollars=7_175_476),
            Move(before="none", after="none", loans=61, dollars=958_300_000),
        ),
        compared=62,
        loans=1,
        notes=1,
        not_compared=(),
        silent=(),
        spans=(DealSpan(title="UBS 2017-C1", since=date(2026, 6, 30), until=date(2026, 9, 30)),),
        rules_changed=False,
    ),
}
