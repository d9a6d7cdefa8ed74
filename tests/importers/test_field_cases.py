"""Filings as they are really filed: faults that others met in genuine ones, each with its right
value. Pins D274.
"""

import json
from collections import Counter
from datetime import date

import pytest

from tests.filed_loans import PLAZA, house, loan, owed


def rows(found):
    return {one["loan_number"].rpartition(":")[2]: one for one in found.loans.to_pylist()}


# Loans and their properties


def test_a_property_without_a_city_is_no_total_where_all_that_are_stated_are_there(filed):
    austin = house(
        valuationSecuritizationAmount="20000000", mostRecentNetOperatingIncomeAmount="1200000"
    )
    other = {
        "valuationSecuritizationAmount": "15000000",
        "mostRecentNetOperatingIncomeAmount": "900000",
    }
    nowhere = house(**other, propertyCity=None, propertyState=None, propertyTypeCode=None)
    parts = (austin, house(**other), nowhere)
    found = filed(loan("1", *parts, NumberProperties="3"))
    row = rows(found)["1"]
    assert found.properties.num_rows == 3
    assert (row["value"], row["noi"]) == (50_000_000, 3_000_000)
    total = rows(filed(loan("1", *parts, NumberProperties="2")))["1"]
    assert (total["value"], total["noi"]) == (15_000_000, 900_000)  # then the third is the total


def test_rows_that_repeat_their_loan_are_its_properties(filed):
    total = house(propertyCity=None, valuationSecuritizationAmount="150000000")
    whole = loan("3", total, NumberProperties="3")
    parts = [loan(f"3-00{at}", house(propertyName=f"Store {at}")) for at in (1, 2, 3)]
    found = filed(whole, *parts)
    assert (found.loans.num_rows, found.properties.num_rows, owed(found)) == (1, 3, 26_000_000)
    assert found.info.unmapped == {"assets (a loan's facts repeated on its property)": 3}
    assert found.rejects.num_rows == 0
    further = [json.loads(one) for one in found.properties["further"].to_pylist()]
    assert [one["property_number"] for one in further] == ["3-001", "3-002", "3-003"]


@pytest.mark.parametrize(
    ("stated", "part"),
    [
        # A note beside the loan has its own balance, a loan on one property no part.
        ("3", {"reportPeriodEndScheduledLoanBalanceAmount": "9000000.00"}),
        ("3", {"originationDate": "04-06-2017"}),
        ("1", {}),
    ],
)
def test_a_row_that_says_something_else_than_its_loan_is_a_loan(filed, stated, part):
    found = filed(loan("3", NumberProperties=stated), loan("3-001", **part))
    assert list(rows(found)) == ["3", "3-001"]


@pytest.mark.parametrize("lacking", ["originatorName", "originationDate", "maturityDate"])
def test_a_record_that_lacks_one_fact_of_a_loan_is_one(filed, lacking):
    found = filed(loan("1", **{lacking: None}), loan("2"))
    assert (found.loans.num_rows, owed(found)) == (2, 52_000_000)
    assert (found.rejects.num_rows, found.properties.num_rows) == (0, 2)


def test_a_record_without_an_originator_under_a_loan_s_number_is_its_property(filed):
    found = filed(loan("3", NumberProperties="2"), loan("3.01", originatorName=None))
    assert (list(rows(found)), owed(found)) == (["3"], 26_000_000)


def test_notes_without_a_loan_of_their_own_share_the_property_that_one_of_them_has(filed):
    notes = {"loanStructureCode": "PP"}
    bare = {"propertyCity": None, "propertyState": None}
    found = filed(loan("10A", **notes), loan("10B", bare, **notes), loan("11C", bare, **notes))
    shared = [rows(found)[number] for number in ("10A", "10B")]
    for key in ("property_name", "property_type", "property_state", "noi", "value"):
        assert shared[1][key] == shared[0][key] is not None
    assert rows(found)["11C"]["value"] is None
    other = filed(loan("10A", **notes), loan("10B", bare, **notes, originationDate="04-06-2017"))
    assert rows(other)["10B"]["value"] is None


# Elements out of range


@pytest.mark.parametrize(
    ("element", "text", "column"),
    [
        ("originalTermLoanNumber", "ten years", "original_term_months"),
        ("originalAmortizationTermNumber", "-360", "amortization_months"),
        ("interestOnlyIndicator", "maybe", None),
    ],
)
def test_a_term_that_does_not_read_costs_neither_the_loan_nor_the_file(
    filed, element, text, column
):
    found = filed(loan("1", **{element: text}), loan("2"))
    assert (owed(found), found.rejects.num_rows) == (52_000_000, 0)
    assert found.info.unmapped == {f"{element} (unreadable)": 1}
    row = rows(found)["1"]
    assert column is None or row[column] is None
    assert text in json.loads(row["further"]).values()


