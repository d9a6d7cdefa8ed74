"""Signals as a table, and all that match as a file."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

from components.frame import address, exports, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN
from components.kit import severity
from components.kit.formatting import MISSING, words
from components.loans import columns, spreads
from components.loans.columns import Presets, Values
from components.signals import filters
from services.contract.aggregates import FoundSignal
from services.contract.records import Page, Signal
from services.contract.signal_filter import SignalFilter
from services.contract.source import CreditSource, Screens

#: Sets of the columns of a signal's loan.
PRESETS: Final[Presets] = {
    "signal": ("book_value", "dollars_short", "effective_maturity"),
    "credit": ("book_value", "dscr", "ltv", "debt_yield", "occupancy", "payment_status"),
    "refinance": ("book_value", "effective_maturity", "interest_rate", "rate_gap_bp",
                  "proforma_dscr", "dollars_short"),
    "parties": ("book_value", "lender_normalized", "borrower", "sponsor", "confidence_tier"),
}  # fmt: skip


def names_of(chosen: str) -> tuple[str, ...]:
    """The columns of a signal's loan to show."""
    return columns.dated(columns.names_of(chosen, PRESETS))


def chooser(chosen: str) -> None:
    """The choice of columns."""
    columns.chooser(chosen, PRESETS)


def found(query: SignalFilter, names: tuple[str, ...]) -> Page[FoundSignal]:
    """The signals to list; only a snapshot has an order and further conditions (D33).

    Raises MirrorMissing for a question with conditions that the API lacks.
    """
    specified = query.without("order").within_specification
    if session.mirrored() or specified is None:
        return session.ask(Screens.signals_found, query, columns.opened(names))
    page = session.ask(CreditSource.signals, specified)
    items = tuple(FoundSignal(signal=one, values=dict(one)) for one in page.items)
    return Page(items=items, page=page.page, per_page=page.per_page, total=page.total)


def as_listed(page: Page[FoundSignal]) -> Page[Signal]:
    """The page as the API's list would have it."""
    items = tuple(one.signal for one in page.items)
    return Page(items=items, page=page.page, per_page=page.per_page, total=page.total)


def result(
    items: Sequence[FoundSignal], names: Sequence[str], today: date, query: SignalFilter
) -> None:
    """Signals, each with its rule and why; the number opens the loan, the heads order all."""
    ordered = session.mirrored()
    shown = columns.columns(names, today, order=ordered, aged=spreads.note())
    of_loan = {column.name: column for column in shown}
    ledger(
        (
            of_loan.pop("loan_number"),
            Column(
                "severity",
                "Severity",
                lambda one: severity.label(one["severity"]),
                short=True,
                order=ordered,
                help="In a tie the most urgent first: dollars short, then DSCR under the type's "
                "minimum, then book value.",
            ),
            Column("signal_type", "Signal", lambda one: words(one["signal_type"]), order=ordered),
            Column("rule", "Rule", _rules),
            *of_loan.values(),
            Column("description", "Because", lambda one: one["description"] or MISSING),
        ),
        [{**one.values, **dict(one.signal)} for one in items],
        opens=lambda one: (LOAN, one["loan_number"]),
        caption="Signals",
        order=query.order,
        on_order=partial(address.put_in_order, own=filters.WORST_FIRST) if ordered else None,
        own_order=filters.WORST_FIRST,
    )


def _rules(one: Values) -> str:
    return ", ".join(part.rule for part in one["components"]) or MISSING


def export(query: SignalFilter, names: tuple[str, ...]) -> exports.Export:
    """Every signal that matches, all pages, with the rules that fired and the columns named."""
    snapshot = session.analytics()
    return exports.of_batches(
        "signals",
        filters.sentence(query),
        exports.origin(),
        snapshot.signals_found(query, ()).total,
        snapshot.signal_batches(query, names),
    )
