"""Families of loans in order: exposure, worst signal, lenders exposed, dollars short."""

from collections.abc import Sequence

from components.families import filters
from components.frame import address, columns, exports, session
from components.frame.columns import DISTRESSED, SHORT, WORST
from components.frame.ledger import Column, ledger
from components.frame.routes import FAMILY
from components.kit.formatting import count, words
from services.contract.facts import FACT
from services.contract.families import Family, FamilyFilter


def listed(items: Sequence[Family], query: FamilyFilter, whole: int) -> None:
    """One row a family, which leads to it; `whole` is the book value of all that matches."""
    ledger(
        _columns(whole),
        items,
        opens=lambda one: (FAMILY, one.entity_name),
        caption="Families of loans",
        order=query.order or "-book_value",
        on_order=address.put_in_order,
    )


def _columns(whole: int) -> tuple[Column[Family], ...]:
    return (
        Column("entity_name", "Family of", lambda one: one.entity_name, order=True),
        Column("kind", "Kind", lambda one: words(one.kind)),
        columns.loans(order=True),
        columns.book_value(order=True, short=True),
        columns.share_of(
            whole,
            "Of the result",
            "Share of the book value of the loans that match. A loan counts under each of its "
            "owners, so the shares do not add up to 100%.",
        ),
        WORST,
        DISTRESSED,
        Column(
            "lenders",
            "Lenders exposed",
            lambda one: count(one.lenders),
            figure=True,
            order=True,
            help="Different lenders of any layer of these loans, or by name.",
        ),
        SHORT,
    )


def export(query: FamilyFilter) -> exports.Export:
    """Every family with loans that match, all pages, in the order on screen."""
    return exports.of_table(
        "families",
        filters.sentence(query),
        exports.origin(),
        session.analytics().family_table(query),
        {name: FACT[name] for name in ("book_value", "dollars_short")},
    )
