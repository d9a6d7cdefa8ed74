"""A user's own loan tape, CSV or XLSX, to a portfolio: one row a loan, or a loan's property."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Final

import pyarrow as pa

from services.contract.errors import ImportRefused
from services.contract.period import Filing
from services.contract.portfolio import Portfolio, SourceInfo
from services.importers.tape import sheet as sheets
from services.importers.tape.names import is_known
from services.importers.tape.plan import Plan, choices_of, plan
from services.importers.tape.profile import Choice, Profile, written
from services.importers.tape.rows import Rows, sorted_out
from services.importers.tape.tables import tables

_PUBLISHER: Final = "Own loan tape"
_TERMS: Final = "Your own data, or your client's"
#: A cell that begins so is run as a formula by spreadsheets; "-5" is a figure.
_FORMULA: Final = ("=", "+", "@", "\t", "\r")


@dataclass(frozen=True, slots=True, eq=False)
class Tape:
    """A tape that was read, not yet loaded."""

    plan: Plan
    rows: Rows

    @property
    def key(self) -> str:
        """What replaces what: tapes of one book are periods of one source."""
        return f"tape:{self.plan.profile.book}"

    @property
    def loaded(self) -> int:
        """Rows that became loans or properties. With `rejected` they are all rows."""
        return len(self.rows.loans) + len(self.rows.properties)

    @property
    def rejected(self) -> int:
        """Rows that did not."""
        return len(self.rows.rejected)

    def filing(self) -> Filing:
        """What is loaded. Raises ImportRefused where something must be said first."""
        found = self.portfolio()
        return Filing(found.info.key, found.info.sha256, self.plan.sheet.file, lambda **_: found)

    def portfolio(self) -> Portfolio:
        """Raises ImportRefused where something must be said first, or no row is a loan."""
        if self.plan.asks:
            raise ImportRefused(self.plan.asks[0])
        sheet, profile = self.plan.sheet, self.plan.profile
        if not len(self.rows.loans):
            first = next(iter(self.rows.rejected.values()), "")
            raise ImportRefused(
                f"{sheet.file} holds no usable loan among its {len(sheet.rows):,} rows. The first"
                f" reason: {first}"
            )
        if self.plan.as_of is None:
            raise ImportRefused(f"{sheet.file} does not say of which day its figures are")
        info = SourceInfo(
            key=self.key,
            importer="tape",
            title=profile.book,
            publisher=_PUBLISHER,
            terms=_TERMS,
            as_of=self.plan.as_of,
            provenance="reported",
            files=(sheet.file,),
            sha256=(self._hash(),),
            records_read=len(sheet.rows),
            unmapped=self.unmapped(),
        )
        return Portfolio(info=info, **tables(self.plan, self.rows, profile.book))

    def _hash(self) -> str:
        """Of the file and of how it is read: the same file by another profile is another filing."""
        said = f"{self.plan.sheet.sha256}\n{self.plan.as_of}\n{written(self.plan.profile)}"
        return sha256(said.encode()).hexdigest()

    def unmapped(self) -> dict[str, int]:
        """Columns that nobody knows, and values that do not read, with how many there are."""
        found: dict[str, int] = {}
        for one in self.plan.columns:
            filled = one.parsed + one.unread
            if filled and not one.taken:
                found[one.name[:100]] = filled
            elif one.unread:
                found[f"{one.name[:100]} (unreadable)"] = one.unread
        return found

    def write_rejects(self, path: Path) -> None:
        """Every rejected row with the columns of the tape and its reason, as CSV in UTF-8."""
        sheet = self.plan.sheet
        places = sorted(self.rows.rejected)
        at = pa.array(places, pa.int64())
        columns = [one.take(at).to_pylist() for one in sheet.columns]
        with path.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.writer(opened)
            writer.writerow([*map(_safe, sheet.names), "row", "reason"])
            for number, at in enumerate(places):
                cells = [_safe(column[number]) for column in columns]
                writer.writerow([*cells, sheet.rows[at], f"{self.rows.rejected[at]}."])


def tape(
    path: Path,
    profile: Profile | None = None,
    *,
    as_of: date | None = None,
    columns: Mapping[str, Choice] | None = None,
) -> Tape:
    """A tape as it would be loaded, by a profile and by what is said beside it.

    Raises ImportRefused for a file that is no table, or a profile that does not fit it.
    """
    said = profile or Profile()
    if columns:
        said = replace(said, columns=choices_of(said.columns, columns))
    read = sheets.read(path, said.shape, is_known)
    made = plan(read, said, as_of)
    return Tape(made, sorted_out(made))


def _safe(cell: str) -> str:
    hostile = cell.startswith(_FORMULA) or (cell.startswith("-") and not cell[1:2].isdigit())
    return f"'{cell}" if hostile and cell != "-" else cell
