"""How demonstration loans are repaid: schedules, day counts, floating rates, dates."""

from calendar import monthrange
from datetime import date

import numpy as np
import pytest

from services.importers.demo import portfolio

pytestmark = pytest.mark.tools

AS_OF = date(2026, 9, 30)


@pytest.fixture(scope="module")
def complete(loans):
    """Loans of which nothing that these tests need is left out, and that owe something."""
    needed = ("interest_rate", "origination_date", "maturity_date")
    return [x for x in loans if x["book_value"] and all(x[name] is not None for name in needed)]


def of_type(loans, *codes):
    return [loan for loan in loans if loan["payment_type"] in codes]


def level_payment(loan):
    """The textbook annuity, summed payment by payment; 0 where nothing is ever repaid."""
    rate = loan["interest_rate"] / 1200
    months = loan["amortization_months"]
    if not months:
        return 0.0
    return loan["original_amount"] / sum((1 + rate) ** -month for month in range(1, months + 1))


def pay_days(loan):
    """Every pay day up to the as-of date and before the loan falls due."""
    day, due = loan["first_payment_date"], loan["ard_date"] or loan["maturity_date"]
    while day <= AS_OF and day < due:
        yield day
        day = date(day.year + day.month // 12, day.month % 12 + 1, day.day)


def scheduled_balance(loan):
    """Owed on the as-of date, walked payment by payment."""
    year = 365 / 360 if loan["accrual_method"] == "3" else 1
    owed, level = float(loan["original_amount"]), level_payment(loan)
    for number, _ in enumerate(pay_days(loan)):
        if loan["amortization_months"] and number >= loan["interest_only_months"]:
            owed += owed * loan["interest_rate"] / 1200 * year - level
    return owed


@pytest.mark.parametrize("code", ["1", "2", "3", "4", "5"])
def test_what_is_owed_is_what_the_schedule_leaves(complete, code):
    sample = of_type(complete, code)[:80]
    assert len(sample) >= 60
    for loan in sample:
        assert loan["book_value"] == pytest.approx(scheduled_balance(loan), abs=2), loan


def test_every_payment_type_has_its_share(loans):
    share = {code: len(of_type(loans, code)) / len(loans) for code in "12345"}
    assert sum(share.values()) == pytest.approx(1)
    assert 0.05 < share["1"] < 0.12
    assert 0.30 < share["2"] < 0.45
    assert 0.35 < share["3"] < 0.50
    assert 0.01 < share["4"] < 0.03
    assert 0.07 < share["5"] < 0.15


def test_amortisation_and_interest_only_terms_go_with_the_payment_type(loans):
    for loan in loans:
        months, at_first = loan["amortization_months"], loan["interest_only_months"]
        term, code = loan["original_term_months"], loan["payment_type"]
        assert loan["balloon"] == (code not in "14")
        if code == "1":
            assert (months, at_first) == (term, 0)
        elif code == "2":
            assert months >= term
            assert at_first == 0
        elif code == "3":
            assert (months, at_first) == (0, term)
        elif code == "4":
            assert months + at_first == term
            assert at_first >= 12
        else:
            assert 12 <= at_first <= term - 12
            assert months + at_first > term


def test_partial_interest_only_is_shown_before_and_after_its_end(complete):
    partial = of_type(complete, "5")
    still = [x for x in partial if len(list(pay_days(x))) <= x["interest_only_months"]]
    ended = [x for x in partial if len(list(pay_days(x))) > x["interest_only_months"]]
    assert len(still) > 50
    assert len(ended) > 50
    assert all(loan["book_value"] == loan["original_amount"] for loan in still)
    assert all(loan["book_value"] < loan["original_amount"] for loan in ended)


def test_the_filed_payment_is_the_one_that_the_loan_makes_now(complete):
    for loan in complete[:600]:
        made = len(list(pay_days(loan)))
        if loan["amortization_months"] and made >= loan["interest_only_months"]:
            expected = level_payment(loan)
        else:
            expected = loan["original_amount"] * loan["interest_rate"] / 1200
        assert loan["monthly_payment"] == pytest.approx(expected, abs=1)


def test_most_interest_is_by_actual_days(loans):
    methods = [loan["accrual_method"] for loan in loans]
    assert set(methods) == {"1", "3"}
    assert 0.55 < methods.count("3") / len(methods) < 0.85


def test_dates_follow_each_other(complete):
    extended = []
    for loan in complete:
        made, first = loan["origination_date"], loan["first_payment_date"]
        due = loan["ard_date"] or loan["maturity_date"]
        months = (due.year - made.year) * 12 + due.month - made.month
        assert made < first < due <= loan["maturity_date"]
        assert (first.year - made.year) * 12 + first.month - made.month == 1
        assert (months - loan["original_term_months"]) % 12 == 0
        if months > loan["original_term_months"]:
            # A floating rate has options to extend; another loan is modified.
            assert loan["rate_type"] == "2" or loan["modification"] == "1"
            assert loan["payment_status"] in {"0", "A", "B", None}
            extended.append(loan)
        else:
            assert months == loan["original_term_months"]
        assert first.day == due.day
        assert first.day <= monthrange(first.year, first.month)[1]
    assert 0.005 < len(extended) / len(complete) < 0.015
    assert any(loan["rate_type"] == "2" for loan in extended)
    assert all(loan["maturity_date"] > AS_OF for loan in extended)


def test_a_few_loans_are_due_long_before_they_mature(loans):
    anticipated = [loan for loan in loans if loan["ard_date"] and loan["maturity_date"]]
    assert 0.01 < len(anticipated) / len(loans) < 0.03
    for loan in anticipated:
        assert (loan["maturity_date"] - loan["ard_date"]).days > 3600
        assert loan["ard_date"] > AS_OF


def test_floating_rates_are_index_and_margin_between_floor_and_strike(loans):
    floating = [loan for loan in loans if loan["rate_type"] == "2"]
    fixed = [loan for loan in loans if loan["rate_type"] == "1"]
    assert len(floating) + len(fixed) == len(loans)
    assert 0.10 < len(floating) / len(loans) < 0.22
    for name in ("rate_index", "rate_margin", "rate_floor", "cap_strike", "cap_expires"):
        assert all(loan[name] is None for loan in fixed)
    at, ended = {"floor": 0, "cap": 0, "index": set()}, 0
    for loan in floating:
        lasts = loan["cap_expires"] >= AS_OF
        ended += not lasts
        cap = round(loan["rate_margin"] + loan["cap_strike"], 2) if lasts else np.inf
        assert loan["rate_index"] in {"N", "Q"}
        assert loan["rate_margin"] < loan["rate_floor"] < cap
        assert loan["payment_type"] == "3"
        rate = loan["interest_rate"]
        if rate is None:
            continue
        if rate == cap:
            at["cap"] += 1
        elif rate == loan["rate_floor"]:
            at["floor"] += 1
        else:
            at["index"].add(round(rate - loan["rate_margin"], 6))
            assert loan["rate_floor"] < rate < cap
    assert at["cap"] > 10
    assert at["floor"] > 10
    # Every floating loan has a cap; of some it has ended, at maturity or two years in.
    assert 0.05 < ended / len(floating) < 0.40
    assert at["index"] == {3.66}
    before = portfolio(loans=500, as_of=date(2019, 6, 30)).loans.column("rate_index")
    assert set(before.drop_null().to_pylist()) == {"G"}
