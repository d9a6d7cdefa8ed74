"""Grades of one loan, from what the rules promise, in plain Python: slow, whole, to be read.

It shares no code with the product: balances are walked payment by payment in Decimal, windows are
compared as dates, limits are typed here. None is "not testable".
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, getcontext
from functools import cached_property

getcontext().prec = 34

WORDS = ("low", "moderate", "elevated", "severe", "critical")
NOT_APPLICABLE = "not applicable"
#: Minimum debt yield, minimum DSCR, most LTV, spread in bp, years of amortisation.
ASKED = {
    "office": ("11", "1.40", "0.70", 245, 30),
    "retail": ("10", "1.35", "0.70", 225, 30),
    "lodging": ("12", "1.50", "0.65", 300, 25),
    "health care": ("12", "1.50", "0.65", 300, 25),
    "multifamily": ("8", "1.25", "0.75", 205, 30),
    "farm": ("10", "1.35", "0.70", 225, 30),
}
TREASURY = {"5": Decimal("4.00"), "7": Decimal("4.25"), "10": Decimal("4.50")}
STATUS = {"0": 0, "A": 0, "B": 1, "1": 2, "2": 3, "4": 3, "3": 4, "5": 4}
#: What changed by modification: all codes of Schedule AL but 98, which does not say.
MODIFICATIONS = {"1", "2", "3", "5", "6", "7", "8", "10", "unstated"}
WORKOUT = (
    dict.fromkeys(("1", "3", "4", "5", "6", "9", "13"), 3) | dict.fromkeys("27", 4) | {"10": 4}
)


def plus_months(day, count):
    """The same day so many months on, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    return min(date(year, month + 1, 1) + timedelta(day.day - 1), following - timedelta(1))


def month_of(day):
    return day.year * 12 + day.month


def worst(*passed):
    """The worst of moderate, elevated, ... whose limit is passed."""
    return max((rank for rank, yes in enumerate(passed, 1) if yes), default=0)


def near(figure):
    """As the rules compare it: to nine decimals."""
    return None if figure is None else round(figure, 9)


def yearly_constant(rate, months):
    """Twelve level payments of a loan of 1, whose worth is summed month by month."""
    worth, factor = Decimal(0), Decimal(1)
    for _ in range(months):
        factor /= 1 + rate / 1200
        worth += factor
    return 12 / worth


