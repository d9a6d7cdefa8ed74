"""A snapshot keeps what was said when it was scored: sentences, severities, rules and limits (D51).

Rules come and go and limits change with the program; what an earlier one found stays as it was.
"""

from dataclasses import replace

import pytest

from services.contract.paging import every
from services.contract.queries import SignalQuery
from services.signals.cards import rule_cards
from services.signals.limits import Limit, Limits
from services.signals.rules import RULE_OF, RULES
from services.store.leases import Store
from tests.publishing import load
from tests.world import RATES, Sketch, info_of

#: A rule of a program that is gone, and a house that grades DSCR by other limits.
LAPSED = replace(
    RULE_OF["LV-1"],
    id="OLD-7",
    version=3,
    title="Leverage as it was graded then",
    because="Leverage {value} was {passing} {limit}, then called {severity}",
    clears_when="It never does.",
)
STRICT = replace(
    RULE_OF["CV-1"],
    version=7,
    only_if=(),
    ladder=replace(
        RULE_OF["CV-1"].ladder,
        limits={
            "moderate": Limit("<", 2.5),
            "elevated": Limit("<", 2.0),
            "severe": Limit("<", 1.75),
            "critical": Limit("<", 1.5),
        },
        by_type={},
        version=9,
    ),
)
#: DSCR 1.30x: silent by the packaged limits, critical by the strict ones.
LOAN = {"dscr": 1.3, "value": 12_000_000, "noi": None, "maturity_date": None, "interest_rate": 7.25}


@pytest.fixture
def found(tmp_path):
    """The signals of one loan, and its rules, as a snapshot scored by other rules has them."""

    def ask(*scored_by):
        sketch = Sketch(info_of("one"))
        sketch.loan("L", **LOAN)
        load(tmp_path, [sketch.portfolio()], rates=RATES, rules=scored_by)
        store = Store(tmp_path)
        with store.lease() as source:
            listed = list(every(source.signals, SignalQuery()))
            assert source.signals_of("L") == listed
            cards = source.rules()
        store.close()
        return listed, cards

    return ask


def test_the_words_of_a_rule_that_was_dropped_are_still_said(found):
    (signal,), cards = found(RULE_OF["RP-1"], LAPSED)
    assert signal.description == (
        "Leverage 83.3% was over 80%, then called elevated. As of 29 Feb 2024."
    )
    (component,) = signal.components
    assert (component.rule, component.title) == ("OLD-7", "Leverage as it was graded then")
    assert (component.rule_version, component.limits_version) == (3, 4)
    assert (component.value, component.limit) == (pytest.approx(10 / 12), 0.80)
    assert [card.id for card in cards] == ["RP-1", "OLD-7"]
    assert (cards[1].title, cards[1].version) == (LAPSED.title, 3)
    assert cards[1].clears_when == "It never does."


def test_what_other_limits_found_keeps_their_words_severities_and_cards(found):
    (signal,), cards = found(RULE_OF["RP-1"], STRICT)
    assert signal.severity == "critical"
    assert signal.description == (
        "DSCR 1.30x is under the 1.50x limit for critical. As of 29 Feb 2024."
    )
    (component,) = signal.components
    assert (component.severity, component.limit) == ("critical", 1.5)
    assert (component.rule_version, component.limits_version) == (7, 9)
    assert (cards[1].version, cards[1].limits_version) == (7, 9)
    assert dict(cards[1].ladder)["critical"] == "under 1.50x"


def test_the_cards_of_a_snapshot_are_those_of_the_rules_that_scored_it(store_source):
    assert store_source.rules() == rule_cards(RULES, Limits.packaged())
    assert [one.rule for one in store_source.rule_coverage()] == [rule.id for rule in RULES]
