"""Ownership as links between parties: the weakest one, products along paths, open ends. Pure.

A chain lists a party once, at its lowest level (D31), so every party is reached by one path from
the start: products are taken along that path.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from services.contract.aggregates import EntityDossier, PartyLink
from services.contract.evidence import EdgeQuery
from services.contract.records import ChainElement, OwnershipChain
from services.contract.vocabulary import PROBABLE_FROM

#: Roles that end a chain: nobody is looked for above them.
ULTIMATE: Final = frozenset(
    {"owner", "beneficial owner", "ultimate owner", "ultimate beneficial owner", "ubo", "person"}
)
#: The loan as the lower end of a link. No party has an empty name.
LOAN: Final = ""

#: Gives the direct owners of a party, as `EntityDossier.owners` does; None when nobody can tell.
Direct = Callable[[str], Sequence[PartyLink] | None]


class Link(NamedTuple):
    """One party holds another, or borrows the loan."""

    owner: str
    owned: str
    #: 0 to 1; None when the source gives none.
    confidence: float | None
    #: Fraction owned, where known.
    share: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One party as a table lists it, and the link that leads to it from nearer the start."""

    name: str
    kind: str | None
    level: int
    link: Link | None
    #: Of the confidences from the start up to this party; None when one of them is not known.
    product: float | None
    #: Loans tied to it, where known.
    loans: int | None = None


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a diagram draws: parties, links, and where nobody is named above."""

    #: LOAN, or the entity at which it starts.
    start: str
    #: Kind by party, the start included when it is an entity.
    kinds: dict[str, str | None]
    above: tuple[Row, ...]
    below: tuple[Row, ...]
    links: tuple[Link, ...]
    #: Second ways to parties listed before, which a chain leaves out (D31); part of `links`.
    further: tuple[Row, ...]
    #: Parties that are no ultimate owners and that no owner is named for.
    open_ends: tuple[str, ...]

    @property
    def weakest(self) -> tuple[Link, ...]:
        """The links of least confidence; empty when all are equally sure."""
        known = [link.confidence for link in self.links if link.confidence is not None]
        if len(set(known)) < 2:  # noqa: PLR2004 - nothing to compare
            return ()
        return tuple(link for link in self.links if link.confidence == min(known))

    @property
    def tops(self) -> tuple[Row, ...]:
        """Parties that nobody holds, in order."""
        owned = {link.owned for link in self.links}
        return tuple(row for row in self.above if row.name not in owned)


def of_loan(chain: OwnershipChain, direct: Direct) -> Holdings:
    """The chain of a loan. `direct` is asked only about parties at the top that are no ultimate
    owners: a chain leaves out the second way to a party that it has listed before.
    """
    rows: list[Row] = []
    for at, element in enumerate(chain.chain):
        said = element.extra.get("level")
        level = said if isinstance(said, int) else at
        owned = _owned(element, level, rows)
        link = None
        if owned is not None:
            link = Link(element.entity_name, owned, element.confidence, _share(element))
        rows.append(_row(element.entity_name, element.role, level, link, rows))
    kinds = {row.name: row.kind for row in rows}
    return _closed(LOAN, kinds, rows, (), direct)


def of_entity(dossier: EntityDossier, direct: Direct) -> Holdings:
    """The owners above an entity and the holdings below it, as far as its dossier lists them."""
    above: list[Row] = []
    below: list[Row] = []
    for part in dossier.owners:
        link = Link(part.entity_name, part.of, part.confidence, part.share)
        above.append(_row(part.entity_name, part.kind, part.level, link, above, part))
    for part in dossier.holdings:
        link = Link(part.of, part.entity_name, part.confidence, part.share)
        below.append(_row(part.entity_name, part.kind, part.level, link, below, part))
    kinds: dict[str, str | None] = {dossier.entity_name: dossier.kind}
    kinds |= {row.name: row.kind for row in (*above, *below)}
    return _closed(dossier.entity_name, kinds, above, below, direct)


def edges(holdings: Holdings, loan_number: str = "") -> list[EdgeQuery]:
    """The edges that are drawn, in their order; `loan_number`: of the loan that they start at."""
    return [
        EdgeQuery(from_loan=loan_number, to_entity=link.owner, relation="borrower")
        if link.owned == LOAN
        else EdgeQuery(from_entity=link.owned, to_entity=link.owner, relation="owned_by")
        for link in holdings.links
    ]


def head_of_family(holdings: Holdings) -> str | None:
    """The first sponsor above a loan, else its first owner, that every link up to is probable or
    better for: in whose family the loan is (D58).
    """
    sure = {
        row.name
        for row in holdings.above
        if row.link and (row.link.confidence or 0) >= PROBABLE_FROM
    }
    reached = {LOAN}
    for row in holdings.above:  # level by level
        if row.name in sure and row.link and row.link.owned in reached:
            reached.add(row.name)
    for kind in ("sponsor", "owner"):
        for row in holdings.above:
            if row.name in reached and holdings.kinds[row.name] == kind:
                return row.name
    return None


def _closed(
    start: str,
    kinds: dict[str, str | None],
    above: Sequence[Row],
    below: Sequence[Row],
    direct: Direct,
) -> Holdings:
    links = [row.link for row in (*above, *below) if row.link]
    owned = {link.owned for link in links}
    open_ends = []
    further: list[Row] = []
    for name in [start, *(row.name for row in above)] if start else [row.name for row in above]:
        if name in owned or (kinds[name] or "").casefold() in ULTIMATE:
            continue
        direct_owners = () if name == start else direct(name)
        # Of joint owners whose own owners nobody can tell, one may be held by a listed party.
        if direct_owners is None and len({row.level for row in above}) < len(above):
            continue
        hidden = [one for one in direct_owners or () if one.of == name]
        for one in hidden:
            link = Link(one.entity_name, name, one.confidence, one.share)
            level = next(row.level for row in above if row.name == name) + 1
            further.append(_row(one.entity_name, one.kind, level, link, above, one))
            links.append(link)
        kinds |= {one.entity_name: one.kind for one in hidden if one.entity_name not in kinds}
        if not hidden and links:
            open_ends.append(name)
    return Holdings(
        start, kinds, tuple(above), tuple(below), tuple(links), tuple(further), tuple(open_ends)
    )


def _row(
    name: str,
    kind: str | None,
    level: int,
    link: Link | None,
    before: Sequence[Row],
    part: PartyLink | None = None,
) -> Row:
    nearer = link and (link.owner if link.owned == name else link.owned)
    so_far = next((row.product for row in before if row.name == nearer), 1.0)
    sure = link.confidence if link else None
    whole = None if so_far is None or sure is None else so_far * sure
    return Row(name, kind, level, link, whole, part.related_loan_count if part else None)


def _owned(element: ChainElement, level: int, before: Sequence[Row]) -> str | None:
    """The party that an element owns; None when the source leaves it open which one."""
    if level <= 0:
        return LOAN
    said = element.extra.get("of")
    under = [row.name for row in before if row.level == level - 1]
    if isinstance(said, str) and any(row.name == said for row in before):
        return said
    return under[0] if len(under) == 1 else None


def _share(element: ChainElement) -> float | None:
    share = element.extra.get("share")
    if isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 1:
        return float(share)
    return None
