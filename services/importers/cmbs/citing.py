"""What each fact of a loan was made of: elements, raw values, and what was done with them.

The importer's own choices are asked again (which block speaks, which statement counts), so that a
citation names what was really read. What does not give the fact again is left out.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from services.contract.arithmetic import gives
from services.contract.citations import Place, Said
from services.importers.base import Facts, Rules
from services.importers.cmbs.loan import Loan, most_valuable
from services.importers.cmbs.servicing import OUTSTANDING
from services.importers.cmbs.terms import RATES

#: Fact -> keys of what is filed of the loan, the first that is stated and not 0.
_OF_LOAN: Final[Mapping[str, Sequence[str]]] = {
    "interest_rate": RATES,
    "origination_date": ("origination_date",),
    "maturity_date": ("post_modification_maturity_date", "scheduled_maturity_date"),
    "original_amount": ("original_loan_amount",),
    "original_term_months": ("original_term_months",),
    "amortization_months": ("original_amortization_term_months", "payment_type_meaning"),
    "payment_type": ("payment_type_meaning",),
    "interest_only_months": ("original_interest_only_months",),
    "accrual_method": ("interest_accrual",),
    "first_payment_date": ("first_payment_due",),
    "monthly_payment": (
        "post_modification_payment",
        "scheduled_payment_due",
        "periodic_payment_at_securitization",
    ),
    "ard_date": ("hyper_amortizing_date",),
    "balloon": ("balloon",),
    "negative_amortisation": ("negative_amortization",),
    "rate_type": ("interest_rate_type",),
    "rate_index": ("arm_index",),
    "rate_margin": ("arm_margin_as_filed",),
    "rate_cap": ("lifetime_rate_cap",),
    "rate_floor": ("lifetime_rate_floor",),
    "structure": ("loan_structure",),
    "payment_status": ("payment_status_meaning",),
    "paid_through": ("paid_through",),
    **{name: (key,) for name, key in OUTSTANDING.items()},
    "special_servicing_since": ("special_servicer_transfer",),
    "special_servicing_returned": ("master_servicer_return",),
    "modification": ("modifications",),
    "modified_on": ("last_modification",),
    "workout": ("workout_strategies",),
    "realized_loss": ("realized_loss_to_trust",),
    "lender_normalized": ("originator_as_filed",),
}
#: Fact -> keys of what is filed of the property that stands for all, or of the block for the whole.
_OF_PLACE: Final[Mapping[str, Sequence[str]]] = {
    "property_name": ("name",),
    "address": ("address",),
    "property_city": ("city",),
    "property_state": ("state",),
    "property_type": ("type",),
}
#: Fact -> keys of each property, the first that is stated; of the whole, else added.
_ADDED: Final[Mapping[str, Sequence[str]]] = {
    "value": ("most_recent_value", "value_at_securitization"),
    "underwritten_value": ("value_at_securitization",),
    "rentable_area": ("rentable_square_feet", "rentable_square_feet_at_securitization"),
    "underwritten_noi": ("underwritten_noi",),
    "underwritten_ncf": ("underwritten_ncf",),
}
#: Facts of the block that speaks for the whole.
_OF_SPEAKER: Final[Mapping[str, Sequence[str]]] = {
    "occupancy": ("most_recent_occupancy", "occupancy_at_securitization"),
    "underwritten_occupancy": ("occupancy_at_securitization",),
    "underwritten_dscr": ("underwritten_ncf_dscr", "underwritten_noi_dscr"),
    "value_date": ("most_recent_value_date", "value_date_at_securitization"),
    "income_from": ("most_recent_financials_start",),
    "income_to": ("most_recent_financials_end",),
}


def said_of(loan: Loan, row: Mapping[str, Any], rules: Rules) -> dict[str, Said]:
    """By fact, of a loan whose row of LOANS is `row`."""
    return _Citing(loan, row, rules).all()


class _Citing:
    def __init__(self, loan: Loan, row: Mapping[str, Any], rules: Rules) -> None:
        self._loan, self._row = loan, row
        self._rates = {
            one.element
            for group in rules.fields.values()
            for one in group.values()
            if one.unit == "rate"
        }
        self._records = {id(loan.facts): loan.record}
        # Notes of one loan may share the properties of one of them.
        beside = loan.record if loan.filed_under is None else f"asset {loan.filed_under}"
        for at, block in enumerate(loan.blocks, 1):
            self._records[id(block.facts)] = f"{beside}, property {at}"
        seen = Counter[str | None]()
        for child in loan.children:
            seen[child.number] += 1
            self._records[id(child.facts)] = f"asset {child.number}, property {seen[child.number]}"

    def all(self) -> dict[str, Said]:
        """Every fact that can be said to come from somewhere."""
        loan, found = self._loan, dict[str, Said | None]()
        for name, keys in _OF_LOAN.items():
            found[name] = self._first(name, [loan.facts], keys)
        found["book_value"] = self._first("book_value", [loan.facts], loan.balances, zero=True)
        found["loan_number"] = self._first("loan_number", [loan.facts], ["asset_number"])
        top = most_valuable(loan.properties) or loan.total
        spoken = [loan.speaker, *([top.facts] if top else [])]
        for name, keys in _OF_PLACE.items():
            found[name] = self._first(name, spoken, keys)
        each = [one.facts for one in loan.properties]
        for name, keys in _ADDED.items():
            found[name] = self._first(name, [loan.speaker], keys) or self._sum(name, each, keys)
        for name, keys in _OF_SPEAKER.items():
            found[name] = self._first(name, [loan.speaker, *each], keys)
        found |= self._income(each)
        return {name: said for name, said in found.items() if said is not None}

    def _income(self, each: Sequence[Facts]) -> dict[str, Said | None]:
        """NOI, NCF and DSCR of the period that counts."""
        earned, loan = self._loan.income, self._loan
        kind = "most_recent" if earned.filed else "underwritten"
        factor = (
            f" × 365 / {earned.days}" if earned.filed and earned.days not in (None, 365) else ""
        )
        found: dict[str, Said | None] = {}
        for name in ("noi", "ncf"):
            keys = [f"{kind}_{name}"]
            found[name] = self._sum(name, [loan.speaker], keys, factor) or self._sum(
                name, each, keys, factor
            )
        word = "noi" if earned.basis and earned.basis.measure == "NOI" else "ncf"
        keys = [f"{kind}_{word}_dscr", f"{kind}_ncf_dscr"]
        found["dscr"] = self._first("dscr", [loan.speaker, *each], keys)
        found["filed_debt_service"] = self._sum(
            "filed_debt_service", [loan.speaker], ["most_recent_debt_service"], factor
        )
        return found

    def _first(
        self, name: str, blocks: Iterable[Facts], keys: Sequence[str], *, zero: bool = False
    ) -> Said | None:
        """What one value was taken from: the first that gives the fact again."""
        value = self._row.get(name)
        if value is None:
            return None
        for facts in blocks:
            for key in keys:
                said = self._place(facts, key)
                if said is None or (not zero and facts.get(key) == 0 and value != 0):
                    continue
                if (made := self._made(value, facts.get(key), said)) is not None:
                    return made
        return None

    def _made(self, value: object, filed: object, place: Place) -> Said | None:
        """A fact of one value; None where it does not follow from it."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            day = filed.isoformat() if isinstance(filed, date) else filed
            same = value in (filed, day) or (isinstance(filed, list) and value in filed)
            # Names and words are written as the rest of the book writes them.
            known = same or (isinstance(value, str) and not isinstance(filed, date))
            return Said(places=(place,)) if known else None
        return self._adding(value, [place])

    def _sum(
        self, name: str, blocks: Sequence[Facts], keys: Sequence[str], factor: str = ""
    ) -> Said | None:
        """What a figure was added from, a place a block; None where one does not say."""
        value = self._row.get(name)
        places = [
            next(
                (found for key in keys if facts.get(key) and (found := self._place(facts, key))),
                None,
            )
            for facts in blocks
        ]
        known = [place for place in places if place is not None]
        if value is None or not known or len(known) < len(places):
            return None
        return self._adding(value, known, factor)

    def _adding(self, value: float, places: Sequence[Place], factor: str = "") -> Said | None:
        """The expression over raw values that comes to the value."""
        rate = " × 100" if places[0].element in self._rates else ""
        names = list(dict.fromkeys(place.element for place in places))
        named = names[0] if len(places) == 1 else f"sum of {' or '.join(names)}"
        added = " + ".join(place.raw for place in places)
        tail = f"{rate}{factor}"
        body = added if len(places) == 1 or not tail else f"({added})"
        for shape in (_as_it_is, _rounded, _as_percent):
            filled = shape(f"{body}{tail}")
            if gives(filled, value):
                return Said(places=tuple(places), formula=shape(f"{named}{tail}"), filled=filled)
        return None

    def _place(self, facts: Facts, key: str) -> Place | None:
        if key not in facts.filed:
            return None
        element, raws = facts.filed[key]
        record = self._records.get(id(facts), self._loan.record)
        return Place(record=record, element=element, raw=", ".join(raws))


def _as_it_is(text: str) -> str:
    return text


def _rounded(text: str) -> str:
    return f"round({text})"


def _as_percent(text: str) -> str:
    return f"{text} × 100"
