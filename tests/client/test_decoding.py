"""Recorded answers of both variants become the same records; broken ones name path and key."""

from datetime import date

import pytest

from services.client.protocol import decode_graph, decode_one, decode_page
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Signal,
)
from services.contract.requests import loan_request, ownership_request, request_for

LOANS = LoanQuery(page=2, per_page=2)
WALK = PathQuery(loan_number="LN-0001")
BOTH = pytest.mark.parametrize("variant", ["a", "b"])

DOCK = Loan(
    loan_number="LN-0001",
    book_value=12_400_000,
    interest_rate=6.055,
    property_type="industrial",
    property_city="Dallas",
    property_state="TX",
    lender_normalized="harbor life insurance",
    maturity_date=date(2027, 3, 1),
    rate_pressure="elevated",
    confidence_tier="confirmed",
)
CENTRE = Loan(
    loan_number="LN/0002 #7",
    interest_rate=4.0,
    property_type="data center",
    property_city="Zürich",
    property_state="D0",
    rate_pressure="extreme",
    extra={"appraiser": "Kestrel"},
)


@BOTH
def test_a_page_of_loans(sample, variant):
    decoded = decode_page(Loan, request_for(LOANS), LOANS, sample(f"loans_variant_{variant}"))
    assert decoded.value == Page[Loan](items=(DOCK, CENTRE), page=2, per_page=2, total=5)
    assert decoded.request_id == f"req_{variant}1"


@BOTH
def test_what_a_page_held_beside_the_specification_is_counted(sample, variant):
    seen = decode_page(Loan, request_for(LOANS), LOANS, sample(f"loans_variant_{variant}")).seen
    assert seen.unknown_fields == {("loan", "appraiser"): 1}
    assert seen.absent_fields == {("loan", "confidence_tier"): 1}
    assert seen.unknown_words == {
        ("loan", "property_type", "data center"): 1,
        ("loan", "rate_pressure", "extreme"): 1,
    }
    assert seen.variants == {("loan", variant): 2}


def test_a_loan_keeps_its_further_fields(sample):
    # D17
    number = "LN-0001"
    decoded = decode_one(LoanDetail, loan_request(number), number, sample("loan_variant_b"))
    loan = decoded.value
    assert loan.origination_date == date(2017, 3, 1)
    assert (loan.confidence_tier, loan.rate_pressure) == ("probable", "severe")
    assert loan.extended == {"dscr": 1.21, "debt_layers": [{"position": "senior"}]}
    assert set(decoded.seen.unknown_fields) == {
        ("loan detail", "dscr"),
        ("loan detail", "debt_layers"),
    }


@BOTH
def test_a_page_of_entities(sample, variant):
    query = EntityQuery()
    came = sample(f"entities_variant_{variant}")
    decoded = decode_page(Entity, request_for(query), query, came)
    assert decoded.value.items == (
        Entity(
            entity_name="Alder Ridge Capital LP",
            confidence=0.93,
            confidence_tier="confirmed",
            related_loan_count=14,
        ),
    )
    assert not decoded.seen.unknown_fields
    assert decoded.seen.variants == {("entity", variant): 1}


@BOTH
def test_an_ownership_chain(sample, variant):
    number = "LN-0001"
    decoded = decode_one(
        OwnershipChain, ownership_request(number), number, sample(f"ownership_variant_{variant}")
    )
    assert decoded.value == OwnershipChain(
        loan_number=number,
        confidence_tier="probable",
        chain=(
            ChainElement(entity_name="Dallas Dock Owner LLC", role="borrower", confidence=0.98),
            ChainElement(entity_name="Alder Ridge Capital LP", role="sponsor", confidence=0.81),
            ChainElement(entity_name="Maria K. Delgado", role="owner", confidence=None),
        ),
    )
    assert decoded.seen.variants["chain element", variant] == 3
    assert not decoded.seen.absent_fields


@BOTH
def test_a_walk_of_the_graph(sample, variant):
    decoded = decode_graph(request_for(WALK), WALK, sample(f"paths_variant_{variant}"))
    result, found = decoded.value
    dock, alder = "Dallas Dock Owner LLC", "Alder Ridge Capital LP"
    expected = (
        GraphPath(
            edges=(
                Edge(source="LN-0001", target=dock, relation="borrower", confidence=0.98),
                Edge(source=dock, target=alder, relation="owned_by", confidence=0.81),
            )
        ),
        GraphPath(
            edges=(
                Edge(
                    source="LN-0001",
                    target="Harbor Life",
                    relation="capital_source",
                    confidence=1.0,
                ),
            )
        ),
    )
    assert (result.root, result.depth_reached, result.paths) == ("LN-0001", 2, expected)
    assert found == Page[GraphPath](items=expected, page=1, per_page=25, total=2)
    assert decoded.seen.variants == {("edge", variant): 3}
    assert not decoded.seen.absent_fields


@BOTH
def test_a_page_of_signals(sample, variant):
    query = SignalQuery(per_page=100)
    came = sample(f"signals_variant_{variant}")
    (signal,) = decode_page(Signal, request_for(query), query, came).value.items
    assert signal == Signal(
        signal_type="rate_pressure",
        severity="critical",
        loan_number="LN-0001",
        property_state="TX",
        property_city="Dallas",
        property_type="industrial",
        book_value=12_400_000,
        maturity_date=date(2027, 3, 1),
        lender_normalized="harbor life insurance",
        description="Coupon 245 bp below market",
    )
