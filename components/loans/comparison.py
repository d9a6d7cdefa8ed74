"""Loans side by side: which are ticked in a list, and what they have in common and what not."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from components.frame import address, history_window, session, sheets
from components.frame.ledger import Ticks
from components.frame.routes import COMPARE, LOAN, LOANS
from components.frame.sheets import MOST, Side
from components.kit import fields, severity, text
from components.kit.compared import KEY, Stated
from components.kit.formatting import place, words
from components.loans import rule_rows, worst_signal
from services.contract.disposition import without_signal
from services.contract.facts import FACT, FACTS, Card, Fact
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Exact, listed
from services.contract.records import LoanDetail, Signal
from services.contract.source import CreditSource, Dossiers, Screens

#: Loans that can be selected in a list.
MOST_SELECTED: Final = 100
#: Characters of why a loan has its worst signal.
_LONGEST_WHY: Final = 70
#: What is compared first: figures that have a bad end, then what the loan is.
_IS: Final = ("book_value", "interest_rate", "effective_maturity", "property_type",
              "lender_normalized")  # fmt: skip
_IN_ORDER: Final = sorted(FACTS, key=lambda fact: fact.place)
_FIRST: Final = (*(fact.name for fact in _IN_ORDER if fact.worse), *_IS)
#: Then the other facts: where each group begins on a card of the loan page.
_GROUPS: Final[tuple[tuple[Card, int, str], ...]] = (
    ("performance", 0, "Value and income"),
    ("performance", 80, "Debt"),
    ("performance", 122, "Payment and servicing"),
    ("performance", 150, "Refinance"),
    ("performance", 199, "Sponsor and ownership"),
    ("terms", 0, "Terms"),
    ("terms", 100, "Property"),
)

#: Numbers of loans, with commas between.
Few = Annotated[tuple[Exact, ...], BeforeValidator(listed), Field(max_length=MOST)]


#: The same of loans that are selected in a list.
Selected = Annotated[tuple[Exact, ...], BeforeValidator(listed), Field(max_length=MOST_SELECTED)]


class Comparison(sheets.Sheet, history_window.Window):
    """The loans to compare, and what of their history is shown."""

    loans: Few | None = None


def ticks(chosen: Sequence[str]) -> Ticks:
    """The boxes of a list of loans."""
    return sheets.ticks(chosen, MOST_SELECTED, "Select")


def link(chosen: Sequence[str]) -> None:
    """To the comparison of the selected loans, where they fit side by side."""
    if len(chosen) > MOST:
        text.caption(f"Compare takes {MOST}", width="content")
    else:
        sheets.link(_LOANS, chosen)


def shown() -> tuple[Comparison, tuple[str, ...]] | None:
    """The page: facts of up to five loans, one row a fact. What it was asked, and which of the
    loans there are; None where the address asks for something else.
    """
    asked = address.asked(Comparison, COMPARE)
    if asked is None:
        return None
    asked = asked.model_copy(update=history_window.held())
    found = sheets.page(_LOANS, asked, asked.loans or ())
    if not asked.loans and session.mirrored():
        query = LoanFilter(order="-worst_severity", per_page=MOST)
        worst = session.ask(Screens.loans_found, query, ()).items
        sheets.link(_LOANS, [one.loan_number for one in worst], "worst")
    return asked, found


def _signals(number: str) -> list[Signal] | None:
    """Signals of a loan, the worst first; None over an API without its mirror."""
    if not session.mirrored():
        return None
    return severity.worst_first(session.ask(Dossiers.signals_of, number))


def _side(loan: LoanDetail) -> Side:
    signals = _signals(loan.loan_number)
    parts = (
        loan.loan_number,
        words(loan.property_type) if loan.property_type else "",
        place(loan.property_city, loan.property_state),
    )
    beneath = " · ".join(filter(None, parts))
    if signals is None:
        return Side(beneath, None, "", _facts(loan))
    fired = rule_rows.why(signals, _LONGEST_WHY)
    if found := worst_signal.among(signals):
        return Side(beneath, found.of_itself, fired, _facts(loan))
    worst = without_signal(loan.extended.get("disposition"))
    why = " ".join(filter(None, (worst_signal.without(worst), fired)))
    return Side(beneath, worst, why, _facts(loan))


def _facts(loan: LoanDetail) -> list[Stated]:
    """Facts of a loan as they are written: those that decide, then group by group."""
    values: dict[str, Any] = {name: getattr(loan, name) for name in LoanDetail.model_fields}
    values |= dict(loan.extended)
    return [
        _stated(one, values, group)
        for group, facts in _BY_GROUP.items()
        for one in facts
        if values.get(one.name) is not None
    ]


def _by_group() -> dict[str, list[Fact]]:
    found = {KEY: [FACT[name] for name in _FIRST]}
    found |= {group: [] for _, _, group in _GROUPS}
    for fact in _IN_ORDER:
        begun = [
            group for card, start, group in _GROUPS if card == fact.card and start <= fact.place
        ]
        if begun and fact.name not in _FIRST:
            found[begun[-1]].append(fact)
    return found


_BY_GROUP: Final = _by_group()


def _stated(fact: Fact, values: dict[str, Any], group: str) -> Stated:
    value = values[fact.name]
    more = fields.bound(fact.name, values)
    graded = fact.kind == "severity"
    return Stated(
        group,
        fact.label,
        severity.label(value) if graded else more + fields.written(fact.name, value),
        _amount(fact, value),
        fact.worse,
        bound=bool(more),
        barred=fact.kind == "dollars" or (bool(fact.worse) and not graded),
    )


def _amount(fact: Fact, value: object) -> float | None:
    if fact.kind == "severity":
        return severity.rank(str(value))
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


_LOANS: Final = sheets.Kind(
    "loans",
    "loan",
    lambda number: session.ask(CreditSource.loan, number),
    _side,
    LOAN,
    LOANS,
    COMPARE,
    lambda numbers: {"loans": ",".join(numbers)},
    live=True,
)
