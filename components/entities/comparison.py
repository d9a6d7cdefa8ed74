"""Parties side by side: which are ticked in a list, and what they have in common and what not."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final

import streamlit as st
from pydantic import BeforeValidator, Field

from components.frame import address, links, session, sheets
from components.frame.ledger import Ticks
from components.frame.routes import COMPARE_PARTIES, ENTITIES, ENTITY
from components.kit import severity
from components.kit.formatting import count, money, score, words
from services.contract.aggregates import EntityDossier, Slice
from services.contract.queries import Exact, Query
from services.contract.source import Dossiers
from services.contract.vocabulary import SEVERE_OR_WORSE

#: Parties that fit side by side.
MOST: Final = 5
_KEY: Final = "compare"
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


def ticks(chosen: Sequence[str]) -> Ticks:
    """The boxes of a list of parties."""

    def take(ticked: tuple[str, ...]) -> None:
        st.session_state[_KEY] = ticked or None

    return Ticks(chosen, take, MOST)


def link(chosen: Sequence[str]) -> None:
    """To the comparison of the ticked parties; nothing before there are two."""
    if len(chosen) > 1:
        asked = Comparison(parties=tuple(chosen))
        links.link(
            COMPARE_PARTIES, f"Compare {len(chosen)} parties", "compare_arrows", asked.params()
        )


def shown() -> None:
    """The page: facts of up to five parties, one row a fact."""
    asked = address.asked(Comparison, COMPARE_PARTIES)
    if asked is not None:
        sheets.page(_PARTIES, asked, asked.parties or ())


def _facts(party: EntityDossier) -> Mapping[str, str]:
    """Facts of a party, as they are written."""
    by_severity = party.signals_by_severity
    worst = max(by_severity, key=severity.rank, default=None)
    return {
        "Kind": words(party.kind),
        "Resolution confidence": f"{score(party.confidence)} ({party.confidence_tier})",
        "Loans": count(party.book.loans),
        "Book value": money(party.book.book_value),
        "Worst signal": severity.label(worst),
        "Signals on its loans": count(sum(by_severity.values())),
        "Severe or critical": count(sum(by_severity.get(word, 0) for word in SEVERE_OR_WORSE)),
        "Largest states": _largest(party.by_state),
        "Largest property types": _largest(party.by_property_type),
        "Largest lenders": _largest(party.by_lender),
        "Owners above": ", ".join(one.entity_name for one in party.owners[:_SHOWN]) or "—",
        "Holdings below": count(party.holdings_total),
    }


def _largest(parts: Sequence[Slice]) -> str:
    named = [one for one in parts if one.word]
    return ", ".join(f"{one.word} {money(one.book_value)}" for one in named[:_SHOWN]) or "—"


_PARTIES: Final = sheets.Kind(
    "parties",
    "party",
    lambda name: session.ask(Dossiers.entity, name),
    _facts,
    ENTITY,
    ENTITIES,
    live=False,
)
