"""GET /v1/loans and /v1/loans/{loan_number} (spec 4.1, 4.2)."""

from datetime import date, timedelta
from itertools import combinations, product

import pytest

from services.contract.errors import NotFound
from services.contract.queries import MAX_DOLLARS, LoanQuery, parse
from services.contract.vocabulary import SEVERITIES
from tests.world import BALANCES, DAYS, LENDERS, ODD_NUMBERS

DOLLARS = sorted({n + by for n in BALANCES if n is not None for by in (-1, 0, 1)} | {MAX_DOLLARS})
DATES = sorted({day + timedelta(by) for day in DAYS if day for by in (-1, 0, 1)})
#: Two values of each filter, chosen so that every pair of filters has an answer.
TWO = {
    "state": ("TX", "NY"),
    "lender": ("harbour bank", "wells fargo"),
    "min_balance": (1, 10_000_000),
    "max_balance": (9_999_999, 10_000_000),
    "maturity_before": (date(2029, 2, 28), date(2029, 3, 1)),
    "maturity_after": (date(2024, 2, 28), date(2029, 2, 27)),
    "rate_pressure": ("moderate", "severe"),
}


def numbers(source, **filters):
    page = source.loans(LoanQuery(per_page=100, **filters))
    assert page.total == len(page.items)
    return [loan.loan_number for loan in page.items]


def agree(source, oracle, **filters):
    for page in (1, 2):
        query = LoanQuery(per_page=100, page=page, **filters)
        assert source.loans(query) == oracle.loans(query)


def test_without_filters_every_loan_comes_once_in_order_of_its_number(source, oracle):
    found = [
        loan.loan_number
        for page in (1, 2)
        for loan in source.loans(LoanQuery(per_page=100, page=page)).items
    ]
    assert found == sorted(oracle.by_number)
    assert set(ODD_NUMBERS) < set(found)
    agree(source, oracle)


@pytest.mark.parametrize("name", ["min_balance", "max_balance"])
def test_balances_agree_below_at_and_above_every_limit(source, oracle, name):
    for dollars in DOLLARS:
        agree(source, oracle, **{name: dollars})


@pytest.mark.parametrize("name", ["maturity_before", "maturity_after"])
def test_maturities_agree_on_before_and_after_every_limit(source, oracle, name):
    for day in DATES:
        agree(source, oracle, **{name: day})


def test_balances_are_inclusive(source):
    # D8
    just_under = {"bal-4", "bal-4b"}  # $9,999,999
    assert just_under <= set(numbers(source, max_balance=9_999_999))
    assert set(numbers(source, min_balance=9_999_999, max_balance=9_999_999)) == just_under
    assert not just_under & set(numbers(source, max_balance=9_999_998))
    assert numbers(source, min_balance=10**12) == ["bal-8", "bal-8b"]
    assert numbers(source, min_balance=10**12 + 1) == []


def test_balances_may_be_negative_and_zero_but_null_is_neither(source):
    ended = ["bought back", "discounted", "early", "liquidated", "liquidated whole"]
    ended += ["repaid a", "repaid b"]
    assert numbers(source, max_balance=0) == ["bal-1", "bal-1b", "bal-2", "bal-2b", *ended]
    unknown = {"bal-0", "bal-0b", "empty"}
    for limit in ({"min_balance": -MAX_DOLLARS}, {"max_balance": MAX_DOLLARS}):
        page = source.loans(LoanQuery(per_page=100, **limit))
        found = {loan.loan_number for loan in page.items}
        found |= {
            n.loan_number for n in source.loans(LoanQuery(**limit, per_page=100, page=2)).items
        }
        assert len(found) == page.total
        assert not found & unknown


def test_maturity_dates_are_exclusive_on_both_sides(source):
    # D8
    leap_day = date(2024, 2, 29)
    assert numbers(source, maturity_before=leap_day) == ["day-01", "day-02"]
    next_day = leap_day + timedelta(1)
    assert numbers(source, maturity_before=next_day) == ["day-01", "day-02", "day-03"]
    # By the legal date, whatever was anticipated.
    in_2034 = ["extended a", "extended b", "extended in vain a", "extended in vain b"]
    in_2034 += ["past a", "past b"]
    later = numbers(source, maturity_after=date(2029, 2, 28))
    assert later == ["ard a", "ard b", "day-17", *in_2034]
    the_day_before = leap_day - timedelta(1)
    between = numbers(source, maturity_after=the_day_before, maturity_before=next_day)
    assert between == ["day-03"]
    assert numbers(source, maturity_after=leap_day, maturity_before=next_day) == []


