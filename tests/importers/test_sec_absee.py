"""Exhibit 102 of a made-up pool against tables typed by hand, and the shape of every result."""

import json
from datetime import date
from pathlib import Path

import pytest

from components.kit.fields import rows
from services.contract.loan_filter import LoanFilter
from services.contract.portfolio import TABLES
from services.importers.sec_absee import portfolio
from services.store.leases import Store
from tests.exported import loan_table
from tests.publishing import load

SAMPLE = Path(__file__).with_name("sample_2025-1__mixed.xml")


@pytest.fixture(scope="module")
def sample():
    return portfolio([SAMPLE])[0]


@pytest.fixture(scope="module")
def loans(sample):
    rows = sample.loans.to_pylist()
    return {row["loan_number"].rpartition(":")[2]: row for row in rows}


@pytest.fixture(scope="module")
def properties(sample):
    return {row["property_name"]: row for row in sample.properties.to_pylist()}


def stated(row):
    """What a row says, without its further fields."""
    return {name: value for name, value in row.items() if value is not None and name != "further"}


def test_every_table_has_the_shape_of_the_contract(sample):
    for name, schema in TABLES.items():
        assert getattr(sample, name).schema == schema


def test_a_loan_on_one_property_is_mapped_whole(loans):
    # D17, D36
    assert stated(loans["1"]) == {
        "loan_number": "sample 2025-1:1",
        "book_value": 10_000_000,  # 10,000,000.50 rounds half to even
        "interest_rate": 6.055,
        "property_type": "multifamily",
        "property_city": "Springfield",
        "property_state": "IL",
        "lender_normalized": "First Made-up Bank",
        "origination_date": date(2020, 2, 28),
        "maturity_date": date(2030, 3, 1),
        "property_name": "Lantern Court",
        "address": "1 Nowhere Road",
        "original_amount": 12_000_000,
        "original_term_months": 120,
        "amortization_months": 360,
        "payment_type": "2",
        "rentable_area": 90_000,
        "value": 16_000_000,
        "underwritten_value": 15_000_000,
        "noi": 1_100_000,
        "ncf": 1_050_000,
        "dscr": 1.45,
        "income_basis": "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months",
        "income_from": date(2024, 10, 1),
        "income_to": date(2025, 9, 30),
        "underwritten_noi": 1_000_000,
        "underwritten_ncf": 950_000,
        "underwritten_dscr": 1.31,
        "occupancy": 0.94,
        "underwritten_occupancy": 0.90,
        "payment_status": "0",
        "paid_through": date(2025, 12, 1),
        "disposition": "outstanding",
        "workout": "98",
        "structure": "WL",
        "multi_state": False,
    }


def test_a_portfolio_loan_takes_figures_from_its_total_and_place_from_the_most_valuable(loans):
    # D21
    assert stated(loans["2"]) == {
        "loan_number": "sample 2025-1:2",
        "book_value": 9_000_000,  # no actual balance: the scheduled one
        "interest_rate": 5.25,
        "property_type": "self storage",
        "property_city": "Yuma",
        "property_state": "AZ",
        "lender_normalized": "First Made-up Bank",
        "origination_date": date(2020, 2, 28),
        "maturity_date": date(2030, 3, 1),
        "property_name": "Silver Trail Portfolio",
        "address": "8 Mesa Way",
        "original_amount": 9_000_000,
        "original_term_months": 120,
        "amortization_months": 0,
        "rentable_area": 130_000,  # of its two properties
        "value": 14_000_000,
        "underwritten_value": 14_000_000,
        "noi": 991_848,  # 250,000 of 92 days
        "dscr": 0.55,  # as filed, never behind the underwritten one
        "income_basis": "NCF, 1 Jul to 30 Sep 2025, 3 months, annualised",
        "income_from": date(2025, 7, 1),
        "income_to": date(2025, 9, 30),
        "underwritten_noi": 900_000,
        "underwritten_ncf": 870_000,
        "underwritten_dscr": 1.84,
        # No occupancy: the recent 0 means not published, and what it was in 2020 is not today's.
        "underwritten_occupancy": 0.85,  # of the total; its properties had 0.80 and 0.87
        "payment_status": "0",
        "disposition": "outstanding",
        "workout": "98",
        "scheduled_balance": 9_000_000,
        "structure": "WL",
        "multi_state": True,
    }


