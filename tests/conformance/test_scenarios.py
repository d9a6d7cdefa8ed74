"""What if, asked of a store and of mirrors (D65 to D67, D280)."""

from dataclasses import replace

import numpy as np
import pytest

from services import pipeline
from services.contract.errors import NotRescored
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import MovedFilter, Scenario
from tests.oracle_scenarios import ORDER, PACKAGED, rescored, stays
from tests.world import BOTH, RATES

SCENARIOS = [
    Scenario(),
    Scenario.of(rates=300, noi=-30, cap=200),
    Scenario.of(rates=-200, noi=10),
    Scenario(rate_5=150, rate_10=-50, rate_short=75, noi=-12.5, cap=35),
]


@pytest.fixture(scope="module")
def tables():
    return pipeline._joined(list(BOTH))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
@pytest.mark.parametrize("asked", [{}, {"state": ("TX", "NY")}, {"max_ltv": 75}], ids=str)
def test_moves_are_those_of_the_engine_on_shifted_inputs(whole, tables, scenario, asked):
    resting = replace(PACKAGED, rates=RATES)
    loans = [one.loans.num_rows for one in BOTH]
    dates = np.repeat(np.array([one.info.as_of for one in BOTH], "datetime64[D]"), loans)
    before = rescored(tables, dates, Scenario(), resting)
    after = rescored(tables, dates, scenario, resting)
    moves, short = {}, [0, 0]
    for row in whole.oracle.result(LoanFilter(**asked)):
        number = row["loan_number"]
        (was, lacked), (is_, lacks) = before[number], after[number]
        if stays(row):
            is_, lacks = was, lacked
        loans, book = moves.get((was, is_), (0, 0))
        moves[was, is_] = loans + 1, book + (row["book_value"] or 0)
        short = [short[0] + (lacked or 0), short[1] + (lacks or 0)]
    found = whole.source.what_if(LoanFilter(**asked), scenario)
    assert {(one.before, one.after): (one.loans, one.book_value) for one in found.moves} == moves
    assert [found.short_before.dollars, found.short_after.dollars] == short
    steps = [(one.before, one.after) for one in found.moves]
    assert steps == sorted(steps, key=lambda step: (ORDER.index(step[0]), ORDER.index(step[1])))


@pytest.mark.parametrize("read", ["what_if", "moved_loans", "moved_batches"])
def test_loans_with_an_apis_own_scores_are_not_scored_anew(held, read):
    query = LoanFilter() if read == "what_if" else MovedFilter()

    def ask():
        answer = getattr(held.source, read)(query, Scenario.of(rates=100))
        return list(answer) if read == "moved_batches" else answer

    if held.mirrored:
        with pytest.raises(NotRescored, match="these loans bear the scores of their source"):
            ask()
    else:
        assert ask()
