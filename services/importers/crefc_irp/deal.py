"""A deal as of a date: records of every kind that are its loans, joined by prospectus loan id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from services.contract.loan_figures import TELLS_FROM
from services.contract.schedule_al import PARI_PASSU
from services.importers.base import Facts
from services.importers.cmbs.loan import Loan
from services.importers.cmbs.property import Property, place
from services.importers.crefc_irp.line_items import statements
from services.importers.crefc_irp.parts import Entry, Part

#: The balance that reports of a trust add up to; what is owed stands among the further fields.
BALANCES: Final = (
    "scheduled_balance_at_period_end",
    "actual_balance_at_period_end",
    "balance_at_securitization",
)
#: Kinds of one record a loan, the one whose facts count first last. A watchlist cuts names and
#: writes "VARIOUS"; what it alone says is not in a Loan Setup.
_OF_LOANS: Final = ("watchlist", "setup", "periodic")
#: 121 days and more, which Schedule AL counts among 90 and more (D193).
_VERY_LATE: Final = "6"
_LATE: Final = "3"
#: Figures of the preceding fiscal year that stand in for the most recent ones.
_FIGURES: Final = (
    *("noi", "ncf", "noi_dscr", "ncf_dscr"),
    *("revenue", "operating_expenses", "debt_service", "statements", "occupancy"),
)
#: What a property says of where it is, when no file of properties does.
_PLACE: Final = ("name", "address", "city", "state", "zip", "county", "type", "year_built_as_filed")
#: What is said of a loan on one property is said of the property.
_OF_ONE: Final = (
    *("value_at_securitization", "value_date_at_securitization", "underwritten_noi"),
    *("occupancy_at_securitization", "most_recent_occupancy", "most_recent_noi", "most_recent_ncf"),
    *("most_recent_financials_start", "most_recent_financials_end", "most_recent_financials_kind"),
    *("rentable_square_feet_at_securitization", "units_beds_rooms_at_securitization"),
)
#: Debt service of a statement from so many times the record's own is that of a larger loan (D153).
_TELLS_FROM: Final = Decimal(str(TELLS_FROM))


@dataclass(slots=True)
class _Records:
    """What is said of one loan, by kind."""

    number: str
    place: str
    by_kind: dict[str, Entry] = field(default_factory=dict)
    properties: list[Entry] = field(default_factory=list)
    lines: list[Entry] = field(default_factory=list)


@dataclass(slots=True)
class Deal:
    """Loans in the order of their file, and records that belong to none."""

    loans: list[Loan]
    rejects: list[tuple[str, str]]


def joined(parts: Sequence[Part]) -> Deal:
    """The loans of one deal from its parts that count at one date.

    A Loan Periodic Update says which loans the deal still has, without one the Loan Setup; without
    either whatever kind names a loan does.
    """
    rejects: list[tuple[str, str]] = [one for part in parts for one in part.rejects]
    by_kind: dict[str, list[Part]] = {}
    for part in parts:
        by_kind.setdefault(part.kind, []).append(part)
    order = ["periodic", "setup", "property", "watchlist", "financial"]
    leading = next(kind for kind in order if kind in by_kind)
    strict = leading in ("periodic", "setup")
    found: dict[str, _Records] = {}
    by_servicer: dict[str, str] = {}
    for kind in [leading, *(one for one in order if one in by_kind and one != leading)]:
        for part in by_kind[kind]:
            for entry in part.entries:
                key = _key(entry, kind, found, by_servicer)
                if key not in found:
                    if strict and kind != leading:
                        rejects.append((entry.place, _ORPHANS[kind == "setup"]))
                        continue
                    found[key] = _Records(_number(entry, kind), entry.place)
                    if (own := entry.text("servicer_loan_id")) is not None:
                        by_servicer.setdefault(own, key)
                if kind == "watchlist" and part.day:
                    entry.loan["watchlist_as_of"] = part.day
                if (why := _add(found[key], kind, entry)) is not None:
                    rejects.append((entry.place, why))
    return Deal([_loan(one) for one in found.values()], rejects)


_ORPHANS: Final = {
    True: "The Loan Periodic Update has this loan no more.",
    False: "No loan of the deal has its prospectus loan id.",
}


def _number(entry: Entry, kind: str) -> str:
    """Prospectus loan id; that of a line item is in its property id, 10 of 10-001."""
    if kind == "financial":
        return (entry.text("property_id") or "").rpartition("-")[0] or (
            entry.text("property_id") or ""
        )
    return entry.text("asset_number") or ""


def _key(
    entry: Entry, kind: str, found: Mapping[str, _Records], by_servicer: Mapping[str, str]
) -> str:
    """Prospectus loan id without leading zeros: 077 is 77. Line items name the servicer's id."""
    own = by_servicer.get(entry.text("servicer_loan_id") or "")
    key = _number(entry, kind).casefold().lstrip("0") or "0"
    return own if kind == "financial" and own is not None and key not in found else key


