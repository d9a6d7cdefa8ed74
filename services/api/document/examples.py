"""One record of each kind, made up, for the examples of the OpenAPI document."""

from datetime import date
from typing import Any, Final

from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
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
}
