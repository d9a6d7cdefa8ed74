"""What some letters may mean: a loan, a property, a party, a lender, a city."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from services.contract.aggregates import Match

from . import columns
from .database import among
from .filters import findable
from .reader import Reader

_LOANS: Final = f"""
SELECT loan_id, loan_number, property_name, property_city, property_state::VARCHAR FROM loans
WHERE {among("loan_id")}
"""
_NAMES: Final = f"SELECT loan_id, property_name FROM loans WHERE {among('loan_id')}"
#: Zeros before the digits of a number.
_ZEROS: Final = "(^|[^0-9])0+([0-9])"
#: Fewer letters are in nearly every name.
_LEAST_LETTERS: Final = 2
#: From so many names on it is faster to ask each.
_SELDOM: Final = 5_000


def matches(reader: Reader, text: str, limit: int) -> list[Match]:
    """Loans, properties, parties, lenders and cities, at most `limit` of each, in this order."""
    text = " ".join(text.split())
    if len(text) < _LEAST_LETTERS or limit < 1:
        return []
    return [
        *_loans(reader, text, limit),
        *_properties(reader, text.lower(), limit),
        *_parties(reader, text, limit),
        *_named("lender", columns.names(reader, "lender_normalized"), text, limit),
        *_named("city", columns.words(reader, "property_city").words, text, limit),
    ]


def loan_names(reader: Reader, numbers: tuple[str, ...]) -> dict[str, str | None]:
    """The loans among these numbers, each with the name of its property."""
    count, name = reader.graph.loan_count, reader.graph.name
    places = [(bisect_left(range(count), number, key=name), number) for number in numbers]
    ids = [at for at, number in places if at < count and name(at) == number]
    if not ids:
        return {}
    called = dict(reader.rows(_NAMES, [ids]))
    return {name(at): called[at] for at in ids}


def _loans(reader: Reader, text: str, limit: int) -> list[Match]:
    """Loans that the text means as a number, then those whose number begins with it as it is, or in
    capitals.
    """
    count, name = reader.graph.loan_count, reader.graph.name
    found = set()
    for written in {text, text.upper()}:
        first = bisect_left(range(count), written, key=name)
        near = range(first, min(first + limit, count))
        found |= {at for at in near if name(at).startswith(written)}
    ids = list(dict.fromkeys([*meant(reader, text), *sorted(found)]))
    return [
        Match(kind="loan", name=number, detail=_place(name, city, state))
        for number, name, city, state in _rows(reader, ids[:limit])
    ]


def meant(reader: Reader, text: str) -> list[int]:
    """Loans whose number is the text, or ends with it where it begins with a digit, whatever zeros
    stand before the digits: CA-2942 and 2942 mean CA-002942. Ascending.
    """
    wanted = _without_zeros(pa.array([text.strip().casefold()]))[0].as_py()
    if not wanted[-1:].isdigit():
        return []
    numbers = reader.column(
        "numbers without zeros", lambda: _without_zeros(findable(reader, "loan_number"))
    )
    found = np.flatnonzero(pc.ends_with(numbers, wanted).to_numpy(zero_copy_only=False))
    before = [numbers[at].as_py().removesuffix(wanted) for at in found.tolist()]
    ends = wanted[0].isdigit()
    return [
        at
        for at, beginning in zip(found.tolist(), before, strict=True)
        if not beginning or (ends and not beginning[-1].isalnum())
    ]


def _without_zeros(numbers: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(numbers, pattern=_ZEROS, replacement=r"\1\2")


def _rows(reader: Reader, ids: list[int]) -> list[tuple[Any, ...]]:
    """Number, property, city and state of some loans, in the order of `ids`."""
    if not ids:
        return []
    found = {row[0]: row[1:] for row in reader.rows(_LOANS, [ids])}
    return [found[one] for one in ids]


def _properties(reader: Reader, text: str, limit: int) -> list[Match]:
    """Loans on properties with the text in their name; those that begin with it come first."""
    ids = _with_letters(reader, text)
    names = findable(reader, "property_name").take(ids)
    later = pc.invert(pc.starts_with(names, text))
    written = columns.texts(reader, "property_name").take(ids)
    table = pa.table({"later": later, "name": written, "id": ids})
    keys = [("later", "ascending"), ("name", "ascending"), ("id", "ascending")]
    order = pc.select_k_unstable(table, limit, keys) if len(ids) else pa.array([], pa.int64())
    return [
        Match(kind="property", name=number, detail=_place(name, city, state))
        for number, name, city, state in _rows(reader, ids[order.to_numpy()].tolist())
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Letters:
    """The names of all loans' properties, without capitals, one after another."""

    written: bytes
    #: Where each loan's name begins, and after the last where it ends.
    begins: npt.NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Room that they take."""
        return len(self.written) + self.begins.nbytes


def _with_letters(reader: Reader, text: str) -> npt.NDArray[np.int64]:
    """Loans on properties with the text in their name, ascending.

    One search through all letters takes a tenth of the time of asking name after name, as long as
    it is seldom found.
    """

    def make() -> _Letters:
        names = findable(reader, "property_name").cast(pa.large_string())
        begins = np.frombuffer(names.buffers()[1], np.int64)[: len(names) + 1]
        letters = names.buffers()[2]
        return _Letters(letters.to_pybytes() if letters else b"", begins.copy())

    letters = reader.column("letters of properties", make)
    wanted, found = text.encode(), []
    at = letters.written.find(wanted)
    while at >= 0:
        loan = int(np.searchsorted(letters.begins, at, "right")) - 1
        end = int(letters.begins[loan + 1])
        if at + len(wanted) > end:  # the end of one name and the beginning of the next
            at = letters.written.find(wanted, at + 1)
            continue
        found.append(loan)
        if len(found) > _SELDOM:
            return np.flatnonzero(columns.holding(findable(reader, "property_name"), text))
        at = letters.written.find(wanted, end)
    return np.array(found, np.int64)


def _parties(reader: Reader, text: str, limit: int) -> list[Match]:
    first = reader.graph.loan_count
    return [
        Match(
            kind="party",
            name=reader.graph.name(first + one.id),
            detail=reader.kind(first + one.id),
        )
        for one in reader.names.search(text, limit)
    ]


def _named(
    kind: Literal["lender", "city"], names: Sequence[str], text: str, limit: int
) -> list[Match]:
    """Names with the text in them; those that begin with it come first."""
    text = text.lower()
    found = [name for name in names if text in name.lower()]
    found.sort(key=lambda name: (not name.lower().startswith(text), name))
    return [Match(kind=kind, name=name, detail="") for name in found[:limit]]


def _place(name: str | None, city: str | None, state: str | None) -> str:
    return ", ".join(part for part in (name, city, state) if part)
