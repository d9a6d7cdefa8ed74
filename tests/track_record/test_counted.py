"""The track record of the made-up history against a plain-Python count of what was planted.

Nothing of the product is used on the side that is compared with: severities follow from the planted
DSCR and payment status, outcomes from the planted months, and AUC from counting every pair.
"""

from itertools import product

import pytest

from services.contract.track_record import DistressedLoan, TrustHistory
from tests.track_record.planted import DISTRESS, LAST, MONTHS, PLANS, SAFE, day_of

RANKS = ("low", "moderate", "elevated", "severe", "critical")
NUMBERS = {one.number: one for one in PLANS}
TRUST = "MADE UP 2020-1"


def by_dscr(dscr):
    """CV-1 of multifamily, far from maturity and with enough debt yield."""
    return 3 if dscr < 1.0 else 2 if dscr < 1.10 else 1 if dscr < 1.25 else 0


def worst(one, month):
    by_status = {"0": 0, "B": 1, "1": 2}[one.at(month, one.status, "0")]
    return max(by_dscr(one.at(month, one.dscr, None)), by_status)


def looked_at():
    """(loan, month) at which a loan is not distressed, defeased or ended."""
    for one in PLANS:
        end = min(DISTRESS.get(one.number, MONTHS), SAFE.get(one.number, MONTHS))
        if one.number == "7":  # distressed in the first filing
            continue
        for month in range(one.filed[0], min(one.filed[1] + 1, end)):
            yield one, month


def outcomes(horizon):
    """(loan, month, distressed) where the horizon is filed to its end."""
    for one, month in looked_at():
        if month + horizon > LAST or one.filed[1] < min(month + horizon, LAST):
            continue
        yield one, month, month < DISTRESS.get(one.number, 10**6) <= month + horizon


def pairs(horizon, worse):
    """AUC by counting: pairs in which the distressed one is worse, ties half."""
    seen = [(worse(one, month), event) for one, month, event in outcomes(horizon)]
    yes = [figure for figure, event in seen if event]
    no = [figure for figure, event in seen if not event]
    won = sum((a > b) + 0.5 * (a == b) for a, b in product(yes, no))
    return won / (len(yes) * len(no))


WORSE = {
    "severity": worst,
    "severity_without_status": lambda one, month: by_dscr(one.at(month, one.dscr, None)),
    "dscr": lambda one, month: -one.at(month, one.dscr, None),
    "debt_yield": lambda one, _: -one.noi,
}


@pytest.fixture(params=[12, 24])
def horizon(request, run):
    return next(one for one in run.horizons if one.months == request.param)


@pytest.mark.parametrize("predictor", WORSE)
def test_auc_is_the_share_of_pairs_ranked_rightly(horizon, predictor):
    found = next(one for one in horizon.discriminations if one.predictor == predictor)
    assert found.auc == pytest.approx(pairs(horizon.months, WORSE[predictor]), abs=0.0005)
    assert found.low <= found.auc <= found.high
    assert found.loan_months == len(list(outcomes(horizon.months)))
    assert found.distressed_loans == 6


def test_a_horizon_counts_loan_months_whose_outcome_is_filed(horizon):
    seen = list(outcomes(horizon.months))
    assert horizon.loan_months == len(seen)
    assert horizon.loans == len({one.number for one, _, _ in seen})
    assert horizon.distressed_loan_months == sum(event for *_, event in seen)
    assert horizon.distressed_loans == len({one.number for one, _, event in seen if event}) == 6


def test_months_of_a_loan_that_left_the_filings_are_said_to_be_lost(horizon):
    # Loan 12 is filed to month 20; a horizon of 12 ends within the filings up to month 17, one of
    # 24 up to month 5.
    assert horizon.lost_loan_months == {12: 9, 24: 6}[horizon.months]


@pytest.mark.parametrize(
    ("field", "rank"),
    [("shares", worst), ("shares_without_status", WORSE["severity_without_status"])],
)
def test_shares_by_severity_are_counts_of_loan_months_and_of_loans(horizon, field, rank):
    seen = [(rank(one, month), one.number, event) for one, month, event in outcomes(horizon.months)]
    for at, share in enumerate(getattr(horizon, field)):
        here = [(number, event) for found, number, event in seen if found == at]
        assert share.severity == RANKS[at]
        assert (share.loan_months, share.loans) == (len(here), len({number for number, _ in here}))
        assert share.distressed_loan_months == sum(event for _, event in here)
        assert share.distressed_loans == len({number for number, event in here if event})


def loan(number, month, kind, before, year_before, without=None):
    return DistressedLoan(
        trust=TRUST,
        loan_number=f"{TRUST}:{number}",
        property_name=NUMBERS[number].name,
        property_type="multifamily",
        as_of=day_of(month),
        kinds=(kind,),
        before=day_of(month - 1),
        severity_before=before,
        severity_before_without_status=without or before,
        severity_year_before=year_before,
    )


def test_each_distressed_loan_is_named_with_what_happened_and_its_severity_before(run):
    assert run.distressed == (
        loan("1", 10, "60 or more days delinquent", "moderate", None),
        loan("6", 12, "liquidation with a loss", "elevated", "elevated"),
        loan("2", 14, "60 or more days delinquent", "elevated", "low"),
        loan("4", 16, "special servicing", "low", "low"),
        loan("3", 20, "foreclosure", "severe", "severe"),
        loan("5", 24, "modification", "moderate", "moderate"),
    )


def test_misses_are_those_with_a_moderate_signal_at_most_in_the_filing_before(run):
    assert [one.loan_number for one in run.distressed if one.missed] == [
        f"{TRUST}:{number}" for number in ("1", "4", "5")
    ]
    assert [one.loan_number[-1] for one in run.distressed if one.missed_year_before] == [
        *("2", "4", "5")
    ]


def test_what_was_looked_at_and_how_the_others_ended_is_counted(run):
    assert run.trusts == (
        TrustHistory(
            trust=TRUST,
            first=day_of(0),
            last=day_of(LAST),
            filings=30,
            months_missing=0,
            loans=14,
        ),
    )
    assert (run.loans, run.months, run.loan_months) == (14, 30, 13 * 30 + 21)
    assert run.observed_loan_months == len(list(looked_at()))
    ended = (run.distressed_at_first, run.paid_off, run.defeased, run.lost, run.modified_otherwise)
    assert ended == (1, 1, 1, 1, 1)


def test_before_distress_status_alone_may_lift_a_severity(scored):
    # Loan 9 is at 30 to 59 days in month 8, elevated by that alone.
    at = {(one.loan_number, one.as_of): one for filing in scored for one in filing.loans}
    ninth = at[(f"{TRUST}:9", day_of(8))]
    assert (ninth.severity, ninth.severity_without_status, ninth.distress) == (2, 1, ())
