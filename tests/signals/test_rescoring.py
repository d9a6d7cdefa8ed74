"""Inputs of a loan in a scenario, typed by hand (D65), and which snapshots can be asked (D66)."""

from dataclasses import fields, replace
from datetime import date

import numpy as np
import pytest

from services.contract.errors import NotRescored
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import Scenario
from services.rates.reference import Quote
from services.signals.features import features
from services.signals.refinance_features import Inputs
from services.signals.rescoring import RulesRescorer, in_scenario, shifted
from services.signals.rules import RULES
from services.store.leases import Store
from tests.signals.healthy import AS_OF

QUOTED_ON = date(2026, 8, 31)
NONE = np.nan


def one(loans_of, assumptions, **figures):
    """The healthy loan with these inputs."""
    tables = {"loans": loans_of({})}
    given_by = (assumptions.rates, assumptions.sizings, assumptions.limits)
    found = features(tables, AS_OF, *given_by)
    inputs = Inputs(**{field.name: getattr(found, field.name) for field in fields(Inputs)})
    return replace(inputs, **{name: np.array([float(figure)]) for name, figure in figures.items()})


@pytest.mark.parametrize(
    ("figures", "scenario", "expected"),
    [
        # NCF falls by the dollars that NOI loses; DSCR as NCF over the debt service it implies.
        (
            {"noi": 1_000, "income": 800, "dscr": 1.6, "value": 10_000},
            {"noi": -10},
            {"noi": 900, "income": 700, "dscr": 1.4, "value": 9_000},
        ),
        # 10 % of 1,000 / 10,000, raised by 100 bp, is 11 %.
        (
            {"noi": 1_100, "income": 800, "dscr": 1.6, "value": 11_000},
            {"cap": 100},
            {"noi": 1_100, "income": 800, "dscr": 1.6, "value": 10_000},
        ),
        (
            {"noi": 1_100, "income": 1_100, "dscr": 1.1, "value": 11_000},
            {"noi": 10, "cap": 100},
            {"noi": 1_210, "income": 1_210, "dscr": 1.21, "value": 11_000},
        ),
        # Income below zero falls further below; its value stays as appraised.
        (
            {"noi": -100, "income": -120, "dscr": -0.6, "value": 5_000},
            {"noi": -10, "cap": 200},
            {"noi": -110, "income": -130, "dscr": -0.65, "value": 5_000},
        ),
        ({"noi": 0, "income": 0, "dscr": 0, "value": 5_000}, {"noi": -30, "cap": 200},
         {"noi": 0, "income": 0, "dscr": 0, "value": 5_000}),
        # Without NOI: cash flow and DSCR by their own share, and no cap rate to raise.
        (
            {"noi": NONE, "income": 800, "dscr": 1.6, "value": 5_000},
            {"noi": -10, "cap": 200},
            {"noi": NONE, "income": 720, "dscr": 1.44, "value": 5_000},
        ),
        (
            {"noi": NONE, "income": NONE, "dscr": 1.6, "value": 5_000},
            {"noi": -10, "cap": 200},
            {"noi": NONE, "income": NONE, "dscr": 1.44, "value": 5_000},
        ),
        # A DSCR that contradicts its income implies no debt service.
        (
            {"noi": -50, "income": -50, "dscr": 1.2, "value": NONE},
            {"noi": -20, "cap": 50},
            {"noi": -60, "income": -60, "dscr": 0.96, "value": NONE},
        ),
        (
            {"noi": 1_000, "income": 800, "dscr": NONE, "value": NONE},
            {"noi": 10},
            {"noi": 1_100, "income": 900, "dscr": NONE, "value": NONE},
        ),
    ],
)  # fmt: skip
def test_income_and_value_of_a_scenario(loans_of, assumptions, figures, scenario, expected):
    found = in_scenario(one(loans_of, assumptions, **figures), Scenario(**scenario))
    for name, figure in expected.items():
        assert getattr(found, name)[0] == pytest.approx(figure, rel=1e-12, nan_ok=True), name


def test_each_treasury_moves_by_the_shift_of_its_own_tenor():
    quotes = tuple(
        Quote(series, QUOTED_ON, percent)
        for series, percent in (("DGS10", 4.5), ("DGS5", 4.0), ("DGS7", 4.25))
    )
    found = shifted(quotes, Scenario(rate_5=-200, rate_7=75, rate_10=300))
    assert [one.percent for one in found] == [7.5, 2.0, 5.0]
    assert Scenario.of(rates=100, rate_7=-25) == Scenario(
        rate_5=100, rate_7=-25, rate_10=100, rate_short=100
    )


def test_rules_that_no_scenario_moves():
    assert {rule.id for rule in RULES if not rule.moves} == {
        *("ST-1", "UW-1", "OC-1", "LR-1", "MT-1", "CN-1", "CT-1"),
    }


@pytest.fixture
def snapshot(store_source):
    return store_source.snapshot()


def test_loans_that_other_rules_scored_are_not_scored_anew(snapshot):
    former = snapshot.rules[1].model_copy(update={"version": 99})
    changed = snapshot.model_copy(update={"rules": (snapshot.rules[0], former)})
    with pytest.raises(NotRescored, match="another version of the rules; import their files again"):
        RulesRescorer().moving(changed)
    with pytest.raises(NotRescored, match="bear the scores of their source"):
        RulesRescorer().moving(snapshot.model_copy(update={"rules": ()}))
    assert "CV-1" in RulesRescorer().moving(snapshot)


def test_a_store_without_rules_at_hand_says_so(world_store):
    with (
        Store(world_store).lease() as source,
        pytest.raises(NotRescored, match="No rules are at hand"),
    ):
        source.what_if(LoanFilter(), Scenario())
