"""Insured mortgages: what the list and the catalogue say of each, joined by project number."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

from services.contract.disposition import ENDED, standing
from services.contract.schedule_al import PROPERTY_TYPES
from services.importers.base import Facts, Rules, load_rules
from services.importers.cmbs.property import as_json, further_facts
from services.importers.ties import Place
from services.importers.values import as_float, us_day_value, whole_dollars

_FILE: Final = Path(__file__).with_name("hud.toml")
#: Kinds of file.
KINDS: Final = ("insured", "projects", "subsidies")
RULES: Final[Rules] = load_rules(_FILE, KINDS)
_HEALTH_CARE: Final[tuple[str, ...]] = tuple(
    tomllib.loads(_FILE.read_text(encoding="utf-8"))["health_care"]["sections"]
)
#: Digits of a project number: three of the office, of which that in Washington has 000, and five.
_DIGITS: Final = 8
#: Section of a loan that stands behind an insured mortgage on the same property.
_SUPPLEMENTAL: Final = "241"
_ZIP_DIGITS: Final = 5


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that was read."""

    place: Place
    facts: Facts


@dataclass(slots=True)
class Mortgage:
    """One insured mortgage: a row of the list, a subsidy of the catalogue, or both."""

    number: str
    listed: Entry | None = None
    subsidy: Entry | None = None
    project: Entry | None = None
    #: Subsidies of its property that are no mortgage, with the row of each.
    assistance: Sequence[Entry] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """Where it is listed."""
        entry = self.listed or self.subsidy
        return entry.place if entry else Place()

    @property
    def ended(self) -> bool:
        """Whether the catalogue says that it is no longer insured; the list has none of these."""
        return not self.listed and not (self.subsidy and self.subsidy.facts.flag("active"))

    @property
    def ended_on(self) -> date | None:
        """As far as the catalogue dates it; "N" and "U" are no dates."""
        return ended_on(self.subsidy.facts) if self.ended and self.subsidy else None

    @property
    def located(self) -> Facts:
        """Of its property: by the list, else by the catalogue."""
        entry = self.listed or self.project
        return entry.facts if entry else Facts()

    @property
    def on(self) -> tuple[str, ...]:
        """What two mortgages on one property have in common."""
        if self.project is not None:
            return (str(self.project.facts["property_id"]),)
        keys = ("name", "city", "state")
        return tuple((self.located.text(key) or "").casefold() for key in keys)

    @property
    def section(self) -> str:
        """Of the National Housing Act, or the name of the programme."""
        facts = self.listed.facts if self.listed else Facts()
        program = self.subsidy.facts.text("program") if self.subsidy else None
        return facts.text("section_of_act") or program or ""

    @property
    def starts(self) -> date | None:
        """First endorsed, or begun."""
        if self.listed:
            return self.listed.facts.day("initial_endorsement")
        return self.subsidy.facts.day("start") if self.subsidy else None


def project_number(raw: str) -> str:
    """Eight digits: a spreadsheet takes leading zeros away. Raises ValueError."""
    digits = raw.replace("-", "").replace(" ", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS and int(digits)):
        raise ValueError(f"has the project number '{raw[:40]}', which is not one of 8 digits")
    return digits.zfill(_DIGITS)


def ended_on(subsidy: Facts) -> date | None:
    """When a subsidy ended before its time."""
    try:
        return us_day_value(subsidy.text("ended") or "")
    except ValueError:
        return None


def loan_values(one: Mortgage) -> dict[str, object]:
    """Its row of LOANS but for number, lender and tier."""
    listed = one.listed.facts if one.listed else Facts()
    subsidy = one.subsidy.facts if one.subsidy else Facts()
    located = one.located
    balance = whole_dollars(listed.number("balance"))
    return {
        "book_value": balance,
        "interest_rate": as_float(listed.stated("interest_rate")),
        "property_type": property_type(one),
        "property_city": located.text("city"),
        "property_state": located.text("state"),
        "property_name": located.text("name"),
        "address": located.text("address"),
        "origination_date": one.starts,
        "first_payment_date": listed.day("first_payment"),
        "maturity_date": listed.day("maturity") or subsidy.day("end"),
        "original_amount": whole_dollars(listed.stated("original_amount")),
        "original_term_months": listed.whole("term_months") or None,
        "monthly_payment": whole_dollars(listed.stated("monthly_payment")),
        "disposition": ENDED
        if one.ended
        else standing(as_float(listed.number("balance")), defeased=False),
        "disposition_date": one.ended_on,
    }


def property_type(one: Mortgage) -> str:
    """Health care by section, else multifamily: the programme insures nothing else."""
    section = one.section.removeprefix("Sec ").replace("/", " ").replace("(", " ").split()
    return PROPERTY_TYPES["HC" if set(section) & set(_HEALTH_CARE) else "MF"]


def property_values(one: Mortgage, loan: int) -> dict[str, object]:
    """Its row of PROPERTIES."""
    located = one.located
    project = one.project.facts if one.project else Facts()
    zip_code = located.text("zip") or project.text("zip")
    units = located.whole("units") or project.whole("units")
    return {
        "loan": loan,
        "property_name": located.text("name"),
        "address": located.text("address") or project.text("address"),
        "city": located.text("city"),
        "state": located.text("state"),
        "zip": zip_code and zip_code.zfill(_ZIP_DIGITS),
        "property_type": property_type(one),
        "size": float(units) if units else None,
        "size_unit": "units" if units else None,
    }


def further(one: Mortgage, behind: Mapping[str, object]) -> str:
    """What has no column: of the list, the catalogue, and the assistance of the property."""
    found: dict[str, object] = {}
    for entry, kind in ((one.listed, "insured"), (one.project, "projects"),
                        (one.subsidy, "subsidies")):  # fmt: skip
        if entry is not None:
            found |= further_facts(entry.facts, RULES.fields[kind])
    ends = [day for each in one.assistance if (day := each.facts.day("end"))]
    found |= {
        "assistance": [said(each.facts) for each in one.assistance] or None,
        "assistance_first_ends": min(ends).isoformat() if ends else None,
        "assistance_last_ends": max(ends).isoformat() if ends else None,
        **behind,
    }
    return as_json(found)


def said(subsidy: Facts) -> str:
    """A subsidy in words: Section 202/811, contract DC39T792003, 25 units, 2004-01-01 to ..."""
    contract, units = subsidy.text("contract"), subsidy.whole("units")
    start, end = subsidy.day("start"), subsidy.day("end")
    parts = (
        subsidy.text("program") or subsidy.text("kind"),
        contract and f"contract {contract}",
        f"{units:,} units" if units else None,
        f"{start or 'start not stated'} to {end or 'end not stated'}" if start or end else None,
    )
    return ", ".join(filter(None, parts))


def stacks(mortgages: Sequence[Mortgage]) -> dict[int, list[int]]:
    """Of each mortgage those on its property that stand, itself among them, first lien first:
    a loan of section 241 is behind the others; among others the earlier comes first.
    """
    on: dict[tuple[str, ...], list[int]] = {}
    for at, one in enumerate(mortgages):
        if not one.ended and all(one.on):
            on.setdefault(one.on, []).append(at)
    for listed in on.values():
        listed.sort(key=lambda at: _rank(mortgages[at]))
    return {at: listed for listed in on.values() for at in listed}


def _rank(one: Mortgage) -> tuple[bool, date, str]:
    behind = _SUPPLEMENTAL in one.section.replace("(", "/").replace(" ", "/").split("/")
    return behind, one.starts or date.max, one.number
