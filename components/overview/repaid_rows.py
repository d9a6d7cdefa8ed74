"""Loans that came due as rows: by debt yield or property type, beside those that are due next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from components.frame import exports, session
from components.frame.ledger import Column
from components.kit.formatting import MISSING, count, money, percent, share, words
from components.overview import stratification
from components.overview.stratification import DEBT_YIELD
from components.overview.trend_lines import group
from components.overview.view import DueBy
from services.contract.aggregates import FigureClass, Group
from services.contract.distributions import FEW
from services.contract.loan_filter import LoanFilter
from services.contract.repayments import CLASSES, OUTCOMES, DueLoans, Outcome
from services.contract.source import Screens

#: Months within which loans of the book are due next.
NEXT: Final = 24
_MOST_TYPES: Final = 100
_HEADS: Final[dict[DueBy, str]] = {
    "debt_yield": "Debt yield a year before", "property_type": "Property type",
}  # fmt: skip
#: Columns of a file: fields of DueLoans, with the unit where the name does not tell it.
_FILED: Final[dict[str, tuple[str, type]]] = {
    "property_type": ("property_type", str),
    "low": ("debt_yield_from_pct", float),
    "high": ("debt_yield_under_pct", float),
    **{word: (f"{word}_loans", int) for word in OUTCOMES},
    **{f"{word}_balance": (f"{word}_balance_usd", int) for word in OUTCOMES},
}


@dataclass(frozen=True, slots=True)
class Row:
    """One class of loans: those that came due, and those of the book that are due next."""

    name: str
    outcome: Outcome
    loans: int
    book_value: int
    #: The filters that find the loans that are due next.
    params: dict[str, str]


def rows(cells: Sequence[DueLoans], by: DueBy, due_next: LoanFilter) -> list[Row]:
    """Every class in which a loan came due or, by `due_next`, is due next: of debt yields the
    lowest first, of types in order of the alphabet, the unknown last.
    """
    made = _by_debt_yield(cells, due_next) if by == "debt_yield" else _by_type(cells, due_next)
    return [one for one in made if one.loans or any(one.outcome.loans.values())]


def _by_debt_yield(cells: Sequence[DueLoans], due_next: LoanFilter) -> list[Row]:
    classes = session.ask(Screens.loan_classes, due_next, DEBT_YIELD.column, DEBT_YIELD.ends)
    there = {(one.low, one.high): one for one in classes}
    own = {(one.low, one.high): one for one in cells}
    return [
        _row(
            stratification.label(found, DEBT_YIELD),
            [one for one in cells if (one.low, one.high) == bounds],
            there.get(bounds),
            due_next.but(scope=None) | stratification.params(found, DEBT_YIELD),
        )
        for bounds in CLASSES
        if (found := there.get(bounds) or own.get(bounds))
    ]


def _by_type(cells: Sequence[DueLoans], due_next: LoanFilter) -> list[Row]:
    groups = session.ask(Screens.loan_ranking, due_next, "property_type", _MOST_TYPES).groups
    there = {one.word: one for one in groups}
    types = {*there, *(one.property_type for one in cells)}
    return [
        _row(
            group(word, "property_type"),
            [one for one in cells if one.property_type == word],
            there.get(word),
            due_next.but(scope=None, property_type=word and (word,)),
        )
        for word in sorted(types, key=lambda word: (word is None, word))
    ]


def _row(
    name: str, came: Sequence[DueLoans], due: FigureClass | Group | None, params: dict[str, str]
) -> Row:
    loans, book_value = (due.loans, due.book_value) if due else (0, 0)
    return Row(name, Outcome.of(came), loans, book_value, params)


def columns(by: DueBy) -> tuple[Column[Row], ...]:
    """The columns of these rows."""

    def outcome(word: str, help_text: str) -> Column[Row]:
        return Column(
            word,
            words(word),
            lambda one: _some(one.outcome.loans[word]),
            figure=True,
            help=help_text,
        )

    return (
        Column("class", _HEADS[by], lambda one: one.name),
        Column("repaid", "Repaid", lambda one: of_known(one.outcome), figure=True, short=True),
        Column(
            "share",
            "Share",
            lambda one: share_of(one.outcome) if one.outcome.known >= FEW else MISSING,
            figure=True,
            short=True,
            help=f"Of under {FEW} loans the interval says more than the share.",
        ),
        Column("interval", "95% interval", lambda one: interval_of(one.outcome), figure=True),
        outcome("extended", "Owed, and due on a later day than it was."),
        outcome("unpaid", "Owed past the due date."),
        outcome("liquidated", "Liquidated, or paid off at a discount or with a loss."),
        Column(
            "loans",
            f"Due within {NEXT} months",
            lambda one: _some(one.loans),
            figure=True,
            help="Loans of the book that must be refinanced within these months of its date.",
        ),
        Column(
            "book_value",
            "Their book value",
            lambda one: money(one.book_value) if one.loans else MISSING,
            figure=True,
        ),
    )


def _some(loans: int) -> str:
    return count(loans) if loans else MISSING


def of_known(one: Outcome) -> str:
    """Such as "29 of 60"."""
    return f"{count(one.loans['repaid'])} of {count(one.known)}" if one.known else MISSING


def share_of(one: Outcome) -> str:
    """Such as "48.3%", of loans of which some are known."""
    return share(one.loans["repaid"], one.known)


def interval_of(one: Outcome) -> str:
    """Such as "35% to 62%"."""
    if one.interval is None:
        return MISSING
    low, high = (percent(100 * end, 0) for end in one.interval)
    return f"{low} to {high}"


def said(one: Outcome) -> str:
    """Such as "29 of 60 repaid, 95% interval 35% to 62%"."""
    return f"{of_known(one)} repaid, 95% interval {interval_of(one)}"


def matrix(cells: Sequence[DueLoans]) -> list[dict[str, str]]:
    """How many of how many were repaid, a row a property type, a column a class of debt yield."""
    there = {(one.low, one.high): stratification.label(one, DEBT_YIELD) for one in cells}
    bands = {bounds: there[bounds] for bounds in CLASSES if bounds in there}
    own = {(one.property_type, one.low, one.high): one for one in cells}
    types = dict.fromkeys(one.property_type for one in cells)
    return [
        {"Property type": group(word, "property_type")}
        | {
            label: of_known(Outcome.of(filter(None, [own.get((word, *bounds))])))
            for bounds, label in bands.items()
        }
        for word in types
    ]


def export(cells: Sequence[DueLoans], shown: str) -> exports.Export:
    """Every property type and class of debt yield, in loans and in dollars."""
    filed = [{name: getattr(one, own) for own, (name, _) in _FILED.items()} for one in cells]
    return exports.of_rows("repaid in time", shown, filed, dict(_FILED.values()))
