"""A part of a wider query is what was validated, and equals the narrower query made by hand; the
loans behind signals (D270).
"""

from datetime import date

import pytest

from components.frame import address
from components.loans.filters import LoanView
from components.signals.filters import ANY, SignalView, on_loans
from services.contract.families import FamilyFilter
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery, parse
from services.contract.signal_filter import SignalFilter

ASKED = {
    "state": "tx,CA",
    "min_dscr": "1.2",
    "maturity_before": "2028-01-01",
    "page": "3",
    "order": "-dscr",
}


def test_a_view_s_part_is_its_query_with_its_slice_or_without():
    view = parse(LoanView, {**ASKED, "map": "cities", "columns": "terms"})
    by_hand = {"state": ("CA", "TX"), "min_dscr": 1.2, "maturity_before": date(2028, 1, 1)}
    assert view.filter() == LoanFilter(**by_hand, page=3, order="-dscr")
    assert hash(view.filter()) == hash(LoanFilter(**by_hand, page=3, order="-dscr"))
    assert view.part(LoanFilter, sliced=False) == LoanFilter(**by_hand)
    assert view.filter().params() == LoanFilter(**by_hand, page=3, order="-dscr").params()


def test_a_part_has_no_order_of_another_kind():
    families = FamilyFilter(kind="owner", order="-loans", state=("TX",), page=2, per_page=50)
    assert families.of_loans() == LoanFilter(state=("TX",))


def test_all_severities_are_no_condition():
    assert SignalView(severity=(ANY,)).filter().severity is None
    assert SignalView(severity=("severe",)).filter() == SignalFilter(
        severity=("severe",), order="-severity"
    )


def test_what_the_specification_can_say_is_said_as_one_value():
    one = LoanFilter(state=("TX",), rate_pressure=("severe",), min_balance=5)
    assert one.specified() == LoanQuery(state="TX", rate_pressure="severe", min_balance=5)
    assert LoanFilter(state=("TX", "CA")).specified() == LoanQuery()


def test_widgets_that_hold_the_address_are_not_validated_again():
    asked = parse(LoanView, ASKED)
    values = {name: getattr(asked, name) for name in LoanView.model_fields}
    assert address.held(asked, values) is asked
    other = address.held(asked, values | {"min_dscr": 1.3})
    assert other.min_dscr == 1.3
    assert other is not asked
    # What no widget holds is not carried on.
    del values["min_dscr"]
    assert address.held(asked, values).min_dscr is None


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, {"severity": ("critical", "elevated", "moderate", "severe")}),
        ({"severity": ("critical",)}, {"severity": ("critical",)}),
        ({"severity": ("critical", "severe"), "state": ("TX",)},
         {"severity": ("critical", "severe"), "state": ("TX",)}),
        ({"rule": ("CV-1",), "sponsor": "Ada"}, {"rule": ("CV-1",), "sponsor": "Ada"}),
        ({"severity": ("severe",)}, None),
        ({"severity": ("critical", "elevated")}, None),
        ({"signal_type": ("stress_indicator",)}, None),
        ({"rule": ("CV-1",), "severity": ("critical",)}, None),
    ],
)  # fmt: skip
def test_signals_lead_to_their_loans_where_filters_find_these(asked, expected):
    found = on_loans(SignalFilter(**asked))
    assert found == (LoanFilter(**expected) if expected is not None else None)


@pytest.mark.parametrize("view", [LoanView, SignalView])
def test_an_address_of_an_earlier_version_still_works(view):
    assert parse(view, {"map": "cities"}).params() == parse(view, {}).params()
