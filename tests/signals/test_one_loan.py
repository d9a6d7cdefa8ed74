"""Figures of one record: two loans by hand; what is said where a fact is missing (D149)."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from services.contract.records import LoanDetail
from services.contract.snapshot_info import RateUsed
from services.rates.spreads import Sizings
from services.signals.one_loan.figures import loan_figures

TEN_YEAR = RateUsed(series="DGS10", day=date(2026, 9, 11), percent=4.27)
AS_OF = date(2026, 9, 11)
OFFICE = {
    "value": 16_000_000,
    "noi": 800_000,
    "ncf": 760_000,
    "dscr": 1.9,
    "income_basis": "NCF, 1 Jan to 31 Dec 2025, 12 months",
    "income_from": "2025-01-01",
    "income_to": "2025-12-31",
    "amortization_months": 0,
    "original_term_months": 120,
    "refi_rate": 6.72,
    "reference_series": "DGS10",
}
#: Twelve million over 25 years at 5 %, five years paid; one payment is left out of what is owed,
#: because it falls on the day of maturity.
HOTEL = {
    "original_amount": 12_000_000,
    "amortization_months": 300,
    "payment_type": "2",
    "accrual_method": "1",
    "first_payment_date": "2021-10-01",
    "monthly_payment": 70_150.80,
    "value": 21_000_000,
    "noi": 1_500_000,
    "ncf": 1_300_000,
    "refi_rate": 7.20,
}


def office(extended=None, **changed):
    usual = {
        "book_value": 10_000_000,
        "interest_rate": 4.0,
        "property_type": "office",
        "maturity_date": date(2027, 4, 1),
    }
    return LoanDetail(
        loan_number="1", **{**usual, **changed}, extended={**OFFICE, **(extended or {})}
    )


def figures(loan):
    return loan_figures(loan, AS_OF, [TEN_YEAR], Sizings.packaged())


def test_an_interest_only_office_loan_by_hand():
    """10 million at 4 %, refinanced at 6.72 % over 30 years: the constant is 0.0775926."""
    got = figures(office())
    refi = got.refinance
    assert got.debt.at_maturity.value == 10_000_000
    assert round(refi.service.interest_only.value) == 672_000
    assert round(refi.service.amortising.value) == 775_926
    assert round(refi.dscr.interest_only.value, 4) == 1.1310
    assert round(refi.dscr.amortising.value, 4) == 0.9795
    assert refi.interest_only_graded
    assert refi.graded(refi.dscr) == refi.dscr.interest_only
    assert round(refi.required_noi.interest_only.value) == 940_800
    assert round(refi.shock.value, 4) == 0.68  # 672,000 against 400,000, both interest only
    assert round(refi.break_even.interest_only.value, 4) == 7.6
    assert round(refi.break_even.amortising.value, 4) == 6.5192
    assert [round(one.value) for one in refi.proceeds] == [6_996_247, 7_272_727, 11_200_000]
    assert refi.binding == "DSCR"  # on NCF: 760,000 / 1.40 / 0.0775926
    assert round(refi.gap.value, 4) == 0.3004
    assert round(refi.gap_usd.value) == round(refi.own_gap_usd.value) == 3_003_753
    assert (refi.spread_bp, refi.reference, refi.instead_of) == (245, TEN_YEAR, None)
    assert round(refi.rate_gap.value) == 272


def test_an_amortising_hotel_loan_by_hand():
    """Refinanced at 7.20 % over 25 years: the constant is 0.0863506, and it has a surplus."""
    hotel = LoanDetail(
        loan_number="2",
        book_value=10_629_623,
        interest_rate=5.0,
        property_type="lodging",
        maturity_date=date(2031, 9, 1),
        extended=HOTEL,
    )
    got = loan_figures(hotel, date(2026, 9, 15), (), Sizings.packaged())
    refi = got.refinance
    assert round(got.debt.at_maturity.value) == pytest.approx(8_903_988, abs=2)
    assert round(got.debt.service.value) == 841_810
    assert not refi.interest_only_graded
    assert round(refi.dscr.amortising.value, 4) == 1.6908
    assert round(refi.dscr.interest_only.value, 4) == 2.0278
    assert round(refi.shock.value, 4) == -0.0867
    assert refi.binding == "DSCR"
    assert round(refi.most.value) == 10_036_598  # NCF of 1,300,000 / 1.50 / 0.0863506
    assert round(refi.gap.value, 3) == -0.127
    assert refi.gap_usd.value == pytest.approx(-1_132_610, abs=5)
    assert refi.spread_bp == 300  # of the type: the snapshot does not say what the rate stands on
    assert refi.reference is None


def test_a_4_percent_loan_of_157_at_672_percent():
    """1.16x amortising and 1.34x interest only, on a balance that is not repaid before maturity."""
    payment = 12 * 47_741.53  # of 10 million over 30 years at 4 %
    loan = office(
        {
            "ncf": 1.57 * payment,
            "payment_type": "2",
            "amortization_months": 360,
            "first_payment_date": "2026-10-01",
        },
        maturity_date=date(2026, 10, 1),
    )
    refi = figures(loan).refinance
    assert round(refi.dscr.amortising.value, 2) == 1.16
    assert round(refi.dscr.interest_only.value, 2) == 1.34


def test_a_pari_passu_note_bears_its_share_of_the_gap():
    """Underwriting implies 40 million at 4 %; the record holds a quarter of them."""
    note = office(
        {
            "structure": "PP",
            "underwritten_ncf": 3_200_000,
            "underwritten_dscr": 2.0,
            "noi": 3_200_000,
            "ncf": 3_040_000,
            "value": 64_000_000,
        }
    )
    got = figures(note)
    assert got.debt.part
    assert not got.debt.at_least
    assert round(got.debt.whole.value) == 40_000_000
    # 40 million less 3,040,000 / 1.40 / 0.0775926.
    assert round(got.refinance.gap_usd.value) == 12_015_012
    assert round(got.refinance.own_gap_usd.value) == 3_003_753
    assert round(got.debt.ltv.value, 4) == 0.625
    senior = figures(office({"structure": "A1"}))
    assert (senior.debt.part, senior.debt.at_least) == (True, True)


@pytest.mark.parametrize(
    ("extended", "changed", "figure", "why"),
    [
        ({"noi": None}, {}, "most", "not testable: no NOI"),
        ({"ncf": None, "noi": None, "dscr": 1.2}, {}, "dscr", "not testable: no NOI"),
        ({"refi_rate": None}, {}, "dscr", "not testable: no refi rate"),
        ({"refi_rate": None}, {}, "most", "not testable: no refi rate"),
        ({}, {"book_value": None}, "gap", "not testable: no balance"),
        ({}, {"interest_rate": None}, "shock", "not testable: no coupon"),
        ({}, {"interest_rate": None}, "rate_gap", "not testable: no coupon"),
        (
            {"payment_type": "2", "amortization_months": 360},
            {"maturity_date": None},
            "gap",
            "not testable: no maturity date",
        ),
        (
            {"payment_type": "2", "amortization_months": None},
            {},
            "dscr",
            "not testable: no amortisation term",
        ),
        ({"structure": "PP"}, {}, "dscr", "not testable: no underwriting of the whole loan"),
        ({"ncf": -1}, {}, "break_even", "none: income is not above zero"),
        ({"ncf": 300_000}, {}, "break_even", "none: income does not cover principal alone"),
        ({}, {"book_value": 0}, "dscr", "not testable: no NOI"),
        ({"noi": "800000"}, {}, "most", "not testable: no NOI"),
        ({"noi": True}, {}, "most", "not testable: no NOI"),
        # Of several inputs that are missing, the first by the order in which one would ask.
        ({"noi": None, "refi_rate": None}, {}, "most", "not testable: no NOI"),
        ({"noi": None, "ncf": None, "refi_rate": None}, {}, "dscr", "not testable: no NOI"),
        ({"refi_rate": None}, {"book_value": None}, "service", "not testable: no refi rate"),
        ({"refi_rate": None}, {"interest_rate": None}, "rate_gap", "not testable: no refi rate"),
        ({}, {"book_value": None, "interest_rate": None}, "shock", "not testable: no balance"),
        ({"noi": 1e15}, {}, "most", "not testable: no NOI"),
    ],
)
def test_a_figure_says_what_it_lacks(extended, changed, figure, why):
    found = getattr(figures(office(extended, **changed)).refinance, figure)
    found = getattr(found, "amortising", found)
    assert (found.value, found.why) == (None, why)


def test_the_break_even_rate_needs_no_refi_rate():
    both = figures(office({"refi_rate": None})).refinance.break_even
    # 760,000 on 10,000,000; by days of a year of 360 as interest-only loans count them.
    assert both.interest_only.value == pytest.approx(7.6)
    assert both.amortising.value is not None


def test_a_loan_without_a_type_has_no_terms_of_a_new_loan():
    refi = figures(office({"refi_rate": None}, property_type=None)).refinance
    assert (refi.terms, refi.sensitivity, refi.binding) == (None, None, None)


def test_a_value_that_is_missing_constrains_nothing():
    refi = figures(office({"value": None})).refinance
    assert refi.proceeds[2].why == "not testable: no appraised value"
    assert refi.binding == "DSCR"


@pytest.mark.parametrize(
    "changes",
    [{"ncf": None}, {"ncf": 800_000}, {"income_basis": "NOI, 1 Jan to 31 Dec 2025, 12 months"}],
)
def test_without_an_ncf_after_reserves_the_dscr_is_on_noi(changes):
    """800,000 / 1.40 / 0.0775926; debt yield binds then."""
    refi = figures(office(changes)).refinance
    assert round(refi.proceeds[0].value) == 7_364_470
    assert refi.binding == "debt yield"


def test_the_fallback_to_another_tenor_is_said():
    assert figures(office({"original_term_months": 84})).refinance.instead_of == "DGS7"
    assert figures(office({"original_term_months": None})).refinance.instead_of is None


def test_the_anticipated_repayment_date_is_when_a_loan_is_refinanced():
    debt = figures(office({"ard_date": "2027-02-01"}, maturity_date=date(2037, 2, 1))).debt
    assert debt.effective == date(2027, 2, 1)
    assert (debt.anticipated_repayment, debt.maturity) == (date(2027, 2, 1), date(2037, 2, 1))
    assert 4 < debt.months_to_effective < 5


def test_interest_only_says_when_principal_begins():
    partial = {
        "payment_type": "5",
        "amortization_months": 360,
        "interest_only_months": 60,
        "first_payment_date": "2022-05-06",
    }
    debt = figures(office(partial)).debt
    assert debt.amortises_from == date(2027, 5, 1)
    assert debt.interest_only_now
    assert not debt.interest_only_throughout
    assert figures(office()).debt.amortises_from is None


@pytest.mark.parametrize(
    ("extended", "changed", "exempt"),
    [
        ({}, {}, ()),
        ({"defeasance": "F"}, {}, ("defeased",)),
        ({"defeasance": "IP"}, {}, ()),
        ({"payment_type": "1", "amortization_months": 120}, {}, ("fully amortising",)),
        ({"payment_type": "1", "balloon": True}, {}, ()),
        ({}, {"book_value": 0}, ("without a balance",)),
        # Only that it has ended is known of it, whatever its balance, terms and codes say.
        ({"disposition": "liquidated", "defeasance": "F"}, {}, ("without a balance",)),
        ({"disposition": "paid off at maturity"}, {"book_value": None}, ("without a balance",)),
        ({"disposition": "outstanding"}, {}, ()),
    ],
)
def test_exempt_loans_are_named(extended, changed, exempt):
    assert figures(office(extended, **changed)).exempt == exempt


def test_special_servicing_lasts_until_a_later_return():
    def since(**extended):
        return figures(office(extended)).special_servicing_since

    sent, back = "2026-03-02", "2026-08-01"
    assert since(special_servicing_since=sent) == date(2026, 3, 2)
    assert since(special_servicing_since=sent, special_servicing_returned=back) is None
    assert since(special_servicing_since=back, special_servicing_returned=sent) == date(2026, 8, 1)
    assert since(special_servicing_returned=back) is None


def test_a_part_of_a_year_is_marked():
    nine = {"income_to": "2025-09-30"}
    income = figures(office(nine)).income
    assert (income.filed.months, income.filed.annualised, income.seasonal) == (9, True, False)
    assert figures(office(nine, property_type="lodging")).income.seasonal
    yearly = {**nine, "income_basis": "NCF, 1 Jan to 30 Sep 2025, 9 months, amounts of a year"}
    assert not figures(office(yearly)).income.filed.annualised
    full = figures(office()).income
    assert (full.filed.months, full.filed.annualised) == (12, False)
    assert full.in_place == full.filed


def test_underwritten_income_stands_under_its_own_name():
    only = {
        "income_basis": "NCF, underwritten",
        "income_from": None,
        "income_to": None,
        "underwritten_noi": 800_000,
    }
    income = figures(office(only)).income
    assert income.filed is None
    assert income.underwritten.ncf == income.in_place.ncf == 760_000


def test_ncf_that_is_noi_to_the_cent_is_called_noi():
    assert figures(office()).income.in_place.basis == "NCF"
    same = figures(office({"ncf": 800_000})).income.in_place
    assert (same.basis, same.without_reserves) == ("NOI", True)
    named = figures(
        office({"income_basis": "NOI, 1 Jan to 31 Dec 2025, 12 months"})
    ).income.in_place
    assert (named.basis, named.cash) == ("NOI", 800_000)


def test_leases_come_by_expiry_and_what_is_no_lease_is_left_out():
    leases = [
        {"tenant": "Late", "square_feet": 5, "expires": "2031-01-31"},
        {"tenant": "Undated", "square_feet": None, "expires": "soon"},
        {"tenant": "Early", "square_feet": 9.0, "expires": "2027-01-31"},
        "a note",
    ]
    found = figures(office({"leases": leases})).income.leases
    assert [lease.tenant for lease in found] == ["Early", "Late", "Undated"]
    assert found[2].expires is None
    assert figures(office({"leases": "none"})).income.leases == ()


def test_an_appraisal_of_over_24_months_is_stale():
    assert figures(office({"value_date": "2024-09-10"})).income.stale
    assert not figures(office({"value_date": "2024-09-11"})).income.stale
    assert not figures(office()).income.stale


def test_income_that_ended_over_12_months_ago_is_old():
    """As of 11 September 2026."""
    assert not figures(office()).income.old
    assert not figures(office({"income_to": "2025-09-11"})).income.old
    assert figures(office({"income_to": "2025-09-10"})).income.old
    underwritten = {"income_basis": "NCF, underwritten", "income_from": None, "income_to": None}
    assert not figures(office(underwritten)).income.old


def test_income_that_ended_before_the_loan_was_made_says_so():
    made = date(2025, 9, 11)

    def before(ended, originated=made):
        return figures(office({"income_to": ended}, origination_date=originated)).income.before_loan

    assert before("2025-09-10")
    assert not before("2025-09-11")
    assert not before("2025-09-10", None)
    assert not before(None)


def test_sensitivity_holds_todays_figures_where_nothing_is_shifted():
    refi = figures(office()).refinance
    grid = refi.sensitivity
    here = list(grid.rates).index(6.72)
    assert grid.dscr[0][here] == pytest.approx(refi.dscr.interest_only.value)
    assert grid.gap_usd[0][here] == pytest.approx(refi.gap_usd.value)
    assert grid.dscr.shape == (5, 7)
    assert figures(office({"noi": None, "ncf": None})).refinance.sensitivity is None


def test_a_share_of_the_whole_is_exact():
    """The record's part of the gap is its part of the balance, whatever the figures."""
    note = {"structure": "PP", "underwritten_ncf": 1_234_567, "underwritten_dscr": 1.31}
    got = figures(office(note))
    part = Fraction(got.debt.balance) / Fraction(got.debt.whole.value)
    assert got.refinance.own_gap_usd.value == pytest.approx(
        float(part * Fraction(got.refinance.gap_usd.value))
    )


