"""Parties side by side: which are ticked in a list, and what they have in common and what not."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from components.frame import address, session, sheets
from components.frame.routes import COMPARE_PARTIES, ENTITIES, ENTITY
from components.frame.sheets import MOST, Side
from components.kit.compared import KEY, Stated
from components.kit.formatting import MISSING, count, money, score, words
from services.contract.aggregates import EntityDossier, Slice
from services.contract.queries import Exact, Query
from services.contract.source import Dossiers
from services.contract.vocabulary import NO_SIGNAL, SEVERE_OR_WORSE

#: Names hold commas; none holds this sign.
_BETWEEN: Final = "|"
_SHOWN: Final = 3


def _parts(value: object) -> object:
    return value.split(_BETWEEN) if isinstance(value, str) else value


#: Names of parties, with | between.
Few = Annotated[tuple[Exact, ...], BeforeValidator(_parts), Field(max_length=MOST)]


class Names(Query):
    """A query with names in it: its address has them with | between."""

    def params(self) -> dict[str, str]:
        """See Query."""
        listed = {
            name: _BETWEEN.join(value)
            for name in type(self).model_fields
            if isinstance(value := getattr(self, name), tuple)
        }
        return {**super().params(), **listed}


class Comparison(Names, sheets.Sheet):
    """The parties to compare."""

    parties: Few | None = None


def link(chosen: Sequence[str]) -> None:
    """To the comparison of the ticked parties; nothing before there are two."""
    sheets.link(_PARTIES, chosen)


def shown() -> None:
    """The page: facts of up to five parties, one row a fact."""
    asked = address.asked(Comparison, COMPARE_PARTIES)
    if asked is not None:
        sheets.page(_PARTIES, asked, asked.parties or ())


def _side(party: EntityDossier) -> Side:
    above = ", ".join(one.entity_name for one in party.owners[:_SHOWN])
    under = filter(None, (words(party.kind), above and f"owned by {above}"))
    return Side(" · ".join(under), party.worst or NO_SIGNAL, "", _facts(party))


def _facts(party: EntityDossier) -> list[Stated]:
    """Facts of a party, as they are written."""
    by_severity = party.signals_by_severity
    bad = sum(by_severity.get(word, 0) for word in SEVERE_OR_WORSE)
    whom = "Who it is, and what it is concentrated in"

    def amount(label: str, value: int, write: Callable[[int], str] = count) -> Stated:
        return Stated(KEY, label, write(value), value, barred=True)

    return [
        amount("Book value", party.book.book_value, money),
        amount("Loans", party.book.loans),
        amount("Signals on its loans", sum(by_severity.values())),
        amount("Severe or critical", bad),
        amount("Holdings below", party.holdings_total),
        Stated(whom, "Kind", words(party.kind)),
        Stated(
            whom,
            "Resolution confidence",
            f"{score(party.confidence)} ({party.confidence_tier})",
            party.confidence,
        ),
        Stated(whom, "Largest states", _largest(party.by_state)),
        Stated(whom, "Largest property types", _largest(party.by_property_type)),
        Stated(whom, "Largest lenders", _largest(party.by_lender)),
        Stated(
            whom,
            "Owners above",
            ", ".join(one.entity_name for one in party.owners[:_SHOWN]) or MISSING,
        ),
    ]


def _largest(parts: Sequence[Slice]) -> str:
    named = [one for one in parts if one.word]
    return ", ".join(f"{one.word} {money(one.book_value)}" for one in named[:_SHOWN]) or MISSING


_PARTIES: Final = sheets.Kind(
    "parties",
    "party",
    lambda name: session.ask(Dossiers.entity, name),
    _side,
    ENTITY,
    ENTITIES,
    COMPARE_PARTIES,
    lambda names: Comparison(parties=tuple(names)).params(),
    live=False,
)
