"""What a pool is made up of, as its prospectus shows it: loans by classes of balance, DSCR, LTV,
coupon and debt yield, by property type, lender, and sponsor or state.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol

import streamlit as st

from components.frame import columns, links, scope, session
from components.frame.ledger import Column, ledger
from components.frame.routes import LOANS
from components.kit import severity, text
from components.kit.card import card
from components.kit.formatting import axis_money, count, fraction, multiple, percent, share
from components.kit.text import Markup, element
from components.loans import ranking
from services.contract.aggregates import ByWorst, FigureClass
from services.contract.columns import COLUMN
from services.contract.facts import FACT
from services.contract.loan_filter import LoanFilter
from services.contract.repayments import DEBT_YIELDS
from services.contract.source import GroupBy, Portfolio, Screens
from services.contract.vocabulary import IS_DEFEASED, UNGRADED

#: A pool: of more loans a table of classes hides too much, and Explore shows them better.
MOST_LOANS: Final = 400
#: Bounds of filters count in, the upper end of a class does not; figures have nine decimals.
_LEAST: Final = Decimal("1e-9")
#: Rows of a table: the largest groups.
_ROWS: Final = 6


@dataclass(frozen=True, slots=True)
class Strat:
    """A figure, the upper ends of its classes, how an end is written, and its filters' name."""

    column: str
    ends: tuple[float, ...]
    write: Callable[[float], str]
    filter: str
    #: What the filters' unit is of the column's.
    factor: int = 1
    #: After an end that stands last.
    unit: str = ""

    @property
    def low_is_bad(self) -> bool:
        """Whether a low figure is the bad one; else a high one."""
        return FACT[self.column].worse == "low"


class Bounds(Protocol):
    """A class of a figure, as FigureClass has it."""

    @property
    def low(self) -> float | None:
        """Its lower end; None of the first one, and of the loans without the figure."""
        ...

    @property
    def high(self) -> float | None:
        """Its upper end; None of the last one, and of the loans without the figure."""
        ...


@dataclass(frozen=True, slots=True)
class _Row:
    """A class or a group: its loans, and the filters that find them."""

    name: str
    loans: int
    book_value: int
    by_worst: ByWorst
    params: dict[str, str]


BALANCE: Final = Strat("book_value", (1e7, 2e7, 3e7, 4e7, 5e7), axis_money, "balance")
DSCR: Final = Strat("dscr", (1.0, 1.25, 1.5, 1.75, 2.0), multiple, "dscr")
LTV: Final = Strat("ltv", (0.5, 0.55, 0.6, 0.65, 0.7), lambda part: fraction(part, 0), "ltv", 100)
COUPON: Final = Strat(
    "interest_rate", (4.0, 5.0, 6.0, 6.5, 7.0), lambda value: percent(value, 1), "coupon"
)
DEBT_YIELD: Final = Strat("debt_yield", DEBT_YIELDS, lambda value: percent(value, 0), "debt_yield")
#: In the order in which they are shown, words among the figures.
_SHOWN: Final[tuple[Strat | GroupBy, ...]] = (
    BALANCE, DSCR, LTV, "property_type", COUPON, DEBT_YIELD, "lender",
)  # fmt: skip


def is_pool(loans: int) -> bool:
    """Whether so many loans are shown as a pool."""
    return 0 < loans <= MOST_LOANS


def panel() -> None:
    """The classes of each figure and the largest groups of each word, in one card."""
    within = LoanFilter(scope=scope.chosen())
    sponsors = session.ask(Screens.loan_ranking, within, "sponsor", _ROWS)
    last: GroupBy = "sponsor" if ranking.stated(sponsors) else "state"
    with card("Stratification", level=2):
        _legend()
        with st.container(horizontal=True, gap="small", key="strata"):
            for one in (*_SHOWN, last):
                _classes(within, one) if isinstance(one, Strat) else _groups(within, one)


def _legend() -> None:
    """What the parts of the bars are."""
    found = session.ask(Portfolio.worst_severities, scope.chosen())
    there = [one.severity for one in found]
    graded = [severity.label(word) for word in there if word not in UNGRADED]
    chips = [part for one in graded for part in (severity.chip(one), Markup(" "))]
    last = "· the rest has no signal" if chips else "no loan has one"
    last += "; hatched: defeased" if IS_DEFEASED in there else ""
    said = "Book value by worst signal:"
    text.show(element("div", said, Markup(" "), *chips, last, class_="atlas-severities-key"))


def known(part: FigureClass) -> bool:
    """Whether the loans of a class have the figure, and there are any."""
    return bool(part.loans) and (part.low is not None or part.high is not None)


def _classes(within: LoanFilter, one: Strat) -> None:
    """The classes of a figure; nothing where it is not known of any loan."""
    found = session.ask(Screens.loan_classes, within, one.column, one.ends)
    if not any(map(known, found)):
        return
    rows = [
        _Row(label(part, one), part.loans, part.book_value, part.by_worst, params(part, one))
        for part in found
        if part.loans
    ]
    with st.container():
        _table(rows, COLUMN[one.column].label, one.filter, sum(part.book_value for part in found))


def _groups(within: LoanFilter, by: GroupBy) -> None:
    """The largest groups of a word; nothing where the sources do not state it of any loan."""
    found = session.ask(Screens.loan_ranking, within, by, _ROWS)
    if not ranking.stated(found):
        return
    rows = [
        _Row(
            ranking.written(one, by),
            one.loans,
            one.book_value,
            one.by_worst,
            ranking.narrowed({}, by, one),
        )
        for one in found.groups
    ]
    whole = session.ask(Screens.loan_totals, within).book_value
    with st.container(gap=None):
        _table(rows, ranking.GROUPS[by], by, whole)
        if found.total > _ROWS:
            links.link(LOANS, f"All {count(found.total)}", "arrow_forward", {"by": by})


def _table(rows: Sequence[_Row], head: str, key: str, whole: int) -> None:
    ledger(
        (
            Column("class", head, lambda one: one.name),
            Column(
                "share",
                "Share",
                lambda one: share(one.book_value, whole),
                figure=True,
                short=True,
                stack=lambda one: one.by_worst,
                help="Share of book value; the bar by worst signal.",
            ),
            columns.loans(),
        ),
        rows,
        opens=lambda one: (LOANS, one.params),
        key=f"strata-{key}",
        caption=f"Loans by {head}",
    )


def label(part: Bounds, one: Strat) -> str:
    """A class in words: 1.00x to 1.25x."""
    if part.low is None:
        return "not known" if part.high is None else f"under {one.write(part.high)}{one.unit}"
    if part.high is None:
        return f"{one.write(part.low)}{one.unit} or more"
    return f"{one.write(part.low)} to {one.write(part.high)}{one.unit}"


def params(part: Bounds, one: Strat) -> dict[str, str]:
    """The filters that find the loans of a class; of those without the figure there is none."""
    found = {"order": f"-{one.column}"}
    if part.low is not None:
        found[f"min_{one.filter}"] = _number(Decimal(str(part.low)) * one.factor)
    if part.high is not None:
        high = Decimal(str(part.high)) * one.factor
        found[f"max_{one.filter}"] = _number(high - (1 if one.filter == "balance" else _LEAST))
    return found


def _number(value: Decimal) -> str:
    return format(value.normalize(), "f")
