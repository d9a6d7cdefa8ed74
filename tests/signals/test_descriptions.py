"""Descriptions and rule cards, typed by hand."""

from dataclasses import replace
from datetime import date

import pytest

from services.signals import descriptions
from services.signals.cards import rule_cards
from services.signals.engine import evaluate
from services.signals.figures import figure
from services.signals.rules import RULE_OF

FIVE_YEAR = "5-year Treasury 4.00 % on 31 Aug 2026 + 275 bp for office"
TEN_YEAR = "10-year Treasury 4.50 % on 31 Aug 2026"
OFFICE = f"{TEN_YEAR} + 275 bp for office"
REFI = f"refi rate 7.25 %, {OFFICE}"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {
                "interest_rate": 3.95,
                "original_term_months": 60,
                "maturity_date": date(2030, 2, 28),
            },
            (
                f"Refi rate 6.75 % ({FIVE_YEAR}) is 280 bp above the 3.95 % coupon, at or over the "
                "200 bp limit for severe; matures in 41 months, so one step lower: elevated."
            ),
        ),
        (
            {"interest_rate": 4.0, "maturity_date": date(2036, 9, 30)},
            (
                f"Refi rate 7.25 % ({OFFICE}) is 325 bp above the 4.00 % coupon, "
                "at or over the 300 bp limit for critical; matures in 120 months, so two steps "
                "lower: elevated."
            ),
        ),
        (
            {"interest_rate": 7.245},
            (
                f"Refi rate 7.25 % ({OFFICE}) is 0.5 bp above the 7.25 % coupon, "
                "over the 0 bp limit for moderate; matures in 30 months, so it counts in full."
            ),
        ),
        (
            {
                "interest_rate": 6.0,
                "original_term_months": None,
                "property_type": "data center",
                "maturity_date": None,
            },
            (
                f"Refi rate 6.75 % ({TEN_YEAR} + 225 bp for data center, the default; 10-year, as "
                "the original term is not known) is 75 bp above the 6.00 % coupon, over the 0 bp "
                "limit for moderate; no maturity date: urgency not applied."
            ),
        ),
        (
            {"interest_rate": 5.0, "maturity_date": date(2026, 8, 30)},
            (
                f"Refi rate 7.25 % ({OFFICE}) is 225 bp above the 5.00 % coupon, "
                "at or over the 200 bp limit for severe; matured 1 month ago, so it counts in full."
            ),
        ),
        (
            {"interest_rate": 5.0, "maturity_date": date(2029, 10, 1)},
            (
                f"Refi rate 7.25 % ({OFFICE}) is 225 bp above the 5.00 % coupon, "
                "at or over the 200 bp limit for severe; matures in 36.03 months, so one step "
                "lower: elevated."
            ),
        ),
    ],
)
def test_rate_pressure_names_rate_date_spread_limit_and_urgency(outcome_of, changes, sentence):
    # D40
    said = outcome_of(**changes).said["rate_pressure"]
    assert said == f"{sentence} As of 30 Sep 2026."


def test_a_tenor_that_the_date_lacks_is_said(outcome_of, rates):
    ten_only = type(rates)("test", tuple(q for q in rates.quotes if q.series == "DGS10"))
    outcome = outcome_of(using=ten_only, interest_rate=6.0, original_term_months=84)
    said = f"({OFFICE}; 10-year, as there is no 7-year Treasury of that date)"
    assert said in outcome.said["rate_pressure"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"maturity_date": date(2027, 6, 30)},
            "Matures on 30 Jun 2027, in 9 months, at or under the 12-month limit for severe.",
        ),
        (
            {"maturity_date": date(2027, 10, 1)},
            "Matures on 1 Oct 2027, in 12.03 months, at or under the 18-month limit for elevated.",
        ),
        (
            {"maturity_date": date(2026, 6, 30), "book_value": 12_000_000},
            (
                "Matured on 30 Jun 2026, 3 months ago, with a book value of $12,000,000: past "
                "maturity with a balance is critical."
            ),
        ),
    ],
)
def test_maturity_timing_names_the_date_and_the_limit(outcome_of, changes, sentence):
    said = outcome_of(**changes).said["maturity_timing"]
    assert said == f"{sentence} As of 30 Sep 2026."


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"noi": 890_000, "dscr": None},
            (
                "Debt yield 8.90 % (NOI $890,000 / book value $10,000,000) is under the 9.00 % "
                "limit for severe (minimum for office 11.00 %)."
            ),
        ),
        (
            {"noi": -5_000, "dscr": None},
            (
                "Debt yield -0.05 % (NOI -$5,000 / book value $10,000,000) is under the 8.00 % "
                "limit for critical (minimum for office 11.00 %)."
            ),
        ),
        (
            {"noi": 2_900_000, "dscr": 2.0, "value": 24_000_000},
            (
                "LTV 83.3 % (whole-loan debt $20,000,000, derived from the reported DSCR / value "
                "$24,000,000) is over the 80 % limit for severe."
            ),
        ),
        (
            {"value": 15_380_000},
            (
                "LTV 65.02 % (book value $10,000,000 / value $15,380,000) is over the 65 % "
                "limit for moderate."
            ),
        ),
        (
            {"dscr": 1.2496, "noi": None, "maturity_date": None},
            "DSCR 1.2496x is under the 1.25x limit for moderate.",
        ),
        (
            {
                "dscr": 1.3,
                "noi": None,
                "maturity_date": None,
                "property_type": "lodging",
                "income_basis": "NCF, most recent to 2026-06-30",
            },
            (
                "DSCR 1.30x (NCF, most recent to 2026-06-30) is under the 1.35x limit for "
                "elevated of lodging."
            ),
        ),
        (
            {"payment_status": "3"},
            "Payment status 3 (90 or more days delinquent) is graded critical.",
        ),
        ({"payment_status": "b"}, "Payment status B (late, less than 30 days) is graded moderate."),
        ({"workout": "2"}, "Workout 2 (foreclosure) is graded critical."),
        ({"workout": "7", "payment_status": None}, "Workout 7 (REO) is graded critical."),
        (
            {"workout": "7", "payment_status": "5"},
            (
                "Payment status 5 (non-performing matured balloon) with workout 7 (REO) is graded "
                "critical."
            ),
        ),
    ],
)
def test_stress_names_the_figures_and_the_limit(outcome_of, changes, sentence):
    said = outcome_of(**changes).said["stress_indicator"]
    assert said == f"{sentence} As of 30 Sep 2026."