def test_underwritten_occupancy_is_shown_exported_and_counted(sample, loans, tmp_path):
    found = {number: row["underwritten_occupancy"] for number, row in loans.items()}
    assert found == {"1": 0.90, "2": 0.85, "3": None, "5": None, "8": None}  # 5 states a 0
    load(tmp_path, [sample])
    store = Store(tmp_path)
    with store.lease() as source:
        shown = rows(source.loan("sample 2025-1:2").extended, "performance")
        exported = loan_table(source, LoanFilter()).to_pylist()
        filled = {one.field: (one.filled, one.loans) for one in source.fill_rates()}
    store.close()
    assert ("Occupancy when underwritten", "85.0%") in shown
    assert [row["underwritten_occupancy"] for row in exported] == [0.90, 0.85, None, None, None]
    assert filled["underwritten_occupancy"] == (2, 5)


def test_a_pari_passu_loan_sums_its_children_and_keeps_a_state_beyond_the_states(loans):
    # D22
    row = loans["3"]
    assert (row["structure"], row["interest_rate"]) == ("PP", 4.913331)
    assert (row["property_city"], row["property_state"]) == ("Hamilton", "D0")
    assert (row["value"], row["noi"], row["ncf"], row["dscr"]) == (
        110_000_000,
        7_000_000,
        None,
        None,
    )
    assert row["income_basis"] == "NOI, underwritten"


def test_a_modified_loan_in_foreclosure_shows_its_new_terms(loans):
    row = loans["5"]
    assert (row["interest_rate"], row["maturity_date"]) == (7.0, date(2032, 3, 1))
    assert (row["book_value"], row["payment_status"], row["workout"]) == (0, "5", "2")
    assert (row["occupancy"], row["value"], row["noi"], row["income_basis"]) == (None,) * 4
    further = json.loads(row["further"])
    assert further["scheduled_maturity_date"] == "2030-03-01"
    assert further["interest_rate_in_period"] == 8.0
    assert further["loan_structure"] == "mezzanine financing"
    assert further["last_modification"] == "soon"


def test_a_code_of_several_characters_is_one_code(loans):
    assert loans["8"]["workout"] == "13"
    assert json.loads(loans["8"]["further"])["workout_strategies"] == ["to be determined"]
    assert loans["8"]["property_type"] is None  # ZZ is missing information


def test_further_facts_are_words_dates_and_percent_figures(loans):
    further = json.loads(loans["1"]["further"])
    assert further["scheduled_maturity_date"] == loans["1"]["maturity_date"].isoformat()
    assert further["payment_type_meaning"] == "amortizing balloon"
    assert further["original_interest_rate"] == 6.055
    assert further["actual_balance_at_period_end"] == 10_000_000.5
    assert further["balance_basis"] == "actual_balance_at_period_end"
    assert json.loads(loans["2"]["further"])["portfolio_underwritten_noi"] == 900_000


def test_properties_belong_to_their_loans_and_the_total_is_none(sample):
    rows = sample.properties.to_pylist()
    assert [(row["loan"], row["property_name"], row["state"]) for row in rows] == [
        (0, "Lantern Court", "IL"),
        (1, "Dune Storage", "NV"),
        (1, "Cactus Storage", "AZ"),
        (2, "Harbour Hamilton", "D0"),
        (2, "Harbour Boston", "MA"),
        (3, "Closed Inn", "TX"),
        (4, None, "AK"),
    ]


