"""Events of a loan between two periods (D165): typed cases of every kind, and a plain oracle."""

import random
from datetime import date

import pytest

from services.contract.events import EVENT_KINDS, IMPORTANCE
from services.signals.events import events
from tests import oracle_events
from tests.periods import drawn, history_row

WAS, NOW = date(2024, 1, 31), date(2024, 2, 29)


def found(before, after):
    return events(
        None if before is None else history_row(WAS, **before),
        None if after is None else history_row(NOW, **after),
        WAS,
        NOW,
    )


#: Kind, what the two rows say, and the whole sentence.
CASES = [
    ("new", None, {}, "The loan is new in the file."),
    ("gone", {}, None, "The loan is in the file no more; it owed $10,000,000."),
    ("paid_off", {}, {"balance": 0}, "The loan was paid off; it owed $10,000,000."),
    (
        "liquidated",
        {},
        {"balance": 0, "realized_loss": 4_548_626},
        "The loan was liquidated with a loss of $4,548,626.",
    ),
    (
        "special_in",
        {"special_servicing": False},
        {"special_servicing": True},
        "The loan went into special servicing.",
    ),
    (
        "special_out",
        {"special_servicing": True},
        {"special_servicing": False},
        "The loan came back from special servicing.",
    ),
    (
        "status_worse",
        {"payment_status": "A"},
        {"payment_status": "2"},
        (
            "Its payment status worsened from payment not received, in grace period or not yet"
            " due to 60-89 days delinquent."
        ),
    ),
    (
        "status_cured",
        {"payment_status": "3"},
        {"payment_status": "0"},
        "Its payment status improved from 90 or more days delinquent to current.",
    ),
    (
        "matured",
        {"maturity_date": date(2024, 2, 10)},
        {"maturity_date": date(2024, 2, 10)},
        "It matured on 10 Feb 2024 and was not repaid.",
    ),
    ("workout", {}, {"workout": "2"}, "Its workout strategy is foreclosure."),
    (
        "workout",
        {"workout": "2"},
        {"workout": "7"},
        ("Its workout strategy is REO, before foreclosure."),
    ),
    (
        "modified",
        {},
        {"modification": "1", "modified_on": date(2024, 2, 1)},
        "It was modified on 1 Feb 2024: maturity date extension.",
    ),
    ("modified", {}, {"modification": "10"}, "It was modified: forbearance."),
    (
        "extended",
        {"maturity_date": date(2027, 5, 1)},
        {"maturity_date": date(2029, 5, 1)},
        "Its maturity was extended from 1 May 2027 to 1 May 2029.",
    ),
    (
        "maturity_earlier",
        {"maturity_date": date(2029, 5, 1)},
        {"maturity_date": date(2027, 5, 1)},
        "Its maturity was brought forward from 1 May 2029 to 1 May 2027.",
    ),
    ("defeased", {"defeasance": "N"}, {"defeasance": "F"}, "It was defeased in full."),
    ("dscr_below_100", {"dscr": 1.0}, {"dscr": 0.996}, "Its DSCR fell from 1.00x to 0.996x."),
    (
        "dscr_below_100",
        {"dscr": 2.05, "income_basis": "NCF, underwritten"},
        {"dscr": 0.7188, "income_basis": "NCF, 1 Jan to 31 Mar 2018, 3 months"},
        "Its DSCR fell from 2.05x as underwritten to 0.72x.",
    ),
    ("dscr_below_125", {"dscr": 1.4}, {"dscr": 1.0}, "Its DSCR fell from 1.40x to 1.00x."),
    ("dscr_above_100", {"dscr": 0.9}, {"dscr": 1.24}, "Its DSCR rose from 0.90x to 1.24x."),
    ("dscr_above_125", {"dscr": 0.9}, {"dscr": 1.25}, "Its DSCR rose from 0.90x to 1.25x."),
    ("noi_down_20", {"noi": 1000}, {"noi": 800}, "Its NOI fell by 20% from $1,000 to $800 a year."),
    ("noi_down_20", {"noi": 1000}, {"noi": 0}, "Its NOI fell by 100% from $1,000 to $0 a year."),
    ("noi_down_20", {"noi": 1000}, {"noi": -1}, "Its NOI fell from $1,000 to −$1 a year."),
    (
        "noi_down_10",
        {"noi": 1000},
        {"noi": 801},
        ("Its NOI fell by 19.9% from $1,000 to $801 a year."),
    ),
    (
        "occupancy_down",
        {"occupancy": 0.9},
        {"occupancy": 0.8},
        ("Its occupancy fell from 90% to 80%."),
    ),
    (
        "reappraised",
        {"value": 37_000_000, "value_date": date(2016, 11, 23)},
        {"value": 22_000_000, "value_date": date(2020, 8, 19)},
        "It was reappraised as of 19 Aug 2020: $22,000,000, before $37,000,000.",
    ),
    (
        "coupon_changed",
        {"interest_rate": 5.71, "rate_type": "1"},
        {"interest_rate": 4.5, "rate_type": "1"},
        "Its coupon changed from 5.71 % to 4.5 %.",
    ),
    (
        "amortisation_changed",
        {"amortization_months": 360},
        {"amortization_months": 0},
        "Its amortisation changed from 360 months to interest only.",
    ),
    (
        "tenant_changed",
        {"tenant": "Shop"},
        {"tenant": "Mill"},
        ("Its largest tenant is Mill, before Shop."),
    ),
    (
        "tenant_changed",
        {"tenant": "Shop", "tenant_expires": date(2025, 1, 31)},
        {"tenant": "Shop", "tenant_expires": None},
        (
            "The lease of its largest tenant, Shop, moved from 31 Jan 2025 to a day that is not"
            " stated."
        ),
    ),
    (
        "sponsor_changed",
        {"sponsor": "X LP"},
        {"sponsor": "Y LP"},
        ("Its sponsor is Y LP, before X LP."),
    ),
    (
        "signal_new",
        {},
        {"rate_pressure": "severe"},
        "A signal of rate pressure is new: severe.",
    ),
    (
        "signal_gone",
        {"stress_indicator": "moderate"},
        {},
        "The signal of stress indicator is gone; it was moderate.",
    ),
    (
        "signal_worse",
        {"maturity_timing": "moderate"},
        {"maturity_timing": "critical"},
        "The signal of maturity timing worsened from moderate to critical.",
    ),
    (
        "signal_better",
        {"concentration_risk": "critical"},
        {"concentration_risk": "severe"},
        "The signal of concentration risk eased from critical to severe.",
    ),
]
#: What is near an event and none.
NONE = [
    ({"balance": 0}, None),  # paid off long ago, then left out of the file
    ({"balance": 0}, {"balance": 0}),
    ({"realized_loss": 5, "balance": 0}, {"realized_loss": 9, "balance": 0}),
    ({"payment_status": "0"}, {"payment_status": "B"}),
    ({"payment_status": "0"}, {"payment_status": "4"}),  # D183: it still pays
    ({"payment_status": "0"}, {"payment_status": "Z"}),
    ({"workout": "2"}, {}),
    ({"modification": "98"}, {"modification": "10"}),  # another code for what was there
    ({}, {"modification": "98"}),
    ({"modified_on": date(2020, 1, 1)}, {"modified_on": date(2020, 1, 1), "modification": "10"}),
    ({"dscr": 1.3}, {"dscr": 1.25}),
    ({"noi": 1000}, {"noi": 901}),
    ({"noi": -1000}, {"noi": -2000}),
    ({"occupancy": 0.9}, {"occupancy": 0.8001}),
    ({"value": 5, "value_date": date(2020, 1, 1)}, {"value": 6, "value_date": date(2020, 1, 1)}),
    ({"interest_rate": 5.0, "rate_type": "2"}, {"interest_rate": 6.0, "rate_type": "2"}),
    ({"special_servicing": None}, {"special_servicing": False}),
    ({"dscr": None, "noi": None, "occupancy": None}, {"dscr": 0.1, "noi": 1, "occupancy": 0.1}),
]