def test_stress_lists_its_components_worst_first(outcome_of):
    outcome = outcome_of(dscr=1.05, noi=None, payment_status="1", maturity_date=date(2028, 9, 30))
    assert outcome.signals["stress_indicator"] == "severe"
    assert outcome.said["stress_indicator"] == (
        "DSCR 1.05x is under the 1.10x limit for severe. "
        f"Pro-forma DSCR 1.05x (DSCR 1.05x times coupon 7.25 % / {REFI}) is under the 1.10x limit "
        "for severe (office); matures on 30 Sep 2028, in 24 months. "
        "Payment status 1 (30-59 days delinquent) is graded elevated. As of 30 Sep 2026."
    )


def test_rp4_says_what_leverage_made_it_severe(outcome_of):
    said = outcome_of(
        property_type="retail", interest_rate=6.75, dscr=1.05, noi=None, value=12_000_000
    ).said["stress_indicator"]
    assert "is under the 1.10x limit for severe (LTV 83.3 %); matures on 30 Mar 2029" in said


@pytest.mark.parametrize(
    ("sentence", "lacking", "needed"),
    [
        ("DSCR {value}, NOI {noi}", {"noi": None}, "noi"),
        ("DSCR {value}; {maturing}", {"maturity_date": None}, "months_to_maturity"),
        ("DSCR {value}, {reference}", {}, "reference_series"),
    ],
)
def test_a_sentence_that_needs_what_its_loan_lacks_is_an_error(
    loans_of, rates, sentence, lacking, needed
):
    """A rule must read what it speaks of: then it is not testable, and says nothing."""
    wordy = replace(RULE_OF["CV-1"], because=sentence)
    loans = loans_of({"dscr": 1.0, **lacking})
    before_all_rates = date(2000, 1, 1)
    with pytest.raises(ValueError, match=f"the sentence of CV-1 needs the loan's {needed}"):
        evaluate(loans, before_all_rates, rates, [RULE_OF["RP-1"], wordy])


def test_each_loan_gets_its_own_words_however_many_are_worded_at_a_time(
    loans_of, rates, as_of, monkeypatch
):
    stressed = [(3.0 + i / 8, 0.9 + i / 50, 10**7 + i) for i in range(7)]
    loans = loans_of(
        *({"interest_rate": rate, "dscr": dscr, "value": of} for rate, dscr, of in stressed),
        {},
        {"payment_status": "3", "maturity_date": date(2026, 12, 1)},
    )
    whole = evaluate(loans, as_of, rates).signals.to_pylist()
    one_by_one = [
        {**row, "loan": at}
        for at in range(loans.num_rows)
        for row in evaluate(loans.slice(at, 1), as_of, rates).signals.to_pylist()
    ]
    assert whole == one_by_one
    assert len({row["description"] for row in whole}) == len(whole) > 10
    monkeypatch.setattr(descriptions, "_AT_A_TIME", 2)
    assert evaluate(loans, as_of, rates).signals.to_pylist() == whole


def test_figures_never_read_like_a_limit_that_they_only_come_near():
    assert figure(0.650002, "fraction", [0.65]) == "65.0002 %"
    assert figure(0.65, "fraction", [0.65]) == "65 %"
    assert figure(199.97, "bp", [0, 100, 200]) == "199.97 bp"
    assert figure(1234.5, "bp") == "1,234.5 bp"


def test_rule_cards_tell_the_ladders_in_words():
    cards = {card.id: card for card in rule_cards()}
    assert list(cards) == ["RP-1", "RP-4", "MT-1", "DY-1", "CV-1", "LV-1", "ST-1"]
    assert dict(cards["RP-1"].ladder) == {
        "moderate": "over 0 bp",
        "elevated": "at or over 100 bp",
        "severe": "at or over 200 bp",
        "critical": "at or over 300 bp",
    }
    assert "one step lower up to 60 months, two steps beyond" in cards["RP-1"].remark
    assert "Severe only with LTV over 80%, or for lodging and office." in cards["RP-4"].remark
    assert dict(cards["DY-1"].ladder)["severe"] == (
        "under the minimum of the property type less 2.00 %"
    )
    assert dict(cards["CV-1"].ladder)["elevated"] == "under 1.20x (lodging, health care 1.35x)"
    assert dict(cards["LV-1"].ladder)["critical"] == "over 100 %"
    assert dict(cards["MT-1"].ladder)["critical"] == "at or under 3 months"
    assert dict(cards["ST-1"].ladder)["severe"] == "payment status 2, 4"
    assert dict(cards["ST-1"].ladder)["critical"] == "payment status 3, 5; workout 2, 7"
    for card in cards.values():
        assert card.inputs
        assert card.source.endswith(".")
        assert card.clears_when.endswith(".")
        assert (card.version, card.limits_version) == (1, 1)