@pytest.mark.parametrize(
    ("element", "text", "column", "without"),
    [
        ("physicalOccupancySecuritizationPercentage", "95.00", "underwritten_occupancy", None),
        ("mostRecentPhysicalOccupancyPercentage", "100.00", "occupancy", None),
        ("mostRecentNetOperatingIncomeAmount", "n.a.", "noi", None),
        ("mostRecentDebtServiceCoverageNetCashFlowpercentage", "1.54x", "dscr", None),
        ("valuationSecuritizationAmount", "-5", "value", None),
    ],
)
def test_a_figure_of_a_property_that_does_not_read_is_null_and_kept_as_text(
    filed, element, text, column, without
):
    found = filed(loan("1", house(**{element: text})), loan("2"))
    assert (owed(found), found.rejects.num_rows) == (52_000_000, 0)
    assert found.info.unmapped == {f"{element} (unreadable)": 1}
    assert rows(found)["1"][column] == without
    assert rows(found)["2"][column] is not None
    assert text in json.loads(found.properties["further"][0].as_py()).values()


def test_a_term_that_ends_long_before_the_maturity_is_remarked(filed):
    remark = "originalTermLoanNumber (ends before maturityDate)"
    assert filed(loan("1", originalTermLoanNumber="113")).info.unmapped == {remark: 1}
    assert filed(loan("1", originalTermLoanNumber="114")).info.unmapped == {}
    moved = filed(loan("1", originalTermLoanNumber="60", modifiedIndicator="true"))
    assert moved.info.unmapped == {}


def test_one_odd_reporting_date_moves_no_book(filed):
    found = filed(loan("1"), loan("2"), loan("3", reportingPeriodEndDate="03-11-2062"))
    assert found.info.as_of == date(2026, 3, 11)
    assert found.info.unmapped == {"reportingPeriodEndDate (after the date of the file)": 1}
    ended = filed(loan("1"), loan("2"), loan("3", reportingPeriodEndDate="03-11-2024"))
    assert (ended.info.as_of, ended.info.unmapped) == (date(2026, 3, 11), {})


# What the facts mean


@pytest.mark.parametrize(
    "how",
    [
        {"propertyTypeCode": "SE"},
        {"propertyName": "Defeased"},
        {"propertyStatusCode": "3"},
        {"DefeasedStatusCode": "F"},
    ],
)
def test_a_loan_is_defeased_by_its_type_its_name_or_its_status(filed, graded, how):
    weak = {
        "mostRecentNetOperatingIncomeAmount": "1500000",
        "mostRecentNetCashFlowAmount": "1300000",
        "mostRecentDebtServiceCoverageNetCashFlowpercentage": "0.71",
    }
    found = graded(
        filed(
            loan("1", house(**weak, **how), maturityDate="06-06-2026"),
            loan("2", house(**weak), maturityDate="06-06-2026"),
        )
    )
    assert (found["1"][0]["defeasance"], found["1"][1]) == ("F", {})
    assert "critical" in {one["severity"] for one in found["2"][1].values()}


def test_a_part_that_is_defeased_does_not_defease_the_loan(filed):
    part = house(propertyTypeCode="SE", DefeasedStatusCode="IP")
    assert rows(filed(loan("1", part)))["1"]["defeasance"] == "IP"
    some = loan("1", PLAZA, house(propertyName="Defeased"), NumberProperties="2")
    assert rows(filed(some))["1"]["defeasance"] == "IP"


@pytest.mark.parametrize(
    ("recent", "occupancy"),
    [
        # Vacant: a loss and no revenue beside the 0.
        ({"mostRecentRevenueAmount": "0.00", "mostRecentNetOperatingIncomeAmount": "-450000"}, 0.0),
        ({"mostRecentRevenueAmount": None, "mostRecentNetOperatingIncomeAmount": "-450000"}, 0.0),
        # Not published: nothing filed of the year, or revenue beside the 0.
        ({"mostRecentRevenueAmount": "0.00", "mostRecentNetOperatingIncomeAmount": "0.00"}, None),
        ({}, None),
    ],
)
def test_a_vacant_building_is_not_let_as_when_it_was_underwritten(filed, recent, occupancy):
    own = house(mostRecentPhysicalOccupancyPercentage="0.00", **recent)
    row = rows(filed(loan("1", own)))["1"]
    assert (row["occupancy"], row["underwritten_occupancy"]) == (occupancy, 0.95)


