"""How loans pay and fare, by a made-up filing, against facts typed by hand (D17, D52 to D55)."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from services.importers.base import Facts
from services.importers.cmbs.servicing import modification, servicing_values
from services.importers.cmbs.terms import amortization_months, margin, monthly_payment
from services.importers.sec_absee import portfolio

SAMPLE = Path(__file__).with_name("sample_2026-1__terms.xml")


@pytest.fixture(scope="module")
def sample():
    return portfolio([SAMPLE])[0]


@pytest.fixture(scope="module")
def loans(sample):
    return {row["loan_number"].rpartition(":")[2]: row for row in sample.loans.to_pylist()}


def of(row, *names):
    """Facts by name, those that are null left out."""
    return {name: row[name] for name in names if row[name] is not None}


TERMS = (
    *("payment_type", "amortization_months", "interest_only_months", "accrual_method"),
    *("first_payment_date", "monthly_payment", "ard_date", "balloon", "rate_type", "rate_index"),
    *("rate_margin", "rate_cap", "rate_floor", "interest_rate"),
)
SERVICING = (
    *("special_servicing_since", "special_servicing_returned", "workout", "modification"),
    *("modified_on", "defeasance"),
)
INCOME = (
    *("noi", "ncf", "dscr", "income_basis", "income_from", "income_to"),
    *("underwritten_noi", "underwritten_ncf", "underwritten_dscr"),
)
VALUE = ("value", "value_date", "underwritten_value", "rentable_area")


def test_a_floater_with_an_anticipated_repayment_date(loans):
    assert of(loans["1"], *TERMS) == {
        "payment_type": "3",
        "amortization_months": 0,  # interest only, in spite of a term of 360 months
        "interest_only_months": 120,
        "accrual_method": "3",
        "first_payment_date": date(2022, 4, 1),
        "ard_date": date(2027, 3, 1),  # a payment of 0 is not stated
        "balloon": True,
        "rate_type": "2",
        "rate_index": "Q",
        "rate_margin": 3.0,
        "rate_cap": 6.5,
        "rate_floor": 3.25,
        "interest_rate": 5.5,  # a next rate of 0 says nothing
    }


def test_a_loan_that_amortises_after_some_years_keeps_its_amortisation(loans):
    assert of(loans["2"], *TERMS) == {
        "payment_type": "5",
        "amortization_months": 360,  # although its interest-only flag is set
        "interest_only_months": 36,
        "accrual_method": "1",
        "monthly_payment": 109_016,  # principal is due now, so what is due now; half to even
        "balloon": True,
        "rate_type": "1",
        "interest_rate": 5.5,
    }
    further = json.loads(loans["2"]["further"])
    assert further["first_payment_due"] == "soon"  # unreadable: kept as it came
    assert further["payment_type_meaning"] == "interest only, then amortizing, balloon"
    assert further["interest_accrual"] == "30/360"


def test_without_a_payment_type_the_flag_tells_interest_only(loans):
    assert of(loans["4"], *TERMS) == {
        "amortization_months": 0,
        "balloon": False,
        "interest_rate": 5.5,
    }
    assert of(loans["10"], "payment_type", "amortization_months") == {"payment_type": "5"}


def test_a_loan_that_came_back_from_special_servicing_modified(loans):
    assert of(loans["3"], *SERVICING, "monthly_payment", "interest_only_months") == {
        "special_servicing_since": date(2024, 6, 2),
        "special_servicing_returned": date(2026, 2, 1),
        "workout": "9",
        "modification": "10",  # of "other", capitalised interest and forbearance
        "modified_on": date(2026, 1, 5),
        "defeasance": "P",
        "monthly_payment": 41_250,
        "interest_only_months": 0,
    }
    further = json.loads(loans["3"]["further"])
    assert further["modifications"] == ["other", "capitalization of interest", "forbearance"]
    assert of(loans["1"], *SERVICING) == {"defeasance": "X"}


def test_a_part_of_a_year_below_zero_is_shown_beside_the_underwritten_income(loans):
    assert of(loans["3"], *INCOME) == {
        "noi": -146_000,  # 36,000 lost in 90 days
        "ncf": -365_000,
        "dscr": -0.55,
        "income_basis": "NCF, 1 Jan to 31 Mar 2026, 3 months, annualised, seasonal",
        "income_from": date(2026, 1, 1),
        "income_to": date(2026, 3, 31),
        "underwritten_noi": 1_100_000,
        "underwritten_ncf": 950_000,
        "underwritten_dscr": 1.44,
    }
    assert of(loans["2"], *INCOME) == {
        "noi": 1_460_000,  # 1,092,000 of 273 days
        "ncf": 1_387_000,
        "dscr": 1.06,
        "income_basis": "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised",
        "income_from": date(2025, 1, 1),
        "income_to": date(2025, 9, 30),
        "underwritten_noi": 1_613_965,
        "underwritten_ncf": 1_541_223,
        "underwritten_dscr": 1.32,
    }


def test_amounts_of_a_year_with_the_dates_of_a_quarter_are_not_annualised(loans, sample):
    assert of(loans["1"], *INCOME[:6]) == {
        "noi": 1_000_000,  # debt service of 672,000 is that of a year: 950,000 / 1.41
        "ncf": 1_000_000,
        "dscr": 1.49,
        "income_basis": "NOI, 1 Jan to 31 Mar 2026, 3 months, amounts of a year",
        "income_from": date(2026, 1, 1),
        "income_to": date(2026, 3, 31),
    }
    assert sample.properties["noi"][0].as_py() == 1_000_000


def test_a_value_says_its_day_and_what_it_was_when_underwritten(loans):
    assert of(loans["1"], *VALUE) == {
        "value": 20_000_000,  # the recent 0 is not published
        "value_date": date(2022, 1, 15),
        "underwritten_value": 20_000_000,
        "rentable_area": 80_000,
    }
    assert of(loans["2"], *VALUE) == {
        "value": 24_000_000,
        "value_date": date(2026, 4, 30),
        "underwritten_value": 26_500_000,
        "rentable_area": 63_460,
    }
    assert of(loans["4"], *VALUE) == {
        "value": 11_000_000,
        "value_date": date(2021, 11, 30),  # of two properties, whose values add up to it
        "underwritten_value": 11_000_000,
        "rentable_area": 75_000,
    }
    assert of(loans["3"], *VALUE) == {}


def test_of_two_properties_one_is_defeased(loans):
    assert loans["4"]["defeasance"] == "IP"  # East is called defeased by its status alone


def test_leases_are_those_of_the_three_largest_tenants_of_each_property(sample):
    assert sample.leases.to_pylist() == [
        {"loan": 1, "tenant": "Grocer", "square_feet": 27_650, "expires": date(2035, 12, 31)},
        {"loan": 1, "tenant": "Chemist", "square_feet": None, "expires": date(2027, 1, 31)},
        {"loan": 3, "tenant": "Kiosk", "square_feet": 90, "expires": date(2028, 2, 29)},
    ]


def test_a_note_without_a_property_has_that_of_the_note_beside_it(loans, sample):
    """D55: 10A says nothing of a property, 10B has another rate."""
    names = ("property_name", "property_state", "property_type", "value", "underwritten_dscr")
    beside = {
        "property_name": "Bay Park",
        "property_state": "FL",
        "property_type": "office",
        "value": 62_000_000,
        "underwritten_dscr": 1.79,
    }
    assert of(loans["10"], *names) == of(loans["10A"], *names) == beside
    assert of(loans["10B"], *names) == {}
    under = [json.loads(row["further"]).get("properties_filed_under") for row in loans.values()]
    assert under == [None, None, None, None, None, "10", None]
    assert sample.rejects.num_rows == 0
    assert sample.info.unmapped == {"firstLoanPaymentDueDate (unreadable)": 1}


@pytest.mark.parametrize(
    ("filed", "percent"),
    [("0.0325", "3.25"), ("0.5", "50"), ("3.25", "3.25"), ("-0.001", "-0.1"), ("0", None)],
)
def test_a_margin_is_a_fraction_up_to_a_half_and_a_percent_figure_above(filed, percent):
    found = margin(Facts(arm_margin_as_filed=Decimal(filed)))
    assert found == (None if percent is None else Decimal(percent))


@pytest.mark.parametrize(
    ("kind", "flag", "term", "months"),
    [
        ("3", False, 360, 0),
        ("5", True, 360, 360),
        ("4", True, 300, 300),
        ("5", True, 0, None),  # an amortising loan has a term, whatever is filed
        ("2", None, None, None),
        ("98", True, 360, 360),
        (None, True, 360, 0),
        (None, False, 360, 360),
        (None, None, 0, 0),
        (None, None, None, None),
    ],
)
def test_only_a_loan_that_never_amortises_has_an_amortisation_of_0(kind, flag, term, months):
    """D54."""
    said = {"payment_type_meaning": kind, "interest_only": flag}
    assert amortization_months(Facts(original_amortization_term_months=term, **said)) == months


@pytest.mark.parametrize(
    ("modified", "due", "principal", "at_first", "payment"),
    [
        ("410", "500", "100", "450", "410"),
        ("0", "500", "100", "450", "500"),
        (None, "500", "0", "450", "450"),
        (None, "0", "100", "450", "450"),
        ("-1", None, None, "0", None),
    ],
)
def test_a_payment_is_the_modified_one_or_what_is_due_now(
    modified, due, principal, at_first, payment
):
    """D54."""
    filed = {
        "post_modification_payment": modified,
        "scheduled_payment_due": due,
        "scheduled_principal": principal,
        "periodic_payment_at_securitization": at_first,
    }
    facts = Facts({key: Decimal(text) for key, text in filed.items() if text is not None})
    assert monthly_payment(facts) == (None if payment is None else Decimal(payment))


@pytest.mark.parametrize(
    ("codes", "first"),
    [(["98", "1", "10"], "10"), (["98", "6", "1"], "6"), (["98"], "98"), ([], None)],
)
def test_of_several_modifications_forbearance_is_the_one_that_is_shown(codes, first):
    """D56."""
    assert modification(Facts(modifications=codes)) == first


@pytest.mark.parametrize(
    ("total", "each", "code"),
    [
        (None, ["F", "F"], "F"),
        (None, ["F", "N"], "IP"),
        (None, ["F", None], "IP"),
        (None, ["P", "N"], "IP"),
        (None, ["N", "X"], "N"),
        (None, ["X", None], "X"),
        (None, [None, None], None),
        (None, [], None),
        ("N", ["F", "F"], "N"),
    ],
)
def test_a_loan_is_defeased_when_all_its_properties_are(total, each, code):
    """D56."""
    blocks = [Facts({"defeasance_status": one} if one else {}) for one in [total, *each]]
    assert servicing_values(Facts(), blocks[0], blocks[1:])["defeasance"] == code
