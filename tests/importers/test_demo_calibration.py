"""The rules over the demonstration portfolio: it shows what they are for, and no more."""

from collections import Counter
from datetime import date

import numpy as np
import pyarrow.compute as pc
import pytest

from services.contract.portfolio import TABLES
from services.contract.vocabulary import SEVERITIES
from services.signals.assumptions import Assumptions
from services.signals.engine import evaluate
from services.signals.limits import Limits
from tests.oracle_notes import ungraded

AS_OF = date(2026, 9, 30)


@pytest.fixture(scope="module")
def scored(demo):
    return evaluate({name: getattr(demo, name) for name in TABLES}, AS_OF, Assumptions.packaged())


@pytest.fixture(scope="module")
def worst(demo, scored):
    """Rank in SEVERITIES of each loan's worst signal, contagion left out."""
    found = np.zeros(demo.loans.num_rows, dtype=np.int64)
    signals = scored.signals["loan"].to_pylist()
    for part in scored.components.to_pylist():
        if part["rule"] != "CT-1":
            loan = signals[part["signal"]]
            found[loan] = max(found[loan], SEVERITIES.index(part["severity"]))
    return found


def test_severities_have_the_shares_of_a_real_book(demo, worst):
    owing = np.array([ungraded(row) == "none" for row in demo.loans.to_pylist()])
    assert 0.40 <= np.mean(owing & (worst == 0)) <= 0.60
    assert 0.15 <= np.mean(worst >= SEVERITIES.index("elevated")) <= 0.25
    assert 0.08 <= np.mean(worst >= SEVERITIES.index("severe")) <= 0.14


def test_every_rule_fires_at_every_severity_of_its_ladder(scored):
    ladders = Limits.packaged().ladders
    for rule in scored.coverage:
        for severity in ladders[rule.rule].limits:
            assert rule.fired[severity] >= 5, (rule.rule, severity)


def test_every_exemption_occurs(demo, scored):
    exempt = Counter(scored.features["exemption"].to_pylist())
    assert exempt["defeased in full"] >= 10
    assert exempt["repaid by its schedule"] >= 200
    paid_off = np.flatnonzero(demo.loans["book_value"].to_numpy() == 0)
    assert len(paid_off) >= 5
    assert not set(paid_off) & set(scored.signals["loan"].to_pylist())


def test_offices_are_in_distress_twice_as_often(demo, worst):
    office = pc.equal(demo.loans["property_type"], "office").to_numpy()
    severe = worst >= SEVERITIES.index("severe")
    assert 1.6 < severe[office].mean() / severe.mean() < 2.8
