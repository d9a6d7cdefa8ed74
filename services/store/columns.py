"""The columns of all loans as arrays: what results are filtered, ordered and summed by.

An array is read from the database when it is first asked for, and held as long as the snapshot is
open. A comparison over a million loans takes a millisecond, where a statement takes ten.

`loans` and `screened` lie in order of loan_id, so statements over all of one of them ask for no
order: a scan keeps it (`preserve_insertion_order`, database.py), and sorting takes three times as
long and as much memory again.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.columns import COLUMN
from services.contract.facts import FACTS
from services.contract.vocabulary import SEVERE_OR_WORSE, SEVERITIES, TIERS, UNGRADED

from .database import Ids
from .reader import Reader

_EPOCH: Final = date(1970, 1, 1)
Flags = npt.NDArray[np.bool_]
Figures = npt.NDArray[np.float64]

#: The severity of a loan's worst signal, or a word of UNGRADED: what counts by severity go by.
GRADE: Final = "grade"
#: Words whose order is not that of the alphabet.
_RANKED: Final = {"severity": SEVERITIES, "tier": TIERS, GRADE: SEVERITIES}
_IN_LOANS: Final = frozenset(fact.name for fact in FACTS)
#: Columns of names: the loan's id of the name, and whose names they are, in order of their ids.
_NAMES: Final = {
    "borrower": ("SELECT borrower_id FROM screened", "entities"),
    "sponsor": ("SELECT sponsor_id FROM screened", "entities"),
    "owner": ("SELECT owner_id FROM screened", "entities"),
    "lender_normalized": ("SELECT lender_id FROM loans", "lenders"),
}
#: Loans by number, its digits as figures: those of one run padded to one width.
AS_COUNTED: Final = """ORDER BY list_transform(
  regexp_extract_all(loan_number, '[0-9]+|[^0-9]+'),
  lambda part: CASE WHEN part[1] BETWEEN '0' AND '9' THEN lpad(part, 40, '0') ELSE part END
), loan_number
"""
#: Names that are looked up at once where those of all loans are.
_PART: Final = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A column of words."""

    #: By loan: place of its word in `words`, -1 for null.
    code: npt.NDArray[np.int32]
    #: The different words, in the order by which results are ordered.
    words: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        return self.code.nbytes + 100 * len(self.words)


def figures(reader: Reader, name: str) -> Figures:
    """A column of figures or dates (days since 1970) by loan_id; NaN for null."""
    return reader.column(("column", name), lambda: _figures(reader, name))


def dates(reader: Reader, name: str) -> npt.NDArray[np.datetime64]:
    """A column of dates by loan_id, datetime64[D]; NaT for null."""
    known = figures(reader, name)
    days = np.where(np.isnan(known), 0, known).astype(np.int64).astype("datetime64[D]")
    return np.where(np.isnan(known), np.datetime64("NaT"), days)


def words(reader: Reader, name: str) -> Words:
    """A column of words by loan_id."""
    return reader.column(("column", name), lambda: _words(reader, name))


def name_ids(reader: Reader, name: str) -> Ids:
    """A column of names as ids in order of the names, by loan_id; -1 for null."""
    return reader.column(("ids", name), lambda: _ids(reader, name))


def _ids(reader: Reader, name: str) -> Ids:
    return _filled(reader.arrow(_NAMES[name][0]).column(0).combine_chunks(), -1)


def is_name(name: str) -> bool:
    """Whether the column holds names that are known by id."""
    return name in _NAMES


def is_figure(name: str) -> bool:
    """Whether the column holds figures or dates; else words or names."""
    return name != GRADE and COLUMN[name].is_figure


def distressed(reader: Reader) -> Flags:
    """Which loans have a severe or critical worst signal, by loan_id."""
    worst = words(reader, "worst_severity")
    found: Flags = np.array([*(one in SEVERE_OR_WORSE for one in worst.words), False])[worst.code]
    return found


def total(amounts: Figures) -> int:
    """A sum of dollars, to the dollar: 64 bits of a float hold 9 quadrillion of them."""
    return int(amounts.astype(np.int64).sum())


def order_key(reader: Reader, name: str) -> tuple[npt.NDArray[Any], Flags]:
    """What loans are ordered by, by loan_id, and where it is not known.

    Loans of one worst severity go by their urgency.
    """
    if name == "loan_number":
        places = natural(reader)
        return places, np.zeros(len(places), bool)
    if name == "worst_severity":
        code = words(reader, name).code
        return code.astype(np.int64) * len(code) + urgency(reader), code < 0
    if is_figure(name):
        found = figures(reader, name)
        return found, np.isnan(found)
    code = name_ids(reader, name) if is_name(name) else words(reader, name).code
    return code, code < 0


def natural(reader: Reader) -> Ids:
    """Place of each loan by its number as a reader counts: 2 before 10."""

    def made() -> Ids:
        order = reader.ids(f"SELECT loan_id FROM loans {AS_COUNTED}")
        places = np.empty_like(order)
        places[order] = np.arange(len(order), dtype=order.dtype)
        return places

    return reader.column("natural", made)


def urgency(reader: Reader) -> Ids:
    """Place of each loan among all, the least urgent first, whatever its severity."""
    return reader.column("urgency", lambda: reader.ids("SELECT urgency FROM screened"))


def days_since_1970(day: date) -> int:
    """A day as columns of dates hold it."""
    return (day - _EPOCH).days


