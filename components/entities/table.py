"""Parties in order of what stands behind them, and names as an API lists them; the name opens the
entity.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from components.exposure.words import as_role, related
from components.frame import address, columns, session
from components.frame.columns import DISTRESSED, SHORT, WORST
from components.frame.ledger import Column, Ticks, ledger
from components.frame.routes import ENTITY
from components.kit.formatting import MISSING, count, money, score, words
from services.contract.parties import Party, PartyFilter
from services.contract.records import Entity
from services.contract.source import Portfolio

T = TypeVar("T", Entity, Party)


def _kind(entity: Entity) -> str:
    kind = entity.extra.get("kind")
    return words(kind if isinstance(kind, str) else None)


def _match(entity: Entity) -> str:
    found = entity.extra.get("match_score")
    return score(found) if isinstance(found, float) else MISSING


def _matched(write: Callable[[T], str]) -> Column[T]:
    said = "Likeness of the name to the one asked for, 0 to 1."
    return Column("match_score", "Match", write, figure=True, help=said)


def _sure(label: str, *, order: bool = False) -> Column[Entity | Party]:
    said = "How sure the source is that the records are of one party."
    return Column(
        "confidence", label, lambda one: score(one.confidence), figure=True, order=order, help=said
    )


_LARGEST: Final = "-book_value"
_OWN: Final = (
    "Loans it stands behind as borrower, owner or guarantor, or lends to; of a party without any, "
    "those that it services, originated or rents in."
)
_COLUMNS: Final[tuple[Column[Entity], ...]] = (
    Column("entity_name", "Name", lambda entity: entity.entity_name),
    Column("kind", "Kind", _kind),
    _matched(_match),
    _sure("Resolution confidence"),
    Column("confidence_tier", "Tier", lambda entity: words(entity.confidence_tier)),
    Column(
        "related_loan_count",
        "Related loans",
        lambda entity: related(entity.related_loan_count, entity.extra.get("loans_by_role")),
        figure=True,
        short=True,
        help=_OWN,
    ),
)


def found(
    items: Sequence[Party] | Sequence[Entity], query: PartyFilter, ticks: Ticks | None
) -> None:
    """Parties in the order asked for, or names as an API lists them; the match score only where a
    name was asked for.
    """
    parties = [one for one in items if isinstance(one, Party)]
    if parties:
        _ranked(parties, query, ticks)
        return
    ledger(
        [column for column in _COLUMNS if query.name or column.name != "match_score"],
        [one for one in items if isinstance(one, Entity)],
        opens=lambda entity: (ENTITY, entity.entity_name),
        caption="Entities",
        ticks=ticks,
    )


def _ranked(items: Sequence[Party], query: PartyFilter, ticks: Ticks | None) -> None:
    own = None if query.name else _LARGEST
    ledger(
        _columns(query),
        items,
        opens=lambda party: (ENTITY, party.entity_name),
        caption="Entities",
        order=query.order or own,
        on_order=address.put_in_order,
        own_order=own,
        ticks=ticks,
    )


def _columns(query: PartyFilter) -> list[Column[Party]]:
    book = session.ask(Portfolio.totals).book.book_value

    def under(party: Party) -> str:
        above = f"above it: {party.above}" if party.above else ""
        return " · ".join(filter(None, ("" if query.kind else words(party.kind), above)))

    match: Column[Party] = _matched(lambda party: score(party.match_score))
    return [
        Column("entity_name", "Name", lambda party: party.entity_name, order=True, under=under),
        *([match] if query.name else []),
        Column(
            "loans",
            "Loans",
            lambda party: f"{count(party.loans)}{as_role(party.role)}",
            figure=True,
            order=True,
            help=_OWN,
        ),
        Column(
            "book_value",
            "Exposure",
            lambda party: money(party.book_value),
            figure=True,
            order=True,
            short=True,
            stack=lambda party: party.by_worst,
            help="Book value of these loans, whole, by their worst signal; a loan counts for every "
            "party behind it.",
        ),
        columns.share_of(book, "Of the book"),
        WORST,
        DISTRESSED,
        SHORT,
        _sure("Confidence", order=True),
    ]
