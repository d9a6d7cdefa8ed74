"""services/signals/README.md: every worked number is what the program computes."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from services.signals.amortisation import (
    LoanTerms,
    annual_constant,
    balance_at_maturity,
    debt_service_now,
)
from services.signals.cards import rule_cards
from services.signals.debt_due import debt_due
from services.signals.income_periods import annualised, period_days
from services.signals.limits import Limits
from services.signals.maturity import months_between
from services.signals.refinancing import (
    break_even_rate,
    payment_shock,
    proforma_dscr,
    refi_constants,
    refi_debt_service,
    size_loan,
)
from services.signals.rules import RULES
from services.signals.trust_exposure import Advanced, trust_exposure
from services.signals.whole_loan_debt import (
    PARI_PASSU,
    SENIOR_PART,
    WholeLoanDebt,
    debt_yield,
    loan_to_value,
    whole_loan_debt,
)

README = Path(__file__).parents[2] / "services/signals/README.md"
#: Its words, whatever their line breaks.
TEXT = " ".join(README.read_text(encoding="utf-8").split())
DAY = date(2026, 9, 30)
MONTHS = np.array([360.0])


def of(*figures):
    return np.array(figures, dtype=np.float64)


def example(**terms):
    """The loan of the examples, at the start of its ten years."""
    usual = {"balance": 1e7, "coupon": 4.0, "payment_type": 2, "amortisation_months": 360}
    dates = {"first_payment": date(2026, 10, 30), "maturity": date(2036, 9, 30)}
    return LoanTerms.of_one(DAY, **(usual | dates | terms))


def days(*texts):
    return np.array(texts, dtype="datetime64[D]")


def says(text):
    assert text in TEXT, text


def test_income_of_a_part_year():
    length = period_days(days("2025-01-01"), days("2025-09-30"))
    (noi,) = annualised(of(300_000), length, of(np.nan), of(np.nan))
    says(f"$300,000 from January to September, {length[0]:.0f} days, is ${noi:,.0f}.")


def test_debt_service_and_balance_at_maturity():
    (constant,) = annual_constant(of(4.0), MONTHS)
    (level,) = debt_service_now(example())
    says(f"4.00 % over 360 months is {constant:.6f}, so the loan pays ${level:,.0f}.")
    flat, actual = (debt_service_now(example(payment_type=3, accrual=code))[0] for code in (1, 3))
    says(f"${flat:,.0f} on 30/360, ${actual:,.0f} on actual/360.")
    (owed,) = balance_at_maturity(example())
    says(f"after every payment before that day: ${owed:,.0f} of the example.")


def test_months_to_maturity():
    (months,) = months_between(DAY, days("2029-03-30"))
    says(f"from 30 September 2026 to 30 March 2029 there are exactly {months:g}.")


def test_debt_of_the_whole_loan():
    terms = example(coupon=4.65, payment_type=3, amortisation_months=0)
    found = whole_loan_debt(terms, of(PARI_PASSU), of(9_500_000), of(1.79), of(np.nan))
    says(f"NCF of $9,500,000 at 1.79x and an interest-only coupon of 4.65 % is debt of "
         f"${found.debt[0]:,.0f}.")  # fmt: skip
    (ltv,), (of_debt,) = loan_to_value(of(1e7), of(1.6e7)), debt_yield(of(1e6), of(1e7))
    says(f"$10,000,000 over $16,000,000 is {ltv:.1%}".replace("%", " %"))
    says(f"$1,000,000 over $10,000,000 is {of_debt:.2f} %.")


def test_debt_of_an_a_b_loan():
    broad = example(balance=33e6, coupon=4.0767, payment_type=3, amortisation_months=0, accrual=3)
    found = whole_loan_debt(broad, of(SENIOR_PART), of(15_850_232), of(4.17), of(10_012_145))
    says(f"underwriting implies ${round(found.rank_debt[0], -4):,.0f}")
    says(f"$10,012,145 filed is ${found.debt[0]:,.0f}.")
    says(f"would pay ${15_850_232 / 4.17:,.0f}, is {found.filed_over_implied[0]:.2f}x.")


def test_who_is_repaid_first():
    due = debt_due(
        balance=of(1e7),
        balance_at_maturity=of(1e7),
        whole_loan_debt=of(1e7),
        rank_debt=of(1e7),
        junior=np.array([False]),
        behind=of(2e6),
    )
    (short,), (own,) = due.short(of(1.1e7)), due.own_short(of(1.1e7))
    assert own == 0
    says(f"$11,000,000 of proceeds ${short:,.0f} is short, none of it on the loan itself.")


def test_what_a_trust_has_out():
    owed, value = of(16_460_685), of(18_650_000)
    late, no = np.array([True]), np.array([False])
    alone = WholeLoanDebt(
        owed, owed, derived=no, by_service=no, filed_over_implied=owed, junior=no, at_least=no
    )
    stated = Advanced(*map(of, (14_900_389, 4_406_844, 0, 919_912)))
    found = trust_exposure(stated, alone, owed, value, late=late, special=no, reo=no, defeased=no)
    (out,), (reduced,), (lost,) = found.amount, found.reduction, found.expected_loss
    says(f"is an exposure of ${out:,.0f}, {100 * out / 18_650_000:.1f} % of a value of")
    says(f"over 90 % of the value, ${reduced:,.0f}; the expected loss what it is")
    says(f"over the value less 24 %, ${lost:,.0f}.")


def test_dscr_at_the_refi_rate():
    own = debt_service_now(example())
    ncf = 1.57 * own
    constants = refi_constants(of(6.72), MONTHS)
    service = refi_debt_service(of(1e7), constants)
    alone, level = (
        proforma_dscr(ncf, one)[0] for one in (service.interest_only, service.amortising)
    )
    says(f"the example has {alone:.2f}x interest only and {level:.2f}x amortising.")
    says(f"DSCR times coupon over refi rate would say {1.57 * 4 / 6.72:.2f}x")
    (rise,) = payment_shock(service.amortising, own)
    says(f"6.72 % against 4.00 %, both amortising, is {100 * rise:.1f} % more.")
    (rate,) = break_even_rate(ncf, of(1e7), MONTHS).interest_only
    says(f"at which that DSCR is 1.00x: {rate:.2f} % interest only.")


def test_new_proceeds_and_the_gap_that_they_leave():
    asked = {"min_dscr": 1.25, "min_debt_yield": 9.0, "max_ltv": 0.60, "cap_rate": 5.5}
    sized = size_loan(500_000, 480_000, rate=6.5, **asked)
    says(
        f"${sized.by_dscr:,.0f} by DSCR, ${sized.by_debt_yield:,.0f} by debt yield, "
        f"${sized.by_ltv:,.0f} by LTV. {sized.binding} binds."
    )
    says(f"which is said: ${size_loan(500_000, rate=6.5, **asked).by_dscr:,.0f}.")
    short = 6_000_000 - sized.amount
    says(
        f"of $6,000,000 those ${sized.amount:,.0f} leave {100 * short / 6e6:.1f} %, "
        f"${short:,.0f} short."
    )


def test_the_refi_rate_of_an_office(outcome_of):
    rate = outcome_of().features["refi_rate"]
    says(f"With the 10-year at 4.50 % an office loan is refinanced at {rate:.2f} %.")


def test_what_urgency_and_evidence_make_of_a_gap(outcome_of):
    found = outcome_of(interest_rate=3.5, ncf=800_000).features
    assert (found["rate_gap_bp"], found["months_to_maturity"]) == (345, 30)
    assert found["proforma_dscr"] == pytest.approx(1.15, abs=0.005)
    met = outcome_of(interest_rate=3.5, ncf=973_000).features
    assert met["proforma_dscr"] == pytest.approx(1.40)
    says(f"345 bp on an office, 30 months to maturity, 1.15x: severe, less one step, is "
         f"{found['rate_pressure']}; with 1.40x it is {met['rate_pressure']}.")  # fmt: skip


def test_what_income_has_lost_since_underwriting(outcome_of):
    for changes, said in (
        ({"noi": 1_160_000}, "$1,160,000 against $1,450,000 is {:.0%}"),
        ({"dscr": 1.2}, "1.20x against 2.00x is {:.0%}: severe."),
    ):
        (found,) = [one for one in outcome_of(**changes).components if one["rule"] == "NI-1"]
        says(said.format(found["value"]).replace("%", " %"))
        assert ("severe" in said) == (found["severity"] == "severe")


def test_what_underwriting_adds_to_income_of_before_the_loan(outcome_of):
    made = {"origination_date": date(2026, 7, 1), "underwritten_noi": 1_250_000}
    (found,) = outcome_of(noi=1_000_000, **made).components[-1:]
    assert found["rule"] == "UW-1"
    says(f"NOI of $1,000,000 underwritten at $1,250,000 is {found['value']:.0%}".replace("%", " %")
         + f" over, {found['severity']}.")  # fmt: skip


def test_how_far_noi_may_fall(outcome_of):
    room = outcome_of(noi=1_000_000, ncf=900_000, dscr=1.5).features["noi_room"]
    says(f"NCF of $900,000 at 1.50x, a debt service of $600,000, have room for ${1e6 * room:,.0f}, "
         f"{100 * room:.1f} %.")  # fmt: skip


def test_what_was_underwritten_over_trailing_income(outcome_of):
    made = {"origination_date": date(2026, 7, 1), "underwritten_noi": 1_250_000}
    markup = outcome_of(noi=1_000_000, **made).features["underwritten_markup"]
    says(f"$1,250,000 over $1,000,000 is {100 * markup:.1f} %. UW-1 grades it.")


def test_more_debt_is_compared_by_income_alone(outcome_of):
    of_all = {"ncf": 13_911_010, "filed_debt_service": 10_012_145, "dscr": 1.3894}
    then = {"underwritten_ncf": 15_850_232, "underwritten_dscr": 4.17, "underwritten_noi": None}
    (found,) = [one for one in outcome_of(**of_all, **then).components if one["rule"] == "NI-1"]
    says(f"NCF of $13,911,010 against $15,850,232 is {100 * found['value']:.1f} %, where a DSCR of "
         f"1.39x against 4.17x would have said {100 * (1 - 1.39 / 4.17):.1f} %.")  # fmt: skip


#: Rule -> what each cell of its row must hold of the packaged limits, in the order of severities.
CELLS = {
    "DY-1": ["1 point", "3 points"],
    "NI-1": ["10%", "20%", "40%"],
    "UW-1": ["10%", "25%"],
    "OC-1": ["15 points under underwriting, or under 80%", "30 points, or under 60%"],
    "LR-1": ["30%", "50%"],
    "RG-1": ["10%", "25%", "25%, within 12 months", "25% past maturity; 40% within 6 months"],
    "MT-1": ["12 or less", "", "past maturity"],
    "RP-1": ["100 bp", "200 bp", "300 bp"],
    "CN-1": ["5%"],
    "CT-1": ["one severe", "one critical, or two severe", "two critical"],
}


@pytest.mark.parametrize("card", rule_cards(RULES, Limits.packaged()), ids=lambda card: card.id)
def test_the_table_of_rules_has_the_limits_of_the_file(card):
    (row,) = [line for line in README.read_text("utf-8").splitlines() if f"| {card.id} |" in line]
    cells = [cell.strip() for cell in row.split("|")[3:7]]
    ladder = [text for _, text in card.ladder]
    for cell, held in zip(cells, CELLS.get(card.id, ladder), strict=False):
        assert held in cell
    assert sum(map(bool, cells)) == len(card.ladder)
