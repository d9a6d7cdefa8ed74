"""Recorded documents: rows to documents, mortgages to loans, and what later documents did to them.

A loan is a recording: its amount counts once, on however many parcels it lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Final

from services.contract.disposition import ENDED
from services.contract.evidence import Method, confidence
from services.contract.vocabulary import tier_of
from services.importers.base import Facts
from services.importers.cmbs.property import as_json
from services.importers.county.names import lends, owner
from services.importers.county.profile import FileKind, Profile
from services.importers.ties import Place, Ties, fitting
from services.importers.values import whole_dollars
from services.names.lenders import canonical_lender, lender_kind

_RECORDED: Final[Method] = "recorded deed"
_TYPED: Final[Method] = "user's tape"
_DIGITS: Final = 12
KINDS: Final = ("mortgage", "deed", "assignment", "satisfaction")


@dataclass(slots=True)
class Recording:
    """One document, of all rows that tell of it."""

    number: str
    kind: str | None = None
    recorded_on: date | None = None
    amount: Decimal | None = None
    #: Each with where it is said.
    sides: dict[str, dict[str, Place]] = field(default_factory=lambda: {"from": {}, "to": {}})
    parents: dict[str, Place] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    parcels: dict[tuple[str, str], Facts] = field(default_factory=dict)
    refers_to: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    #: Of a mortgage: who it was assigned to, in order, and when it was satisfied.
    assigned: list["Recording"] = field(default_factory=list)
    satisfied: "Recording | None" = None


def number_of(facts: Facts, kind: FileKind) -> str:
    """The document's number, else twelve digits of what tells it apart. Raises ValueError."""
    said = [str(facts[name]) if name in facts else "" for name in kind.number]
    if not any(said):
        raise ValueError("has nothing that tells its document apart")
    if len(said) == 1:
        return said[0]
    return str(int(sha256("\n".join(said).encode()).hexdigest(), 16))[-_DIGITS:]


def add(one: Recording, facts: Facts, kind: FileKind, profile: Profile, place: Place) -> None:
    """Adds a row to its document. Raises ValueError where the two contradict."""
    raw = facts.text("kind")
    said = profile.kinds.get(raw, "") if raw else kind.kind
    if said is not None and said not in KINDS:
        raise ValueError(f"is a document of the kind '{(raw or said)[:40]}', which is not read")
    for name, value in (("kind", said), ("recorded_on", facts.day("recorded_on")),
                        ("amount", facts.stated("amount"))):  # fmt: skip
        before = getattr(one, name)
        if value is not None and before not in (None, value):
            raise ValueError(f"has another {name.replace('_', ' ')} than a row before it")
        if value is not None:
            setattr(one, name, value)
    _add_parties(one, facts, profile, place)
    if parcel := parcel_of(facts):
        one.parcels.setdefault((parcel, facts.text("address") or ""), facts)
    if (refers := facts.text("refers_to")) is not None:
        one.refers_to.append(refers)
    one.places.append(place)


def _add_parties(one: Recording, facts: Facts, profile: Profile, place: Place) -> None:
    """The two sides, each in a column of its own or with its role, and the borrower's parent."""
    sides = {side: facts.text(side) for side in one.sides}
    if (party := facts.text("party")) is not None:
        role = profile.roles.get(facts.text("role") or "")
        if role not in sides:
            raise ValueError(
                f"has the role '{facts.text('role')}', which the profile does not list"
            )
        sides[role] = party
        if (address := facts.text("mailing_address")) is not None:
            one.addresses[party] = address
    for side, name in sides.items():
        if name is not None:
            one.sides[side].setdefault(name, place)
    parent = facts.text("parent")
    if parent is not None and parent not in profile.nobody:
        one.parents.setdefault(parent, place)


def parcel_of(facts: Facts) -> str:
    """Borough, block and lot, else the address: "204/29"."""
    lot = [facts.text(name) for name in ("borough", "block", "lot")]
    return "/".join(filter(None, lot)) or facts.text("address") or ""


def unusable(one: Recording) -> str | None:
    """Why a document is neither a loan nor a deed, nor says what became of a loan."""
    if one.kind is None:
        return "No row says of which kind its document is."
    if one.kind == "mortgage" and not one.sides["from"]:
        return "Its document names no borrower."
    if one.kind == "deed" and not (one.sides["to"] and one.parcels):
        return "Its deed names no buyer, or no parcel."
    return None


