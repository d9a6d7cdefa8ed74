"""AUC and its interval: the loan is what is drawn, and too few events give no figure."""

from dataclasses import replace
from datetime import date
from random import Random

import numpy as np
import pytest

from services.track_record.discrimination import FEWEST_DISTRESSED, auc, discrimination
from services.track_record.history import LoanMonth
from services.track_record.observations import Observation

MONTH = LoanMonth(
    trust="T",
    loan_number="",
    property_name=None,
    property_type=None,
    as_of=date(2020, 1, 11),
    severity=0,
    severity_without_status=0,
    dscr=None,
    debt_yield=None,
    refinance_gap=None,
    distress=(),
    defeased=False,
    ended=False,
    paid_off=False,
    modified_otherwise=False,
)


def observed(number, severity=0, *, distressed=False, trust="T", **figures):
    month = replace(MONTH, trust=trust, loan_number=number, severity=severity, **figures)
    return Observation(month, distressed)


def arrays(*figures):
    return np.array([float(one) for one in figures])


def test_every_distressed_above_every_other_is_one_and_below_is_nothing():
    event = np.array([True, True, False, False])
    assert auc(arrays(4, 3, 2, 1), event, np.ones(4)) == 1
    assert auc(arrays(1, 2, 3, 4), event, np.ones(4)) == 0
    assert auc(arrays(2, 2, 2, 2), event, np.ones(4)) == 0.5


def test_pairs_count_by_their_weights():
    # Pairs: (3 against 1) won, weight 2; (3 against 5) lost, weight 6.
    found = auc(arrays(3, 1, 5), np.array([True, False, False]), arrays(2, 1, 3))
    assert found == pytest.approx(2 / 8)


def test_without_both_outcomes_there_is_no_auc():
    assert np.isnan(auc(arrays(1, 2), np.array([True, True]), np.ones(2)))


LOANS = [
    *(observed(f"d{at}", at % 4, distressed=True) for at in range(8)),
    *(observed(f"c{at}", at % 3) for at in range(20)),
]


def test_filing_every_loan_ten_times_makes_no_interval_narrower():
    once, often = discrimination("severity", LOANS), discrimination("severity", LOANS * 10)
    assert (once.auc, once.low, once.high) == (often.auc, often.low, often.high)
    assert (once.loan_months, often.loan_months, often.loans) == (28, 280, 28)


def test_ten_times_as_many_loans_make_it_narrower():
    many = [
        replace(one, at=replace(one.at, loan_number=f"{one.at.loan_number} {copy}"))
        for one in LOANS
        for copy in range(10)
    ]
    once, more = discrimination("severity", LOANS), discrimination("severity", many)
    assert more.auc == once.auc
    assert more.high - more.low < (once.high - once.low) / 2


def test_the_same_observations_give_the_same_interval():
    assert discrimination("severity", LOANS) == discrimination("severity", LOANS)


@pytest.mark.parametrize("events", [FEWEST_DISTRESSED - 1, FEWEST_DISTRESSED])
def test_under_five_distressed_loans_there_is_no_auc(events):
    loans = [observed(f"d{at}", 3, distressed=True) for at in range(events)]
    found = discrimination("severity", [*loans * 7, *(observed(f"c{at}") for at in range(9))])
    assert found.distressed_loans == events
    assert (found.auc is None) == (events < 5)


def test_every_loan_is_drawn_the_first_one_too():
    # Ranked rightly but for the first loan: only draws that hold it are under 1.
    late = observed("d0", 0, distressed=True)
    rest = [observed(f"d{at}", 3, distressed=True) for at in range(1, 6)]
    found = discrimination("severity", [late, *rest, *(observed(f"c{at}", 1) for at in range(6))])
    assert (found.auc, found.high) == (pytest.approx(5 / 6, abs=0.0005), 1.0)
    assert found.low < 5 / 6


def test_an_interval_is_that_of_a_plain_bootstrap():
    random = Random(7)
    drawn = []
    for _ in range(4_000):
        loans = random.choices(LOANS, k=len(LOANS))
        yes = [one.at.severity for one in loans if one.distressed]
        no = [one.at.severity for one in loans if not one.distressed]
        won = sum((a > b) + 0.5 * (a == b) for a in yes for b in no)
        drawn += [won / (len(yes) * len(no))] if yes and no else []
    drawn.sort()
    found = discrimination("severity", LOANS)
    assert found.low == pytest.approx(drawn[round(0.025 * len(drawn))], abs=0.02)
    assert found.high == pytest.approx(drawn[round(0.975 * len(drawn))], abs=0.02)


def test_loans_of_two_trusts_with_one_number_are_two():
    loans = [observed("1", 2, trust=f"T{at}", distressed=at < 5) for at in range(8)]
    assert discrimination("severity", loans).loans == 8


def test_a_figure_that_is_not_known_is_left_out_and_low_income_is_worse():
    loans = [
        *(observed(f"d{at}", distressed=True, dscr=0.9) for at in range(6)),
        *(observed(f"c{at}", dscr=1.5) for at in range(6)),
        observed("unknown", distressed=True),
    ]
    found = discrimination("dscr", loans)
    assert (found.auc, found.loan_months, found.loans, found.distressed_loans) == (1.0, 12, 12, 6)
    assert discrimination("refinance_gap", loans).loan_months == 0
