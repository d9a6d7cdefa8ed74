"""The worst loans of the book, to begin with: those that are not watched yet, each with a button
that watches it, and those to open a case on.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Final

from components.desk import writing
from components.frame import links, session, states, visitor
from components.frame.ledger import Act
from components.frame.routes import ENTITIES, LOANS
from components.kit import actions, text
from components.kit.formatting import money, spelled
from components.kit.text import element
from components.loans import columns, table
from services.contract import endpoints
from services.contract.aggregates import FoundLoan
from services.contract.desk import Watch
from services.contract.loan_filter import WITH_SIGNAL, LoanFilter
from services.contract.source import Screens

#: Loans that are suggested, until so many are watched.
TEN: Final = 10
_NAMES: Final = (
    *("loan_number", "property_type", "worst_severity", "dollars_short", "dscr", "book_value"),
    "effective_maturity",
)


def empty(*, off: bool) -> None:
    """The page of a list on which nothing is: where to begin. `off`: nothing can be written now."""
    nothing = "Nothing is watched yet."
    if found := _begun(f"{nothing} Press Watch on the page of a loan or a party."):
        said = "What you watch is listed here, with what changed since you saw it."
        _listed(found, nothing, said, off=off)


def without_cases() -> None:
    """The list of cases without one: the loans to open them on."""
    nothing, how = "No case is here.", "Open one on the page of a loan, or by rule."
    if found := _begun(f"{nothing} {how}"):
        with actions.beside(nothing, how, key="suggested"):
            _to_all()
        _table(found, "Loans to open a case on")


def more(watches: Iterable[Watch], *, off: bool) -> None:
    """Below a list of a few loans: the worst that are not among them. Raises MirrorMissing."""
    watched = {one.subject.name for one in watches if one.subject.kind == "loan"}
    if len(watched) < TEN and (found := _worst(watched)):
        _listed(found, "The worst loans that you do not watch yet", off=off)


def _begun(nothing: str) -> Sequence[FoundLoan]:
    """The worst loans, said in a sentence; without any, `nothing` and the ways to all."""
    found = _worst(()) if session.mirrored() else ()
    if found:
        text.show(element("p", _begin(found), class_="atlas-hero"))
    else:
        states.nothing(nothing)
        links.link(LOANS, "To the loans", "arrow_forward")
        links.link(ENTITIES, "To the names", "arrow_forward")
    return found


def _worst(watched: Collection[str]) -> tuple[FoundLoan, ...]:
    """Those with a signal, the worst first, then by dollars short, DSCR and book value."""
    query = WITH_SIGNAL.model_copy(update={"per_page": 2 * TEN})
    found = session.ask(Screens.loans_found, query, columns.opened(_NAMES)).items
    return tuple(one for one in found if one.loan_number not in watched)[:TEN]


def _begin(found: Sequence[FoundLoan]) -> str:
    """Start with the ten worst loans of the book: $414.7M short on $687.4M."""
    totals = session.ask(Screens.loan_totals, LoanFilter(numbers=tuple(sorted(_numbers(found)))))
    short = f"{money(totals.dollars_short)} short on " if totals.dollars_short else ""
    which = f"{spelled(len(found))} worst loans" if len(found) > 1 else "worst loan"
    return f"Start with the {which} of the book: {short}{money(totals.book_value)}."


def _numbers(found: Sequence[FoundLoan]) -> list[str]:
    return [one.loan_number for one in found]


def _listed(found: Sequence[FoundLoan], strong: str, rest: str = "", *, off: bool) -> None:
    denied = visitor.who().denied("watch") or ("The desk cannot be written now" if off else "")
    with actions.beside(strong, rest, key="suggested"):
        _to_all()
        links.link(LOANS, "Loans by watchlist trigger", "arrow_forward", {"by": "trigger"})
        writing.button(
            f"Watch all {spelled(len(found))}",
            partial(writing.watch, _numbers(found)),
            icon="visibility",
            key="watch suggested",
            help_text=denied,
            off=bool(denied),
        )
    _table(found, "Loans to watch", Act("Watch", _watch, denied))


def _to_all() -> None:
    links.link(LOANS, "All loans with a signal", "arrow_forward", WITH_SIGNAL.params())


def _table(found: Sequence[FoundLoan], caption: str, act: Act | None = None) -> None:
    with states.panel(endpoints.SIGNALS):
        table.with_why(found, _NAMES, session.analytics().snapshot().as_of, caption, act)


def _watch(number: str) -> None:
    writing.attempted(partial(writing.watch, (number,)))