def tie(ties: Ties, loan: int, one: Recording) -> dict[str, object]:
    """Ties a mortgage to its parties; lender, tier and what else is said of it."""
    for name, place in one.sides["from"].items():
        party = _party(ties, one, name, "borrower", place)
        ties.tie(loan, "borrower", party, _RECORDED, place, said=name, since=one.recorded_on)
        for parent, where in one.parents.items():
            ties.party(fitting(parent), "sponsor")
            ties.tie(party, "owned_by", parent, _TYPED, where, said=parent)
    holders = one.assigned[-1] if one.assigned else one
    lenders, for_others = [], []
    for at, document in enumerate((one, *one.assigned)):
        for name, place in document.sides["to"].items():
            if not lends(name):
                party = _party(ties, document, name, "trustee", place)
                ties.tie(loan, "trustee", party, _RECORDED, place, said=name,
                         since=document.recorded_on)  # fmt: skip
                for_others.append(name)
            elif document is holders:
                party = _party(ties, document, name, "lender", place)
                ties.tie(loan, "capital_source", party, _RECORDED, place, said=name,
                         since=document.recorded_on)  # fmt: skip
                lenders.append(party)
            elif at == 0:  # who lent, and has assigned it since
                party = _party(ties, document, name, "originator", place)
                ties.tie(loan, "originator", party, _RECORDED, place, said=name,
                         since=document.recorded_on)  # fmt: skip
    sure = min(confidence(_RECORDED), confidence(_TYPED) if one.parents else 1.0)
    return {
        "lender": lenders[0] if lenders else None,
        "tier": tier_of(sure) if one.sides["from"] else None,
        "further": {
            "recorded_for_others": for_others or None,
            "parcels": len(one.parcels) or None,
            "assignments": [f"{each.recorded_on}: {'; '.join(each.sides['to'])}"
                            for each in one.assigned] or None,
            "satisfied_by": one.satisfied and one.satisfied.number,
        },
    }  # fmt: skip


def loan_values(one: Recording, profile: Profile, tied: dict[str, object]) -> dict[str, object]:
    """Its row of LOANS. A county knows what was lent, never what is owed, until it is satisfied."""
    alone = next(iter(one.parcels.values())) if len(one.parcels) == 1 else Facts()
    return {
        "loan_number": f"{profile.name}:{one.number}",
        "book_value": 0 if one.satisfied else None,
        "property_city": alone.text("city") or profile.city,
        "property_state": alone.text("state") or profile.state,
        "address": alone.text("address"),
        "lender_normalized": tied["lender"],
        "origination_date": one.recorded_on,
        "original_amount": whole_dollars(one.amount),
        "confidence_tier": tied["tier"],
        "disposition": ENDED if one.satisfied else None,
        "disposition_date": one.satisfied.recorded_on if one.satisfied else None,
        "further": as_json(tied["further"]),  # type: ignore[arg-type]
    }


def layer(one: Recording, loan: int, tied: dict[str, object]) -> dict[str, object]:
    """What its holder holds; how much of it is left nobody records."""
    lender = tied["lender"]
    kind = lender_kind(lender) if isinstance(lender, str) else None
    return {"loan": loan, "rank": 1, "position": "senior", "layer": kind or "other",
            "lender": lender, "amount": 0 if one.satisfied else None}  # fmt: skip


def properties(one: Recording, loan: int, profile: Profile) -> list[dict[str, object]]:
    """One row a parcel."""
    return [
        {
            "loan": loan,
            "address": facts.text("address"),
            "city": facts.text("city") or profile.city,
            "state": facts.text("state") or profile.state,
            "zip": facts.text("zip"),
            "county": profile.county,
            "further": as_json({"parcel": parcel}),
        }
        for (parcel, _), facts in one.parcels.items()
    ]


def tie_deeds(ties: Ties, deeds: Sequence[Recording], profile: Profile) -> None:
    """Ownership of parcels: who bought last owns, who sold has owned until then."""
    by_parcel: dict[str, list[Recording]] = {}
    for deed in sorted(deeds, key=lambda one: (one.recorded_on or date.min, one.number)):
        for parcel, _ in deed.parcels:
            by_parcel.setdefault(parcel, []).append(deed)
    for parcel, listed in by_parcel.items():
        lot = ties.party(f"{parcel}, {profile.county} {profile.state}", "parcel")
        for at, deed in enumerate(listed):
            over = listed[at + 1].recorded_on if at + 1 < len(listed) else None
            for name, place in deed.sides["to"].items():
                buyer = _party(ties, deed, name, "owner", place)
                relation = "formerly_owned_by" if over else "owned_by"
                ties.tie(lot, relation, buyer, _RECORDED, place, said=name,
                         since=deed.recorded_on, until=over)  # fmt: skip
            if at == 0:
                for name, place in deed.sides["from"].items():
                    seller = _party(ties, deed, name, "owner", place)
                    ties.tie(lot, "formerly_owned_by", seller, _RECORDED, place, said=name,
                             until=deed.recorded_on)  # fmt: skip


def _party(ties: Ties, one: Recording, raw: str, kind: str, place: Place) -> str:
    """Enters a party by its name without whose care it is in."""
    told = owner(raw)
    name = canonical_lender(told.name) if kind in {"lender", "originator"} else told.name
    ties.party(fitting(name), kind)
    if name != raw:
        ties.know(name, "name", raw, place)
    for address in (one.addresses.get(raw), told.care_of and f"c/o {told.care_of}"):
        if address:
            ties.know(name, "address", address, place)
    return name
