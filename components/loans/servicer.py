"""What the servicer writes of a loan on its watchlist: since when, why, in its own words."""

from collections.abc import Mapping
from datetime import date

from components.kit import fields, text
from components.kit.card import card
from components.kit.formatting import day
from services.contract.records import LoanDetail


def panel(loan: LoanDetail) -> None:
    """Nothing of a loan that is on no watchlist, as far as its source says."""
    said = loan.extended
    since, triggers = said.get("watchlist_since"), said.get("watchlist_triggers")
    comment = said.get("watchlist_comment")
    if not (since or triggers or comment):
        return
    with card("Servicer's watchlist"):
        facts = [("On it since", fields.written("watchlist_since", since))] if since else []
        if triggers:
            facts.append(("trigger codes", str(triggers)))
        text.lead("; ".join(f"{name} {value}" for name, value in facts))
        if comment:
            text.sentence(str(comment))
        else:
            text.caption("No file with the servicer's comment is loaded.")
        text.caption(f"Source: {said.get('source', '—')}, as of {_when(said)}.")


def _when(said: Mapping[str, object]) -> str:
    """The date of the watchlist; of a loan without a comment that of its source."""
    found = said.get("watchlist_as_of") or said.get("as_of")
    return day(date.fromisoformat(found)) if isinstance(found, str) else "—"
