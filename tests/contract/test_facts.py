"""The table of facts, and what is made from it, against columns, headers and rows typed by hand.

A fact may be added anywhere; one of these may not be lost, moved or become another thing.
"""

import subprocess
import sys
from dataclasses import FrozenInstanceError

import pyarrow as pa
import pytest

from services.contract.columns import COLUMN, LOAN_EXPORT
from services.contract.facts import FACT, FACTS, on_card
from services.contract.portfolio import LOANS
from services.contract.records import Loan, LoanDetail

COLUMNS = {
    "loan_number": pa.string(),
    "book_value": pa.int64(),
    "interest_rate": pa.float64(),
    "property_type": pa.string(),
    "property_city": pa.string(),
    "property_state": pa.string(),
    "lender_normalized": pa.string(),
    "origination_date": pa.date32(),
    "maturity_date": pa.date32(),
    "confidence_tier": pa.string(),
    "property_name": pa.string(),
    "address": pa.string(),
    "original_amount": pa.int64(),
    "original_term_months": pa.int32(),
    "amortization_months": pa.int32(),
    "payment_type": pa.string(),
    "interest_only_months": pa.int32(),
    "accrual_method": pa.string(),
    "first_payment_date": pa.date32(),
    "monthly_payment": pa.int64(),
    "ard_date": pa.date32(),
    "balloon": pa.bool_(),
    "rate_type": pa.string(),
    "rate_index": pa.string(),
    "rate_margin": pa.float64(),
    "rate_cap": pa.float64(),
    "rate_floor": pa.float64(),
    "rentable_area": pa.int64(),
    "value": pa.int64(),
    "value_date": pa.date32(),
    "underwritten_value": pa.int64(),
    "noi": pa.int64(),
    "ncf": pa.int64(),
    "dscr": pa.float64(),
    "income_basis": pa.string(),
    "income_from": pa.date32(),
    "income_to": pa.date32(),
    "underwritten_noi": pa.int64(),
    "underwritten_ncf": pa.int64(),
    "underwritten_dscr": pa.float64(),
    "occupancy": pa.float64(),
    "payment_status": pa.string(),
    "workout": pa.string(),
    "special_servicing_since": pa.date32(),
    "special_servicing_returned": pa.date32(),
    "modification": pa.string(),
    "modified_on": pa.date32(),
    "defeasance": pa.string(),
    "structure": pa.string(),
    "multi_state": pa.bool_(),
    "further": pa.string(),
}
HEADERS = (
    *("loan_number", "book_value_usd", "interest_rate_pct", "property_type", "property_city"),
    *("property_state", "lender_normalized", "origination_date", "maturity_date"),
    *("rate_pressure", "confidence_tier", "as_of", "source", "provenance"),
)
COUNTED = (
    *("book_value", "interest_rate", "property_type", "property_city", "property_state"),
    *("lender_normalized", "origination_date", "maturity_date", "rate_pressure"),
    *("confidence_tier", "property_name", "address", "original_amount", "original_term_months"),
    *("amortization_months", "payment_type", "interest_only_months", "accrual_method"),
    *("first_payment_date", "monthly_payment", "ard_date", "balloon", "rate_type", "rate_index"),
    *("rate_margin", "rate_cap", "rate_floor", "rentable_area", "value", "value_date"),
    *("underwritten_value", "noi", "ncf", "dscr", "income_from", "income_to"),
    *("underwritten_noi", "underwritten_ncf", "underwritten_dscr", "occupancy", "payment_status"),
    *("workout", "special_servicing_since", "special_servicing_returned", "modification"),
    *("modified_on", "defeasance", "structure", "refi_rate", "ltv", "debt_yield", "proforma_dscr"),
)
SCORED = (
    *("rate_pressure", "reference_series", "refi_rate", "rate_gap_bp", "months_to_maturity"),
    *("whole_loan_debt", "whole_loan_basis", "partial_note", "ltv", "debt_yield"),
    "proforma_dscr",
)
TERMS = (
    *("Lender", "Book value", "Original amount", "Coupon", "Rate type", "Rate index"),
    *("Margin over the index", "Rate cap", "Rate floor", "Originated", "First payment", "Matures"),
    *("Anticipated repayment date", "Original term", "Payment type", "Interest-only period"),
    *("Amortisation", "Day count", "Monthly payment", "Balloon at maturity", "Loan structure"),
    *("Property", "Address", "City", "State", "Property type", "Rentable area"),
    "Properties in several states",
)
PERFORMANCE = (
    *("Appraised value", "Valued on", "Value when underwritten", "Occupancy", "NOI, a year"),
    *("Net cash flow, a year", "Income and DSCR from", "Income period from", "Income period to"),
    *("DSCR", "NOI when underwritten", "Net cash flow when underwritten"),
    *("DSCR when underwritten", "LTV", "Debt yield"),
    *("Whole-loan debt", "Whole-loan debt is", "Note of a larger loan", "Payment status"),
    *("Workout strategy", "In special servicing", "Transferred to special servicing"),
    *("Returned from special servicing", "Modification", "Modified on", "Defeasance"),
    *("Reference rate", "Refi rate today", "Gap to the coupon", "To effective maturity"),
    *("Balance at maturity", "DSCR at the refi rate", "Payment shock", "New proceeds at most"),
    *("Refinance gap", "Short at refinance", "Rate pressure", "Ownership chain"),
)


