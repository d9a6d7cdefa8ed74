"""The loans of a result of changes: which they are, as records, as rows of a file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from services.contract.compared import DealSpan
from services.contract.events import KIND
from services.contract.history import SIDES, ChangedLoan
from services.contract.rescoring import Rescorer
from services.contract.vocabulary import SEVERITIES

from . import notes
from .database import among
from .history import of_periods, rows_of
from .reader import Reader

#: The code of the first word of SIDES is -FIRST_SIDE.
FIRST_SIDE: Final = len(SIDES) - len(SEVERITIES)


def side(word: str) -> int:
    """The code of a word of SIDES: -1 without a signal, the rank of a severity from 0 on."""
    return SIDES.index(word) - FIRST_SIDE


#: Columns of a file; facts of the loan by the names of other files.
_FILED: Final = pa.schema(
    {
        **dict.fromkeys(("loan_number", "property_name", "property_type"), pa.string()),
        **dict.fromkeys(("property_city", "property_state", "lender_normalized"), pa.string()),
        "deal": pa.string(),
        "dollars": pa.int64(),
        **dict.fromkeys(("severity_before", "severity_after", "kinds", "events"), pa.string()),
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Every record of two dates that meets the conditions on loans."""

    loan: npt.NDArray[np.int32]
    bits: npt.NDArray[np.int64]
    dollars: npt.NDArray[np.int64]
    #: The loan of which it is a note, -1 where it is alone; whether its dollars are added (D181).
    whole: npt.NDArray[np.int32]
    adds: npt.NDArray[np.bool_]
    before: npt.NDArray[np.int8]
    after: npt.NDArray[np.int8]

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        return sum(getattr(self, one.name).nbytes for one in fields(self))

    def loans(self, at: npt.NDArray[np.intp]) -> int:
        """How many loans the records at some places are of."""
        return int(notes.once(self.whole[at], np.zeros(len(at), np.int8)).sum())

    def added(self, at: npt.NDArray[np.intp]) -> int:
        """Dollars of the records at some places, each once."""
        return int(self.dollars[at][self.adds[at]].sum())


@dataclass(frozen=True, slots=True)
class Books:
    """The periods of two dates, source by source."""

    since: date
    until: date
    was: tuple[int, ...]
    now: tuple[int, ...]
    #: Title of the source of each of them, and the dates of that source that are compared.
    of_period: Mapping[int, tuple[str, date, date]]
    not_compared: tuple[str, ...]
    #: With the date of its newest filing.
    silent: tuple[tuple[str, date], ...]
    rules_changed: bool

    @property
    def spans(self) -> tuple[DealSpan, ...]:
        """What is compared of each source, by title."""
        return tuple(
            DealSpan(title=title, since=since, until=until)
            for title, since, until in sorted(set(self.of_period.values()))
        )


def loans_at(
    reader: Reader,
    rescorer: Rescorer,
    pairs: Pairs,
    part: npt.NDArray[np.intp],
    books: Books,
    *,
    sponsors: bool,
) -> tuple[ChangedLoan, ...]:
    """The loans at some places, with what happened to them."""
    ids = pairs.loan[part].tolist()
    then = rows_of(reader, books.was, ids, sponsors=sponsors)
    now = rows_of(reader, books.now, ids, sponsors=sponsors)
    about = _about(reader, books, ids)
    found = []
    for at, loan in zip(part.tolist(), ids, strict=True):
        facts = about[loan]
        deal, since, until = books.of_period[facts.pop("period")]
        del facts["loan"]
        before, after = then.get(loan), now.get(loan)
        found.append(
            ChangedLoan(
                **facts,
                deal=deal,
                dollars=int(pairs.dollars[at]),
                severity_before=SIDES[pairs.before[at] + FIRST_SIDE],
                severity_after=SIDES[pairs.after[at] + FIRST_SIDE],
                events=rescorer.events(before, after, since, until),
            )
        )
    return tuple(found)


def _about(reader: Reader, books: Books, loans: list[int]) -> dict[int, dict[str, Any]]:
    """What the loans of a page are: of the later date, of the earlier where that does not say."""
    rows = reader.records(
        "SELECT line.period, number.loan, number.loan_number, number.property_name,"
        " line.property_type, line.city, line.state, line.lender"
        " FROM history.lines AS line JOIN history.numbers AS number USING (loan)"
        f" WHERE {among('line.loan', '$loans')} AND line.{of_periods([*books.was, *books.now])}",
        {"loans": loans},
    )
    later = set(books.now)
    found: dict[int, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["period"] in later):
        known = {name: value for name, value in row.items() if value is not None}
        found[row["loan"]] = {**row, **found.get(row["loan"], {}), **known}
    return found


def batch(loans: Iterable[ChangedLoan]) -> pa.RecordBatch:
    """Loans as rows of a file, their events in words."""
    return pa.RecordBatch.from_pylist([_written(one) for one in loans], schema=_FILED)


def _written(loan: ChangedLoan) -> dict[str, Any]:
    return {
        **loan.model_dump(exclude={"events"}),
        "property_city": loan.city,
        "property_state": loan.state,
        "lender_normalized": loan.lender,
        "kinds": "; ".join(dict.fromkeys(KIND[one.kind].label for one in loan.events)),
        "events": " ".join(one.sentence for one in loan.events),
    }
