"""Who owns whom around a loan or an entity: the diagram, what it says in words, its table twin."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

import streamlit as st

from components.evidence import panel as evidence
from components.frame import links, session, states
from components.frame.routes import FAMILY
from components.kit import text
from components.kit.card import card
from components.kit.formatting import count, score
from components.ownership import chains, table
from components.ownership.chains import LOAN, Holdings, Link
from components.ownership.diagram import dot
from components.platform.types import DeltaGenerator
from services.contract.aggregates import EntityDossier, PartyLink
from services.contract.errors import MirrorMissing, NotFound
from services.contract.evidence import EdgeQuery
from services.contract.records import OwnershipChain
from services.contract.source import Dossiers
from services.contract.vocabulary import TIERS, tier_of

#: D11: absence of a record is not absence of an owner.
NO_CHAIN: Final = (
    "No resolved chain: the sources name no borrower for this loan. "
    "That is not a statement that it has no owner."
)
NO_HOLDINGS: Final = (
    "The sources name no owner above this party and no holding below it. "
    "That is not a statement that there is none."
)
KEY: Final = (
    "Arrows run from owner to owned. Square: organisation. Rounded: the source does not say "
    "whether a person or an organisation. Outlined “?”: no owner is named."
)
#: Parties drawn side by side; the tables list all.
ABREAST: Final = 4
#: Parties that fit the width of a page; more stand one below the other, in a box of so many
#: pixels that scrolls.
_FITS: Final = 16
_SCROLLS: Final = 560
_SPOKEN: Final = 3


def of_loan(chain: OwnershipChain, beside: DeltaGenerator) -> None:
    """The chain of a loan: borrower at the bottom, ultimate owners on top; its links `beside`."""
    if not chain.chain:
        states.nothing(NO_CHAIN)
        return
    number, holdings = chain.loan_number, chains.of_loan(chain, _direct)
    _drawn(holdings, number)
    _said(holdings, chain.confidence_tier)
    text.caption(KEY)
    with beside, card("Links of the chain"):
        rows = holdings.above + holdings.further
        key = f"chain of {number}"
        table.links(rows, key, "Ownership chain, borrower first", holdings.weakest)
        evidence.of_edges(chains.edges(holdings, number), f"ownership chain of {number}")
        if head := chains.head_of_family(holdings):
            params = {"entity_name": head, "loan": number}
            links.link(FAMILY, f"Family of {head}, and contagion to this loan",
                       "account_tree", params)  # fmt: skip


def of_entity(dossier: EntityDossier, most: int = ABREAST) -> None:
    """Owners above an entity and holdings below it; `most` parties of a level are drawn, from the
    left to the right where they are too many for the width of a page.
    """
    holdings = chains.of_entity(dossier, _direct)
    if not holdings.links:
        states.nothing(NO_HOLDINGS)
        return
    narrow = max(_widths(holdings)) <= 2  # noqa: PLR2004 - as many fit into half a page
    left, right = st.columns([1, 1.1], gap="medium") if narrow else (st.container(), st.container())
    with left:
        _drawn(holdings, "", most)
        _said(holdings, None)
        text.caption(KEY)
    with right:
        _listed(holdings, dossier)


def edges_of(dossier: EntityDossier) -> list[EdgeQuery]:
    """The edges above and below an entity, as they are listed."""
    return chains.edges(chains.of_entity(dossier, _direct))


def _listed(holdings: Holdings, dossier: EntityDossier) -> None:
    for title, rows, total, down in (
        ("Owners above", holdings.above + holdings.further, len(dossier.owners), False),
        ("Holdings below", holdings.below, dossier.holdings_total, True),
    ):
        shown = f"{len(rows)} of {count(total)}" if total > len(rows) else count(total)
        text.lead(f"{title}: {shown}")
        if rows:
            key = f"{title} {dossier.entity_name}"
            table.links(rows, key, title, holdings.weakest, down=down)
        else:
            states.nothing(f"The sources name no {title.split()[0].lower()[:-1]} {title[-5:]} it.")


def _drawn(holdings: Holdings, loan_number: str, most: int = ABREAST) -> None:
    part = abreast(holdings, most)
    left_out = len(holdings.kinds) - len(part.kinds)
    # Of the whole chain: the weakest that happens to be drawn may not be the weakest there is.
    weak = [link for link in holdings.weakest if link in part.links]
    weakest = f", weakest link {score(weak[0].confidence)}" if weak else ""
    across = len(part.kinds) > _FITS
    height: int | Literal["content"] = _SCROLLS if across else "content"
    with st.container(horizontal_alignment="center", height=height):
        st.graphviz_chart(
            dot(part, weakest=weak, loan_number=loan_number, across=across),
            width="content",
            alt=f"Ownership diagram of {len(part.kinds)} parties{weakest}; "
            "the table after it lists the same links",
        )
    if across:
        text.caption("Owners stand to the left of what they own; the box scrolls.")
    if left_out:
        text.caption(
            f"{len(part.kinds)} of {count(len(holdings.kinds))} parties are drawn; "
            "the tables list the others."
        )


def _said(holdings: Holdings, stated: str | None) -> None:
    """Weakest link, products and open ends in words; names are outside text, never Markdown."""
    said = [_weakest(holdings.weakest, holdings.links)]
    if stated in TIERS and (known := _scores(holdings.links)):
        drawn = tier_of(min(known))
        if TIERS.index(stated) < TIERS.index(drawn):
            said.append(f"The source grades the chain {stated}, weaker than any link it lists.")
    start = "the loan" if holdings.start == LOAN else "here"
    path = " by the first path listed" if holdings.further else ""
    said += [
        f"Product of confidences from {start} up to {row.name}{path}: {score(row.product)}."
        for row in holdings.tops[:_SPOKEN]
        if row.product is not None
    ]
    if len(holdings.tops) > _SPOKEN:
        said.append(f"{len(holdings.tops)} owners stand on top; the table gives each product.")
    said += [
        f"No owner is named above {name}: the chain ends without an ultimate owner."
        for name in holdings.open_ends[:_SPOKEN]
    ]
    if holdings.above and not holdings.tops:
        said.append("The holdings run in a circle: nobody stands on top.")
    text.sentence("\n".join(map(text.line, said)))


def _weakest(weakest: Sequence[Link], links: Sequence[Link]) -> str:
    known = _scores(links)
    if not known:
        return "The source gives no confidence for these links."
    if not weakest:
        each = "Its one link has" if len(links) == 1 else "Each link has"
        return f"{each} confidence {score(known[0])} ({tier_of(known[0])})."
    link, least = weakest[0], min(known)
    more = f", and {len(weakest) - 1} more" if len(weakest) > 1 else ""
    return (
        f"Weakest link: {link.owner} → {link.owned or 'the loan'}, "
        f"{score(least)} ({tier_of(least)}){more}."
    )


def _scores(links: Sequence[Link]) -> list[float]:
    return [link.confidence for link in links if link.confidence is not None]


def _direct(name: str) -> Sequence[PartyLink] | None:
    try:
        return session.ask(Dossiers.entity, name).owners
    except (NotFound, MirrorMissing):
        return None


def _widths(holdings: Holdings) -> list[int]:
    rows = [*holdings.above, *((replace(row, level=-row.level)) for row in holdings.below)]
    levels = [row.level for row in rows]
    return [levels.count(level) for level in set(levels)] or [1]


def abreast(holdings: Holdings, most: int = ABREAST) -> Holdings:
    """The part of it that is drawn: at each level the first `most` that hang on drawn parties."""
    kept = {holdings.start}
    for rows in (holdings.above, holdings.below):
        used: dict[int, int] = {}
        for row in rows:
            ends = {row.link.owner, row.link.owned} - {row.name} if row.link else set()
            if used.get(row.level, 0) < most and ends <= kept:
                kept.add(row.name)
                used[row.level] = used.get(row.level, 0) + 1
    return replace(
        holdings,
        kinds={name: kind for name, kind in holdings.kinds.items() if name in kept},
        links=tuple(link for link in holdings.links if {link.owner, link.owned} <= kept),
        open_ends=tuple(name for name in holdings.open_ends if name in kept),
    )
