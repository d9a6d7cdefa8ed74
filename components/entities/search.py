"""Entities: what to search for, how the result reads, what to say when there is none."""

from typing import ClassVar, Final

from components.entities.comparison import Few, Names
from components.frame import address, exports, filter_bar, filters, links, paging, session, states
from components.frame.routes import ENTITIES
from components.frame.switch import switch
from components.kit.formatting import count, words
from services.contract.facts import FACT
from services.contract.paging import every
from services.contract.parties import Parties, Party, PartyFilter
from services.contract.queries import EntityQuery
from services.contract.records import Entity, Page
from services.contract.source import CreditSource

FILTERS: Final = (filters.NAME, filters.RESOLUTION_CONFIDENCE)
#: Kinds of parties in the order of their tabs; others follow.
_KINDS: Final = ("sponsor", "owner", "borrower", "operating entity", "lender", "trust", "fund",
                 "originator", "servicer", "tenant")  # fmt: skip
#: A search by name answers with this many at the most (D37).
MOST_MATCHES: Final = 200
_COLUMNS: Final = {"entity_name": str, "kind": str, "match_score": float, "confidence": float,
                   "confidence_tier": str, "related_loan_count": int}  # fmt: skip


class EntityView(Names, PartyFilter):
    """The names asked for, and those that are ticked for a comparison."""

    compare: Few | None = None

    slicing: ClassVar[frozenset[str]] = PartyFilter.slicing | {"compare"}

    def query(self) -> PartyFilter:
        """What is asked for, however it is looked at."""
        return self.part(PartyFilter)


def entity_view() -> EntityView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(EntityView, ENTITIES, paging.check)
    if asked is None:
        return None
    chosen = filter_bar.bar(FILTERS, EntityQuery)
    return address.settled(asked, chosen, (*EntityView.slicing, "kind"))


def ranked(query: PartyFilter) -> bool:
    """Whether the list says what stands behind each name. An API says it of no name, and its mirror
    only of those in ownership chains: all names come from the API itself.
    """
    return session.workspace().kind == "store" or bool(query.kind or query.order)


def found(query: PartyFilter) -> Page[Party] | Page[Entity]:
    """The page asked for, of parties where they are ranked, else of names as the API lists them."""
    if ranked(query):
        return session.ask(Parties.parties, query)
    return session.ask(CreditSource.entities, query.part(EntityQuery))


def kind_tabs(query: PartyFilter) -> None:
    """All names, or those of one kind; it goes to the address by "kind"."""
    if not session.mirrored():
        return
    counts = session.ask(Parties.party_kinds, query)
    if query.kind:
        counts = {query.kind: 0} | counts
    listed = sorted(counts, key=lambda kind: (_KINDS.index(kind) if kind in _KINDS else 99, kind))
    every = f"All {count(sum(counts.values()))}" if session.workspace().kind == "store" else "All"
    tabs = {kind: f"{words(_noun(kind, 2))} {count(counts[kind])}" for kind in listed}
    switch("kind", "Kinds of parties", {"": every} | tabs, address.first_page)


def _noun(kind: str | None, total: int) -> str:
    if total == 1:
        return kind or "name"
    return "operating entities" if kind == "operating entity" else f"{kind or 'name'}s"


def sentence(query: PartyFilter, total: int) -> str:
    """How many of what: 12 sponsors at or over the match cut-off for “meridian”."""
    what = _noun(query.kind, total)
    if query.name is None:
        plain = query.confidence_min is None and query.kind is None
        said = f"All names: {count(total)}" if plain else f"{count(total)} {what}"
    else:
        best = "The best " if total == MOST_MATCHES else ""  # D37: the search ends there
        said = f"{best}{count(total)} {what} at or over the match cut-off for “{query.name}”"
    if query.confidence_min is None:
        return said
    return f"{said} with a resolution confidence of at least {query.confidence_min:g}"


def nothing(query: PartyFilter) -> None:
    """No name matches, and what to try."""
    states.no_match(f"{sentence(query, 0)}.", ENTITIES)
    if query.name and query.confidence_min is not None:
        links.link(
            ENTITIES,
            f"Search “{query.name}” at any confidence",
            "filter_alt_off",
            {"name": query.name},
        )


def export(query: PartyFilter, total: int) -> exports.Export:
    """Every name that matches, all pages; scores as fractions, empty where not known."""
    said = sentence(query, total)
    if ranked(query):
        table = session.analytics().party_table(query)
        dollars = {name: FACT[name] for name in ("book_value", "dollars_short")}
        return exports.of_table("entities", said, exports.origin(), table, dollars)
    whole = query.part(EntityQuery).at(1).model_copy(update={"per_page": 100})
    rows = [_row(one) for one in every(session.source().entities, whole, limit=total)]
    return exports.of_rows("entities", said, rows, _COLUMNS, of=exports.origin(live=True))


def _row(one: Entity) -> dict[str, object]:
    """Its columns; what an extension field holds of another type than ours is left out."""
    kind, match = one.extra.get("kind"), one.extra.get("match_score")
    return {
        **one.model_dump(exclude={"extra"}),
        "kind": kind if isinstance(kind, str) else None,
        "match_score": match if isinstance(match, float) else None,
    }
