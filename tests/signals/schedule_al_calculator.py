"""Figures of one loan, reckoned in Decimal from its raw Schedule AL values, payment by payment.

It shares no code with the product: dates are walked month by month, balances are reckoned one
payment after another, and rates are found by halving. Slow and plain on purpose.
"""

from datetime import date, timedelta
from decimal import Decimal, getcontext
from functools import cached_property

getcontext().prec = 40

ONE = Decimal(1)
HUNDRED = Decimal(100)


def day(text):
    month, of_month, year = text.split("-")
    return date(int(year), int(month), int(of_month))


def later(start, months):
    """The same day so many months later, or the last day of a shorter month."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    for of_month in (start.day, 30, 29, 28):
        try:
            return date(year, month + 1, min(of_month, start.day))
        except ValueError:
            continue
    raise AssertionError


def monthly_payment(amount, yearly_rate, months):
    """Level payment; the worth of 1 a month is summed term by term."""
    monthly = yearly_rate / 12
    worth, factor = Decimal(0), ONE
    for _ in range(months):
        factor /= ONE + monthly
        worth += factor
    return amount / worth


class Calculator:
    """One record: Schedule AL element -> text, and the market it would be refinanced in."""

    def __init__(self, raw, market):
        self.raw, self.market = raw, market
        self.as_of = day(raw["reportingPeriodEndDate"])

    def number(self, name):
        text = self.raw.get(name)
        return None if text in (None, "") else Decimal(text)

    def ask(self, name):
        text = self.market.get(name)
        return None if text is None else Decimal(text)

    @property
    def balance(self):
        return self.number("reportPeriodEndActualBalanceAmount")

    @property
    def amount(self):
        return self.number("originalLoanAmount")

    @property
    def rate(self):
        """Yearly, a fraction; of a floater index and margin between floor and cap."""
        margin = self.number("armMarginNumber")
        if margin is None:
            return self.number("reportPeriodInterestRatePercentage")
        rate = self.number("armIndexRatePercentage") + margin
        floor, cap = (self.number(f"lifetimeRate{end}Percentage") for end in ("Floor", "Cap"))
        if floor is not None and rate < floor:
            rate = floor
        return cap if cap is not None and rate > cap else rate

    @property
    def yearly_accrual(self):
        return Decimal(365) / 360 if self.raw.get("interestAccrualMethodCode") == "3" else ONE

    @property
    def kind(self):
        return self.raw.get("paymentTypeCode")

    @property
    def maturity(self):
        named = [self.raw.get(name) for name in ("maturityDate", "hyperAmortizingDate")]
        return min(day(text) for text in named if text)

    def dues(self):
        """Payment days after today and before maturity."""
        first, found, step = day(self.raw["firstLoanPaymentDueDate"]), [], 0
        while (due := later(first, step)) < self.maturity:
            if due > self.as_of:
                found.append(due)
            step += 1
        return found

    def interest_only_on(self, due):
        if self.kind == "3":
            return True
        months = int(self.raw.get("originalInterestOnlyTermNumber") or 0)
        return due < later(day(self.raw["firstLoanPaymentDueDate"]), months)

    @property
    def below_interest(self):
        """The filed payment where it is less than any month's interest, and that is allowed."""
        filed = self.number("periodicPrincipalAndInterestPaymentSecuritizationAmount")
        if self.raw.get("negativeAmortizationIndicator") != "true" or not filed:
            return None
        actual = self.raw.get("interestAccrualMethodCode") == "3"
        month = Decimal(28) / 360 if actual else self.yearly_accrual / 12
        return filed if filed < self.balance * self.rate * month * Decimal("0.999") else None

    @cached_property
    def level(self):
        months = int(self.raw.get("originalAmortizationTermNumber") or 0)
        if self.kind == "3" or months == 0:
            return None
        reckoned = monthly_payment(self.amount, self.rate, months)
        filed = self.number("periodicPrincipalAndInterestPaymentSecuritizationAmount")
        if filed is None or filed <= self.amount * self.rate * 31 / 360 * Decimal("1.001"):
            return reckoned
        return filed if Decimal("0.75") <= filed / reckoned <= Decimal("1.25") else reckoned

    @property
    def next_due(self):
        """The first payment day after today, whether or not the loan has matured by then."""
        first, step = day(self.raw["firstLoanPaymentDueDate"]), 0
        while later(first, step) <= self.as_of:
            step += 1
        return step

    def payment_on(self, step):
        due = later(day(self.raw["firstLoanPaymentDueDate"]), step)
        if self.below_interest:
            return self.below_interest
        if self.interest_only_on(due):
            return self.balance * self.rate * self.yearly_accrual / 12
        return self.level

    @property
    def service_now(self):
        return Decimal(0) if self.balance == 0 else 12 * self.payment_on(self.next_due)

    @property
    def service_next_year(self):
        steps = range(self.next_due, self.next_due + 12)
        return Decimal(0) if self.balance == 0 else sum(self.payment_on(step) for step in steps)

    @property
    def pays_interest_only(self):
        first = day(self.raw["firstLoanPaymentDueDate"])
        return self.interest_only_on(later(first, self.next_due))

    @property
    def self_amortising(self):
        return self.kind in {"1", "4"} and self.raw.get("balloonIndicator") != "true"

    @cached_property
    def at_maturity(self):
        dues, owed = self.dues(), self.balance
        if self.self_amortising and dues:
            return Decimal(0)
        for due in dues:
            if self.below_interest:
                owed += owed * self.rate * self.yearly_accrual / 12 - self.below_interest
                continue
            if self.interest_only_on(due):
                continue
            owed += owed * self.rate * self.yearly_accrual / 12 - self.level
        return max(owed, Decimal(0))

    @property
    def told_by_service(self):
        """Of an A/B part: the debt that pays what is filed, from a tenth over the implied."""
        if (self.raw.get("loanStructureCode") or "WL") in {"WL", "PP"} or not self.balance:
            return None
        if not self.number("mostRecentDebtServiceAmount"):
            return None
        told = self.of_a_year("mostRecentDebtServiceAmount") / (self.service_now / self.balance)
        return told if told >= Decimal("1.1") * self.implied_debt else None

    @property
    def filed_over_implied(self):
        filed, known = self.of_a_year("mostRecentDebtServiceAmount"), self.implied_debt
        told = filed and known and self.service_now and not self.exempt & 13
        return filed / known / (self.service_now / self.balance) if told else None

    @property
    def debt(self):
        return self.implied_debt if self.told_by_service is None else self.told_by_service

    @property
    def implied_debt(self):
        structure = self.raw.get("loanStructureCode") or "WL"
        if structure == "WL":
            return self.balance
        ncf = self.number("netCashFlowFlowSecuritizationAmount")
        dscr = self.number("debtServiceCoverageNetCashFlowSecuritizationPercentage")
        if not ncf or not dscr:
            return None if structure == "PP" else self.balance
        if self.kind == "3":
            constant = self.rate * self.yearly_accrual
        else:
            constant = 12 * self.level / self.amount
        lent = ncf / dscr / constant
        return max(lent * self.balance / self.amount, self.balance)

    @property
    def debt_at_least(self):
        part = (self.raw.get("loanStructureCode") or "WL") not in {"WL", "PP"}
        return part and self.balance != 0 and self.told_by_service is None

    @property
    def in_trouble(self):
        """Late by 30 days or more, sent to the special servicer and not back, or REO; Treasuries
        pay a defeased loan.
        """
        since, back = (
            self.raw.get(f"mostRecent{name}Date")
            for name in ("SpecialServicerTransfer", "MasterServicerReturn")
        )
        special = bool(since) and not (back and day(back) >= day(since))
        late = self.raw.get("paymentStatusLoanCode") in {"1", "2", "3", "5"}
        trouble = late or special or self.raw.get("workoutStrategyCode") == "7"
        return trouble and self.raw.get("DefeasedStatusCode") != "F"

    @property
    def advances(self):
        names = ("totalPrincipalInterestAdvanced", "totalTaxesInsuranceAdvances",
                 "otherExpensesAdvanced")  # fmt: skip
        each = [self.number(f"{name}OutstandingAmount") for name in names]
        return None if each == [None] * 3 else [one or Decimal(0) for one in each]

    @property
    def scheduled(self):
        stated = self.number("reportPeriodEndScheduledLoanBalanceAmount")
        return self.balance if stated is None else stated

    @property
    def exposure(self):
        return None if self.advances is None else self.scheduled + sum(self.advances)

    def exposure_of(self, debt):
        """The trusts of the other notes have advanced as much on each dollar; taxes only once."""
        missed, *once = self.advances
        return debt * (self.scheduled + missed) / self.balance + sum(once)

    @property
    def debt_today(self):
        """What value stands against."""
        if self.debt is None or self.exposure is None or not self.in_trouble:
            return self.debt
        return max(self.debt, self.exposure_of(self.debt))

    def uncovered(self, part):
        value = self.number("valuationSecuritizationAmount")
        junior = self.raw.get("loanStructureCode") in {"B1", "B2", "C2", "MZ"}
        rank = self.debt if junior else self.implied_debt
        if not self.in_trouble or None in (self.exposure, value, rank):
            return None
        through = self.exposure_of(rank)
        ahead = max(through - self.exposure, Decimal(0)) if junior else Decimal(0)
        left = max(through - max(Decimal(part) * value, ahead), Decimal(0))
        return left * self.exposure / (through - ahead)

    @property
    def months_unpaid(self):
        through = self.raw.get("paidThroughDate")
        if not through or self.raw.get("paymentStatusLoanCode") not in {"1", "2", "3", "5"}:
            return None
        months = 0
        while later(self.as_of, -months - 1) >= day(through):
            months += 1
        return months

    @property
    def debt_at_maturity(self):
        if self.debt is None:
            return None
        return self.debt * self.at_maturity / self.balance if self.balance else Decimal(0)

    @property
    def days(self):
        start, end = (day(self.raw[f"mostRecentFinancials{at}Date"]) for at in ("Start", "End"))
        return (end + timedelta(1) - start).days

    def of_a_year(self, name):
        """Annualised by days, but for a year and for amounts that are a year's already."""
        amount, service = self.number(name), self.number("mostRecentDebtServiceAmount")
        if amount is None or 360 <= self.days <= 371:
            return amount
        ncf = self.number("netCashFlowFlowSecuritizationAmount")
        dscr = self.number("debtServiceCoverageNetCashFlowSecuritizationPercentage")
        if service and ncf and dscr and abs(service / (ncf / dscr) - 1) <= Decimal("0.1"):
            return amount
        return amount * 365 / self.days

    @property
    def noi(self):
        return self.of_a_year("mostRecentNetOperatingIncomeAmount")

    @property
    def ncf(self):
        return self.of_a_year("mostRecentNetCashFlowAmount")

    @property
    def dscr(self):
        filed = self.number("mostRecentDebtServiceCoverageNetCashFlowpercentage")
        if filed is not None:
            return filed
        income, service = (
            self.number(f"mostRecent{word}Amount") for word in ("NetCashFlow", "DebtService")
        )
        return income / service if service and income is not None else None

    @property
    def room(self):
        told = self.dscr and self.noi and self.noi > 0 and not self.exempt & 13
        return (self.ncf - self.ncf / self.dscr) / self.noi if told else None

    def constant(self, rate, *, interest_only):
        if interest_only:
            return rate / HUNDRED * self.yearly_accrual
        return 12 * monthly_payment(ONE, rate / HUNDRED, int(self.ask("months")))

    def refi_service(self, *, interest_only):
        due = self.debt_at_maturity
        if due is None:
            return None
        return due * self.constant(self.ask("rate"), interest_only=interest_only)

    def proforma(self, *, interest_only):
        service = self.refi_service(interest_only=interest_only)
        return self.ncf / service if service and self.ncf is not None else None

    @property
    def shock(self):
        service = self.refi_service(interest_only=self.pays_interest_only)
        own = self.service_now * self.debt / self.balance if self.balance and self.debt else None
        return service / own - 1 if own and service is not None else None

    def break_even(self, *, interest_only):
        due = self.debt_at_maturity
        if not due or self.ncf is None or self.ncf <= 0:
            return None
        bearable = self.ncf / due
        low, high = Decimal("1e-12"), HUNDRED * bearable + 1
        if self.constant(low, interest_only=interest_only) > bearable:
            return None
        while high - low > Decimal("1e-12"):
            middle = (low + high) / 2
            covered = self.constant(middle, interest_only=interest_only) <= bearable
            low, high = (middle, high) if covered else (low, middle)
        return low

    @property
    def proceeds(self):
        """By DSCR, by debt yield, by LTV; None for what lacks an input."""
        noi = self.noi
        if noi is None:
            return None, None, None
        income = max(noi, Decimal(0))
        covers = max(noi if self.ncf is None else self.ncf, Decimal(0))
        by_dscr = (
            covers / self.ask("min_dscr") / self.constant(self.ask("rate"), interest_only=False)
        )
        by_yield = income / (self.ask("min_debt_yield") / HUNDRED)
        value = self.number("valuationSecuritizationAmount")
        by_ltv = None if value is None else (self.ask("max_ltv") * value if income else income)
        return by_dscr, by_yield, by_ltv

    @property
    def most(self):
        known = [one for one in self.proceeds if one is not None]
        return min(known, default=None)

    @property
    def binding(self):
        return -1 if self.most is None else self.proceeds.index(self.most)

    @property
    def gap(self):
        due = self.debt_at_maturity
        return (due - self.most) / due if due and self.most is not None else None

    @property
    def ended(self):
        """Nothing is owed: what the property earns and is worth says nothing of the loan."""
        return self.balance == 0

    @property
    def exempt(self):
        if self.ended:
            return 4
        defeased = self.raw.get("DefeasedStatusCode") == "F"
        reo = self.raw.get("workoutStrategyCode") == "7"
        return 1 * defeased + 2 * self.self_amortising + 8 * reo
