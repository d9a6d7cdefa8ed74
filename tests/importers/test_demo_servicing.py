"""Trouble of demonstration loans: late payments, special servicing, workouts, defeasance."""

from datetime import date, timedelta

import numpy as np
import pytest

from services.importers.demo import portfolio

pytestmark = pytest.mark.tools

AS_OF = date(2026, 9, 30)
IN_DEFAULT = {"3", "5"}


@pytest.fixture(scope="module")
def pooled(demo, loans):
    senior = [row["layer"] for row in demo.layers.to_pylist() if row["rank"] == 1]
    return [loan for loan, layer in zip(loans, senior, strict=True) if layer == "cmbs servicer"]


def in_special_servicing(loan):
    return bool(loan["special_servicing_since"]) and not loan["special_servicing_returned"]


def test_special_servicing_is_of_securitised_loans_and_dated(loans, pooled):
    there = [loan for loan in loans if loan["special_servicing_since"]]
    assert len(there) == sum(bool(loan["special_servicing_since"]) for loan in pooled)
    assert 0.05 < sum(map(in_special_servicing, pooled)) / len(pooled) < 0.10
    back = [loan for loan in there if loan["special_servicing_returned"]]
    assert len(back) > 5
    for loan in there:
        made = loan["origination_date"] or loan["special_servicing_since"]
        returned = loan["special_servicing_returned"] or AS_OF
        assert made <= loan["special_servicing_since"] < returned <= AS_OF
    assert {loan["workout"] for loan in back} <= {None, "8"}


def test_workouts_are_of_loans_in_trouble(loans):
    worked = [loan for loan in loans if loan["workout"] not in {None, "8"}]
    codes = {loan["workout"] for loan in worked}
    assert (
        {"1", "2", "4", "7", "13"} <= codes <= {"1", "2", "3", "4", "5", "6", "7", "9", "10", "13"}
    )
    for loan in worked:
        in_default = loan["payment_status"] in {*IN_DEFAULT, None}
        assert in_default or in_special_servicing(loan)
        if loan["workout"] in {"2", "7", "10"}:
            assert in_default


def test_only_a_special_servicer_returns_a_loan():
    loans = portfolio(loans=5000).loans.to_pylist()
    returning = [loan for loan in loans if loan["workout"] == "9"]
    assert len(returning) > 10
    assert all(map(in_special_servicing, returning))


def test_no_loan_fails_at_once():
    """None goes to special servicing in its first months, and to take a property takes years."""
    loans = portfolio(loans=5000).loans.to_pylist()
    ages = {
        kind: [
            (until(loan) - loan["origination_date"]).days
            for loan in loans
            if loan["origination_date"] and is_one(loan)
        ]
        for kind, is_one, until in (
            ("REO", lambda loan: loan["workout"] == "7", lambda _: AS_OF),
            ("moved", in_special_servicing, lambda loan: loan["special_servicing_since"]),
        )
    }
    assert len(ages["REO"]) > 4
    assert len(ages["moved"]) > 60
    assert min(ages["REO"]) > 2.4 * 365
    assert min(ages["moved"]) >= 270


def test_lenders_take_over_what_does_not_pay_its_debt_and_is_worth_little_more_than_it():
    loans = portfolio(loans=30_000).loans.to_pylist()
    taken = [loan for loan in loans if loan["workout"] == "7"]
    for loan in taken:
        assert loan["dscr"] is None or loan["dscr"] < 1
        if loan["value"] is not None and loan["structure"] == "WL":
            assert loan["book_value"] >= 0.899 * loan["value"]
            assert loan["value_date"] > AS_OF - timedelta(366)
    assert len(taken) > 20


def test_modifications_are_dated_and_some_are_forbearance(loans):
    changed = [loan for loan in loans if loan["modification"]]
    assert all(bool(loan["modification"]) == bool(loan["modified_on"]) for loan in loans)
    assert {"1", "10"} <= {loan["modification"] for loan in changed}
    for loan in changed:
        made = loan["origination_date"]
        assert made is None or made <= loan["modified_on"] <= AS_OF
        if loan["special_servicing_since"]:
            until = loan["special_servicing_returned"] or AS_OF
            assert loan["special_servicing_since"] <= loan["modified_on"] <= until
    assert all(loan["modification"] for loan in loans if loan["workout"] == "1")


def test_defeased_loans_are_older_fixed_and_paid(pooled, loans):
    assert sum(bool(loan["defeasance"]) for loan in loans) == len(pooled)
    full = [loan for loan in pooled if loan["defeasance"] == "F"]
    older = [x for x in pooled if x["origination_date"] and x["origination_date"].year < 2023]
    assert 0.02 < len(full) / len(older) < 0.06
    for loan in full:
        assert loan["rate_type"] == "1"
        assert loan["payment_status"] in {"0", None}
        assert not loan["special_servicing_since"]
        made = loan["origination_date"]
        assert made is None or (AS_OF - made).days > 3 * 365 - 1
    assert {loan["defeasance"] for loan in pooled} == {"N", "X", "IP", "F"}


def test_offices_miss_their_maturity_twice_as_often():
    loans = portfolio(loans=20_000).loans
    loans = loans.select(["property_type", "payment_status"]).to_pylist()

    def missed(group):
        return np.mean([loan["payment_status"] in {"4", "5"} for loan in group])

    office = [loan for loan in loans if loan["property_type"] == "office"]
    assert 1.6 < missed(office) / missed(loans) < 2.6
    assert 0.015 < missed(loans) < 0.04


def test_some_states_suffer_more_than_others():
    loans = portfolio(loans=60_000).loans.select(["property_state", "dscr"]).to_pylist()

    def weak(*states):
        of_states = [x["dscr"] for x in loans if x["property_state"] in states and x["dscr"]]
        return np.mean([dscr < 1.10 for dscr in of_states])

    assert weak("LA", "OK", "ND", "WY", "AK") > 1.5 * weak("FL", "NC", "SC", "UT", "ID")
    assert weak("DC") > 2 * weak("FL")
