"""Which income of a filing counts (D52): the latest filed period, else what was underwritten."""

import math
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.importers.base import Facts
from services.importers.cmbs.income import Income, latest, underwriting

BEFORE = {
    "underwritten_noi": Decimal(100),
    "underwritten_ncf": Decimal(90),
    "underwritten_noi_dscr": Decimal("1.5"),
    "underwritten_ncf_dscr": Decimal("1.4"),
}


def filed(start, end, **figures):
    """A statement from one day to another, written as ISO dates; figures as text."""
    period = {
        "financials_start": date.fromisoformat(start),
        "financials_end": date.fromisoformat(end),
    }
    typed = {
        key: Decimal(value) if key != "statements" else value for key, value in figures.items()
    }
    return {f"most_recent_{key}": value for key, value in {**period, **typed}.items()}


NINE = ("2025-01-01", "2025-09-30")
YEAR = ("2024-10-01", "2025-09-30")


def chosen(facts, parts=(), *, whole=True, **kwargs):
    total, properties = Facts(facts), [Facts(part) for part in parts]
    recent = latest(total, properties, whole=whole, **kwargs)
    return recent or underwriting(total, properties, whole=whole)


def shown(found):
    """Figures to the cent, DSCR as it is, and the basis."""
    dollars = [None if one is None else float(round(one, 2)) for one in (found.noi, found.ncf)]
    return (
        *dollars,
        None if found.dscr is None else float(found.dscr),
        found.basis and found.basis.words,
    )


def test_a_part_of_a_year_is_annualised_and_its_dscr_stays_as_filed():
    facts = {**filed(*NINE, noi=273_000, ncf=136_500, ncf_dscr="0.85"), **BEFORE}
    found = chosen(facts)
    assert shown(found) == (
        365_000,
        182_500,
        0.85,
        "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised",
    )
    assert (found.start, found.end) == (date(2025, 1, 1), date(2025, 9, 30))
    hotel = chosen(facts, seasonal=True)
    assert hotel.basis.words == "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised, seasonal"


@pytest.mark.parametrize(
    ("start", "end", "noi", "period"),
    [
        ("2025-01-01", "2025-12-31", 365_000, "1 Jan to 31 Dec 2025, 12 months"),
        ("2024-12-31", "2025-12-31", 365_000, "31 Dec 2024 to 31 Dec 2025, 12 months"),
        ("2024-01-01", "2024-12-31", 365_000, "1 Jan to 31 Dec 2024, 12 months"),
        ("2025-01-06", "2025-12-31", 365_000, "6 Jan to 31 Dec 2025, 12 months"),  # 360 days
        ("2025-01-07", "2025-12-31", 371_100.28, "7 Jan to 31 Dec 2025, 12 months, annualised"),
        ("2024-12-26", "2025-12-31", 365_000, "26 Dec 2024 to 31 Dec 2025, 12 months"),  # 371
        (
            "2024-12-25",
            "2025-12-31",
            358_131.72,
            "25 Dec 2024 to 31 Dec 2025, 12 months, annualised",
        ),
        ("2025-10-01", "2025-10-31", 4_297_580.65, "1 Oct to 31 Oct 2025, 1 month, annualised"),
        ("2025-10-01", "2025-10-10", 13_322_500, "1 Oct to 10 Oct 2025, 10 days, annualised"),
        (
            "2024-04-01",
            "2025-09-30",
            243_111.31,
            "1 Apr 2024 to 30 Sep 2025, 18 months, annualised",
        ),
    ],
)
def test_a_year_is_of_360_to_371_days_and_every_other_length_is_made_one(start, end, noi, period):
    found = chosen({**filed(start, end, noi=365_000), **BEFORE})
    assert shown(found) == (noi, None, None, f"NOI, {period}")


def test_net_cash_flow_that_is_noi_to_the_cent_is_noi():
    same = chosen(filed(*YEAR, noi="110.10", ncf="110.10", noi_dscr="1.2", ncf_dscr="1.2"))
    assert shown(same) == (110.1, 110.1, 1.2, "NOI, 1 Oct 2024 to 30 Sep 2025, 12 months")
    less = chosen(filed(*YEAR, noi="110.10", ncf="110.09", noi_dscr="1.3", ncf_dscr="1.2"))
    assert shown(less) == (110.1, 110.09, 1.2, "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months")
    before = {**BEFORE, "underwritten_ncf": Decimal(100)}
    assert chosen(before).basis.words == "NOI, underwritten"


