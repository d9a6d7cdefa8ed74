"""How the filters of loans read in the sentence over a result."""

import pytest

from components.frame import filters as frame_filters
from components.loans import filters
from services.contract.errors import InvalidRequest
from services.contract.loan_filter import LoanFilter
from services.contract.queries import parse


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "All loans"),
        ({"severity": "severe,critical"}, "Loans with a critical or severe signal at worst"),
        ({"severity": "none"}, "Loans without a signal"),
        ({"severity": "defeased,nothing owed"}, "Loans defeased or owing nothing"),
        (
            {"severity": "critical,none"},
            "Loans with a critical signal at worst or without a signal",
        ),
        ({"matures_within": "12"}, "Loans maturing within 12 months of the as-of date"),
        ({"matures_within": "1"}, "Loans maturing within a month of the as-of date"),
        (
            {"leases_within": "12", "tenant": "rite aid"},
            "Loans with a lease that expires within 12 months of the as-of date, let to “rite aid”",
        ),
        (
            {"state": "TX", "property_type": "office", "min_ltv": "65"},
            "Office loans in Texas, with an LTV of at least 65.00%",
        ),
    ],
)
def test_a_result_is_said_in_words(params, said):
    assert filters.sentence(parse(LoanFilter, params)) == said


@pytest.mark.parametrize("months", ["0", "361", "1.5", "a year"])
def test_months_that_nobody_can_mean_are_refused_by_name(months):
    with pytest.raises(InvalidRequest, match="matures_within"):
        parse(LoanFilter, {"matures_within": months})


def test_every_severity_can_be_chosen_mildest_first():
    (pressure,) = frame_filters.offered("rate_pressure")
    graded = ("moderate", "elevated", "severe", "critical")
    assert frame_filters.WORST_SEVERITY.field.options == (
        *graded,
        "none",
        "defeased",
        "nothing owed",
    )
    assert frame_filters.SEVERITIES_OF_SIGNALS.field.options == graded
    assert pressure.field.options == ("low", *graded)
