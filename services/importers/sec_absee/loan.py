"""Loans of an Exhibit 102: which blocks are its properties, and its row of LOANS."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from services.contract.schedule_al import FORECLOSURE, OTHER_WORKOUT, REO
from services.importers.base import Facts, RecordRejected, Row, Rules
from services.importers.sec_absee.income import Income, income
from services.importers.sec_absee.property import (
    Property,
    as_json,
    further_facts,
    place,
    properties_in,
)
from services.importers.sec_absee.xml import Asset
from services.importers.values import as_float, whole_dollars

#: Where the balance is taken from, first that is there. The actual balance is what is owed, the
#: scheduled one what the trust's certificates are reckoned on; 0 after a payoff is a balance.
BALANCES: Final = (
    "actual_balance_at_period_end",
    "scheduled_balance_at_period_end",
    "balance_at_securitization",
)
#: Where the coupon is taken from; a rate of 0 is not published.
RATES: Final = (
    "post_modification_interest_rate",
    "interest_rate_in_period",
    "interest_rate_at_securitization",
    "original_interest_rate",
)
#: Property status -> workout that it amounts to.
_STATUS_TO_WORKOUT: Final = {"2": REO, "1": FORECLOSURE}


@dataclass(slots=True)
class Loan:
    """One loan as read: its own facts and blocks, and the properties filed as its children."""

    record: str
    number: str
    facts: Facts
    blocks: list[Property]
    children: list[Property] = field(default_factory=list)
    child_missing: bool = False  # one of its children was rejected

    @property
    def total(self) -> Property | None:
        """The block that sums up a portfolio: the one without a city, which is no property."""
        stated = self.stated_properties
        if len(self.blocks) == 1:
            only = self.blocks[0]
            if self.children:
                first_of_all = only.city is not None and stated == len(self.children) + 1
                return None if first_of_all else only
            return only if only.city is None and stated > 1 else None
        without = [block for block in self.blocks if block.city is None]
        return without[0] if len(without) == 1 else None

    @property
    def properties(self) -> list[Property]:
        """Properties in the source's order, those in the loan's own element first."""
        total = self.total
        return [block for block in self.blocks if block is not total] + self.children

    @property
    def stated_properties(self) -> int:
        """How many properties the filer says that there are; 1 where it does not."""
        key = "number_of_properties"
        return self.facts.whole(key) or self.facts.whole("properties_at_securitization") or 1

    @property
    def whole(self) -> bool:
        """Whether every property is there, so that sums over them are totals."""
        return not self.child_missing and len(self.properties) >= self.stated_properties

    @property
    def speaker(self) -> Facts:
        """Facts of the block that speaks for the whole loan, empty where there is none."""
        if (total := self.total) is not None:
            return total.facts
        alone = len(self.blocks) == 1 and not self.children
        return self.blocks[0].facts if alone else Facts()

    @property
    def income(self) -> Income:
        """NOI, NCF and DSCR of one period."""
        return income(self.speaker, [one.facts for one in self.properties], whole=self.whole)

    @property
    def value(self) -> Decimal | None:
        """Of all properties of the whole loan; None where it is known of some only."""
        if (stated := Property(self.speaker, Facts()).value) is not None:
            return stated
        values = [one.value for one in self.properties]
        known = [value for value in values if value is not None]
        return sum(known, Decimal(0)) if self.whole and known and known == values else None

    @property
    def servicer(self) -> str | None:
        """As filed; some filers name it on the children only."""
        key = "primary_servicer_as_filed"
        named = {name for one in self.children if (name := one.around.text(key))}
        return self.facts.text(key) or (named.pop() if len(named) == 1 else None)


def read_loan(asset: Asset, record: str, rules: Rules, unmapped: Counter[str]) -> Loan:
    """A loan from its `assets` element. Raises RecordRejected."""
    facts, number = read_facts(asset, record, rules, unmapped)
    return Loan(record, number, facts, properties_in(asset, record, rules, unmapped))


def read_facts(
    asset: Asset, record: str, rules: Rules, unmapped: Counter[str]
) -> tuple[Facts, str]:
    """Facts and asset number of an `assets` element. Raises RecordRejected."""
    row = Row(record, asset.values)
    facts = row.facts(rules.fields["loan"], unmapped)
    row.close(rules.ignored, unmapped)
    number = facts.text("asset_number")
    if number is None:
        raise RecordRejected(record, "It has no assetNumber.")
    return facts, number


def loan_values(loan: Loan, deal: str, lender: str | None, rules: Rules) -> dict[str, object]:
    """Row of LOANS. `lender` is the first originator's canonical name."""
    facts, earned = loan.facts, loan.income
    top = most_valuable(loan.properties) or loan.total
    basis = next((key for key in BALANCES if facts.number(key) is not None), None)
    speaker = Property(loan.speaker, Facts())
    return {
        "loan_number": f"{deal}:{loan.number}",  # D23
        "book_value": whole_dollars(facts.number(basis)) if basis else None,
        "interest_rate": as_float(coupon(facts)),
        "property_type": speaker.property_type or (top.property_type if top else None),
        "property_city": top.city if top else None,  # D21
        "property_state": top.state if top else None,
        "lender_normalized": lender,
        "origination_date": facts.day("origination_date"),
        "maturity_date": facts.day("post_modification_maturity_date")
        or facts.day("scheduled_maturity_date"),
        "property_name": place(loan.speaker, "name") or (place(top.facts, "name") if top else None),
        "address": place(top.facts, "address") if top else None,
        "original_amount": whole_dollars(facts.stated("original_loan_amount")),
        "original_term_months": facts.whole("original_term_months") or None,
        "amortization_months": _amortization_months(facts),
        "value": whole_dollars(loan.value),
        "noi": whole_dollars(earned.noi),
        "ncf": whole_dollars(earned.ncf),
        "dscr": as_float(earned.dscr),
        "income_basis": earned.basis,
        "occupancy": as_float(speaker.occupancy),
        "underwritten_occupancy": as_float(loan.speaker.stated("occupancy_at_securitization")),
        "payment_status": facts.text("payment_status_meaning"),
        "workout": workout(facts, loan.blocks + loan.children),
        "structure": facts.text("loan_structure"),
        "multi_state": _multi_state(loan.properties),
        "further": _further(loan, basis, rules),
    }


