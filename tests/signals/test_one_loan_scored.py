"""Figures of one loan are those that scoring stored with it, for every loan of a book."""

import math

import pytest

from services.contract.queries import LoanQuery
from services.importers import demo
from services.signals.one_loan.figures import loan_figures
from services.store.leases import Store
from tests.publishing import load
from tests.world import BOTH, RATES


@pytest.fixture(scope="module", params=["demonstration", "odd"])
def scored(request, tmp_path_factory):
    """Every loan of a store, its date and its reference rates."""
    folder = tmp_path_factory.mktemp("scored")
    if request.param == "odd":
        load(folder, BOTH, rates=RATES)
    else:
        load(folder, [demo.portfolio(loans=400)])
    store = Store(folder)
    with store.lease() as source:
        snapshot = source.snapshot()
        pages = (source.loans(LoanQuery(page=at, per_page=100)) for at in range(1, 6))
        numbers = [loan.loan_number for page in pages for loan in page.items]
        yield [source.loan(number) for number in numbers], snapshot.as_of, snapshot.rates
    store.close()


def found(loan, as_of, rates):
    got = loan_figures(loan, as_of, rates)
    refi, debt = got.refinance, got.debt
    gap = refi.own_gap_usd.value
    return {
        "rate_gap_bp": refi.rate_gap.value,
        "effective_maturity": debt.effective and debt.effective.isoformat(),
        "months_to_maturity": debt.months_to_effective,
        "special_servicing": got.special_servicing_since is not None,
        "whole_loan_debt": debt.whole.value,
        "partial_note": debt.part,
        "ltv": debt.ltv.value,
        "debt_yield": debt.debt_yield.value,
        "own_debt_service": debt.service.value,
        "balance_at_maturity": debt.at_maturity.value,
        "refi_debt_service": refi.graded(refi.service).value,
        "proforma_dscr": refi.graded(refi.dscr).value,
        "payment_shock": refi.shock.value,
        "max_proceeds": refi.most.value,
        "binding_constraint": refi.binding,
        "refinance_gap": refi.gap.value,
        "dollars_short": gap and max(gap, 0),
    }


def same(one, other):
    if isinstance(one, float | int) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1.0 if abs(other) > 1e3 else 1e-6)
    return (one or None) == (other or None)


def test_every_figure_is_the_one_that_was_scored(scored):
    loans, as_of, rates = scored
    assert len(loans) > 100
    differing = [
        (loan.loan_number, name, value, loan.extended.get(name))
        for loan in loans
        for name, value in found(loan, as_of, rates).items()
        if not same(value, loan.extended.get(name))
    ]
    assert differing == []
