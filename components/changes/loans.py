"""The loans that changed, each with what happened to it, and all of them as a file."""

from functools import partial
from typing import Final

from components.changes.view import ChangesView, side
from components.frame import address, exports, paging, session, states
from components.frame.history_window import Window
from components.frame.ledger import Column, ledger
from components.frame.routes import CHANGES, LOAN
from components.kit import actions
from components.kit.fields import label
from components.kit.formatting import MISSING, loan_count, money, place, words
from services.contract.changes_wording import FACTS, sentences
from services.contract.facts import FACT
from services.contract.history import ChangedLoan, ChangeQuery, Changes


def listed(
    found: Changes, view: ChangesView, query: ChangeQuery, sentence: str, *, deals: int
) -> None:
    """A page of them, the most important first, or in the order asked for; of several deals each
    row names its own.
    """
    page = found.found
    said = loan_count(found.loans, found.notes, page.total)
    with actions.beside(f"{sentence}: {said}", f"· {money(found.dollars)}", key="changes"):
        if page.total:
            make = partial(_export, query.at(1), sentence)
            exports.download(make, page.total, "credit-atlas-changes")
    if states.has_rows(page, CHANGES, view, unmatched=f"{sentence}: none."):
        ledger(
            (*_COLUMNS, _DEAL) if deals > 1 else _COLUMNS,
            page.items,
            opens=lambda one: (LOAN, {"loan_number": one.loan_number, **_HISTORY}),
            named=lambda one: one.loan_number,
            caption="Loans that changed",
            order=None if view.order == "importance" else view.order,
            on_order=_order,
        )
        paging.bar(page)


def _order(order: str | None) -> None:
    offered = {"-dollars", "loan_number"}
    address.put_in_order(order if order in offered else "importance")


def _export(query: ChangeQuery, sentence: str) -> exports.Export:
    """Every loan that is listed, all pages, what happened in words."""
    snapshot = session.analytics()
    return exports.of_batches(
        "changes",
        sentence,
        exports.origin(),
        snapshot.changes(query).found.total,
        snapshot.change_batches(query),
        FACTS,
    )


#: A loan opens with its history: what the event came after, and from which filing.
_HISTORY: Final = Window(history=True).params()
_COLUMNS: Final[tuple[Column[ChangedLoan], ...]] = (
    Column("loan_number", "Loan", lambda one: one.loan_number, order=True),
    Column("property_name", FACT["property_name"].label, lambda one: one.property_name or MISSING),
    Column("events", FACTS["events"].label, lambda one: sentences(one.events) or MISSING,
           short=True),
    Column("severity_before", "Before", lambda one: side(one.severity_before),
           help=FACTS["severity_before"].label),
    Column("severity_after", "After", lambda one: side(one.severity_after), short=True,
           help=FACTS["severity_after"].label),
    Column("dollars", FACTS["dollars"].label, lambda one: money(one.dollars), figure=True,
           order=True, help="Balance; what it was where nothing is owed any more."),
    Column("property_type", label("property_type"), lambda one: words(one.property_type)),
    Column("city", "City", lambda one: place(one.city, one.state)),
    Column("lender", "Lender", lambda one: one.lender or MISSING),
)  # fmt: skip
_DEAL: Final[Column[ChangedLoan]] = Column("deal", "Deal", lambda one: one.deal)