def coupon(facts: Facts) -> Decimal | None:
    """Percent figure; after a modification the modified rate."""
    return next((rate for key in RATES if (rate := facts.stated(key))), None)


def most_valuable(properties: Sequence[Property]) -> Property | None:
    """D21; the first of equals, and where no value is known the first."""
    return max(properties, key=lambda one: one.value or Decimal(-1), default=None)


def workout(facts: Facts, properties: Sequence[Property]) -> str | None:
    """Schedule AL code. Of several REO, then foreclosure, then the first that is not "other";
    the state of a property speaks where the loan has no code or "other".
    """
    codes = facts.texts("workout_strategies")
    for code in (REO, FORECLOSURE):
        if code in codes:
            return code
    stated = next((code for code in codes if code != OTHER_WORKOUT), None)
    statuses = {one.facts.text("property_status") for one in properties}
    implied = next((_STATUS_TO_WORKOUT[one] for one in _STATUS_TO_WORKOUT if one in statuses), None)
    return stated or implied or (codes[0] if codes else None)


def _amortization_months(facts: Facts) -> int | None:
    if facts.flag("interest_only"):
        return 0
    return facts.whole("original_amortization_term_months")


def _multi_state(properties: Sequence[Property]) -> bool | None:
    states = {one.state for one in properties if one.state}
    return len(states) > 1 if states else None


def _further(loan: Loan, basis: str | None, rules: Rules) -> str:
    """Every other fact of the loan, and of the block that sums up its properties."""
    total = loan.total.facts if loan.total else Facts()
    shown = {"name", "type"}
    return as_json(
        {
            "asset_number": loan.number,
            "balance_basis": basis,
            "properties_in_file": len(loan.properties),
            **further_facts(loan.facts, rules.fields["loan"]),
            **further_facts(total, rules.fields["property"], "portfolio_", shown),
        }
    )
