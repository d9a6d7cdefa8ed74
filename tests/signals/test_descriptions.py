"""How descriptions are made: from what the loan states, for many loans at once."""

from dataclasses import replace
from datetime import date

import pytest

from services.signals import descriptions
from services.signals.engine import evaluate
from services.signals.figures import figure
from services.signals.rules import RULE_OF


@pytest.mark.parametrize(
    ("sentence", "lacking", "needed"),
    [
        ("DSCR {value}, NOI {noi}", {"noi": None}, "noi"),
        ("DSCR {value}; {maturing}", {"maturity_date": None}, "months_to_maturity"),
        ("DSCR {value}, {reference}", {}, "reference_series"),
    ],
)
def test_a_sentence_that_needs_what_its_loan_lacks_is_an_error(
    loans_of, assumptions, sentence, lacking, needed
):
    """A rule must read what it speaks of: then it is not testable, and says nothing."""
    wordy = replace(RULE_OF["CV-1"], because=sentence)
    loans = loans_of({"dscr": 1.0, **lacking})
    before_all_rates = date(2000, 1, 1)
    with pytest.raises(ValueError, match=f"the sentence of CV-1 needs the loan's {needed}"):
        evaluate({"loans": loans}, before_all_rates, assumptions, [RULE_OF["RP-1"], wordy])


def test_each_loan_gets_its_own_words_however_many_are_worded_at_a_time(
    loans_of, assumptions, as_of, monkeypatch
):
    stressed = [(3.0 + i / 8, 0.9 + i / 50, 10**7 + i * 10_000) for i in range(7)]
    loans = loans_of(
        *({"interest_rate": rate, "dscr": dscr, "value": of} for rate, dscr, of in stressed),
        {},
        {"payment_status": "3", "maturity_date": date(2026, 12, 1)},
    )
    whole = evaluate({"loans": loans}, as_of, assumptions).signals.to_pylist()
    one_by_one = [
        {**row, "loan": at}
        for at in range(loans.num_rows)
        for row in evaluate({"loans": loans.slice(at, 1)}, as_of, assumptions).signals.to_pylist()
    ]
    assert whole == one_by_one
    assert len({row["description"] for row in whole}) == len(whole) > 10
    monkeypatch.setattr(descriptions, "_AT_A_TIME", 2)
    assert evaluate({"loans": loans}, as_of, assumptions).signals.to_pylist() == whole


def test_figures_never_read_like_a_limit_that_they_only_come_near():
    assert figure(0.650002, "fraction", [0.65]) == "65.0002%"
    assert figure(0.65, "fraction", [0.65]) == "65%"
    assert figure(199.97, "bp", [0, 100, 200]) == "199.97 bp"
    assert figure(1234.5, "bp") == "1,234.5 bp"


def test_a_half_is_rounded_away_from_zero_and_a_minus_is_a_true_one():
    """As on the pages: the coupon on a card and in a sentence is one figure."""
    assert figure(4.305, "percent") == "4.31%"
    assert figure(1.005, "x") == "1.01x"
    assert figure(0.1235, "fraction") == "12.4%"
    assert figure(-5.25, "bp") == "−5.3 bp"
    assert figure(1.245, "x", [1.25]) == "1.245x"
