"""Rule cards: what each rule reads, in words typed by hand."""

import pytest

from services.contract.schedule_al import PAYMENT_STATUSES, STRUCTURES, WORKOUTS
from services.signals.cards import rule_cards
from services.signals.limits import NOTE_STRUCTURES, PAYMENT_RANKS, WORKOUT_RANKS

REFI = "refi rate (Treasury of the tenor + spread of the property type)"
DEBT = "whole-loan debt (implied by the DSCR where the record is a note)"
CARDS = {card.id: card for card in rule_cards()}


@pytest.mark.parametrize(
    ("rule", "inputs"),
    [
        ("RP-1", ("coupon", "property type", REFI)),
        ("RP-4", ("DSCR", "coupon", "property type", REFI, "maturity date")),
        ("MT-1", ("maturity date", "book value, past maturity")),
        ("DY-1", ("NOI", "book value", "property type", DEBT)),
        ("CV-1", ("DSCR",)),
        ("LV-1", ("book value", "appraised value", DEBT)),
        ("ST-1", ("payment status", "workout strategy")),
    ],
)
def test_a_rule_names_what_it_reads_as_the_loan_page_does(rule, inputs):
    assert CARDS[rule].inputs == inputs


def test_every_code_that_the_limits_name_is_one_of_schedule_al():
    assert set(PAYMENT_RANKS) <= set(PAYMENT_STATUSES)
    assert set(WORKOUT_RANKS) <= set(WORKOUTS)
    assert set(STRUCTURES) >= NOTE_STRUCTURES
