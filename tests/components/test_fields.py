"""Facts of a loan as the loan page writes them, one case a kind."""

from datetime import date

import pytest

from components.kit.fields import further, label, rows, written
from services.contract.facts import FACTS


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("book_value", 12_400_000, "$12,400,000"),
        ("interest_rate", 6.055, "6.055%"),
        ("refi_rate", 6.5, "6.50%"),
        ("debt_yield", 9.126, "9.13%"),
        ("occupancy", 0.925, "92.5%"),
        ("ltv", 0.6, "60.0%"),
        ("dscr", 1.25, "1.25x"),
        ("rate_gap_bp", -40.0, "−40 bp"),
        ("original_term_months", 120, "120 months"),
        ("amortization_months", 360, "360 months"),
        ("amortization_months", 0, "interest only"),
        ("original_term_months", 0, "0 months"),
        ("months_to_maturity", 5.26, "5 months"),
        ("months_to_maturity", 12.8, "12 months"),
        ("months_to_maturity", 0.16, "5 days"),
        ("months_to_maturity", -0.03, "1 day past maturity"),
        ("months_to_maturity", -3.9, "3 months past maturity"),
        ("months_to_maturity", -7.0, "7 months past maturity"),
        ("months_to_maturity", 6.0, "6 months"),
        ("rentable_area", 41_208, "41,208 sq ft"),
        ("payment_type", "5", "5: interest only, then amortizing, balloon"),
        ("accrual_method", "3", "3: actual/360"),
        ("rate_type", "2", "2: adjustable"),
        ("rate_index", "Q", "Q: 1-month term SOFR"),
        ("rate_index", "N", "N: 30-day average SOFR, compounded in arrears"),
        ("modification", "10", "10: forbearance"),
        ("defeasance", "IP", "IP: portion of loan previously defeased"),
        ("interest_only_months", 0, "none"),
        ("maturity_date", date(2027, 3, 15), "15 Mar 2027"),
        ("maturity_date", "2027-03-15", "15 Mar 2027"),
        ("maturity_date", "soon", "soon"),
        ("property_type", "mixed use", "Mixed use"),
        ("property_state", "TX", "TX"),
        ("rate_pressure", "severe", "severe"),
        ("confidence_tier", "probable", "probable"),
        ("payment_status", "0", "0: current"),
        ("payment_status", "3", "3: 90 or more days delinquent"),
        ("payment_status", "9", "9: unranked"),
        ("workout", "7", "7: REO"),
        ("workout", 7, "7: REO"),
        ("structure", "B1", "B1: B note of an A/B participation"),
        ("reference_series", "DGS7", "7-year Treasury"),
        ("reference_series", "DGS30", "DGS30"),
        ("multi_state", True, "yes"),
        ("partial_note", False, "no"),
        ("income_basis", "NCF, underwritten", "NCF, underwritten"),
        ("noi", None, "—"),
    ],
)
def test_a_value_is_written_as_its_unit_asks(name, value, text):
    assert written(name, value) == text


def test_every_kind_of_fact_on_a_card_is_tried_above():
    tried = {case[0] for case in test_a_value_is_written_as_its_unit_asks.pytestmark[0].args[1]}
    kinds = {fact.kind for fact in FACTS if fact.name in tried}
    assert {fact.kind for fact in FACTS if fact.card} == kinds


def test_a_card_shows_what_is_known_in_its_own_order():
    values = {
        "value": 9,
        "occupancy": 0.5,
        "noi": None,
        "structure": "WL",
        "lender_normalized": "B",
    }
    assert rows(values, "terms") == [("Lender", "B"), ("Loan structure", "WL: whole loan")]
    assert rows(values, "performance") == [("Appraised value", "$9"), ("Occupancy", "50.0%")]


def test_what_has_no_row_of_its_own_is_shown_as_it_came():
    values = {
        "noi": 7,
        "loan_number": "1",
        "as_of": "2026-09-30",
        "source": "S",
        "provenance": "reported",
        "properties": [{}],
        "debt_layers": [{}],
        "leases": [{}],
        "last_inspected": "2026-09-01",
        "accelerated": True,
        "units": 12_000,
        "year_built": 1987,
        "workouts": ["extension", "note sale"],
        "tenant": {"name": "Shop", "feet": 20_000},
        "nothing": None,
    }
    assert further(values) == [
        ("last inspected", "2026-09-01"),
        ("accelerated", "yes"),
        ("units", "12,000"),
        ("year built", "1987"),
        ("workouts", "extension; note sale"),
        ("tenant", "name: Shop; feet: 20,000"),
    ]


def test_a_name_that_is_no_fact_of_ours_is_its_own_label():
    assert (label("noi"), label("cap_rate")) == ("NOI, a year", "Cap rate")