def among(typed, found):
    """Those of what was found that were typed, in the order found."""
    return tuple(one for one in found if one in typed)


def test_the_schema_of_loans_has_these_columns_in_this_order():
    assert among(COLUMNS, LOANS.names) == tuple(COLUMNS)
    assert {name: LOANS.field(name).type for name in COLUMNS} == COLUMNS
    assert [field.name for field in LOANS if not field.nullable] == ["loan_number"]


def test_the_export_has_these_columns_named_with_their_units():
    headers = [(FACT | COLUMN)[name].header for name in LOAN_EXPORT]
    assert among(HEADERS, headers) == HEADERS
    assert (FACT["refi_rate"].header, FACT["ltv"].header) == ("refi_rate_pct", "ltv")
    assert FACT["rentable_area"].header == "rentable_area_sqft"


def test_these_facts_are_counted_and_each_says_when_it_is_missing():
    counted = [fact for fact in FACTS if fact.counted]
    assert among(COUNTED, [fact.name for fact in counted]) == COUNTED
    assert [fact.name for fact in counted if not fact.missing] == []
    assert not {"loan_number", "income_basis", "further"} & {fact.name for fact in counted}


def test_these_facts_are_scored_and_none_of_them_is_asked_of_a_source():
    scored = [fact.name for fact in FACTS if fact.origin == "scored"]
    assert among(SCORED, scored) == SCORED
    assert not set(scored) & set(LOANS.names)


@pytest.mark.parametrize(("card", "labels"), [("terms", TERMS), ("performance", PERFORMANCE)])
def test_a_card_of_the_loan_page_has_these_rows_in_this_order(card, labels):
    shown = on_card(card)
    assert among(labels, [fact.label for fact in shown]) == labels
    assert len({fact.place for fact in shown}) == len(shown)


def test_a_fact_stands_once_and_is_never_changed():
    assert len(FACT) == len(FACTS)
    labels = [fact.label for fact in FACTS]
    assert len(set(labels)) == len(labels)
    with pytest.raises(FrozenInstanceError):
        FACT["noi"].label = "Income"


def test_every_field_of_the_specification_is_a_fact():
    specified = [name for name in Loan.model_fields if name != "extra"]
    assert among(specified, [fact.name for fact in FACTS]) == tuple(specified)
    assert set(LoanDetail.model_fields) - {"extra", "extended"} <= set(FACT)


def test_known_words_are_those_with_a_rank_or_a_meaning():
    assert FACT["payment_status"].known == frozenset("0AB12345")
    assert FACT["structure"].known == {"WL", "PP", "A1", "A2", "B1", "B2", "C2", "MZ"}
    assert FACT["confidence_tier"].known == {"inferred", "probable", "confirmed"}
    assert FACT["rate_pressure"].known == {"low", "moderate", "elevated", "severe", "critical"}
    assert {"multifamily", "mixed use", "other"} < FACT["property_type"].known
    assert {"TX", "DC", "PR"} < FACT["property_state"].known
    assert "98" in FACT["workout"].known
    assert {fact.name for fact in FACTS if fact.known} == {
        *("payment_status", "structure", "confidence_tier", "rate_pressure", "property_type"),
        *("property_state", "workout", "payment_type", "accrual_method", "rate_type"),
        *("rate_index", "modification", "defeasance"),
    }


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("book_value", "book value"),
        ("dscr", "DSCR"),
        ("noi", "NOI"),
        ("maturity_date", "maturity date"),
        ("refi_rate", "refi rate"),
        ("whole_loan_debt", "whole-loan debt"),
    ],
)
def test_within_a_sentence_only_abbreviations_keep_their_capitals(name, words):
    assert FACT[name].in_a_sentence == words


def test_labels_cost_a_page_no_heavy_library():
    code = (
        "import sys, services.contract.facts\n"
        "print(*sorted({'pyarrow', 'numpy', 'duckdb', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
