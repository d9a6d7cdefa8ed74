"""Where stress is: the share of each state's book on severe and critical loans."""

from collections.abc import Sequence
from dataclasses import dataclass

from components.kit.fields import label
from components.kit.formatting import MISSING, count, money, percent
from components.maps.bins import FEW
from components.report.table import Table
from services.contract.aggregates import Group
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens


@dataclass(frozen=True, slots=True)
class State:
    """A state's loans, and those of them whose worst signal is severe or critical."""

    whole: Group
    bad: Group | None


def by_state(source: Screens, query: LoanFilter, bad: LoanFilter) -> list[State]:
    """The states of a result; `bad` is the result with severe and critical loans only."""
    stressed = {one.word: one for one in source.loan_ranking(bad, "state", 100).groups}
    whole = source.loan_ranking(query, "state", 100).groups
    return [State(one, stressed.get(one.word)) for one in whole]


def _part(one: State) -> float:
    """Share of the book value on severe or critical loans, a percent figure."""
    if one.bad is None or not one.whole.book_value:
        return 0
    return 100 * one.bad.book_value / one.whole.book_value


def shares(states: Sequence[State]) -> dict[str, float]:
    """Share of the book value on severe and critical loans by state, percent figures."""
    return {one.whole.word: _part(one) for one in states if one.whole.word}


def largest(states: Sequence[State]) -> Table:
    """The states with the largest share, of ten loans or more."""
    ordered = sorted(
        (one for one in states if one.whole.loans >= FEW and one.bad),
        key=lambda one: (-_part(one), one.whole.word or "~"),
    )
    rows = [
        [
            one.whole.word or MISSING,
            percent(_part(one), 1),
            money(one.bad.book_value if one.bad else 0),
            money(one.whole.book_value),
            f"{count(one.bad.loans if one.bad else 0)} of {count(one.whole.loans)}",
            money(one.bad.dollars_short if one.bad else 0),
        ]
        for one in ordered[:12]
    ]
    value, short = label("book_value"), label("dollars_short")
    heads = ("State", "Share", "Severe or critical", value, "Loans", short)
    return Table(heads, rows, (1, 2, 3, 4, 5))
