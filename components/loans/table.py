"""Loans as a table, and all that match as a file."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import chain
from typing import Final

from components.frame import address, api_call, exports, session
from components.frame.ledger import Act, Beside, Column, Ticks, ledger
from components.frame.routes import LOAN
from components.loans import columns, filters, spreads, worst_signal
from services.contract.aggregates import FoundLoan
from services.contract.exposure import PartyLoan
from services.contract.frame_call import frame_of
from services.contract.loan_filter import LoanFilter
from services.contract.records import Loan, Page
from services.contract.requests import request_for
from services.contract.source import CreditSource, Screens

_OF_PARTY: Final = (
    "worst_severity,property_type,property_city,book_value,dollars_short,effective_maturity,"
    "lender_normalized"
)


def of_party(
    items: Sequence[PartyLoan], today: date, key: str, second: Column[columns.Values]
) -> None:
    """A party's loans; the number opens the loan. `second` is a column after it."""
    names = columns.names_of(_OF_PARTY)
    _draw([dict(loan) for loan in items], names, today, key, second=second)


def with_why(
    items: Sequence[FoundLoan],
    names: Sequence[str],
    today: date,
    caption: str,
    act: Act | None = None,
) -> None:
    """Loans to be looked at, with what their rules found after the worst signal: `names` begin with
    the loan, its type and its worst signal. Raises Forbidden where the tier opens no signals.
    """
    why = worst_signal.why(one.loan_number for one in items)
    name, kind, worst, *figures = columns.columns(names, today, order=False)
    ledger(
        (name, kind, worst, why, *figures),
        [one.values for one in items],
        opens=lambda values: (LOAN, values["loan_number"]),
        caption=caption,
        act=act,
    )


def found_loans(
    items: Sequence[FoundLoan],
    names: Sequence[str],
    today: date,
    key: str,
    query: LoanFilter | None = None,
    beside: Beside | None = None,
    ticks: Ticks | None = None,
) -> None:
    """Loans with the columns named; where they are of a `query`, the heads order all of it."""
    rows = [one.values for one in items]
    _draw(rows, names, today, key, query=query, beside=beside, ticks=ticks)


def _draw(
    rows: Sequence[columns.Values],
    names: Sequence[str],
    today: date,
    key: str,
    *,
    query: LoanFilter | None = None,
    ticks: Ticks | None = None,
    second: Column[columns.Values] | None = None,
    beside: Beside | None = None,
) -> None:
    # Only a snapshot can put a whole result in order.
    ordered = query is not None and session.mirrored()
    first, *others = columns.columns(names, today, order=ordered, aged=spreads.note())
    ledger(
        [first, *([second] if second else []), *others],
        rows,
        opens=lambda values: (LOAN, values["loan_number"]),
        key=key,
        caption="Loans",
        order=query.order if query else None,
        on_order=partial(address.put_in_order, own=filters.WORST_FIRST) if ordered else None,
        own_order=filters.WORST_FIRST,
        ticks=ticks,
        beside=beside,
    )


def found(query: LoanFilter, names: tuple[str, ...]) -> Page[FoundLoan]:
    """The loans to list, with the columns named.

    What the API can be asked it is asked: its answer has the specification's columns, and no
    others. By conditions and orders that it lacks only a snapshot can tell them (D33).
    """
    specified = query.within_specification
    plain = specified is not None and set(names) <= set(columns.LISTED)
    if specified is not None and (plain or not session.mirrored()):
        page = session.ask(CreditSource.loans, specified)
        items = tuple(
            FoundLoan(loan_number=loan.loan_number, values=dict(loan)) for loan in page.items
        )
        return Page(items=items, page=page.page, per_page=page.per_page, total=page.total)
    return session.ask(Screens.loans_found, query, names)


def calls(query: LoanFilter, page: Page[FoundLoan]) -> None:
    """What to send to the API to get the same, or the nearest; and the line that gives all of it as
    a DataFrame.
    """
    api_call.popover(
        request_for(query.specified()),
        as_listed(page),
        beyond(query),
        frame_of("loans", query),
    )


def as_listed(page: Page[FoundLoan]) -> Page[Loan]:
    """The page as the API's list would have it."""
    items = tuple(
        Loan.model_construct(**{name: one.values[name] for name in columns.LISTED}, extra={})
        for one in page.items
    )
    return Page(items=items, page=page.page, per_page=page.per_page, total=page.total)


def beyond(query: LoanFilter) -> str:
    """What the API's call leaves out of the question; empty where it leaves out nothing."""
    if query.within_specification is not None:
        return ""
    return "The API has not all of these filters, nor an order: this is the nearest question."


def download(query: LoanFilter, names: tuple[str, ...], loans: int) -> None:
    """The button that takes away the whole result, of so many loans."""
    exports.download(partial(export, query, names), loans, "credit-atlas-loans")


def export(query: LoanFilter, names: tuple[str, ...]) -> exports.Export:
    """Every loan that matches, all pages: the columns named, then the others of an export."""
    snapshot = session.analytics()
    # A list writes a city with its state.
    placed = [(name, "property_state") if name == "property_city" else (name,) for name in names]
    return exports.of_batches(
        "loans",
        filters.sentence(query),
        exports.origin(),
        snapshot.loans_found(query, ()).total,
        snapshot.loan_batches(query, tuple(chain.from_iterable(placed))),
    )
