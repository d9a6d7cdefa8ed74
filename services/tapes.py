"""Loan tapes of users, as the command line and the page My book read and load them."""

import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from services.contract.book import Progress
from services.contract.errors import ImportRefused, StoreBusy, StoreMissing
from services.contract.portfolio import Portfolio
from services.contract.snapshot_info import Snapshot
from services.desk.opening import verdicts
from services.importers.tape import (
    BOOK,
    LEFT_OUT,
    MANY,
    Choice,
    Profile,
    Tape,
    answers_of,
    check_book,
    choice,
    known,
    load,
    parse,
    saved,
    tape,
    written,
)
from services.pipeline import Scoring, load_filings, silent
from services.settings import Settings
from services.signals.assumptions import Assumptions
from services.store import archive
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import INCOMING, current_id, folder_of

__all__ = [
    "BOOK", "LEFT_OUT", "MANY", "MOST_MEGABYTES", "Added", "Choice", "ColumnSeen", "Profile",
    "Seen", "Tape", "add", "answers_of", "check_book", "choice", "followed", "known", "load",
    "look", "opened", "parse", "saved", "tape", "written",
]  # fmt: skip

#: Files that a page takes, in MB; larger ones are for the command line.
MOST_MEGABYTES: Final = 25
#: Rejected rows that a page shows; the file of rejects has all of them.
_SHOWN: Final = 50
_SECONDS: Final = 60.0
#: A page reads one tape at a time in each process: two large ones would take its memory.
_reading = threading.Lock()


@dataclass(frozen=True, slots=True)
class ColumnSeen:
    """What one column is taken for; see services.importers.tape.Column."""

    name: str
    field: str | None
    unit: str
    reading: str
    scale: str
    confidence: float
    why: str
    examples: tuple[str, ...]
    parsed: int
    empty: int
    unread: int
    ask: str
    answers: tuple[str, ...]
    taken: bool


@dataclass(frozen=True, slots=True)
class Seen:
    """A tape as it would be loaded, without its cells."""

    file: str
    form: str
    #: Title of the kind of tape that it is; "" of none that is known.
    dialect: str
    header_row: int
    rows: int
    loans: int
    properties: int
    rejected: int
    #: The first rejected rows: number and reason.
    reasons: tuple[tuple[int, str], ...]
    columns: tuple[ColumnSeen, ...]
    #: Part of the columns that nobody has to say anything of.
    mapped: float
    as_of: date | None
    #: Whether the columns that tell rows apart are known.
    numbered: bool
    #: Whether a column is taken for a balance or an amount.
    balanced: bool
    #: What must be said before it can be loaded.
    asks: tuple[str, ...]
    #: The profile that says all of this, as a file.
    profile: str


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a tape that was loaded."""

    snapshot: Snapshot
    loaded: int
    rejected: int
    #: Numbers of the loans that the tape before had and this one has not.
    missing: tuple[str, ...]


def look(given: Tape) -> Seen:
    """What a page shows of a tape."""
    plan = given.plan
    listed = sorted(given.rows.rejected.items())[:_SHOWN]
    return Seen(
        file=plan.sheet.file,
        form=plan.sheet.form,
        dialect=plan.dialect.title if plan.dialect else "",
        header_row=plan.sheet.header_row,
        rows=len(plan.sheet.rows),
        loans=len(given.rows.loans),
        properties=len(given.rows.properties),
        rejected=given.rejected,
        reasons=tuple((plan.sheet.rows[at], why) for at, why in listed),
        columns=tuple(
            ColumnSeen(**{name: getattr(one, name) for name in ColumnSeen.__slots__})
            for one in plan.columns
        ),
        mapped=plan.mapped,
        as_of=plan.as_of,
        numbered=bool(plan.number),
        balanced=plan.balanced,
        asks=plan.asks,
        profile=written(saved(plan)),
    )


@contextmanager
def opened(
    data: bytes,
    name: str,
    profile: Profile,
    *,
    as_of: date | None = None,
    columns: Mapping[str, Choice] | None = None,
) -> Iterator[tuple[Tape, Path]]:
    """A tape that came as bytes, and a folder that goes with the block.

    Raises ImportRefused for what cannot be read, StoreBusy while another one is read.
    """
    if len(data) > MOST_MEGABYTES << 20:
        raise ImportRefused(
            f"{name} is larger than {MOST_MEGABYTES} MB; load it by 'creditatlas import tape'"
        )
    if not _reading.acquire(timeout=_SECONDS):
        raise StoreBusy("Another tape is being read; try again in a minute")
    try:
        with tempfile.TemporaryDirectory(prefix="credit-atlas-tape-") as folder:
            path = Path(folder) / (Path(name.replace("\\", "/")).name[:120] or "tape.csv")
            try:
                path.write_bytes(data)
            except (OSError, ValueError):  # a name that no file can have
                path = path.with_name("tape.csv")
                path.write_bytes(data)
            yield tape(path, profile, as_of=as_of, columns=columns), Path(folder)
    finally:
        _reading.release()


def followed(settings: Settings) -> bool:
    """Whether a shelf fills the store, so that what is loaded here would be replaced."""
    return (settings.store / INCOMING / "lock").exists()


def add(
    given: Tape,
    settings: Settings,
    assumptions: Assumptions | None = None,
    progress: Progress = silent,
) -> Added:
    """Loads a tape into the store: a period of its book, and today's where none is newer.

    Raises ImportRefused where something must be said first; StoreBusy, StoreDamaged, StoreFull.
    """
    filing = given.filing()
    gone = _missing(filing.read(), _loaded(settings.store))
    resting = assumptions or Assumptions.of(
        rates=settings.rates, limits=settings.limits, spreads=settings.spreads
    )
    snapshot = load_filings(
        [filing],
        into=SnapshotPublisher(settings.store, keep=settings.keep_snapshots),
        scoring=Scoring(resting),
        verdicts=verdicts(settings),
        progress=progress,
    )
    return Added(snapshot, given.loaded, given.rejected, gone)


def _loaded(store: Path) -> list[Portfolio]:
    """What reported sources of the current snapshot said. Raises StoreDamaged."""
    try:
        return archive.load(folder_of(store, current_id(store)))
    except StoreMissing:
        return []


def _missing(found: Portfolio, before: Sequence[Portfolio]) -> tuple[str, ...]:
    """Numbers of the loans of the same book that its newest tape had and this one has not, by name;
    none of a tape that is older than that one.
    """
    for one in before:
        if one.info.key == found.info.key and one.info.as_of <= found.info.as_of:
            there = set(found.loans["loan_number"].to_pylist())
            return tuple(sorted(set(one.loans["loan_number"].to_pylist()) - there))
    return ()
