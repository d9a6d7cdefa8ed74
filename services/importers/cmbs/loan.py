"""A loan as it is reported: which blocks are its properties, and its row of LOANS."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.disposition import ENDINGS
from services.contract.schedule_al import SEASONAL, WHOLE_LOAN
from services.importers.base import Facts, Rules
from services.importers.cmbs.ending import ending_values
from services.importers.cmbs.income import Income, latest, total_of, underwriting
from services.importers.cmbs.property import Property, as_json, further_facts, place
from services.importers.cmbs.servicing import loan_defeasance, servicing_values
from services.importers.cmbs.terms import monthly_payment, term_values
from services.importers.values import as_float, whole_dollars

#: Where the balance is taken from, first that is there. The actual balance is what is owed, the
#: scheduled one what the trust's certificates are reckoned on; 0 is a balance. A loan that has
#: ended owes nothing like the last of them.
BALANCES: Final = (
    "actual_balance_at_period_end",
    "scheduled_balance_at_period_end",
    "balance_at_securitization",
)


#: Facts of the servicer's watchlist, which only some files state.
_WATCHED: Final = ("watchlist_since", "watchlist_triggers", "watchlist_comment", "watchlist_as_of")


@dataclass(slots=True)
class Loan:
    """One loan as read: its own facts and blocks, and the properties filed as its children."""

    record: str
    number: str
    facts: Facts
    blocks: list[Property]
    children: list[Property] = field(default_factory=list)
    child_missing: bool = False  # one of its children was rejected
    filed_under: str | None = None  # number of the note under which its properties are filed
    #: What is reported of the whole loan, where that never is a block of its own among `blocks`.
    summary: Property | None = None
    #: Where its balance is taken from, as BALANCES.
    balances: Sequence[str] = BALANCES
    #: What else is said of it, as `further` holds it.
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def total(self) -> Property | None:
        """The block that sums up a portfolio: the one without a city, which is no property."""
        if self.summary is not None:
            return self.summary
        stated = self.stated_properties
        if len(self.blocks) == 1:
            only = self.blocks[0]
            if self.children:
                first_of_all = only.city is not None and stated == len(self.children) + 1
                return None if first_of_all else only
            return only if only.city is None and stated > 1 else None
        if len(self.blocks) == self.stated_properties:
            return None
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
    def _overall(self) -> Property:
        return Property(self.speaker, Facts())

    @property
    def property_type(self) -> str | None:
        """Canonical word: that of the whole, else that of the most valuable property."""
        top = most_valuable(self.properties) or self.total
        return self._overall.property_type or (top.property_type if top else None)

    @property
    def underwriting(self) -> Income:
        """NOI, NCF and DSCR when the loan was underwritten."""
        return underwriting(self.speaker, self._earning, whole=self.whole)

    @property
    def income(self) -> Income:
        """NOI, NCF and DSCR of one period: the latest that is filed, else as underwritten."""
        found = latest(
            self.speaker,
            self._earning,
            whole=self.whole,
            yearly=self._yearly_debt_service(),
            seasonal=self.property_type in SEASONAL,
        )
        return found or self.underwriting

    @property
    def _earning(self) -> list[Facts]:
        return [one.facts for one in self.properties]

    def _yearly_debt_service(self) -> Iterable[Decimal]:
        """What a year's debt service may be, by underwriting, and of a whole loan by its payment.

        A note's own payment tells nothing of the debt service on all notes, which is what
        statements speak of.
        """
        if (implied := self.underwriting.debt_service) is not None:
            yield implied
        payment = monthly_payment(self.facts)
        if payment and payment > 0 and self.facts.text("loan_structure") in (None, WHOLE_LOAN):
            yield 12 * payment

    @property
    def value(self) -> Decimal | None:
        """Of all properties of the whole loan; None where it is known of some only."""
        return self._overall.value or self._sum(one.value for one in self.properties)

    @property
    def value_date(self) -> date | None:
        """Day of that value; of a sum the earliest, and None where a part of it is not dated."""
        added = self._sum(one.value for one in self.properties)
        if self._overall.value_date or self._overall.value not in (None, added):
            return self._overall.value_date
        days = [one.value_date for one in self.properties]
        known = [day for day in days if day is not None]
        return min(known) if added is not None and known == days else None

    @property
    def underwritten_value(self) -> Decimal | None:
        """At securitization, of all properties of the whole loan."""
        each = (one.underwritten_value for one in self.properties)
        return self._overall.underwritten_value or self._sum(each)

    @property
    def area(self) -> int | None:
        """Net rentable square feet of all properties; None where one does not state it."""
        areas = (None if one.area is None else Decimal(one.area) for one in self.properties)
        added = self._sum(areas)
        return self._overall.area or (None if added is None else int(added))

    def _sum(self, figures: Iterable[Decimal | None]) -> Decimal | None:
        return total_of(figures) if self.whole else None

    @property
    def servicer(self) -> str | None:
        """As filed; some filers name it on the children only."""
        key = "primary_servicer_as_filed"
        named = {name for one in self.children if (name := one.around.text(key))}
        return self.facts.text(key) or (named.pop() if len(named) == 1 else None)


def loan_values(loan: Loan, deal: str, lender: str | None, rules: Rules) -> dict[str, object]:
    """Row of LOANS. `lender` is the first originator's canonical name."""
    facts = loan.facts
    properties = [one.facts for one in loan.properties]
    ended = ending_values(facts, loan_defeasance(loan.speaker, properties))
    balances = loan.balances[:-1] if ended["disposition"] in ENDINGS else loan.balances
    basis = next((key for key in balances if facts.number(key) is not None), None)
    return {
        "loan_number": f"{deal}:{loan.number}",  # D23
        "book_value": whole_dollars(facts.number(basis)) if basis else None,
        "lender_normalized": lender,
        "structure": facts.text("loan_structure"),
        **term_values(facts),
        **_collateral_values(loan),
        **_income_values(loan),
        **servicing_values(facts, loan.speaker, properties),
        **ended,
        **{name: facts.get(name) for name in _WATCHED},
        "further": _further(loan, basis, rules),
    }