def test_a_floating_coupon_says_what_it_follows_and_where_it_is_held():
    floater = {"rate_type": "2", "rate_index": "Q", "rate_margin": 2.85, "rate_cap": 7.0}
    held = figures(office(floater, interest_rate=7.0)).debt.floating
    assert (held.index, held.margin, held.cap, held.floor) == ("1-month term SOFR", 2.85, 7.0, None)
    assert held.at == "cap"
    assert figures(office(floater, interest_rate=6.5)).debt.floating.at is None
    low = figures(office({**floater, "rate_floor": 6.5}, interest_rate=6.5)).debt.floating
    assert low.at == "floor"
    # In binary 3.6 + 3.2 is a little over 6.8.
    own = {"rate_cap": None, "rate_margin": 3.6, "cap_strike": 3.2, "cap_expires": AS_OF}
    bought = {**floater, **own}
    strike = figures(office(bought, interest_rate=6.8)).debt.floating
    assert (strike.strike, strike.expires) == (3.2, AS_OF)
    assert strike.at == "strike"
    under = figures(office({**bought, "rate_floor": 7.2}, interest_rate=7.2)).debt.floating
    assert under.at == "floor"
    before = {**bought, "cap_expires": AS_OF - timedelta(1)}
    assert figures(office(before, interest_rate=6.8)).debt.floating.at is None
    assert figures(office({"rate_type": "1"})).debt.floating is None


def test_the_new_loan_is_as_long_as_the_original_term_asks():
    def years(months):
        return figures(office({"original_term_months": months})).refinance.term_years

    assert (years(60), years(84), years(120), years(None)) == (5, 7, 10, 10)
