"""Where two sources state one thing differently (D255): a table and its export."""

from functools import partial
from typing import Final

from components.frame import exports, licence, session, states
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import MISSING, count, day, words
from services.contract.endpoints import ENTITIES
from services.contract.evidence import Disagreement, Evidence
from services.contract.paging import every
from services.contract.queries import Query
from services.contract.snapshot_info import Snapshot

#: Rows that the page shows; the file holds all.
_SHOWN: Final = 100


def panel(snapshot: Snapshot) -> None:
    """What sources state differently, each with what every source says."""
    if not licence.opens(ENTITIES):
        return
    page = session.ask(Evidence.disagreements, Query(per_page=_SHOWN))
    with card(f"Where sources disagree: {count(page.total)}", level=2):
        if not page.items:
            states.nothing("No two sources state a share, a borrower, a sponsor or an identifier "
                           "differently.")  # fmt: skip
            return
        tables.plain([_row(one) for one in page.items], "Where sources disagree", scrolls=True)
        text.caption("Each source stands as it is: nothing is averaged, and none is preferred.")
        if page.total > _SHOWN:
            text.caption(f"The first {_SHOWN} of {count(page.total)}.")
        exports.download(partial(export, snapshot), page.total, "credit-atlas-disagreements")


def _row(one: Disagreement) -> dict[str, str]:
    return {
        "About": one.subject if one.target is None else f"{one.subject} → {one.target}",
        "What": what(one),
        "Stated": "; ".join(
            f"{said.source}, {day(said.as_of)}: {', '.join(said.values) or MISSING}"
            for said in one.stated
        ),
    }


def what(one: Disagreement) -> str:
    """Share, owned by; Borrower; LEI."""
    if one.about == "share":
        return f"Share, {words(one.word).lower()}"
    if one.about == "identifier":
        return one.word or "Identifier"
    return words(one.word if one.about == "party" else one.about)


def export(snapshot: Snapshot) -> exports.Export:
    """All of them: one row a source that speaks of it."""
    asked = Query(per_page=_SHOWN)
    rows = [
        {
            "subject": one.subject,
            "target": one.target,
            "about": one.about,
            "word": one.word,
            "source": said.source,
            "source_as_of": said.as_of,
            "stated": ", ".join(said.values),
        }
        for one in every(lambda query: session.ask(Evidence.disagreements, query), asked)
        for said in one.stated
    ]
    of = exports.of_snapshot(snapshot)
    return exports.of_rows("disagreements", "Where sources disagree", rows, of=of)
