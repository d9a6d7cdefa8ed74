"""What counts as distress, code by code, and that the definition names those codes (D147)."""

import re
from datetime import date

import pytest

from services.contract.schedule_al import MODIFICATIONS, PAYMENT_STATUSES, WORKOUTS
from services.signals.servicing import RECENT_MONTHS
from services.track_record.distress import (
    DEFINITION,
    READ,
    defeased,
    distress,
    ended,
    paid_off,
)

DAY = date(2020, 6, 11)
LATE, MATURED, SPECIAL = "60 or more days delinquent", "matured balloon unpaid", "special servicing"
CHANGED, LOSS = "modification", "liquidation with a loss"
HEALTHY = {
    **dict.fromkeys(READ),
    "payment_status": "0",
    "book_value": 1_000_000,
    "maturity_date": date(2027, 4, 1),
    "defeasance": "N",
    "disposition": "outstanding",
}


def of(**facts):
    return distress({**HEALTHY, **facts}, DAY)


def test_a_current_loan_shows_none():
    assert of() == ()


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        *((code, ()) for code in ("0", "A", "B", "1", None)),
        *(("2", (LATE,)), ("3", (LATE,)), ("4", (MATURED,)), ("5", (MATURED,))),
    ],
)
def test_payment_status(code, kinds):
    assert of(payment_status=code) == kinds


def test_every_payment_status_of_the_schedule_is_tried_above():
    assert set(PAYMENT_STATUSES) == set("0AB12345")


WORKED_OUT = {
    "1": CHANGED, "2": "foreclosure", "3": SPECIAL, "4": CHANGED, "5": SPECIAL, "6": LOSS,
    "7": "REO", "9": SPECIAL, "10": "foreclosure", "13": SPECIAL,
}  # fmt: skip


@pytest.mark.parametrize("code", WORKOUTS)
def test_workout_strategy(code):
    assert of(workout=code) == ((WORKED_OUT[code],) if code in WORKED_OUT else ())


@pytest.mark.parametrize("code", MODIFICATIONS)
def test_a_modification_counts_unless_it_does_not_say_what_changed(code):
    found = of(modification=code, modified_on=date(2020, 5, 30))
    assert found == (() if code == "98" else (CHANGED,))


@pytest.mark.parametrize(
    ("on", "kinds"),
    [
        (date(2018, 6, 11), (CHANGED,)),  # 24 months to the day
        (date(2018, 6, 10), ()),
        (date(2013, 1, 1), ()),
        (None, ()),
    ],
)
def test_a_modification_counts_from_its_date_for_24_months(on, kinds):
    """So that code 10, which took the place of 98 in filings of 2024, does not date from then."""
    assert of(modification="10", modified_on=on) == kinds
    assert of(modification="1", modified_on=on) == kinds


@pytest.mark.parametrize(
    ("since", "returned", "inside"),
    [
        (date(2020, 5, 1), None, True),
        (date(2020, 5, 1), date(2019, 1, 1), True),  # an earlier stay
        (date(2020, 5, 1), date(2020, 5, 30), False),
        (None, date(2020, 5, 30), False),
    ],
)
def test_special_servicing_lasts_until_the_return(since, returned, inside):
    kinds = of(special_servicing_since=since, special_servicing_returned=returned)
    assert kinds == ((SPECIAL,) if inside else ())


@pytest.mark.parametrize(
    ("matures", "owed", "kinds"),
    [
        (date(2020, 6, 10), 5, (MATURED,)),
        (date(2020, 6, 11), 5, ()),
        (date(2020, 6, 10), 0, ()),
        (None, 5, ()),
    ],
)
def test_a_balance_owed_after_maturity(matures, owed, kinds):
    assert of(maturity_date=matures, book_value=owed) == kinds


@pytest.mark.parametrize(
    ("disposition", "loss", "kinds"),
    [
        ("liquidated", 1, (LOSS,)),
        ("liquidated", 0, ()),
        ("liquidated", None, ()),
        ("discounted payoff", None, (LOSS,)),
        ("paid off at maturity", None, ()),
        ("repurchased or substituted", 0, ()),
        ("outstanding", 1, (LOSS,)),  # a write-off on a loan that goes on
        (None, None, ()),
    ],
)
def test_a_loss(disposition, loss, kinds):
    assert of(disposition=disposition, realized_loss=loss, book_value=0) == kinds


def test_several_kinds_come_in_order_of_the_definition():
    found = of(workout="7", payment_status="3", special_servicing_since=date(2020, 1, 1))
    assert found == (LATE, SPECIAL, "REO")


def test_defeased_in_part_or_owing_something_is_neither_safe_nor_gone():
    assert defeased({**HEALTHY, "defeasance": "F"})
    assert not defeased({**HEALTHY, "defeasance": "IP"})
    assert not ended(HEALTHY)


@pytest.mark.parametrize(
    ("disposition", "balance", "over", "repaid"),
    [
        ("paid off before maturity", 0, True, True),
        ("paid off at maturity", None, True, True),
        ("liquidated", 0, True, False),
        ("repurchased or substituted", 0, True, False),
        ("ended for a reason not stated", 0, True, False),
        (None, 0, True, False),  # a source that states no endings
        (None, None, False, False),
        ("outstanding", None, False, False),
        ("defeased in full", 5, False, False),
    ],
)
def test_who_no_longer_owes_and_who_was_repaid(disposition, balance, over, repaid):
    loan = {**HEALTHY, "disposition": disposition, "book_value": balance}
    assert (ended(loan), paid_off(loan)) == (over, repaid)


@pytest.mark.parametrize(
    ("field", "kind"),
    [("payment_status", LATE), ("payment_status", MATURED), ("workout", SPECIAL),
     ("workout", "foreclosure"), ("workout", "REO")],
)  # fmt: skip
def test_the_written_definition_names_exactly_the_codes_that_count(field, kind):
    words = re.sub(r"\([^)]*days[^)]*\)", "", DEFINITION[kind])
    named = set(re.findall(r"\b\d+\b", words))
    listed = PAYMENT_STATUSES if field == "payment_status" else WORKOUTS
    assert named == {code for code in listed if of(**{field: code}) == (kind,)}


def test_the_written_definition_names_exactly_the_modifications_that_count():
    changes, rest = DEFINITION[CHANGED].split(", or workout")
    codes, period = changes.split(" with a date within the last ")
    assert set(re.findall(r"\d+", codes)) == set(MODIFICATIONS) - {"98", "unstated"}
    assert period == f"{RECENT_MONTHS} months"
    assert re.findall(r"\d+", rest) == ["1", "4", "98", "10", "2024"]
