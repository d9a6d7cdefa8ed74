"""Properties of a loan: what is reported of each, and its row of PROPERTIES."""

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.schedule_al import NO_PROPERTY_TYPE, PROPERTY_TYPES
from services.importers.base import Facts, Field, Rules
from services.importers.values import as_float, whole_dollars

_NOT_SAID: Final = frozenset({
    "", "incomplete", "multiple", "n/a", "na", "none", "null", "tbd", "unknown", "various",
})  # fmt: skip
_COUNTED_IN_UNITS: Final = ("MF", "MH", "CH", "LO", "HC")
_PLACES: Final = ("name", "address", "city", "state", "zip", "county")
_YEARS: Final = range(1600, 2200)


@dataclass(frozen=True, slots=True)
class Property:
    """One `property` block, with the facts of the `assets` element around it if it is a child."""

    facts: Facts
    around: Facts
    number: str | None = None  # of the child, "4.01"
    #: What else is said of it, as `further` holds it.
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def city(self) -> str | None:
        """City, None for placeholders such as "Various"."""
        return place(self.facts, "city")

    @property
    def state(self) -> str | None:
        """Code as filed, upper case; EDGAR codes countries too, D0 is Bermuda (D10)."""
        found = place(self.facts, "state")
        return found.upper() if found else None

    @property
    def value(self) -> Decimal | None:
        """Most recent valuation, else that at securitization; 0 is not published."""
        return self.facts.stated("most_recent_value") or self.underwritten_value

    @property
    def value_date(self) -> date | None:
        """Day of that valuation."""
        recent = self.facts.stated("most_recent_value") is not None
        key = "most_recent_value_date" if recent else "value_date_at_securitization"
        return self.facts.day(key) if self.value is not None else None

    @property
    def underwritten_value(self) -> Decimal | None:
        """Valuation at securitization; 0 is not published."""
        return self.facts.stated("value_at_securitization")

    @property
    def area(self) -> int | None:
        """Net rentable square feet, today's else those at securitization; 0 is not published."""
        return self.facts.whole("rentable_square_feet") or (
            self.facts.whole("rentable_square_feet_at_securitization") or None
        )

    @property
    def property_type(self) -> str | None:
        """Canonical word; an unknown code as it came."""
        code = (self.facts.text("type") or "").upper()
        if not code or code == NO_PROPERTY_TYPE:
            return None
        return PROPERTY_TYPES.get(code, code.lower())

    @property
    def occupancy(self) -> Decimal | None:
        """Most recent physical occupancy; where no such element is filed, that at securitization.

        0 is not published, unless the property has a loss and no revenue: then it is vacant.
        """
        facts = self.facts
        if "most_recent_occupancy" not in facts:
            return facts.stated("occupancy_at_securitization")
        earned = facts.number("most_recent_noi")
        if earned is not None and earned < 0 and not facts.number("most_recent_revenue"):
            return facts.number("most_recent_occupancy")
        return facts.stated("most_recent_occupancy")


def place(facts: Facts, key: str) -> str | None:
    """Text of a name or place, None where the filer wrote a word for "no single one"."""
    found = facts.text(key)
    return None if found is None or found.casefold() in _NOT_SAID else found


def property_values(
    found: Property, loan: int, rules: Rules, noi: Decimal | None
) -> dict[str, object]:
    """Row of PROPERTIES; `noi` is the figure of the period that counts for it."""
    facts = found.facts
    built = facts.whole("year_built_as_filed")
    size, unit = _size(found)
    further = {
        "property_number": found.number,
        **further_facts(facts, rules.fields["property"]),
        **{
            f"{key}_as_filed": facts[key]
            for key in _PLACES
            if key in facts and not place(facts, key)
        },
        **further_facts(found.around, rules.fields["loan"]),
        **found.more,
    }
    return {
        "loan": loan,
        "property_name": place(facts, "name"),
        "address": place(facts, "address"),
        "city": found.city,
        "state": found.state,
        "zip": place(facts, "zip"),
        "county": place(facts, "county"),
        "property_type": found.property_type,
        "value": whole_dollars(found.value),
        "noi": whole_dollars(noi),
        "occupancy": as_float(found.occupancy),
        "year_built": built if built in _YEARS else None,
        "size": size,
        "size_unit": unit,
        "further": as_json(further),
    }


def _size(found: Property) -> tuple[float | None, str | None]:
    facts, area = found.facts, found.area
    units = facts.whole("units_beds_rooms") or facts.whole("units_beds_rooms_at_securitization")
    if units and (not area or facts.text("type") in _COUNTED_IN_UNITS):
        return float(units), "units"
    return (float(area), "square feet") if area else (None, None)


def further_facts(
    facts: Facts, fields: Mapping[str, Field], prefix: str = "", shown: Container[str] = ()
) -> dict[str, object]:
    """Facts that have no column of their own, as JSON holds them: codes in words, dates ISO.

    What is unreadable is here as it came, as no column has it; what no rule names is not here.
    `shown` names the keys that stand in a column, where those are not the rules' own.
    """
    by_key = {field.key: field for field in fields.values()}
    return {
        f"{prefix}{key}": _plain(value, by_key[key].codes or {})
        for key, value in facts.items()
        if key in by_key
        and (not (key in shown if shown else by_key[key].column) or _unread(value, by_key[key]))
    }


def _unread(value: object, field: Field) -> bool:
    return isinstance(value, str) and field.unit not in ("text", "code", "prose")


def _plain(value: object, codes: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return codes.get(value, value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, Sequence):
        return [_plain(one, codes) for one in value]
    return value


def as_json(further: Mapping[str, object]) -> str:
    """JSON object, keys in the order given, without those that are None."""
    known = {key: value for key, value in further.items() if value is not None}
    return json.dumps(known, ensure_ascii=False, allow_nan=False)