def name_of(reader: Reader, name: str, number: int) -> str:
    """The name with this id in a column of names."""
    if _NAMES[name][1] == "entities":
        return reader.graph.name(reader.graph.loan_count + number)
    return str(_lenders(reader)[number])


def values(reader: Reader, name: str, ids: Ids) -> list[Any]:
    """A column of some loans, None where not known, in the order of `ids`."""
    if is_name(name):
        numbers = name_ids(reader, name)[ids].tolist()
        return [None if at < 0 else name_of(reader, name, at) for at in numbers]
    listed: list[Any] = arrow(reader, name, ids).to_pylist()
    return listed


def arrow(reader: Reader, name: str, ids: Ids) -> pa.Array:
    """A column of some loans as Arrow, in the order of `ids`."""
    if is_figure(name):
        part = figures(reader, name)[ids]
        return pa.array(part, mask=np.isnan(part))
    if is_name(name):
        return _named(reader, name, name_ids(reader, name)[ids])
    column = words(reader, name)
    code = column.code[ids]
    return pa.array(column.words, pa.string()).take(pa.array(code, mask=code < 0))


def there(reader: Reader, table: str) -> frozenset[str]:
    """The columns that a table of the snapshot has."""
    sql = f"SELECT column_name FROM (DESCRIBE {table})"
    return reader.column(
        ("columns of", table), lambda: frozenset(row[0] for row in reader.rows(sql))
    )


def names(reader: Reader, name: str) -> tuple[str, ...]:
    """The different names in a column of names, in order."""

    def make() -> tuple[str, ...]:
        used = np.unique(name_ids(reader, name))
        return tuple(_named(reader, name, used[used >= 0]).to_pylist())

    return reader.column(("names used", name), make)


def texts(reader: Reader, name: str) -> pa.Array:
    """A column of text by loan_id, as it is."""
    return reader.column(("text", name), lambda: whole(reader, name))


def holding(texts: pa.Array, part: str) -> Flags:
    """Which of the texts hold a part; null holds none."""
    found: Flags = pc.fill_null(pc.match_substring(texts, part), False).to_numpy(
        zero_copy_only=False
    )
    return found


def all_names(reader: Reader, name: str) -> pa.ChunkedArray:
    """A column of names by loan_id as Arrow, held by nobody; made part by part."""
    numbers = _ids(reader, name)
    parts = np.split(numbers, range(_PART, len(numbers), _PART))
    return pa.chunked_array([_named(reader, name, part) for part in parts])


def _named(reader: Reader, name: str, numbers: Ids) -> pa.Array:
    """The names with these ids in a column of names, None for -1."""
    if _NAMES[name][1] == "entities":
        nodes = numbers + reader.graph.loan_count
        return reader.graph.texts(pa.array(nodes, mask=numbers < 0))
    return _lenders(reader).take(pa.array(numbers, mask=numbers < 0))


def _lenders(reader: Reader) -> pa.Array:
    """Names of lenders, in order of their ids."""
    sql = "SELECT lender FROM lenders ORDER BY lender_id"
    return reader.column("lenders", lambda: reader.arrow(sql).column(0).combine_chunks())


def whole(reader: Reader, name: str) -> pa.Array:
    """A column of all loans by loan_id as Arrow, names left out; held by nobody."""
    if name == "as_of":
        return _of_source(reader)
    table = "loans" if name in _IN_LOANS else "screened"
    if name not in there(reader, table):  # a fact that is younger than the snapshot
        return pa.nulls(
            reader.snapshot.loans, pa.float64() if COLUMN[name].is_figure else pa.string()
        )
    found = reader.arrow(f"SELECT {name} FROM {table}").column(0)
    return found.combine_chunks()


def _of_source(reader: Reader) -> pa.Array:
    """As-of date of each loan's source, by loan_id."""
    dated = dict(reader.rows("SELECT source_id, as_of FROM sources"))
    source = reader.arrow("SELECT source_id FROM loans").column(0).to_numpy()
    days = np.array([dated.get(at) for at in range(max(dated, default=-1) + 1)], "datetime64[D]")
    return pa.array(days[source], pa.date32())


def _figures(reader: Reader, name: str) -> Figures:
    column = whole(reader, name)
    if pa.types.is_date(column.type):
        column = column.cast(pa.int32())
    found: Figures = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return found


def _words(reader: Reader, name: str) -> Words:
    return coded(whole(reader, name), GRADE if name == GRADE else COLUMN[name].kind)


def coded(column: pa.Array, kind: str) -> Words:
    """A column of words of one kind, as codes in the order by which results are ordered."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    listed = column.dictionary.to_pylist()
    used = np.unique(_filled(column.indices, -1))
    present = [listed[at] for at in used if at >= 0]
    known = _RANKED.get(kind, ())
    first = UNGRADED if kind == GRADE else ()
    every = [*first, *sorted({*present} - {*first, *known}), *known]
    ordered = [word for word in every if word in present]
    places = np.full(len(listed) + 1, -1, np.int32)
    for place, word in enumerate(ordered):
        places[listed.index(word)] = place
    return Words(places[_filled(column.indices, len(listed))], tuple(ordered))


def _filled(column: pa.Array, missing: int) -> Ids:
    wide = column.cast(pa.int32())
    return np.ascontiguousarray(pc.fill_null(wide, missing).to_numpy(), dtype=np.int32)
