"""What files hold: typed records, by deal, kind and date, each with its place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.importers import sheets
from services.importers.base import Facts, Field, RecordRejected, Row
from services.importers.crefc_irp import kinds
from services.importers.values import clean_text

#: Kinds whose every record states the distribution date.
_DATED: Final = ("periodic", "property")
_EMPTY: Final = "EMPTY FIELD"
_DIGITS_OF_ZIP: Final = 5
#: What files write for the state of properties in several states.
_SEVERAL: Final = "XX"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record: what it says of the loan, and what of its property or properties."""

    place: str
    loan: Facts
    collateral: Facts

    def text(self, key: str) -> str | None:
        """Text or code, of either."""
        return self.loan.text(key) or self.collateral.text(key)


@dataclass(slots=True)
class Part:
    """The records of one deal, kind and date in one file."""

    deal: str
    kind: str
    #: Distribution date, or that of the title; None where the file states none.
    day: date | None
    file: str
    sha256: str
    entries: list[Entry] = field(default_factory=list)
    rejects: list[tuple[str, str]] = field(default_factory=list)
    unmapped: Counter[str] = field(default_factory=Counter)
    records: int = 0


def parts(path: Path, deal: str | None) -> list[Part]:
    """What a file holds; `deal` names the one deal of all its records. Raises ImportRefused."""
    found: list[Part] = []
    refused: list[tuple[str, ImportRefused]] = []
    listed = sheets.sheets(path)
    digest = sha256(path.read_bytes()).hexdigest()
    for sheet in listed:
        name = f"{path.name}, sheet {sheet.title[:40]}," if sheet.title else path.name
        try:
            found += _of_table(kinds.table(sheet, name), path.name, digest, deal)
        except ImportRefused as why:
            refused.append((name, why))
    if not found:
        raise refused[0][1] if refused else ImportRefused(f"{path.name} holds no record.")
    found[0].rejects += [(name, why.message) for name, why in refused]
    return found


def _of_table(table: kinds.Table, file: str, digest: str, deal: str | None) -> Iterator[Part]:
    loan, collateral = (fields(table.kind, part) for part in ("loan", "property"))
    ignored = {_EMPTY, *(name for name, one in kinds.rules()[table.kind].items() if not one.key)}
    by_key: dict[tuple[str, date | None], Part] = {}
    left: list[tuple[str, str]] = []
    unmapped: Counter[str] = Counter()
    for line in table.lines:
        place = f"row {line.row} of {file}"
        row = Row(place, line.values)
        try:
            entry = Entry(place, row.facts(loan, unmapped), row.facts(collateral, unmapped))
            row.close(ignored, unmapped)
            _repair(entry)
            key = deal or _deal(entry), table.as_of or _day(entry, table.kind)
            _check_named(entry, table.kind)
        except RecordRejected as bad:
            left.append((bad.record, bad.reason))
            continue
        part = by_key.setdefault(key, Part(key[0], table.kind, key[1], file, digest))
        part.entries.append(entry)
        part.records += 1
    if not by_key:
        first = f" The first reason: {left[0][0]}: {left[0][1]}" if left else ""
        raise ImportRefused(
            f"{file} holds no usable record of a {kinds.KINDS[table.kind]} file.{first}"
        )
    first_part = next(iter(by_key.values()))  # what is of no deal is told with the first
    first_part.rejects, first_part.unmapped = left, unmapped
    first_part.records += len(left)
    yield from by_key.values()


def fields(kind: str, part: str) -> Mapping[str, Field]:
    """The columns of a kind that tell of the loan, or of its property; by name."""
    return {name: one for name, one in kinds.rules()[kind].items() if one.key and one.part == part}


def _deal(entry: Entry) -> str:
    if (found := entry.text("transaction_id")) is None:
        raise RecordRejected(entry.place, "It has no Transaction ID.")
    return clean_text(found)


def _day(entry: Entry, kind: str) -> date | None:
    if kind not in _DATED:
        return None
    found = entry.loan.day("distribution_date") or entry.collateral.day("distribution_date")
    if found is None:
        raise RecordRejected(entry.place, "It has no Distribution Date.")
    return found


def _check_named(entry: Entry, kind: str) -> None:
    if kind == "financial":
        if entry.text("property_id") is None:
            raise RecordRejected(entry.place, "It has no Property ID.")
        if entry.text("item") is None or entry.collateral.number("amount") is None:
            raise RecordRejected(entry.place, "It has no line item, or no amount.")
    elif entry.text("asset_number") is None:
        raise RecordRejected(entry.place, "It has no Prospectus Loan ID.")


def _repair(entry: Entry) -> None:
    """Undo what a spreadsheet does to text, and take out a word for "several"."""
    facts = entry.collateral
    code = facts.text("zip")
    if code and code.isdigit() and len(code) < _DIGITS_OF_ZIP:
        facts["zip"] = code.zfill(_DIGITS_OF_ZIP)  # 07030 was a number
    if facts.text("state") == _SEVERAL:
        del facts["state"]
