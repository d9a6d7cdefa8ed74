"""Plain words as filters of loans: what they mean, and that nothing is half understood."""

import pytest

from components.frame.plain_filters import read
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse


@pytest.mark.parametrize(
    ("asked", "means"),
    [
        (
            "critical office in TX",
            {"severity": "critical", "property_type": "office", "state": "TX"},
        ),
        ("severe or worse hotels", {"severity": "critical,severe", "property_type": "lodging"}),
        ("office, retail in new york", {"property_type": "office,retail", "state": "NY"}),
        ("loans in tx and in ok", {"state": "TX,OK"}),
        ("maturing in 2 years over $20m", {"matures_within": "24", "min_balance": "20000000"}),
        (
            "due within 6 months with dscr under 1.1",
            {"matures_within": "6", "max_dscr": "1.1"},
        ),
        ("ltv over 80% under 2.5mm", {"min_ltv": "80", "max_balance": "2500000"}),
        (
            "debt yield below 8 in special servicing",
            {"max_debt_yield": "8", "special_servicing": "yes"},
        ),
        ("West Virginia", {"state": "WV"}),
        (
            "office leases expiring within 18 months",
            {"property_type": "office", "leases_within": "18"},
        ),
        ("leases rolling in the next 2 years", {"leases_within": "24"}),
    ],
)  # fmt: skip
def test_words_are_filters_that_the_page_of_loans_takes(asked, means):
    assert read(asked) == means
    assert parse(LoanFilter, means).filters()


@pytest.mark.parametrize(
    "asked",
    ["", "loans", "in", "me or in", "critical banana", "office tower", "CA-000012", "dscr under",
     "over 10m over 20m", "Dallas"],
)  # fmt: skip
def test_what_is_understood_in_part_is_no_filter(asked):
    assert read(asked) == {}