@dataclass
class OneLoan:
    """A row of LOANS, its leases as (area, end, tenant), and today."""

    row: dict
    leases: list
    as_of: date
    #: Amounts of its mezzanine layers, None where one is not stated.
    mezzanine: tuple = ()

    def figure(self, name, *, above=None, least=None):
        value = self.row.get(name)
        if value is None:
            return None
        value = Decimal(str(value))
        bad = (above is not None and value <= above) or (least is not None and value < least)
        return None if bad else value

    # What it owes and pays

    @property
    def ended(self):
        """Whether it no longer owes: by how it ended, and by its balance where nobody says."""
        how = self.row.get("disposition")
        ways = {
            *("paid off before maturity", "paid off at maturity", "discounted payoff"),
            *("liquidated", "repurchased or substituted", "ended for a reason not stated"),
        }
        return how in ways or (how is None and self.row.get("book_value") == 0)

    @property
    def balance(self):
        return self.figure("book_value", least=0)

    @property
    def lent(self):
        original = self.figure("original_amount", above=0)
        return self.balance if original is None else original

    @property
    def coupon(self):
        return self.figure("interest_rate", above=0)

    @property
    def kind(self):
        return self.row.get("payment_type")

    @property
    def day_count(self):
        return Decimal(365) / 360 if self.row.get("accrual_method") == "3" else Decimal(1)

    @property
    def effective_maturity(self):
        """Effective maturity: an extension takes the place of a repayment date before it."""
        legal, anticipated = (self.row.get(name) for name in ("maturity_date", "ard_date"))
        on = self.row.get("modified_on") if self.row.get("modification") in {"1", "8"} else None
        if None not in (legal, anticipated, on) and anticipated <= on:
            return legal
        return min((day for day in (legal, anticipated) if day), default=None)

    def inside(self, months):
        return self.effective_maturity is not None and self.effective_maturity <= plus_months(
            self.as_of, months
        )

    @property
    def past(self):
        return self.effective_maturity is not None and self.effective_maturity < self.as_of

    @property
    def interest_only_throughout(self):
        unsaid = self.kind not in {"1", "2", "3", "4", "5", "6"}
        return self.kind == "3" or (unsaid and self.row.get("amortization_months") == 0)

    @property
    def amortises_from(self):
        """Month in which the first principal is due; 0: from the start; None: nobody knows."""
        months, first = self.row.get("interest_only_months"), self.row.get("first_payment_date")
        if not months:
            return None if self.kind in {"4", "5"} else 0
        return None if first is None else month_of(first) + months

    @property
    def pays_interest_only(self):
        """Of the next payment."""
        if self.interest_only_throughout:
            return True
        if not self.amortises_from:
            return False
        coming, first = 0, self.row["first_payment_date"]
        while plus_months(first, coming) <= self.as_of:
            coming += 1
        return month_of(plus_months(first, coming)) < self.amortises_from

    @cached_property
    def below_interest(self):
        """The payment that is filed, where negative amortisation is stated and it is less than
        the interest of any month; else None.
        """
        filed = self.figure("monthly_payment", above=0)
        if not self.row.get("negative_amortisation") or None in (filed, self.balance, self.coupon):
            return None
        actual = self.row.get("accrual_method") == "3"
        month = Decimal(28) / 360 if actual else self.day_count / 12
        interest = self.balance * self.coupon / 100 * month
        return filed if filed < interest * Decimal("0.999") else None

    @cached_property
    def level_payment(self):
        if self.interest_only_throughout or self.kind == "6":
            return None
        months, reckoned = self.row.get("amortization_months"), None
        if months and None not in (self.lent, self.coupon):
            reckoned = self.lent * yearly_constant(self.coupon, months) / 12
        filed = self.figure("monthly_payment", above=0)
        if filed is None or None in (self.lent, self.coupon):
            return reckoned
        interest = self.lent * self.coupon / 100 * 31 / 360
        if filed <= interest * Decimal("1.001"):
            return reckoned
        far = reckoned is not None and abs(filed / reckoned - 1) > Decimal("0.25")
        return reckoned if far else filed

    @property
    def repays_itself(self):
        balloon = self.row.get("balloon")
        return (self.kind in {"1", "4"} and balloon is not True) or (
            self.kind in {None, "98"} and balloon is False
        )

    @property
    def dues(self):
        """Payment days after today and before maturity."""
        first, found, step = self.row.get("first_payment_date"), [], 1
        while (day := plus_months(self.effective_maturity, -step)) > self.as_of:
            if first is None or month_of(day) >= month_of(first):
                found.append(day)
            step += 1
        return found[::-1]

    @cached_property
    def balance_at_maturity(self):  # noqa: PLR0911 - a case a line
        """Walked payment by payment up to the one before maturity."""
        if self.balance is None:
            return None
        if self.effective_maturity is None:
            known = Decimal(0) if self.repays_itself else self.balance
            told = self.repays_itself or self.interest_only_throughout
            return known if told and not self.below_interest else None
        if self.below_interest:
            return self.grown
        owed = self.balance
        if self.repays_itself and self.dues:
            return Decimal(0)
        for day in [] if self.interest_only_throughout else self.dues:
            if self.amortises_from is None:
                return None
            if month_of(day) >= self.amortises_from:
                if None in (self.level_payment, self.coupon):
                    return None
                owed += owed * self.coupon / 1200 * self.day_count - self.level_payment
        return min(max(owed, Decimal(0)), self.balance)

    @property
    def grown(self):
        """What is owed at maturity where less than the interest is paid."""
        owed = self.balance
        for _ in self.dues:
            owed += owed * self.coupon / 1200 * self.day_count - self.below_interest
        return owed

    # The whole loan, and its refinancing

    @cached_property
    def implied_debt(self):
        """By underwriting; of an A/B loan that of the senior notes alone."""
        structure = self.row.get("structure") or "WL"
        if structure == "WL" or self.balance is None:
            return self.balance
        if structure not in {"PP", "A1", "A2", "B1", "B2", "C2", "MZ"}:
            return None
        ncf = self.figure("underwritten_ncf")
        ncf = self.figure("underwritten_noi") if ncf is None else ncf
        dscr = self.figure("underwritten_dscr")
        constant = None
        if self.interest_only_throughout:
            constant = self.coupon and self.coupon / 100 * self.day_count
        elif self.level_payment is not None and self.lent:
            constant = 12 * self.level_payment / self.lent
        if not constant or not self.lent or None in (ncf, dscr) or min(ncf, dscr) <= 0:
            return None if structure == "PP" else self.balance
        return max(ncf / dscr / constant * self.balance / self.lent, self.balance)

    @property
    def service_now(self):
        """A year of what the record pays now."""
        if self.below_interest is not None:
            return 12 * self.below_interest
        if None in (self.balance, self.coupon) or self.amortises_from is None:
            level = self.interest_only_throughout
            return (
                self.balance * self.coupon / 100 * self.day_count if level and self.coupon else None
            )
        if self.pays_interest_only:
            return self.balance * self.coupon / 100 * self.day_count
        return None if self.level_payment is None else 12 * self.level_payment

    @cached_property
    def told_by_service(self):
        """Of an A/B part: the debt whose service is filed, where it is a tenth over the implied."""
        filed = self.figure("filed_debt_service", above=0)
        if self.row.get("structure") not in {"A1", "A2", "B1", "B2", "C2", "MZ"}:
            return None
        if not self.balance or filed is None or not self.service_now:
            return None
        told = self.balance * filed / self.service_now
        return told if told >= Decimal("1.1") * self.implied_debt else None

    @property
    def filed_over_implied(self):
        """What is filed over what the debt known by underwriting pays as the record pays."""
        filed, known = self.figure("filed_debt_service", above=0), self.implied_debt
        if not self.pays_from_its_property or self.row.get("rate_type") == "2":
            return None
        if filed is None or not known or not self.service_now:
            return None
        return near(filed / (self.service_now * known / self.balance))

    @property
    def whole_loan_debt(self):
        return self.implied_debt if self.told_by_service is None else self.told_by_service

    @property
    def junior(self):
        return self.row.get("structure") in {"B1", "B2", "C2", "MZ"}

    @property
    def behind(self):
        return (
            Decimal(sum(amount or 0 for amount in self.mezzanine)) if self.balance else Decimal(0)
        )

    @property
    def debt_at_least(self):
        """More is owed than is known."""
        part = self.junior or self.row.get("structure") in {"A1", "A2"}
        untold = part and bool(self.balance) and self.told_by_service is None
        return untold or (None in self.mezzanine and self.balance != 0)

    @property
    def late(self):
        return self.row.get("payment_status") in {"1", "2", "3", "5"}

    @property
    def in_trouble(self):
        return (self.late or self.reo or self.in_special_servicing) and not self.defeased

    @property
    def advances(self):
        """Of payments, of taxes, of other expenses; None where none of them is stated."""
        names = ("payment_advances", "tax_advances", "other_advances")
        each = [self.figure(name, least=0) for name in names]
        return None if each == [None] * 3 else [one or Decimal(0) for one in each]

    @property
    def scheduled(self):
        stated = self.figure("scheduled_balance", least=0)
        return self.balance if stated is None else stated

    @property
    def exposure(self):
        if not self.balance or self.advances is None:
            return None
        return self.scheduled + sum(self.advances)

    def exposure_of(self, debt):
        """Of a larger debt: each dollar of it is paid and advanced alike, taxes only once."""
        paid, *once = self.advances
        return debt * (self.scheduled + paid) / self.balance + sum(once)

    @property
    def debt_due(self):
        if self.whole_loan_debt is None:
            return None
        known = self.in_trouble and self.exposure is not None
        out = self.exposure_of(self.whole_loan_debt) if known else self.whole_loan_debt
        return max(out, self.whole_loan_debt) + self.behind

    @property
    def ltv(self):
        value = self.figure("value", above=0)
        return None if None in (value, self.debt_due) else near(self.debt_due / value)

    @property
    def months_unpaid(self):
        through = self.row.get("paid_through")
        if not self.late or through is None:
            return None
        months = 0
        while plus_months(self.as_of, -months - 1) >= through:
            months += 1
        return months

    def uncovered(self, part):
        """What a part of the value leaves of the exposure, rank by rank."""
        value = self.figure("value", above=0)
        rank = self.whole_loan_debt if self.junior else self.implied_debt
        if not self.in_trouble or None in (self.exposure, value, rank):
            return None
        through = self.exposure_of(rank)
        ahead = max(through - self.exposure, 0) if self.junior else 0
        left = through - max(Decimal(part) * value, ahead)
        return max(left, 0) * self.exposure / (through - ahead)

    @property
    def computed_reduction(self):
        return self.uncovered("0.9")

    @property
    def expected_loss(self):
        """A sale brings 24 % less than the appraisal."""
        return self.uncovered("0.76")

    @property
    def asked(self):
        return ASKED.get(self.row.get("property_type"))

    @property
    def refi_rate(self):
        term = self.row.get("original_term_months")
        if self.asked is None:
            return None
        tenor = "10" if term is None or term > 96 else "7" if term > 72 else "5"
        return TREASURY[tenor] + Decimal(self.asked[3]) / 100

    @property
    def debt_at_maturity(self):
        if self.balance == 0:
            return Decimal(0)
        if None in (self.whole_loan_debt, self.balance_at_maturity):
            return None
        whole = self.whole_loan_debt * self.balance_at_maturity / self.balance
        return whole + self.behind

    @property
    def defeased(self):
        return (self.row.get("defeasance") or "").upper() == "F"

    @property
    def must_refinance(self):
        return not (self.ended or self.defeased or self.reo or self.repays_itself)

    @property
    def shortfalls(self):
        """On the record and the mezzanine behind it, and on the record alone, rank by rank; None
        where nobody refinances it.
        """
        if not self.must_refinance:
            return None, None
        if self.balance == 0 or self.balance_at_maturity == 0:
            return 0, 0
        if None in (self.debt_at_maturity, self.max_proceeds):
            return None, None
        own, left = self.balance_at_maturity, self.max_proceeds
        rank = self.whole_loan_debt if self.junior else self.implied_debt
        through = rank * own / self.balance
        ahead = through - own if self.junior else 0
        tranche = through - ahead
        lost = min(max(through - left, 0), tranche) * own / tranche
        behind = min(max(self.debt_at_maturity - left, 0), self.behind)
        return round(lost + behind), round(lost)

    @property
    def dollars_short(self):
        return self.shortfalls[0]

    @property
    def own_dollars_short(self):
        return self.shortfalls[1]

    @property
    def imputed(self):
        return self.row.get("property_type") == "cooperative housing"

    @property
    def noi(self):
        return self.figure("noi")

    @property
    def income(self):
        """NCF, but NOI where the income is stated to be NOI, or no NCF is stated."""
        ncf = self.figure("ncf")
        if ncf is None or (self.row.get("income_basis") or "").startswith("NOI"):
            return ncf if self.noi is None else self.noi
        return ncf

    @property
    def pays_from_its_property(self):
        return not (self.ended or self.defeased or self.reo)

    @property
    def noi_room(self):
        """NOI less what is left of it when net cash flow is the debt service, over NOI."""
        dscr = None if self.before_the_loan else self.figure("dscr")
        if not self.pays_from_its_property or self.imputed:
            return None
        if not dscr or None in (self.noi, self.income) or self.noi <= 0:
            return None
        service, reserves = self.income / dscr, self.noi - self.income
        return near((self.noi - (service + reserves)) / self.noi)

    @property
    def markup(self):
        then, now = self.figure("underwritten_noi", above=0), self.figure("noi", above=0)
        return near(then / now - 1) if None not in (then, now) else None

    @property
    def underwritten_markup(self):
        return self.markup if self.pays_from_its_property and self.before_the_loan else None

    @cached_property
    def proforma_dscr(self):
        if self.refi_rate is None or not self.debt_at_maturity or self.income is None:
            return None
        constant = self.refi_rate / 100 * self.day_count
        if not self.pays_interest_only:
            constant = yearly_constant(self.refi_rate, 12 * self.asked[4])
        return near(self.income / (self.debt_at_maturity * constant))

    @cached_property
    def max_proceeds(self):
        """DSCR on what coverage is reckoned with, debt yield on NOI, LTV on the value; none on the
        imputed rent of a cooperative.
        """
        if self.refi_rate is None or self.noi is None or self.imputed:
            return None
        min_yield, min_dscr, ltv = (Decimal(figure) for figure in self.asked[:3])
        income, value = max(self.noi, Decimal(0)), self.figure("value", above=0)
        constant = yearly_constant(self.refi_rate, 12 * self.asked[4])
        known = [max(self.income, Decimal(0)) / min_dscr / constant, income / min_yield * 100]
        if value is not None:
            known.append(value * ltv if income else Decimal(0))
        self.on_value = value * ltv if value is not None and income else None
        return min(known)

    @property
    def refinance_gap(self):
        if self.max_proceeds is None or not self.debt_at_maturity:
            return None
        return near(1 - self.max_proceeds / self.debt_at_maturity)

    @property
    def debt_yield(self):
        if self.noi is None or not self.whole_loan_debt:
            return None
        return near(100 * self.noi / self.whole_loan_debt)

    # The rules: rank in WORDS, NOT_APPLICABLE, or None

    @property
    def in_special_servicing(self):
        since = self.row.get("special_servicing_since")
        returned = self.row.get("special_servicing_returned")
        return since is not None and (returned is None or returned < since)

    @property
    def reo(self):
        return self.row.get("workout") == "7"

    @property
    def before_the_loan(self):
        """The filed period ended before the loan was made."""
        end, made = self.row.get("income_to"), self.row.get("origination_date")
        return None not in (end, made) and end < made

    @property
    def worst_by_income(self):
        """The worst rank that the length of the filed period carries."""
        start, end = self.row.get("income_from"), self.row.get("income_to")
        if self.before_the_loan:
            return 2
        if start is None or end is None or end < start:
            return 4
        if "amounts of a year" in (self.row.get("income_basis") or ""):
            return 4
        months = round(((end - start).days + 1) / Decimal("30.4375"))
        if months >= 12:
            return 4
        return 2 if months < 6 or self.row.get("property_type") == "lodging" else 3

    def carried(self, rank):
        """As bad as the income can say."""
        return min(rank, self.worst_by_income)

    def st1(self):
        found = [STATUS.get(self.row.get("payment_status")), WORKOUT.get(self.row.get("workout"))]
        if self.row.get("modification") in MODIFICATIONS:
            on = self.row.get("modified_on")
            found += [3 if on is not None and on >= plus_months(self.as_of, -24) else 1]
        found += [3] * self.in_special_servicing
        return max((rank for rank in found if rank is not None), default=None)

    def cv1(self):
        if self.imputed:
            return NOT_APPLICABLE
        dscr = self.figure("dscr")
        if dscr is None or self.before_the_loan:
            return None
        strict = self.row.get("property_type") in {"lodging", "health care"}
        elevated = dscr < (Decimal("1.20") if strict else Decimal("1.10"))
        poor = (
            self.asked is not None
            and self.debt_yield is not None
            and self.debt_yield <= Decimal(self.asked[0]) - 3
        )
        no_way_out = self.inside(24) or poor
        rank = worst(dscr < Decimal("1.25"), elevated, dscr < 1, dscr < 1 and no_way_out)
        return self.carried(rank)

    def lv1(self):
        if self.ltv is None:
            return None
        return worst(*(self.ltv > Decimal(limit) for limit in ("0.7", "0.8", "1")))

    def dy1(self):
        if self.debt_yield is None or self.asked is None:
            return None
        short = Decimal(self.asked[0]) - self.debt_yield
        return worst(short >= 1, short >= 3)

    @property
    def in_place_and_underwritten(self):
        """The two DSCRs, or the two incomes where the filed service is that of more debt."""
        on_noi = self.figure("ncf") is None or (self.row.get("income_basis") or "")[:3] == "NOI"
        stated, ncf = self.figure("underwritten_dscr", above=0), self.figure("underwritten_ncf")
        if stated is None or on_noi != (ncf is None):
            return None, None
        then = self.figure("underwritten_noi") if ncf is None else ncf
        filed = self.figure("filed_debt_service", above=0)
        counted = filed is not None and then is not None and then > 0
        more = counted and filed > Decimal("1.1") * then / stated
        if self.told_by_service is None and not more:
            return self.figure("dscr"), stated
        known = self.figure("dscr") is not None and then is not None and then > 0 and self.income
        return (self.income, then) if known else (None, None)

    def ni1(self):
        """By the worse of NOI and DSCR, each against its own underwritten figure."""
        if self.row.get("income_to") is None or self.before_the_loan:
            return None
        pairs = [
            (self.noi, self.figure("underwritten_noi", above=0)),
            self.in_place_and_underwritten,
        ]
        falls = [near(1 - now / then) for now, then in pairs if None not in (now, then)]
        if not falls:
            return None
        fall = max(falls)
        limits = (Decimal(limit) for limit in ("0.1", "0.2", "0.4"))
        return self.carried(worst(*(fall >= limit for limit in limits)))

    def uw1(self):
        """How far underwriting is over the income of before the loan."""
        if not self.before_the_loan:
            return NOT_APPLICABLE
        if self.markup is None:
            return None
        return worst(self.markup >= Decimal("0.1"), self.markup >= Decimal("0.25"))

    def oc1(self):
        now, then = self.figure("occupancy"), self.figure("underwritten_occupancy")
        if None in (now, then):
            return None
        low, empty = Decimal("0.8"), Decimal("0.6")
        return worst(
            then - now >= Decimal("0.15") or now < low <= then,
            then - now >= Decimal("0.30") or now < empty <= then,
        )

    def lr1(self):
        area = self.figure("rentable_area", above=0)
        known = [one[:2] for one in self.leases if None not in one[:2]]
        if area is None or not known:
            return None
        last = plus_months(self.as_of, 12)
        rolling = sum(feet for feet, end in known if self.as_of <= end <= last) / area
        return worst(rolling >= Decimal("0.3"), rolling >= Decimal("0.5"))

    def rg1(self):
        if self.reo or self.repays_itself or self.imputed:
            return NOT_APPLICABLE
        if self.effective_maturity is not None and not self.inside(36):
            return NOT_APPLICABLE
        if None in (
            self.effective_maturity,
            self.asked,
            self.balance,
            self.whole_loan_debt,
            self.balance_at_maturity,
            self.noi,
        ):
            return None
        if self.refinance_gap is None:
            return 0
        rank = self.carried(self.rank_of_gap(self.refinance_gap))
        # More income would not lend a dollar more on this value (D245).
        if self.on_value is None:
            return rank
        return max(rank, self.rank_of_gap(near(1 - self.on_value / self.debt_at_maturity)))

    def rank_of_gap(self, gap):
        quarter = gap >= Decimal("0.25")
        beyond_help = self.past or (self.inside(6) and gap >= Decimal("0.4"))
        return worst(
            gap >= Decimal("0.1"), quarter, quarter and self.inside(12), quarter and beyond_help
        )

    def mt1(self):
        if self.reo or self.repays_itself:
            return NOT_APPLICABLE
        if self.effective_maturity is None or (self.past and self.balance is None):
            return None
        return 3 if self.past else worst(self.inside(12))

    def rp1(self):
        if self.reo or self.repays_itself:
            return NOT_APPLICABLE
        if None in (self.coupon, self.refi_rate, self.effective_maturity):
            return None
        gap = 100 * (self.refi_rate - self.coupon)
        rank = worst(gap >= 100, gap >= 200, gap >= 300)
        if not rank:
            return 0
        if not self.inside(60):
            return 0
        rank -= (not self.inside(24)) + (not self.inside(36))
        if self.proforma_dscr is not None:
            met = self.proforma_dscr >= Decimal(self.asked[1])
            rank -= 2 if met else -1 if self.proforma_dscr < 1 else 0
        dscr = None if self.before_the_loan else self.figure("dscr")
        if dscr is not None and dscr >= Decimal(self.asked[1]):
            rank = min(rank, 2)
        return min(max(rank, 0), 4)

    def grades(self):
        """Rule -> severity, NOT_APPLICABLE, or None for not testable."""
        rules = {
            "ST-1": self.st1,
            "CV-1": self.cv1,
            "LV-1": self.lv1,
            "DY-1": self.dy1,
            "NI-1": self.ni1,
            "UW-1": self.uw1,
            "OC-1": self.oc1,
            "LR-1": self.lr1,
            "RG-1": self.rg1,
            "MT-1": self.mt1,
            "RP-1": self.rp1,
        }
        if self.ended or self.row.get("defeasance") == "F":
            return dict.fromkeys(rules, NOT_APPLICABLE)
        found = {name: rule() for name, rule in rules.items()}
        return {
            name: WORDS[rank] if isinstance(rank, int) else rank for name, rank in found.items()
        }
