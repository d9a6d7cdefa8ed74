"""What can be asked, with the specification's bounds (spec 4 and 8.5).

A query is frozen: the same object is cache key, URL, test parameter and log line. `parse` builds
one from untrusted text and says in one sentence what was wrong; nothing is clamped (D4).
"""

import difflib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from .errors import InvalidRequest
from .vocabulary import STATES

MAX_TEXT = 200
MAX_DOLLARS = 10**15
T = TypeVar("T", bound=str)
_LONG_NUMBER = 9_999
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,100}", re.ASCII)
#: The exponent is how `params` writes a score below 0.0001.
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e-\d{1,3})?", re.ASCII)


def _state(value: str) -> str:
    code = value.upper()
    if code in STATES and value.isascii():  # some single letters are two in upper case
        return code
    named = {name.casefold(): key for key, name in STATES.items()}.get(value.casefold())
    hint = f"; write '{named}'" if named else ""
    raise ValueError(f"must be a two-letter US state code{hint}")


def _day(value: object) -> object:
    if isinstance(value, str):
        if not _DATE.fullmatch(value):
            raise ValueError("must be a date written as YYYY-MM-DD")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise ValueError("is not a day of the calendar; write YYYY-MM-DD") from None
    return value


def _whole(value: object) -> object:
    if isinstance(value, str):
        if not _WHOLE.fullmatch(value):
            raise ValueError("must be a whole number")
        return int(value)
    return value


def _decimal(value: object) -> object:
    if isinstance(value, str):
        if len(value) > MAX_TEXT or not _DECIMAL.fullmatch(value):
            raise ValueError("must be a number")
        return float(value)
    return value


def _folded(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value


def _words(value: str) -> str:
    tidy = " ".join(value.split())
    if not tidy or not tidy.isprintable():
        raise ValueError("must be readable text")
    return tidy


def _exact(value: str) -> str:
    if not value or "\x00" in value:
        raise ValueError("must be readable text")
    return value


Word = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_words)]
#: A name or number that is looked up as it stands: inner spaces and odd characters count.
Exact = Annotated[str, Field(max_length=1000), AfterValidator(_exact)]
Lower = Annotated[Word, BeforeValidator(_folded)]
State = Annotated[str, AfterValidator(_state)]
Day = Annotated[date, BeforeValidator(_day)]
Dollars = Annotated[int, BeforeValidator(_whole), Field(ge=-MAX_DOLLARS, le=MAX_DOLLARS)]
PageNumber = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=10**9)]
Number = Annotated[float, BeforeValidator(_decimal)]
WholeNumber = Annotated[int, BeforeValidator(_whole)]
Score = Annotated[Number, Field(ge=0, le=1)]


def listed(value: object) -> object:
    """One value, or several with commas between, each once and in order."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",") if part.strip()]
        if not parts:
            raise ValueError("must be readable text")
        return parts
    return value


def four(what: str) -> Callable[[object], object]:
    """Reads four values with commas between; `what` says which, after "must be four"."""

    def read(value: object) -> object:
        parts = value.split(",") if isinstance(value, str) else value
        if isinstance(parts, Sequence) and len(parts) == 4:  # noqa: PLR2004 - its name
            return tuple(parts)
        raise ValueError(f"must be four {what}")

    return read


def _each_once(values: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(sorted(set(values)))


def _written(value: object) -> str:
    """A value as a parameter of an address."""
    if isinstance(value, tuple):
        return ",".join(map(_written, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, date) else str(value)


def order_among(names: Collection[str]) -> Callable[[str], str]:
    """Reads an order by one of these, with "-" before it the other way round."""

    def read(value: str) -> str:
        if value.removeprefix("-") not in names:
            raise ValueError(f"must be one of {', '.join(names)}, with - before it to turn")
        return value

    return read


def _yes_or_no(value: object) -> object:
    if isinstance(value, str):
        if value.casefold() not in {"yes", "no"}:
            raise ValueError("must be yes or no")
        return value.casefold() == "yes"
    return value


#: One of several values will do.
Several = Annotated[
    tuple[T, ...], BeforeValidator(listed), Field(min_length=1), AfterValidator(_each_once)
]
YesNo = Annotated[bool, BeforeValidator(_yes_or_no)]
#: What an earlier version could be asked, in links and searches that are kept: nothing now.
Retired = Annotated[None, BeforeValidator(lambda _: None)]


class Question(BaseModel):
    """What can be asked, in parameters: frozen, no unknown one (D7)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    #: Parameters that say which slice, not which records.
    slicing: ClassVar[frozenset[str]] = frozenset()

    def filters(self) -> dict[str, Any]:
        """The filters that are set, by parameter name; without paging."""
        return {
            name: value
            for name in type(self).model_fields
            if name not in self.slicing and (value := getattr(self, name)) is not None
        }

    def params(self) -> dict[str, str]:
        """The query as URL parameters, defaults left out: `parse` gives the same query back."""
        return {
            name: _written(value)
            for name, spec in type(self).model_fields.items()
            if (value := getattr(self, name)) is not None and value != spec.default
        }

    def part(self, kind: "type[Q]", *, sliced: bool = True) -> "Q":
        """Its part that a narrower query can say, as it was validated; else than `sliced` on the
        first page, in no order.
        """
        names = kind.model_fields.keys() - (frozenset() if sliced else self.slicing)
        return kind.model_construct(**{name: getattr(self, name) for name in names})