def _collateral_values(loan: Loan) -> dict[str, object]:
    """The columns that say where, what and how much the properties are."""
    top = most_valuable(loan.properties) or loan.total
    return {
        "property_type": loan.property_type,
        "property_city": top.city if top else None,  # D21
        "property_state": top.state if top else None,
        "property_name": place(loan.speaker, "name") or (place(top.facts, "name") if top else None),
        "address": place(top.facts, "address") if top else None,
        "value": whole_dollars(loan.value),
        "value_date": loan.value_date,
        "underwritten_value": whole_dollars(loan.underwritten_value),
        "rentable_area": loan.area,
        "occupancy": as_float(Property(loan.speaker, Facts()).occupancy),
        "underwritten_occupancy": as_float(loan.speaker.stated("occupancy_at_securitization")),
        "multi_state": _multi_state(loan.properties),
    }


def _income_values(loan: Loan) -> dict[str, object]:
    """The columns of income: of the latest filed period, and as underwritten (D52)."""
    earned, before = loan.income, loan.underwriting
    return {
        "noi": whole_dollars(earned.noi),
        "ncf": whole_dollars(earned.ncf),
        "dscr": as_float(earned.dscr),
        "income_basis": earned.basis.words if earned.basis else None,
        "income_from": earned.start,
        "income_to": earned.end,
        "filed_debt_service": whole_dollars(earned.filed_service),
        "underwritten_noi": whole_dollars(before.noi),
        "underwritten_ncf": whole_dollars(before.ncf),
        "underwritten_dscr": as_float(before.dscr),
    }


def most_valuable(properties: Sequence[Property]) -> Property | None:
    """D21; the first of a tie, and where no value is known the first."""
    return max(properties, key=lambda one: one.value or Decimal(-1), default=None)


def _multi_state(properties: Sequence[Property]) -> bool | None:
    states = {one.state for one in properties if one.state}
    return len(states) > 1 if states else None


def _further(loan: Loan, basis: str | None, rules: Rules) -> str:
    """Every other fact of the loan, and of the block that sums up its properties."""
    total = loan.total.facts if loan.total else Facts()
    # Of a block among others all is told; of a summary what has no column.
    prefix, shown = ("", set[str]()) if loan.summary else ("portfolio_", {"name", "type"})
    return as_json(
        {
            "asset_number": loan.number,
            "balance_basis": basis,
            "properties_in_file": len(loan.properties),
            "properties_filed_under": loan.filed_under,
            **further_facts(loan.facts, rules.fields["loan"]),
            **further_facts(total, rules.fields["property"], prefix, shown),
            **loan.more,
        }
    )