def test_a_loan_that_is_said_to_be_modified_is_although_no_code_says_how(filed, graded):
    found = graded(filed(loan("1", modifiedIndicator="true"), loan("2")))
    signal = found["1"][1]["stress_indicator"]
    assert signal["severity"] == "moderate"
    assert "Modification (kind not stated) without a date is graded" in signal["description"]
    assert found["1"][0]["modification"] == "unstated"
    assert "stress_indicator" not in found["2"][1]


@pytest.mark.parametrize("structure", ["A2", "PP"])
def test_a_hyper_amortising_loan_pays_interest_alone_until_its_repayment_date(
    filed, graded, structure
):
    terms = {
        "originationDate": "10-18-2017", "originalLoanAmount": "44000000.00",
        "maturityDate": "11-07-2027", "originalAmortizationTermNumber": "0",
        "originalInterestRatePercentage": "0.0415", "originalInterestOnlyTermNumber": "120",
        "interestRateSecuritizationPercentage": "0.0415", "firstLoanPaymentDueDate": "12-07-2017",
        "reportPeriodInterestRatePercentage": "0.0415", "loanStructureCode": structure,
        "periodicPrincipalAndInterestPaymentSecuritizationAmount": "154317.27",
        "scheduledPrincipalBalanceSecuritizationAmount": "44000000.00",
        "reportPeriodEndActualBalanceAmount": "44000000.00",
        "reportPeriodEndScheduledLoanBalanceAmount": "44000000.00",
        "hyperAmortizingDate": "11-07-2027",
    }  # fmt: skip
    tower = {
        "propertyName": "Example Tower", "propertyCity": "Bellevue", "propertyState": "WA",
        "propertyTypeCode": "OF", "valuationSecuritizationAmount": "316000000.00",
        "DefeasedStatusCode": "N", "netOperatingIncomeSecuritizationAmount": "15265716.43",
        "netCashFlowFlowSecuritizationAmount": "15230025.53",
        "debtServiceCoverageNetCashFlowSecuritizationPercentage": "3.85",
    }  # fmt: skip
    found = graded(
        filed(
            loan("1", tower, **terms, paymentTypeCode="7"),
            loan("2", tower, **terms, paymentTypeCode="3"),
            loan("3", tower, **{**terms, "originalInterestOnlyTermNumber": "60"},
                 paymentTypeCode="7"),
        )
    )  # fmt: skip
    seven, three, sixty = (found[number][0] for number in "123")
    # 15,230,025.53 / 3.85, over a year of 4.15 % by actual/360.
    assert seven["whole_loan_debt"] == three["whole_loan_debt"] == 94_015_932
    assert (round(seven["ltv"], 3), round(seven["debt_yield"], 1)) == (0.298, 16.2)
    assert sixty["whole_loan_debt"] != seven["whole_loan_debt"]


# Originators


def test_originators_joined_by_commas_are_parties_of_their_own(filed):
    msbna = "Morgan Stanley Bank, N.A."
    names = [
        "GSMC",
        "GSMC, WFB",
        "GSMC, CGMRC",
        "GSMC, MS",
        "Goldman Sachs Mortgage Company",
        "Goldman Sachs Mortgage Company, Barclays Bank PLC",
        "Goldman Sachs Mortgage Company, Wells Fargo Bank, National Association",
        f"Goldman Sachs Mortgage Company, Deutsche Bank AG, New York Branch, {msbna}",
        "Cantor Commercial Real Estate Lending, L.P.",
        "Wells Fargo Bank, National Association",
        "Barclays Bank PLC",
    ]
    found = filed(*(loan(str(at), originatorName=name) for at, name in enumerate(names, 1)))
    parties = found.entities["entity_name"].to_pylist()
    edges = [one for one in found.edges.to_pylist() if one["relation"] == "originator"]
    assert Counter(parties[one["to_entity"]] for one in edges) == {
        "Goldman Sachs Mortgage Company": 8,
        "Wells Fargo Bank": 3,
        "Barclays Bank": 2,
        "Citigroup Global Markets Realty": 1,
        "Deutsche Bank": 1,
        "Morgan Stanley Bank": 1,
        "MS": 1,
        "Cantor Commercial Real Estate": 1,
    }