def test_a_property_carries_its_own_figures(properties):
    assert stated(properties["Lantern Court"]) == {
        "loan": 0,
        "property_name": "Lantern Court",
        "address": "1 Nowhere Road",
        "city": "Springfield",
        "state": "IL",
        "zip": "62701",
        "county": "Sangamon",
        "property_type": "multifamily",
        "value": 16_000_000,
        "noi": 1_100_000,
        "occupancy": 0.94,
        "year_built": 1987,
        "size": 120.0,
        "size_unit": "units",
    }
    dune = properties["Dune Storage"]
    assert (dune["zip"], dune["noi"], dune["size"]) == (None, 317_391, 40_000.0)
    assert dune["size_unit"] == "square feet"
    further = json.loads(dune["further"])
    assert (further["property_number"], further["zip_as_filed"]) == ("2.01", "Various")


def test_layers_hold_the_trust_and_the_servicer(sample):
    first, second, _, fourth, _ = sample.layers.to_pylist()
    assert first == {
        "loan": 0,
        "rank": 1,
        "position": "senior",
        "layer": "cmbs servicer",
        "lender": "sample 2025-1",
        "servicer": "Made-up Servicing",
        "amount": 10_000_000,
        "interest_rate": 6.055,
    }
    assert second["servicer"] == "Second Invented Lender"  # named on a child only
    assert fourth["position"] == "mezzanine"


def test_parties_have_one_kind_each_and_ties_to_every_originator(sample):
    # D28
    entities = [(row["entity_name"], row["kind"]) for row in sample.entities.to_pylist()]
    assert entities == [
        ("sample 2025-1", "trust"),
        ("First Made-up Bank", "originator"),
        ("Second Invented Lender", "originator"),
        ("Third Imagined Fund", "originator"),
        ("Made-up Servicing", "servicer"),
    ]
    edges = [
        (row["from_loan"], row["relation"], row["to_entity"])
        for row in sample.edges.to_pylist()
        if row["from_loan"] in (1, 3)
    ]
    assert edges == [
        (1, "capital_source", 0),
        (1, "originator", 1),
        (1, "originator", 2),
        (1, "servicer", 2),
        (3, "capital_source", 0),
        (3, "originator", 3),
        (3, "servicer", 1),
    ]
    assert {row["confidence"] for row in sample.edges.to_pylist()} == {1.0}


def test_each_bad_record_is_rejected_with_its_line_and_reason(sample):
    no_rate = '"6.055" is not a rate written as a fraction from 0 to 0.5.'
    assert [(row["record"], row["reason"]) for row in sample.rejects.to_pylist()] == [
        ("asset 4 (line 172)", 'maturityDate "02-30-2030" is not a date written MM-DD-YYYY.'),
        ("asset 6 (line 238)", f"originalInterestRatePercentage {no_rate}"),
        ("asset 7 (line 259)", 'reportPeriodEndActualBalanceAmount "-1.00" is negative.'),
        ("asset 1 (line 280)", "The asset number 1 was there before."),
        ("an asset without number (line 301)", "It has no assetNumber."),
        ("asset 4.01 (line 197)", "It is a property of a loan that was rejected."),
        (
            "asset 9-001 (line 322)",
            "It names no originator, so it is a property, but no loan has its number.",
        ),
    ]


def test_what_no_rule_names_is_counted(sample):
    assert sample.info.unmapped == {"lastModificationDate (unreadable)": 1, "sponsorName": 1}


def test_the_source_is_described_without_a_path(sample):
    info = sample.info
    assert (info.key, info.importer) == ("sec-absee:sample 2025-1", "sec-absee")
    assert (info.as_of, info.provenance, info.records_read) == (
        date(2025, 12, 11),
        "reported",
        16,
    )
    assert info.files == ("sample_2025-1__mixed.xml",)
    assert len(info.sha256[0]) == 64
