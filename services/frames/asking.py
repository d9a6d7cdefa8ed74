"""What a caller in Python writes, as a query: the names, bounds and sentences of the pages."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from services.contract.errors import InvalidRequest
from services.contract.queries import Question, parse, shortened

Q = TypeVar("Q", bound=Question)
#: Names of columns: several, or one text with commas between.
Names = str | Iterable[str]
_PAGING: Final = ("page", "per_page")
#: Values of a filter that its words say; a set of loan numbers may hold thousands.
_SAID: Final = 5


def asked(kind: type[Q], given: Mapping[str, object]) -> Q:
    """The query. None counts as not given; several values are a list, tuple, set, array or Series.

    Raises InvalidRequest naming the parameter at fault, the nearest known one, or the bound.
    """
    for name in _PAGING:
        if name in given:
            raise InvalidRequest(
                f"A frame holds every row that matches, so there is no '{name}'", parameter=name
            )
    return parse(kind, {name: _plain(one) for name, one in given.items() if one is not None})


def labelled(given: Mapping[str, object]) -> tuple[bool, dict[str, object]]:
    """Whether columns are to be named by their labels, and what else is asked.

    Raises InvalidRequest for `labels` other than True and False.
    """
    rest = dict(given)
    labels = rest.pop("labels", False)
    if not isinstance(labels, bool):
        raise InvalidRequest("Parameter 'labels' is True or False", parameter="labels")
    return labels, rest


def chosen(columns: Names | None, known: Collection[str], usual: Iterable[str]) -> tuple[str, ...]:
    """The names of columns that are asked for, each once; `usual` where none are.

    Raises InvalidRequest with the nearest known one.
    """
    if columns is None:
        return tuple(usual)
    listed = columns.split(",") if isinstance(columns, str) else list(columns)
    names = tuple(dict.fromkeys(str(one).strip() for one in listed))
    for name in names:
        if name not in known:
            near = get_close_matches(name[:60], known, n=1, cutoff=0.5)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise InvalidRequest(
                f"There is no column '{shortened(name)}'{hint}", parameter="columns"
            )
    if not names:
        raise InvalidRequest("Parameter 'columns' names no column", parameter="columns")
    return names


def in_words(query: Question) -> str:
    """What was asked: "state TX; maturity before 2027-12-31; order -book_value"."""
    order = getattr(query, "order", None)
    every = {**query.filters(), **({"order": order} if order else {})}
    return "; ".join(f"{name.replace('_', ' ')} {_said(one)}" for name, one in every.items())


def _said(value: object) -> str:
    if isinstance(value, tuple):
        more = f" and {len(value) - _SAID:,} more" if len(value) > _SAID else ""
        return " or ".join(str(one) for one in value[:_SAID]) + more
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _plain(value: Any) -> object:  # noqa: ANN401 - whatever a caller writes
    """Values of numpy and pandas as those of Python."""
    if isinstance(value, datetime):
        # A moment of a day that is not its first is no day: the query says so.
        day = date(value.year, value.month, value.day)
        return day if value.time() == time() else value.isoformat()
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value