def _add(records: _Records, kind: str, entry: Entry) -> str | None:
    """Adds an entry; the reason where it cannot be."""
    if kind == "property":
        number = entry.text("property_id")
        if number and number in {one.text("property_id") for one in records.properties}:
            return "Its Property ID was there before."
        records.properties.append(entry)
    elif kind == "financial":
        records.lines.append(entry)
    elif kind in records.by_kind:
        return "Its Prospectus Loan ID was there before."
    else:
        records.by_kind[kind] = entry
    return None


def _loan(records: _Records) -> Loan:
    facts, collateral = Facts(), Facts()
    for kind in _OF_LOANS:
        if (entry := records.by_kind.get(kind)) is not None:
            facts.update(entry.loan)
            collateral.update(entry.collateral)
    more: dict[str, object] = {}
    facts.setdefault("asset_number", records.number)
    if (due := facts.day("maturity_date_at_securitization")) is not None:
        facts.setdefault("scheduled_maturity_date", due)
    if facts.text("payment_status_meaning") == _VERY_LATE:
        facts["payment_status_meaning"] = _LATE
        more["payment_status_as_reported"] = "6: 121 or more days delinquent"
    if _from_preceding_year(facts, collateral):
        more["income_is_of"] = "the preceding fiscal year: no later statement is reported"
    more |= {f"operating_statement_{name}": one for name, one in statements(records.lines).items()}
    loan = Loan(
        record=records.place,
        number=records.number,
        facts=facts,
        blocks=[],
        summary=Property(collateral, Facts()),
        balances=BALANCES,
        more=more,
    )
    loan.children = _properties(records, loan)
    if facts.text("loan_structure") is None and (why := _part_of_more(loan)) is not None:
        facts["loan_structure"] = PARI_PASSU
        more["loan_structure_is"] = why
    return loan


def _properties(records: _Records, loan: Loan) -> list[Property]:
    whole = loan.summary.facts if loan.summary else Facts()
    if records.properties:
        # What is said of a loan on one property is said of that property.
        whole = whole if len(records.properties) == loan.stated_properties == 1 else Facts()
        return [
            Property(
                Facts({key: whole[key] for key in _OF_ONE if key in whole} | one.collateral),
                Facts(),
                one.text("property_id"),
            )
            for one in records.properties
        ]
    # Without a file of properties a single one may be known by the loan's own record.
    if loan.stated_properties > 1 or not (place(whole, "name") or place(whole, "city")):
        return []
    return [
        Property(Facts({key: whole[key] for key in (*_PLACE, *_OF_ONE) if key in whole}), Facts())
    ]


def _part_of_more(loan: Loan) -> str | None:
    """Why a record whose structure is not stated is a part of a larger loan; None where it is not.

    Its value and income are then of the whole (D22): without this they would be held against the
    part's balance.
    """
    facts = loan.facts
    lead = facts.text("lead_transaction_id")
    if lead is not None and lead != facts.text("transaction_id"):
        return f"implied: its lead transaction is {lead}"
    due, filed = facts.number("scheduled_payment_due"), loan.income.filed_service
    if due and due > 0 and filed and filed >= _TELLS_FROM * 12 * due:
        return f"implied: the statement's debt service is {filed / (12 * due):.1f} times its own"
    return None


def _from_preceding_year(facts: Facts, collateral: Facts) -> bool:
    """Puts the preceding fiscal year's figures where no most recent ones are; whether it did."""
    if any(collateral.get(f"most_recent_{one}") is not None for one in _FIGURES[:4]):
        return False
    end = facts.day("preceding_year_end")
    known = {one: facts.get(f"preceding_year_{one}") for one in _FIGURES}
    if end is None or (known["noi"] is None and known["ncf"] is None):
        return False
    collateral["most_recent_financials_end"] = end
    collateral["most_recent_financials_start"] = _year_before(end)
    collateral.update(
        {f"most_recent_{one}": value for one, value in known.items() if value is not None}
    )
    return True


def _year_before(end: date) -> date:
    """First day of the year that ends on a day."""
    after = end + timedelta(days=1)
    if (after.month, after.day) == (2, 29):
        after += timedelta(days=1)
    return after.replace(year=after.year - 1)
