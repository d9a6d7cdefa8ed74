"""A rule is one entry: what it needs beside it is nothing, as long as it reads what is known.

This one asks for occupancy alone, at limits of its own.
"""

import pytest

from services.signals.engine import evaluate
from services.signals.limits import Ladder, Limit
from services.signals.rule import Rule
from services.signals.rules import RULES
from tests.signals.healthy import AS_OF, LEASES, healthy_book, tables_of

LADDER = Ladder(
    unit="fraction",
    limits={"moderate": Limit("<", 0.70), "severe": Limit("<", 0.50)},
    by_type={},
    relative_to=None,
    version=1,
)
RULE = Rule(
    id="OC-9",
    version=1,
    signal_type="stress_indicator",
    title="Empty space",
    reads=("occupancy",),
    measure=lambda s: s.features.occupancy,
    ladder=LADDER,
    because="Occupancy of {value} is {passing} the {limit} limit for {severity}",
    clears_when="Space is let again.",
    source="A test.",
)


@pytest.fixture
def scored(assumptions):
    """The scores of a loan whose occupancy, now as underwritten, is this."""

    def scores(occupancy):
        loan = {"occupancy": occupancy, "underwritten_occupancy": occupancy}
        return evaluate(tables_of(healthy_book(loan, LEASES)), AS_OF, assumptions, (*RULES, RULE))

    return scores


@pytest.mark.parametrize(
    ("occupancy", "severity"),
    [(0.71, None), (0.70, None), (0.6999, "moderate"), (0.50, "moderate"), (0.4999, "severe")],
)
def test_it_grades_below_at_and_above_its_limits(scored, occupancy, severity):
    found = [row for row in scored(occupancy).components.to_pylist() if row["rule"] == "OC-9"]
    assert [row["severity"] for row in found] == ([severity] if severity else [])


def test_it_speaks_in_its_own_words_and_is_listed_among_the_rules(scored):
    scores = scored(0.4)
    (signal,) = scores.signals.to_pylist()
    assert signal["severity"] == "severe"
    assert "Occupancy of 40% is under the 50% limit for severe" in signal["description"]
    card = next(card for card in scores.rules if card.id == "OC-9")
    assert (card.title, card.version) == ("Empty space", 1)


def test_without_what_it_reads_it_says_that_it_could_not_test(scored):
    coverage = next(one for one in scored(None).coverage if one.rule == "OC-9")
    assert coverage.reasons == {"no occupancy": 1}