@pytest.mark.parametrize("amount", ["0.00", "-120.50"])
def test_an_income_of_zero_or_below_is_a_figure_where_its_period_is_stated(amount):
    loss = {"noi": amount, "ncf": amount, "noi_dscr": "-0.2", "ncf_dscr": "-0.2"}
    found = chosen({**filed(*YEAR, **loss), **BEFORE})
    assert shown(found) == (
        float(amount),
        float(amount),
        -0.2,
        "NOI, 1 Oct 2024 to 30 Sep 2025, 12 months",
    )


def test_a_zero_without_a_period_or_a_statement_says_nothing():
    """D53."""
    zeros = dict.fromkeys(("noi", "ncf", "noi_dscr", "ncf_dscr"), 0)
    none = {f"most_recent_{key}": Decimal(0) for key in zeros}
    assert chosen({**none, **BEFORE}).basis.words == "NCF, underwritten"
    assert (
        chosen({**filed(*YEAR, statements="N", **zeros), **BEFORE}).basis.words
        == "NCF, underwritten"
    )
    stated = chosen({**filed(*YEAR, **zeros), **BEFORE})
    assert shown(stated) == (0, 0, 0, "NOI, 1 Oct 2024 to 30 Sep 2025, 12 months")


def test_a_zero_beside_a_figure_that_contradicts_it_is_not_published():
    half = chosen(filed(*YEAR, noi=500, ncf=0, noi_dscr="1.1", ncf_dscr=0))
    assert shown(half) == (500, None, 1.1, "NOI, 1 Oct 2024 to 30 Sep 2025, 12 months")
    other = chosen(filed(*YEAR, noi=0, ncf=400, noi_dscr=0, ncf_dscr="0.9"))
    assert shown(other) == (None, 400, 0.9, "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months")
    empty = chosen(filed(*YEAR, noi=0, ncf=-40, noi_dscr=0, ncf_dscr="-0.1"))
    assert shown(empty) == (0, -40, -0.1, "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months")


@pytest.mark.parametrize(("code", "word"), [("A", True), ("P", True), ("W", True), ("F", False)])
def test_statements_of_some_properties_give_a_dscr_and_no_amounts(code, word):
    facts = {**filed(*YEAR, noi=110, ncf=100, ncf_dscr="0.95", statements=code), **BEFORE}
    partial = (
        None,
        None,
        0.95,
        "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months, some statements missing",
    )
    full = (110, 100, 0.95, "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months")
    assert shown(chosen(facts)) == (partial if word else full)
    without = {key: value for key, value in facts.items() if key != "most_recent_ncf_dscr"}
    assert (chosen(without).basis.words == "NCF, underwritten") is word


def test_a_dscr_without_a_period_is_shown_and_an_amount_without_one_is_not():
    facts = {"most_recent_noi": Decimal(80), "most_recent_noi_dscr": Decimal("0.8"), **BEFORE}
    assert shown(chosen(facts)) == (None, None, 0.8, "NOI, no single period")
    assert shown(chosen({"most_recent_noi": Decimal(80), **BEFORE}))[3] == "NCF, underwritten"
    backward = {**filed(*reversed(YEAR), noi=80, noi_dscr="0.8"), **BEFORE}
    assert shown(chosen(backward)) == (None, None, 0.8, "NOI, no single period")
    assert (chosen(backward).start, chosen(backward).end) == (None, None)


def test_a_dscr_that_is_not_filed_is_income_over_the_debt_service_of_the_same_months():
    facts = filed(*NINE, noi=273, ncf=250, debt_service=200)
    basis = "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised, DSCR computed"
    assert shown(chosen(facts)) == (365, 334.25, 1.25, basis)
    assert chosen(filed(*NINE, noi=273, debt_service=0)).dscr is None


QUARTER = ("2025-07-01", "2025-09-30")


