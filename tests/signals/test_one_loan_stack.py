"""The capital stack of one loan, with the LTV of each rank. Pins D155."""

from datetime import date

import pytest

from services.contract.records import LoanDetail
from services.rates.spreads import Sizings
from services.signals.one_loan.figures import loan_figures

SIGNED = {"underwritten_ncf": 900_000, "underwritten_dscr": 1.5}


def layer(rank, position, amount):
    return {"rank": rank, "position": position, "layer": "bank", "lender": "L", "amount": amount}


SENIOR, MEZZANINE = layer(1, "senior", 60), layer(2, "mezzanine", 15)


def figures(facts, **changed):
    own = {"book_value": 60, "interest_rate": 5.0, **changed}
    loan = LoanDetail(loan_number="1", **own, extended={"amortization_months": 0, **facts})
    return loan_figures(loan, date(2026, 9, 30), (), Sizings.packaged())


def stack(layers, **facts):
    return figures({"value": 100, "debt_layers": layers, **facts}).stack


def test_each_layer_bears_the_ltv_up_to_it():
    found = stack([MEZZANINE, SENIOR])
    assert [one.position for one in found] == ["senior", "mezzanine"]
    assert [one.cumulative.value for one in found] == [60, 75]
    assert [one.ltv.value for one in found] == [0.60, 0.75]


def test_the_other_notes_of_a_larger_loan_stand_between():
    """8 of income at 2.0x and 5 % is 80 lent: 20 more than the record."""
    whole = {"structure": "PP", "underwritten_ncf": 8, "underwritten_dscr": 2.0}
    found = stack([SENIOR, MEZZANINE], **whole)
    assert [one.position for one in found] == ["senior", "other notes", "mezzanine"]
    assert [one.amount for one in found] == pytest.approx([60, 20, 15])
    assert found[2].ltv.value == pytest.approx(0.95)


def test_what_is_not_known_ends_the_sum():
    unknown = stack([SENIOR, layer(2, "mezzanine", None), layer(3, "preferred", 5)])
    assert [one.cumulative.value for one in unknown] == [60, None, None]
    assert unknown[2].ltv.why == "not testable: no amount of a layer"
    part = stack([SENIOR, MEZZANINE], structure="PP")
    assert part[2].ltv.why == "not testable: no underwriting of the whole loan"
    assert stack([SENIOR], value=None)[0].ltv.why == "not testable: no appraised value"


def test_what_was_advanced_on_a_loan_in_trouble_is_repaid_first():
    """Scheduled 58 and 9 advanced: an exposure of 67, 7 over the balance (D276)."""
    late = {"payment_status": "3", "scheduled_balance": 58, "payment_advances": 9}
    found = stack([SENIOR, MEZZANINE], **late)
    assert [one.position for one in found] == ["advances", "senior", "mezzanine"]
    assert [one.amount for one in found] == [7, 60, 15]
    assert [one.ltv.value for one in found] == pytest.approx([0.07, 0.67, 0.82])
    assert [one.position for one in stack([SENIOR], **{**late, "payment_status": "0"})] == [
        "senior"
    ]


def test_a_loan_without_layers_has_no_stack():
    assert stack([]) == stack("odd") == ()


@pytest.mark.parametrize(
    ("facts", "changed", "lacks"),
    [
        ({"structure": "PP"}, {}, "underwriting of the whole loan"),
        ({"structure": "PP", "underwritten_dscr": 1.5}, {}, "underwriting of the whole loan"),
        ({"structure": "PP", **SIGNED}, {"interest_rate": None}, "coupon"),
        ({"structure": "PP", **SIGNED, "payment_type": "2", "amortization_months": None}, {},
         "amortisation term"),
        ({"structure": "ZZ", **SIGNED}, {}, "loan structure of the schema"),
        ({"structure": "PP", **SIGNED}, {"book_value": None}, "balance"),
    ],
)  # fmt: skip
def test_a_whole_loan_says_what_it_cannot_be_implied_without(facts, changed, lacks):
    whole = figures(facts, **changed).debt.whole
    assert (whole.value, whole.why) == (None, f"not testable: no {lacks}")
