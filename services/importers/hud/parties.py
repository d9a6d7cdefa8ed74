"""Parties of insured mortgages and of assisted housing: holders, servicers, owners, managers, and
the agencies that assist.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final

from services.contract.evidence import LEGAL_KINDS, Method
from services.importers.base import Facts
from services.importers.hud.mortgages import Entry, Mortgage, said
from services.importers.ties import Place, Ties, fitting
from services.names.lenders import canonical_lender

_STATED: Final[Method] = "stated in the filing"
_REGISTERED: Final[Method] = "registered"
#: Where HUD's list cuts names.
_CUT: Final = 30
#: What the last word of a cut name may have been.
_FORMS: Final = ("LLC", "LP", "INC", "CORP", "CO", "COMPANY", "LTD", "NA")
#: Types of owners -> what they are by law.
_LEGAL: Final = {"Public housing authority": "public body", "Limited dividend": "company"}
_NO_AGENCY: Final = frozenset({"other"})


def holder(raw: str) -> str:
    """Display name of a holder or servicer. Of a name that is cut, what may be left of a legal form
    does not count: "BERKADIA COMMERCIAL MORTGAGE L" is Berkadia.
    """
    whole = canonical_lender(raw)
    head, _, last = raw.rpartition(" ")
    if len(raw) == _CUT and whole == raw and any(form.startswith(last) for form in _FORMS):
        known = canonical_lender(head.rstrip(","))
        return known if known != head.rstrip(",") else whole
    return whole


def tie_lenders(ties: Ties, loan: int, one: Mortgage) -> tuple[str | None, str | None]:
    """Enters holder and servicer of a mortgage; their names."""
    found: list[str | None] = []
    for key, kind, relation, element in (
        ("holder", "lender", "capital_source", "HOLDER NAME"),
        ("servicer", "servicer", "servicer", "SERVICER NAME"),
    ):
        facts = one.listed.facts if one.listed else Facts()
        raw = facts.text(key)
        if raw is None:
            found.append(None)
            continue
        place = Place(one.place.file, one.place.record, element)
        name = ties.party(fitting(holder(raw)), kind)
        if name != raw:
            ties.know(name, "name", raw, place)
        where = ", ".join(filter(None, (facts.text(f"{key}_city"), facts.text(f"{key}_state"))))
        if where:
            ties.know(name, "address", where, place)
        words = f"{raw} (as cut at {_CUT} characters)" if len(raw) == _CUT else raw
        ties.tie(loan, relation, name, _STATED, place, said=words, since=one.starts)
        found.append(name)
    return found[0], found[1]


def tie_owner(ties: Ties, loan: int, one: Mortgage) -> bool:
    """Ties a mortgage to its property's owner, who under these programmes is its borrower, and to
    the manager; whether there is an owner who can have been bound by it.
    """
    if one.project is None:
        return False
    project = one.project.facts
    if not one.ended and (manager := _party(ties, one.project, "manager")):
        ties.tie(loan, "property_manager", manager, _REGISTERED, _at(one.project, "Hud_Mgr_Name"),
                 said=project.text("name"))  # fmt: skip
    since = project.day("owner_since")
    if one.ended and (since is None or one.ended_on is None or since >= one.ended_on):
        return False  # who owns today need not have owned then
    if not (owner := _party(ties, one.project, "owner")):
        return False
    ties.tie(loan, "borrower", owner, _REGISTERED, _at(one.project, "Hud_Own_Name"),
             said=f"owner of {project.text('name')}", since=since)  # fmt: skip
    return True


def tie_managed(ties: Ties, project: Entry) -> bool:
    """Enters owner and manager of a property, and ties them; whether one of them is named."""
    owner, manager = _party(ties, project, "owner"), _party(ties, project, "manager")
    if owner and manager and owner != manager:
        ties.tie(owner, "property_manager", manager, _REGISTERED, _at(project, "Hud_Mgr_Name"),
                 said=_property(project.facts))  # fmt: skip
    return bool(owner or manager)


def tie_assistance(ties: Ties, starts: Iterable[int | str], subsidy: Entry) -> bool:
    """Ties loans or an owner to the agencies of a subsidy; whether an agency is named."""
    facts = subsidy.facts
    agencies = [
        clean for one in (facts.text("agency") or "").split(";")
        if (clean := one.strip()) and clean.casefold() not in _NO_AGENCY
    ]  # fmt: skip
    for name in agencies:
        place = _at(subsidy, "agency")
        ties.party(fitting(name), "public agency")
        ties.know(name, "legal kind", LEGAL_KINDS[3], place)
        for start in starts:
            ties.tie(start, "assisted_by", name, _REGISTERED, place, said=said(facts),
                     since=facts.day("start"), until=facts.day("end"))  # fmt: skip
    return bool(agencies)


def ended(subsidy: Facts, as_of: date) -> str | None:
    """Why a subsidy is none of today; None where it is."""
    end = subsidy.day("end")
    if end is not None and end <= as_of:
        return f"It ended on {end:%-d %b %Y}."
    return None if subsidy.flag("active") else "It is no longer active."


def owner_of(project: Entry) -> str | None:
    """Name of the owner of a property."""
    return project.facts.text("owner")


def _party(ties: Ties, project: Entry, role: str) -> str | None:
    """The owner or manager of a property, entered with what is known of them."""
    facts = project.facts
    raw = facts.text(role)
    if raw is None:
        return None
    name = ties.party(fitting(raw), "operating entity" if role == "owner" else "property manager")
    legal = _LEGAL.get(facts.text(f"{role}_type") or "")
    if legal:
        ties.know(name, "legal kind", legal, _at(project, f"Hud_{role.title()[:3]}_Type"))
    return name


def _at(entry: Entry, element: str) -> Place:
    return Place(entry.place.file, entry.place.record, element)


def _property(facts: Facts) -> str:
    return ", ".join(filter(None, (facts.text("name"), facts.text("address"))))
