"""Publishes books as snapshots of a folder: `Publisher` of the contract."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from services.contract.book import Book, Progress
from services.contract.errors import StoreDamaged, StoreMissing
from services.contract.period import ENDINGS, Arrival, KeptPeriod, ScoredPeriod
from services.contract.portfolio import Portfolio
from services.contract.snapshot_info import Snapshot

from . import archive, checksums, history_tables, overview, periods, writer
from .checksums import Checksums
from .links import linked, linked_tree
from .snapshot import (
    ARCHIVE,
    FILE_FORMAT,
    HISTORY_FILE,
    PERIODS,
    PERIODS_LISTED,
    STAGED,
    SUMMARY,
    current_id,
    folder_of,
    format_of,
    publish,
    there,
    writing,
)
from .summary import summary_of

#: What a snapshot that shares its book with another one has of its own.
_OWN = (PERIODS, PERIODS_LISTED, HISTORY_FILE, SUMMARY, checksums.FILE)


class SnapshotPublisher:
    """A folder of snapshots, to be written to. `keep` is how many of them stay."""

    def __init__(
        self,
        folder: Path,
        *,
        keep: int = 2,
        after: Path | None = None,
        passed_over: Callable[[str], None] | None = None,
    ) -> None:
        """`after` is the snapshot whose sources and periods are gone on from, by default the
        current one. `passed_over` hears of periods that do not read, and they are left out; without
        it they are an error.
        """
        self._folder = folder
        self._keep = keep
        self._after = after
        self._passed_over = passed_over

    @contextmanager
    def build(self) -> Iterator["SnapshotBuild"]:
        """See Publisher. What was staged stays where the process is stopped, and goes where the
        import is refused.
        """
        with writing(self._folder) as (snapshot_id, build):
            try:
                yield SnapshotBuild(
                    self._folder,
                    snapshot_id,
                    build,
                    keep=self._keep,
                    before=self._after or _current(self._folder),
                    passed_over=self._passed_over,
                )
            except Exception:
                shutil.rmtree(self._folder / STAGED, ignore_errors=True)
                raise


def _current(store: Path) -> Path | None:
    """None where no snapshot is there, whatever is said of one."""
    if not there(store):
        return None
    with suppress(StoreMissing):
        return folder_of(store, current_id(store))
    return None


class SnapshotBuild:
    """One snapshot while it is written, in a folder that readers do not look at."""

    def __init__(
        self,
        store: Path,
        snapshot_id: str,
        folder: Path,
        *,
        keep: int,
        before: Path | None,
        passed_over: Callable[[str], None] | None,
    ) -> None:
        self._store = store
        self._snapshot_id = snapshot_id
        self._folder = folder
        self._keep = keep
        self._before = before
        self._passed_over = passed_over
        #: Periods of the snapshot before that stay, as far as the book has their sources, and
        #: periods that came, by name, in order.
        self._staying: dict[str, KeptPeriod] | None = None
        self._came: dict[str, KeptPeriod] = {}

    def reported(self) -> list[Portfolio]:
        """See Build."""
        return [] if self._before is None else archive.load(self._before)

    def periods(self) -> list[KeptPeriod]:
        """See Build."""
        return list(self._kept().values())

    def staged(self) -> list[KeptPeriod]:
        """See Build."""
        return periods.staged(self._store / STAGED)

    def _kept(self) -> dict[str, KeptPeriod]:
        """Those of the snapshot before, whose files are as they were written."""
        if self._staying is None:
            found = []
            if self._before is not None:
                if self._passed_over is None:  # which says what to import again
                    archive.check_readable(self._before)
                found = periods.read(self._before, self._passed_over)
            self._staying = {one.name: one for one in found}
        return self._staying

    def portfolio(self, period: KeptPeriod) -> Portfolio | None:
        """See Build."""
        return periods.portfolio(self._where(period.name))

    def endings(self, *, came: bool = False) -> pa.Table:
        """See Build."""
        before = [] if came else self._kept().values()
        kept = periods.counting([*before, *self._came.values()])
        found = [periods.endings(self._where(one.name), one.as_of) for one in kept]
        return pa.concat_tables([ENDINGS.empty_table(), *found])

    def _where(self, name: str) -> Path:
        own = self._store / STAGED / name
        if own.is_dir() or self._before is None:
            return own
        return self._before / PERIODS / name

    def add(self, period: ScoredPeriod | KeptPeriod) -> Arrival:
        """See Build."""
        kept = (
            period
            if isinstance(period, KeptPeriod)
            else periods.write(self._store / STAGED, period)
        )
        # Made-up data replaces whatever is there, whether that reads or not (D27).
        before = [] if kept.provenance == "synthetic" else self._kept().values()
        there = [*before, *self._came.values()]
        same = [one for one in there if one.filed == kept.filed]
        again = [one for one in same if kept.sha256 and one.sha256 == kept.sha256]
        if same and same[-1].name == kept.name:
            if kept.name not in self._came:
                shutil.rmtree(self._store / STAGED / kept.name, ignore_errors=True)
            return "there"
        for one in again or ([] if kept.sha256 else same):
            self.drop(one)
        self._came.pop(kept.name, None)
        self._came[kept.name] = kept
        if not same:
            return "new"
        return "replaced" if again or not kept.sha256 else "corrected"

    def replace(self, period: KeptPeriod, by: ScoredPeriod | KeptPeriod) -> None:
        """See Build."""
        new = by if isinstance(by, KeptPeriod) else periods.write(self._store / STAGED, by)
        kept = [new if one.name == period.name else one for one in self._kept().values()]
        self._staying = {one.name: one for one in kept}

    def drop(self, period: KeptPeriod) -> None:
        """See Build."""
        self._kept().pop(period.name, None)
        self._came.pop(period.name, None)

    def publish(self, book: Book | None, progress: Progress) -> Snapshot:
        """See Build."""
        if book is None:
            snapshot = self._same_book()
        else:
            writer.write(self._folder, book, lambda stage, part: progress(stage, 0.86 * part))
            archive.save(self._folder / ARCHIVE, book.sources, self._said)
            snapshot = summary_of(book, self._snapshot_id)
        text = snapshot.model_dump_json(indent=1)
        (self._folder / SUMMARY).write_text(text, encoding="utf-8")
        if book is not None:
            progress("adding up", 0.86)
            overview.write(self._folder, book.as_of)
        replaced = book is not None and snapshot.synthetic
        self._write_periods(
            set() if replaced else {source.key for source in snapshot.sources},
            lambda part: progress("writing periods", 0.88 + 0.08 * part),
        )
        progress("taking checksums", 0.96)
        shares = self._before is not None and (self._before / checksums.FILE).is_file()
        checksums.write(self._folder, self._before if shares else None)
        progress("publishing", 0.98)
        publish(self._store, self._snapshot_id, self._folder, keep=self._keep)
        shutil.rmtree(self._store / STAGED, ignore_errors=True)
        return snapshot

    def _said(self, source: Portfolio) -> Path | None:
        """What the period of a source says, where that is the same."""
        for one in reversed([*self._kept().values(), *self._came.values()]):
            if one.filed == (source.info.key, source.info.as_of):
                return periods.said(self._where(one.name))
        return None

    def _same_book(self) -> Snapshot:
        """Shares every file of the snapshot before that says nothing of periods."""
        if self._before is None:
            raise StoreMissing("There is no snapshot whose periods could change")
        for path in self._before.iterdir():
            if path.name not in _OWN and path.suffix != ".lock":
                target = self._folder / path.name
                if path.is_dir():
                    linked_tree(path, target)
                else:
                    linked(str(path), str(target))
        said = Snapshot.model_validate_json((self._before / SUMMARY).read_bytes())
        return said.model_copy(
            update={"snapshot_id": self._snapshot_id, "built_at": datetime.now(UTC)}
        )

    def _write_periods(self, sources: set[str], progress: Callable[[float], None]) -> None:
        """Those of these sources that were there, then those that came."""
        before = self._kept().values() if sources else []
        staying = [one for one in before if one.source in sources]
        kept = [*staying, *self._came.values()]
        (self._folder / PERIODS).mkdir()
        for one in kept:
            periods.link(self._where(one.name), self._folder)
        periods.write_list(self._folder, kept)
        history_tables.write(
            self._folder, periods.counting(kept), self._tables() if staying else None, progress
        )

    def _tables(self) -> Path | None:
        """The tables of the snapshot before, to be added to; None where they cannot be."""
        if self._before is not None and format_of(self._before) == FILE_FORMAT:
            with (
                suppress(StoreDamaged),
                closing(Checksums.open(self._before, only=HISTORY_FILE)) as sums,
            ):
                sums.check_all()
                return self._before / HISTORY_FILE
        return None