@pytest.mark.parametrize(("kind", "before", "after", "sentence"), CASES)
def test_every_kind_is_found_and_said(kind, before, after, sentence):
    (event,) = found(before, after)
    assert (event.kind, event.sentence) == (kind, sentence)
    assert (event.since, event.as_of, event.dollars) == (WAS, NOW, 10_000_000)


def test_the_cases_are_of_every_kind():
    assert {kind for kind, *_ in CASES} == {kind.name for kind in EVENT_KINDS}


@pytest.mark.parametrize(("before", "after"), NONE)
def test_what_is_near_an_event_is_none(before, after):
    assert found(before, after) == ()


def test_a_loan_that_owes_nothing_has_no_event_but_its_end():
    before = {"special_servicing": True, "rate_pressure": "severe", "dscr": 1.4}
    after = {"balance": 0, "special_servicing": False, "dscr": 0.5}
    assert [one.kind for one in found(before, after)] == ["paid_off"]


def test_events_come_in_order_of_importance_and_the_oracle_finds_the_same():
    rng = random.Random(24)
    seen = set()
    for _ in range(4_000):
        before, after = (drawn(rng, "1:a", day) for day in (WAS, NOW))
        listed = [one.kind for one in found(before, after)]
        assert listed == sorted(listed, key=IMPORTANCE.__getitem__)
        rows = {**before, "as_of": WAS}, {**after, "as_of": NOW}
        assert sorted(set(listed)) == oracle_events.kinds(*rows), (before, after)
        seen.update(listed)
    assert seen == {kind.name for kind in EVENT_KINDS} - {"new", "gone"}