def test_a_loan_without_a_maturity_date_matches_no_maturity_filter(source, oracle):
    # D8
    for filters in ({"maturity_before": date.max}, {"maturity_after": date.min}):
        assert source.loans(LoanQuery(**filters)).total == len(oracle.rows) - 2
        found = numbers(source, state="TX", max_balance=10**7, min_balance=10**7, **filters)
        assert "day-01" in found
        assert "day-00" not in found


@pytest.mark.parametrize("code", ["TX", "NY", "CA", "DC", "PR", "GU", "WY"])
def test_a_state_is_asked_for_in_either_case(source, oracle, code):
    upper, lower = (parse(LoanQuery, {"state": text}) for text in (code, code.lower()))
    assert source.loans(upper) == source.loans(lower) == oracle.loans(upper)


def test_a_code_outside_the_states_is_kept_and_shown(source):
    # D10
    codes = {f"state-{at}": source.loan(f"state-{at}").property_state for at in (0, 6, 7, 8)}
    assert codes == {"state-0": None, "state-6": "D0", "state-7": "A6", "state-8": "ZZ"}


@pytest.mark.parametrize("word", [*SEVERITIES, "CRITICAL", "Severe", "no such word"])
def test_rate_pressure_is_matched_in_either_case_and_unknown_words_match_nothing(
    source, oracle, word
):
    agree(source, oracle, rate_pressure=word)
    assert bool(numbers(source, rate_pressure=word, state="TX")) == (word.lower() in SEVERITIES)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Société Générale", ["lender-00", "lender-01", "lender-02", "lender-03"]),
        ("SOCIETE GENERALE S.A.", ["lender-00", "lender-01", "lender-02", "lender-03"]),
        ("generale", ["lender-00", "lender-01", "lender-02", "lender-03"]),
        # As a lender, as a servicer, and in the first of three layers.
        ("Wells Fargo Bank", ["Q/3", "lender-04", "lender-05", "mezzanine"]),
        ("kestrel credit", ["mezzanine"]),
        ("Midland Loan Services", ["mezzanine"]),
        ("northbridge", ["equal ranks"]),
        ("procter & gamble company", ["lender-09", "lender-10"]),
        ("gamble AND procter", ["lender-09", "lender-10"]),
        ("llc", ["lender-11"]),
        ("東京銀行", ["lender-12"]),
        ("AETHER credit", ["lender-13"]),
        ("ONeill and Sons", ["lender-14"]),
        ("smith jones 2", ["lender-15"]),
        ("northbridge america", []),  # words of two layers of one loan
        ("well", []),  # a part of a word
        ("nobody's bank", []),
    ],
)
def test_a_lender_is_known_by_its_key_or_by_words_of_its_name(source, oracle, asked, expected):
    # D9, D39
    assert numbers(source, lender=asked) == expected
    agree(source, oracle, lender=asked)


@pytest.mark.parametrize("asked", [*(name for name in LENDERS if name), "!!!", "N.A.", "the", "%"])
def test_lenders_agree_for_every_spelling(source, oracle, asked):
    agree(source, oracle, lender=asked)


@pytest.mark.parametrize(("one", "other"), list(combinations(TWO, 2)))
def test_two_filters_agree(source, oracle, one, other):
    for first, second in product(TWO[one], TWO[other]):
        agree(source, oracle, **{one: first, other: second})


def test_all_filters_at_once_agree(source, oracle):
    agree(source, oracle, **{name: values[-1] for name, values in TWO.items()})
    wide = {name: values[0] for name, values in TWO.items() if name != "max_balance"}
    agree(source, oracle, **wide)
    assert numbers(source, **wide)


def test_every_loan_is_found_by_its_exact_number(source, oracle):
    for number in oracle.by_number:
        assert source.loan(number) == oracle.loan(number)


@pytest.mark.parametrize(
    "number", ["DIAMOND", "diamond ", "A-3", "A", "%", "_-1", "A-1\u200b", "x"]
)
def test_an_unknown_loan_is_not_found(source, number):
    with pytest.raises(NotFound):
        source.loan(number)


def test_what_a_source_says_besides_never_replaces_a_field(source):
    # D17
    extended = source.loan("a note").extended
    assert extended["noi"] == 600_000  # its further fields say 1
    assert (extended["note_split"], extended["é"]) == ("A2", [1])


def test_zero_is_shown_and_null_is_not_zero(source):
    # D18
    assert source.loan("healthy").extended["occupancy"] == 0.0
    empty = source.loan("empty")
    assert empty.book_value is None
    assert empty.interest_rate is None
    assert "occupancy" not in empty.extended