@pytest.mark.parametrize(
    ("service", "scale", "note"),
    [
        ("100", 1, "amounts of a year"),
        ("90", 1, "amounts of a year"),
        ("110", 1, "amounts of a year"),
        ("89.9", 365 / 92, "annualised"),
        ("110.1", 365 / 92, "annualised"),
        ("25.2", 365 / 92, "annualised"),
        ("-100", 365 / 92, "annualised"),
    ],
)
def test_the_debt_service_of_a_year_gives_away_amounts_of_a_year(service, scale, note):
    facts = filed(*QUARTER, noi=150, ncf=140, ncf_dscr="1.4", debt_service=service)
    found = chosen(facts, yearly=[Decimal(7), Decimal(100)])
    assert shown(found) == (
        round(150 * scale, 2),
        round(140 * scale, 2),
        1.4,
        f"NCF, 1 Jul to 30 Sep 2025, 3 months, {note}",
    )


def test_eleven_months_of_debt_service_are_not_taken_for_a_year():
    facts = filed("2025-01-01", "2025-11-30", noi=334, noi_dscr="1.4", debt_service="91.5")
    assert chosen(facts, yearly=[Decimal(100)]).noi == 365


def test_noi_speaks_where_cash_flow_is_silent():
    facts = {key: value for key, value in BEFORE.items() if "ncf" not in key}
    assert shown(chosen(facts)) == (100, None, 1.5, "NOI, underwritten")
    assert chosen({}) == Income()
    assert chosen(dict.fromkeys(BEFORE, Decimal(0))) == Income()


def test_figures_of_two_periods_are_never_mixed():
    """D52: amounts of the filed period stand without a DSCR, which is none of its own."""
    found = chosen({**filed(*YEAR, noi=110), **BEFORE})
    assert shown(found) == (110, None, None, "NOI, 1 Oct 2024 to 30 Sep 2025, 12 months")
    assert shown(underwriting(Facts(BEFORE), [], whole=True)) == (100, 90, 1.4, "NCF, underwritten")


def test_children_are_summed_only_when_none_is_missing():
    parts = [{"underwritten_noi": Decimal(40)}, {"underwritten_noi": Decimal(2)}]
    assert chosen({}, parts).noi == 42
    assert chosen({}, parts, whole=False) == Income()
    assert chosen({}, [*parts, {}]) == Income()


def test_statements_of_children_add_up_where_they_are_of_one_period():
    parts = [filed(*NINE, noi=one, ncf_dscr="0.9") for one in (200, 73)]
    basis = "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised"
    assert shown(chosen({}, parts)) == (365, None, 0.9, basis)
    other = [parts[0], filed(*YEAR, noi=73, ncf_dscr="0.9")]
    assert shown(chosen({}, other)) == (None, None, 0.9, "NCF, no single period")
    assert chosen({}, [*parts, BEFORE]) == Income()
    assert chosen({}, parts, whole=False) == Income()


@given(st.lists(st.one_of(st.none(), st.integers(1, 10**9)), min_size=1, max_size=6))
def test_a_sum_over_children_is_whole_or_null(figures):
    parts = [{} if one is None else {"underwritten_noi": Decimal(one)} for one in figures]
    expected = None if None in figures else math.fsum(figures)
    assert chosen({}, parts).noi == expected


def test_the_income_of_a_property_is_of_the_period_of_its_loan():
    total = {**filed(*QUARTER, noi=150, noi_dscr="1.4", debt_service=100), **BEFORE}
    own = Facts({**filed(*QUARTER, noi=60), "underwritten_noi": Decimal(55)})
    undated = Facts({"most_recent_noi": Decimal(60)})
    yearly = latest(Facts(total), [], whole=True, yearly=[Decimal(100)])
    assert (yearly.noi_of(own), yearly.noi_of(undated)) == (60, 60)
    part = latest(Facts(total), [], whole=True)
    assert round(part.noi_of(own), 2) == round(Decimal(60) * 365 / 92, 2)
    year = Facts(filed(*YEAR, noi=61))
    assert part.noi_of(year) == 61
    assert underwriting(Facts(BEFORE), [], whole=True).noi_of(own) == 55
