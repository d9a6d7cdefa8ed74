"""Owners of record by year: who owns a parcel, who did, and which names are one owner's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.contract.evidence import Method
from services.importers.base import Facts
from services.importers.county.names import owner, respelt
from services.importers.county.profile import Profile
from services.importers.ties import Place, Ties, fitting

_REGISTERED: Final[Method] = "registered"
_TODAY: Final = 9_999


@dataclass(frozen=True, slots=True)
class OnRoll:
    """One row: the owner of a parcel, of a year or today."""

    facts: Facts
    place: Place

    @property
    def name(self) -> str:
        """Without whose care it is in."""
        return owner(str(self.facts["owner"])).name

    @property
    def year(self) -> int:
        """That of the roll; a row without one is of today."""
        return self.facts.whole("year") or _TODAY


def tie_parcel(ties: Ties, parcel: str, rows: Sequence[OnRoll], profile: Profile) -> None:
    """Ties a parcel to its owner and to those before, each row a witness. A spelling alone is no
    change of owner.
    """
    where = f"{profile.city or profile.county} {profile.state}"
    lot = ties.party(f"{parcel}, {where}", "parcel")
    address = next((text for one in rows if (text := one.facts.text("address"))), None)
    if address:
        ties.know(lot, "address", f"{address}, {where}", rows[0].place)
    spells: list[list[OnRoll]] = []
    for one in sorted(rows, key=lambda each: each.year):
        price = one.facts.number("sale_price")
        nominal = price is not None and price <= profile.nominal
        if spells and respelt(spells[-1][-1].name, one.name, nominal=nominal):
            spells[-1].append(one)
        else:
            spells.append([one])
    for at, spell in enumerate(spells):
        after = spells[at + 1] if at + 1 < len(spells) else None
        _tie_spell(ties, lot, spell, after)


def _tie_spell(ties: Ties, lot: str, spell: list[OnRoll], after: list[OnRoll] | None) -> None:
    """One owner of a parcel, by the last of its names."""
    name = ties.party(fitting(spell[-1].name), "owner")
    sold = after[0].facts.day("sale_date") if after else None
    until = sold or date(after[0].year, 1, 1) if after and after[0].year < _TODAY else sold
    for one in spell:
        raw = str(one.facts["owner"])
        place = Place(one.place.file, one.place.record, "owner")
        year = one.facts.whole("year")
        when = {"since": date(year, 1, 1), "until": date(year, 12, 31)} if year else {}
        for spelling in {raw, one.name} - {name}:
            ties.know(name, "name", spelling, place, None, **when)
        care = owner(raw).care_of
        lines = [care and f"c/o {care}", one.facts.text("mailing_address"),
                 one.facts.text("mailing_place")]  # fmt: skip
        if written := ", ".join(filter(None, lines)):
            ties.know(name, "address", written, place)
        ties.tie(lot, "formerly_owned_by" if after else "owned_by", name, _REGISTERED, place,
                 said=_said(one, after), since=None if after else one.facts.day("sale_date"),
                 until=until if after else None)  # fmt: skip


def _said(one: OnRoll, after: list[OnRoll] | None) -> str:
    year, price = one.facts.whole("year"), one.facts.number("sale_price")
    sold = one.facts.day("sale_date")
    parts = [
        f"{one.facts['owner']}, on the roll of {year}" if year else str(one.facts["owner"]),
        f"last sold {sold:%-d %b %Y}" if sold else None,
        f"for ${price:,.0f}" if price is not None else None,
        f"then {after[0].name}" if after else None,
    ]
    return ", ".join(filter(None, parts))