class Query(Question):
    """Base of the questions that are answered page by page."""

    page: PageNumber = 1
    per_page: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=100)] = 25

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page"})

    @property
    def offset(self) -> int:
        """Records before the page asked for."""
        return (self.page - 1) * self.per_page

    def at(self, page: int) -> Self:
        """The same question, another page."""
        return self.model_copy(update={"page": page})

    def but(self, **values: object) -> dict[str, str]:
        """The parameters of the same question with other values, from its first page."""
        return self.model_copy(update={"page": 1, **values}).params()


class LoanQuery(Query):
    """GET /v1/loans (spec 4.1). Dates exclusive, balances inclusive (D8)."""

    state: State | None = None
    lender: Word | None = None
    min_balance: Dollars | None = None
    max_balance: Dollars | None = None
    maturity_before: Day | None = None
    maturity_after: Day | None = None
    rate_pressure: Lower | None = None


class EntityQuery(Query):
    """GET /v1/entities (spec 4.3)."""

    name: Word | None = None
    confidence_min: Score | None = None


class PathQuery(Query):
    """GET /v1/graph/paths (spec 4.5). Exactly one root (D6)."""

    loan_number: Exact | None = None
    entity_name: Exact | None = None
    depth: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=6)] = 3
    per_page: Annotated[int, BeforeValidator(_whole), Field(ge=1, le=25)] = 25

    @model_validator(mode="after")
    def _one_root(self) -> Self:
        if (self.loan_number is None) == (self.entity_name is None):
            raise ValueError("give exactly one of 'loan_number' and 'entity_name'")
        return self


class SignalQuery(Query):
    """GET /v1/signals (spec 4.6)."""

    state: State | None = None
    signal_type: Lower | None = None
    severity: Lower | None = None


Q = TypeVar("Q", bound=Query)
Asked = TypeVar("Asked", bound=Question)


def as_specified(query: Query, kind: type[Q]) -> Q:
    """The part of a wider question that the specification's query of that kind can say.

    Of several values of one parameter it can say none.
    """
    values = {name: getattr(query, name) for name in kind.model_fields}
    single = {
        name: value[0] if len(value) == 1 else None
        for name, value in values.items()
        if isinstance(value, tuple)
    }
    return kind.model_construct(**{**values, **single})


def only_specified(query: Query, kind: type[Q]) -> Q | None:
    """The same question as the specification's query of that kind; None where that says less."""
    found = as_specified(query, kind)
    return found if found.filters().keys() == query.filters().keys() else None


def parse(kind: type[Asked], params: Mapping[str, object]) -> Asked:
    """Query of `kind` from URL parameters, or from values of Python.

    Raises InvalidRequest naming the first parameter at fault, its value and what is allowed
    (D4, D7). Empty values count as not given.
    """
    known = tuple(kind.model_fields)
    for name in params:
        if name not in known:
            near = difflib.get_close_matches(name[:60], known, n=1, cutoff=0.5)
            hint = f"; did you mean '{near[0]}'?" if near else f"; known are {', '.join(known)}"
            raise InvalidRequest(
                f"Unknown parameter '{shortened(name)}'{hint}", parameter=shortened(name)
            )
    try:
        return kind.model_validate({name: text for name, text in params.items() if text != ""})
    except ValidationError as error:
        raise _sentence(error, params) from None


def _sentence(error: ValidationError, params: Mapping[str, object]) -> InvalidRequest:
    fault = error.errors(include_url=False)[0]
    reason = fault["msg"].removeprefix("Value error, ")
    if not fault["loc"]:
        return InvalidRequest(reason[0].upper() + reason[1:])
    name = str(fault["loc"][0])
    bounds = {
        "greater_than_equal": "must be at least {ge}",
        "less_than_equal": "must be at most {le}",
        "string_too_long": "must be at most {max_length} characters long",
        "literal_error": "must be {expected}",
        "string_unicode": "must be readable text",
        "too_short": "must name at least {min_length}",
    }
    if rule := bounds.get(fault["type"]):
        context = fault.get("ctx", {})
        reason = rule.format(
            **{
                k: f"{v:,}" if isinstance(v, int) and abs(v) > _LONG_NUMBER else v
                for k, v in context.items()
            }
        )
    value = shortened(str(params.get(name, fault["input"])))
    return InvalidRequest(f"Parameter '{name}' is '{value}' but {reason}", parameter=name)


def shortened(text: str, limit: int = 60) -> str:
    """Outside text made fit for a message: printable, one line, not endless."""
    clean = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: limit + 1]
    )
    return clean if len(clean) <= limit else clean[:limit] + "..."
