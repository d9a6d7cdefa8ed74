"""The wire of our two endpoints (D187): histories and changes.

What the specification has a name for stands by that name, in either spelling.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final

from .compared import DealSpan
from .events import Event
from .happened import ChangeCount
from .history import ChangedLoan, Changes, HistoryRow, LoanHistory, Move
from .records import Record
from .wire_field import Field


@dataclass(frozen=True, slots=True)
class Inside:
    """Records inside another one: a list of them, or a single one."""

    name: str
    record: type[Record]
    key: str
    many: bool = True
    #: Whether the list is a page of more.
    paged: bool = False


OVER_TIME: Final[dict[type[Record], tuple[Field, ...]]] = {
    HistoryRow: (
        Field("as_of", "day", required=True),
        Field("file"),
        Field("rules_version"),
        Field("balance", "int", a="book_value", b="book_value"),
        Field("interest_rate", "number"),
        Field("rate_type"),
        Field("maturity_date", "day"),
        Field("effective_maturity", "day"),
        Field("amortization_months", "int"),
        Field("payment_status"),
        Field("stage", "word", derived=True),
        Field("workout"),
        Field("modification"),
        Field("modified_on", "day"),
        Field("defeasance"),
        Field("special_servicing", "flag"),
        Field("disposition"),
        Field("realized_loss", "int"),
        Field("dscr", "number"),
        Field("income_basis"),
        Field("income_months", "int"),
        Field("income_to", "day"),
        Field("noi", "int"),
        Field("ncf", "int"),
        Field("underwritten_dscr", "number"),
        Field("underwritten_noi", "int"),
        Field("occupancy", "number"),
        Field("ltv", "number"),
        Field("value", "int"),
        Field("value_date", "day"),
        Field("debt_yield", "number"),
        Field("dollars_short", "int"),
        Field("sponsor"),
        Field("tenant"),
        Field("tenant_expires", "day"),
        Field("worst", "word", a="worst_severity", b="worst_severity"),
        Field("signals", "words"),
        Field("rules", "texts"),
    ),
    Event: (
        Field("kind", required=True),
        Field("as_of", "day", required=True),
        Field("since", "day", required=True),
        Field("signal_type"),
        Field("before", "either"),
        Field("after", "either"),
        Field("dollars", "int"),
        Field("sentence", required=True),
    ),
    LoanHistory: (
        Field("loan_number", required=True),
        Field("property_name"),
        Field("source", required=True),
        Field("title", a="deal", b="deal", required=True),
        Field("missing", "days"),
    ),
    ChangeCount: (
        Field("kind", required=True),
        Field("loans", "int", required=True),
        Field("dollars", "int", required=True),
    ),
    Move: (
        Field("before", "word", required=True),
        Field("after", "word", required=True),
        Field("loans", "int", required=True),
        Field("dollars", "int", required=True),
    ),
    ChangedLoan: (
        Field("loan_number", required=True),
        Field("property_name"),
        Field("property_type", "word", b_case="capital"),
        Field("city", a="property_city", b="city"),
        Field("state", a="property_state", b="state"),
        Field("lender", a="lender_normalized", b="lender"),
        Field("deal", required=True),
        Field("dollars", "int"),
        Field("severity_before", "word", required=True),
        Field("severity_after", "word", required=True),
    ),
    DealSpan: (
        Field("title", a="deal", b="deal", required=True),
        Field("since", "day", required=True),
        Field("until", "day", required=True),
    ),
    Changes: (
        Field("since", "day", required=True),
        Field("until", "day", required=True),
        Field("compared", "int", required=True),
        Field("loans", "int", required=True),
        Field("notes", "int", required=True),
        Field("dollars", "int", required=True),
        Field("not_compared", "texts"),
        Field("silent", "dated", required=True),
        Field("rules_changed", "flag", required=True),
    ),
}
INSIDE: Final[dict[type[Record], tuple[Inside, ...]]] = {
    LoanHistory: (Inside("rows", HistoryRow, "rows"), Inside("events", Event, "events")),
    ChangedLoan: (Inside("events", Event, "events"),),
    Changes: (
        Inside("worse", ChangeCount, "worse", many=False),
        Inside("better", ChangeCount, "better", many=False),
        Inside("counts", ChangeCount, "counts"),
        Inside("moves", Move, "moves"),
        Inside("spans", DealSpan, "spans"),
        Inside("found", ChangedLoan, "changed_loans", paged=True),
    ),
}


def listed(values: tuple[object, ...]) -> list[object]:
    """Several values as they are sent."""
    return [_sent(one) for one in values]


def _sent(value: object) -> object:
    match value:
        case date():
            return value.isoformat()
        case (title, date() as day):
            return {"deal": title, "as_of": day.isoformat()}
        case _:
            return value


def _either(value: object) -> date | float | str | None:
    """A date where it is written as one, as no code and hardly a name is."""
    if isinstance(value, str):
        return _day(value) or value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return None


def _day(value: str) -> date | None:
    if len(value) == len("2026-09-30"):
        with suppress(ValueError):
            return date.fromisoformat(value)
    return None


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    found = tuple(one for one in value if isinstance(one, str))
    return found if len(found) == len(value) else None


def _days(value: object) -> tuple[date, ...] | None:
    texts = _texts(value)
    found = tuple(day for one in texts or () if (day := _day(one)))
    return found if texts is not None and len(found) == len(texts) else None


def _dated(value: object) -> tuple[tuple[str, date], ...] | None:
    found = []
    for one in value if isinstance(value, list) else [None]:
        told = one if isinstance(one, dict) else {}
        title, day = told.get("deal"), told.get("as_of")
        if not isinstance(title, str) or not isinstance(day, str) or (when := _day(day)) is None:
            return None
        found.append((title, when))
    return tuple(found)


def _words(value: object) -> Mapping[str, str] | None:
    told = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    return value if isinstance(value, dict) and told else None


#: Kinds of values that only our records have: what is read of each; None where it is another.
OWN: Final[Mapping[str, Callable[[object], object | None]]] = {
    "flag": lambda value: value if isinstance(value, bool) else None,
    "either": _either,
    "texts": _texts,
    "days": _days,
    "words": _words,
    "dated": _dated,
}
