"""The Loans page: what it is asked for, its filters, and what it shows in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from components.frame import address, filter_bar, filters, paging, session
from components.frame.fields import Counts
from components.frame.routes import LOANS
from components.kit.formatting import count
from components.loans import bulk, pivot
from components.loans.columns import MAIN
from components.loans.comparison import Selected
from services.contract.loan_filter import COUNTED, LoanFilter, Order
from services.contract.queries import Exact, LoanQuery, Query, Retired, Word
from services.contract.source import GroupBy, RankedBy, Screens

FILTERS: Final = (
    filters.STATES_OF_LOANS,
    filters.PROPERTY_TYPES_OF_LOANS,
    filters.WORST_SEVERITY,
    filters.LENDER,
    filters.MIN_BALANCE,
    filters.MAX_BALANCE,
    filters.MATURITY_AFTER,
    filters.MATURITY_BEFORE,
)
#: The order of an address that names none.
WORST_FIRST: Final = "-worst_severity"
#: How a result is looked at: kept in the address beside its filters.
_LOOKS: Final = ("page", "per_page", "order", "by", "across", "figure",
                 "columns", "set", "compare", "loan")  # fmt: skip
#: All filters of loans, in order of the sentence that they make.
EVERY: Final = (*FILTERS, *filters.FURTHER)


class LoanView(LoanFilter):
    """The loans asked for, worst first, as a list or in groups."""

    order: Order | None = WORST_FIRST
    map: Retired = None
    #: What the loans are grouped by, in place of a list.
    by: RankedBy | None = None
    #: What they are grouped by across that, as a table of both, and what its cells say.
    across: GroupBy | None = None
    figure: pivot.Figure = "book_value"
    #: A set of columns, or their names with commas between.
    columns: Word = MAIN
    #: Loans looked up together: the key of a set of this session (bulk.py).
    set: bulk.Key | None = None
    #: Loans that are selected.
    compare: Selected | None = None
    #: The loan that is shown beside the list.
    loan: Exact | None = None

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | {
        *("by", "across", "figure", "columns", "set", "compare", "loan")
    }

    def filter(self) -> LoanFilter:
        """What is asked for, however it is looked at."""
        asked = self.part(LoanFilter)
        if asked.order == WORST_FIRST and session.leased() and not session.mirrored():
            asked = asked.without("order")  # the API has none
        if self.set is None:
            return asked
        return asked.model_copy(update={"numbers": bulk.numbers_of(self.set)})


def loan_view() -> LoanView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(LoanView, LOANS, check)
    if asked is None:
        return None
    return address.settled(asked, bar(asked, asked.filter().numbers), _LOOKS)


def bar(
    asked: LoanFilter,
    numbers: tuple[str, ...] | None = None,
    *,
    shown: Sequence[filters.Filter] = FILTERS,
    further: Sequence[filters.Filter] = (),
    counted: bool = True,
) -> dict[str, Any]:
    """Draws `shown`, and of `further` and the other filters of loans those that are asked for or
    added; what is chosen, by name. `numbers` are those of a set of loans that they look among;
    where it is `counted`, values say how many loans each would find.
    """
    others = (one for one in EVERY if one not in shown)
    named = (one if one.added_as else replace(one, added_as=one.field.label) for one in others)
    offered = [*further, *named]
    drawn = [*shown, *filter_bar.added(offered, asked)]
    counts = _counts(asked, numbers, drawn) if counted else {}
    chosen: dict[str, Any] = dict.fromkeys(one.name for one in (*shown, *offered))
    chosen |= filter_bar.bar(drawn, LoanQuery, counts, offered)
    return chosen | {"numbers": asked.numbers}


def _counts(
    asked: LoanFilter, numbers: tuple[str, ...] | None, drawn: Iterable[filters.Filter]
) -> Mapping[str, Counts]:
    """How many loans each value of the filters in sight would find; none without a snapshot."""
    if not session.mirrored():
        return {}
    within = asked.part(LoanFilter, sliced=False).model_copy(update={"numbers": numbers})
    query = address.held(within, filter_bar.chosen(EVERY) | {"numbers": numbers})
    names = [one.name for one in drawn if one.name in COUNTED]
    return {
        name: {
            str(found.word): found.loans for found in session.ask(Screens.loan_counts, query, name)
        }
        for name in names
    }


def check(view: Query) -> None:
    """Raises InvalidRequest for what no filter of loans can hold, nor the bar under a list."""
    filters.check(EVERY, view)
    paging.check(view)


def sentence(view: LoanFilter) -> str:
    """What is shown, in words: Office loans in Texas, maturing before 1 Jan 2028."""
    said = filters.sentence("loans", EVERY, view, between=", ")
    if view.numbers is None:
        return said
    of_set = f"of a set of {count(len(view.numbers))} numbers"
    return f"Loans {of_set}" if said == "All loans" else f"{said}, {of_set}"
