"""How a figure is spread over the loans of a pool, and how many of them lie beyond a limit."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from components.frame import session
from components.kit.figure import Figure, Spread
from components.kit.formatting import count
from components.overview.stratification import Strat, known
from services.contract.loan_filter import LoanFilter
from services.contract.source import Screens

#: Classes of a spread.
_CLASSES: Final = 10


def beyond(within: LoanFilter, figure: Figure, strat: Strat, limit: float) -> Figure:
    """The figure with how many loans lie on the bad side of one of its classes' ends."""
    over = not strat.low_is_bad
    classes = session.ask(Screens.loan_classes, within, strat.column, strat.ends)
    bad = [
        part
        for part in classes
        if known(part)
        and (part.low is not None and part.low >= limit if over
             else part.high is not None and part.high <= limit)
    ]  # fmt: skip
    loans = sum(part.loans for part in bad)
    if not loans:
        return figure
    end = strat.write(limit)
    said = f"{count(loans)} at {end} or more" if over else f"{count(loans)} under {end}"
    return replace(figure, of_what=said)


def spread(within: LoanFilter, column: str, write: Callable[[float], str]) -> Spread | None:
    """Loans by a figure, in classes of one width from the lowest to the highest there is; None
    where fewer than two figures are known.
    """
    low, high = _end(within, column), _end(within, f"-{column}")
    if low is None or high is None or not low < high:
        return None
    width = (high - low) / _CLASSES
    ends = tuple(low + at * width for at in range(1, _CLASSES))
    found = session.ask(Screens.loan_classes, within, column, ends)
    # The last may be of the loans without the figure: it has no ends.
    counts = [part.loans for part in found if part.low != part.high]
    return Spread(counts, write(low), write(high))


def _end(within: LoanFilter, order: str) -> float | None:
    """The first figure in this order."""
    asked = within.model_copy(update={"order": order, "per_page": 1})
    column = order.removeprefix("-")
    found = session.ask(Screens.loans_found, asked, (column,))
    value = found.items[0].values[column] if found.items else None
    return None if value is None else float(value)
