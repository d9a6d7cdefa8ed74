"""Figures of one loan are those that scoring stored and lists show, by whatever tables (D139)."""

import math
import re
from importlib.resources import files

import pytest

from services.contract.columns import COLUMN
from services.contract.facts import FACT
from services.contract.loan_filter import LoanFilter
from services.contract.sizing import SizingInputs
from services.importers import demo
from services.signals.assumptions import Assumptions
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.publishing import load, load_once
from tests.world import BOTH, RATES

SPREADS = files("services.rates").joinpath("spreads.toml").read_text("utf-8")
LIMITS = files("services.signals").joinpath("limits.toml").read_text("utf-8")


def own_tables(folder):
    """Spreads 65 bp wider, minimum DSCR a quarter higher, other limits than the packaged ones."""
    wider = re.sub(r"(?m)^spread_bp = (\d+)", lambda m: f"spread_bp = {int(m[1]) + 65}", SPREADS)
    wider = re.sub(
        r"(?m)^min_dscr = (\S+)", lambda m: f"min_dscr = {float(m[1]) + 0.25:.2f}", wider
    )
    limits = re.sub(r"(?m)^version = \d+", "version = 90", LIMITS)
    (folder / "spreads.toml").write_text(wider)
    (folder / "limits.toml").write_text(limits.replace("1.20", "1.21"))
    return Assumptions.of(spreads=folder / "spreads.toml", limits=folder / "limits.toml")


@pytest.fixture(scope="module", params=["packaged tables", "odd loans", "own tables"])
def source(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored")
    if request.param == "odd loans":
        load_once(folder, BOTH, rates=RATES)
    elif request.param == "own tables":
        own = own_tables(tmp_path_factory.mktemp("tables"))
        load(folder, [demo.portfolio(loans=200)], assumptions=own)
    else:
        load(folder, [demo.portfolio(loans=400)])
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


def listed(source):
    """Every row of the list with all its columns, by loan number."""
    columns = tuple(COLUMN)
    pages = (source.loans_found(LoanFilter(page=at, per_page=100), columns) for at in range(1, 6))
    return {row.loan_number: row.values for page in pages for row in page.items}


def figures(got):
    """What the loan's page draws, by the column that lists call it."""
    refi, debt = got.refinance, got.debt
    gap, own = refi.gap_usd.value, refi.own_gap_usd.value
    return (dict.fromkeys(OF_REFINANCING) if got.exempt else of_refinancing(got, gap, own)) | {
        "refi_rate": refi.rate.value,
        "rate_gap_bp": refi.rate_gap.value,
        "effective_maturity": debt.effective and debt.effective.isoformat(),
        "special_servicing": got.special_servicing_since is not None,
        "whole_loan_debt": debt.whole.value,
        "partial_note": debt.part,
        "ltv": debt.ltv.value,
        "debt_yield": debt.debt_yield.value,
        "own_debt_service": debt.service.value,
        "balance_at_maturity": debt.at_maturity.value,
        "debt_due": debt.due.value,
        "debt_at_least": debt.at_least,
    }


#: What only a loan has that somebody must refinance: the page says why another one has none.
OF_REFINANCING = (
    *("months_to_maturity", "refi_debt_service", "proforma_dscr", "payment_shock"),
    *("max_proceeds", "binding_constraint", "refinance_gap", "dollars_short", "own_dollars_short"),
)


def of_refinancing(got, gap, own):
    refi, debt = got.refinance, got.debt
    figures = (
        *(debt.months_to_effective, refi.graded(refi.service).value),
        *(refi.graded(refi.dscr).value, refi.shock.value, refi.most.value),
        refi.binding and f"{refi.binding} on {_sized_on(got)}",
        refi.gap.value,
        None if own is None else max(own, 0) + min(max(gap, 0), debt.behind),
        own and max(own, 0),
    )
    return dict(zip(OF_REFINANCING, figures, strict=True))


def _sized_on(got):
    """What the binding constraint is sized on, by what the page shows of income."""
    in_place = got.income.in_place
    return {"DSCR": in_place.basis, "debt yield": "NOI", "LTV": "value"}[got.refinance.binding]


def same(name, one, other):
    """Dollars are stored whole."""
    if isinstance(one, float | int) and isinstance(other, float | int):
        off = 1.0 if FACT[name].kind == "dollars" else 1e-6
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=off)
    return (str(one or "") or None) == (str(other or "") or None)


def test_every_figure_is_the_one_that_was_scored_and_is_listed(source):
    rows = listed(source)
    assert len(rows) > 100
    differing = []
    for number, row in rows.items():
        loan = source.loan(number)
        for name, value in figures(source.figures(loan)).items():
            if not same(name, value, loan.extended.get(name)):
                differing.append((number, name, value, "its record", loan.extended.get(name)))
            if name in row and not same(name, value, row[name]):
                differing.append((number, name, value, "the list", row[name]))
    assert differing == []


def test_lists_show_these_refinance_figures(source):
    """What is compared above: a column that is added to lists and to the page belongs there."""
    row = next(iter(listed(source).values()))
    assert set(figures(source.figures(source.loan(next(iter(listed(source))))))) & set(row) == {
        "refi_rate", "rate_gap_bp", "effective_maturity", "whole_loan_debt", "debt_due", "ltv",
        "debt_yield", "own_dollars_short",
        "balance_at_maturity", "proforma_dscr", "payment_shock", "max_proceeds",
        "binding_constraint", "refinance_gap", "dollars_short",
    }  # fmt: skip


def test_a_sizing_starts_from_the_terms_of_the_snapshot_s_own_tables(source):
    loans = (source.loan(number) for number in listed(source))
    office = next(loan for loan in loans if loan.property_type == "office")
    inputs = SizingInputs.of(source.figures(office))
    own = {one.table: one.origin for one in source.snapshot().rests_on}["spreads"] == "spreads.toml"
    assert inputs.min_dscr == (1.65 if own else 1.40)
    # 1,000,000 at 8 % interest only: 1,000,000 / 1.65 / 0.08, or / 1.40 / 0.08.
    sized = source.sized(
        SizingInputs(noi=1e6, refi_rate=8.0, amortisation_years=0, min_dscr=inputs.min_dscr)
    )
    assert round(sized.amount) == (7_575_758 if own else 8_928_571)
