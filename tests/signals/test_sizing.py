"""A new loan sized as the calculator does, and what it starts from (D149)."""

from dataclasses import replace

import pytest

from services.contract.sizing import SizingInputs
from services.signals.one_loan.sizing import sized as sized_by
from tests.signals.test_one_loan import figures, office


def test_half_a_million_of_noi_is_sized_as_the_worked_check():
    inputs = SizingInputs(
        noi=500_000,
        min_dscr=1.25,
        min_debt_yield=9.0,
        max_ltv=60.0,
        cap_rate=5.5,
        refi_rate=6.5,
        amortisation_years=30,
    )
    assert inputs.dscr_basis == "NOI"
    sized = sized_by(inputs)
    each = (sized.by_dscr, sized.by_debt_yield, sized.by_ltv)
    assert [round(one) for one in each] == [5_273_694, 5_555_556, 5_454_545]
    assert sized.binding == "DSCR"
    assert round(inputs.value) == 9_090_909
    # An NCF of 480,000 is what the DSCR is on, and nothing else.
    reserved = replace(inputs, ncf=480_000)
    assert reserved.dscr_basis == "NCF"
    after = sized_by(reserved)
    each = (after.by_dscr, after.by_debt_yield, after.by_ltv)
    assert [round(one) for one in each] == [5_062_746, 5_555_556, 5_454_545]


def test_a_calculator_starts_from_the_loans_own_figures():
    got = figures(office())
    inputs = SizingInputs.of(got)
    assert inputs == SizingInputs(
        noi=800_000,
        ncf=760_000,
        min_dscr=1.40,
        min_debt_yield=11.0,
        max_ltv=70.0,
        cap_rate=5.0,
        refi_rate=6.72,
        amortisation_years=30,
    )
    sized = sized_by(inputs)
    assert sized.amount == pytest.approx(got.refinance.most.value)
    assert sized.by_ltv == pytest.approx(got.refinance.proceeds[2].value)
    assert SizingInputs.of(figures(office({"ncf": 800_000}))).ncf is None
    nothing = {"noi": None, "ncf": None, "refi_rate": None}
    bare = SizingInputs.of(figures(office(nothing, property_type=None)))
    assert bare == SizingInputs()
    assert sized_by(bare).amount is None


def test_on_the_imputed_rent_of_a_cooperative_nothing_is_sized():
    """Debt at maturity and what a new loan would cost are those of any loan (D281)."""
    got = figures(office(property_type="cooperative housing"))
    refi = got.refinance
    sizes = (*refi.proceeds, refi.most, refi.gap, refi.gap_usd, refi.own_gap_usd)
    rates = (refi.break_even.interest_only, refi.break_even.amortising)
    assert {one.why for one in (*sizes, *rates)} == {"n.m.: imputed rent"}
    assert (refi.binding, refi.sensitivity) == (None, None)
    assert got.income.imputed
    assert not figures(office()).income.imputed
    assert got.debt.at_maturity.value == 10_000_000
    assert round(refi.service.interest_only.value) == 672_000
    assert round(refi.dscr.interest_only.value, 4) == 1.1310
