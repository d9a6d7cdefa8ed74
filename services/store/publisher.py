"""Publishes books as snapshots of a folder: `Publisher` of the contract."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.contract.book import Book, Progress
from services.contract.errors import StoreMissing
from services.contract.loaded import Snapshot
from services.contract.portfolio import Portfolio

from . import archive, checksums, overview, writer
from .snapshot import ARCHIVE, SUMMARY, current_id, folder_of, publish, writing
from .summary import summary_of


class SnapshotPublisher:
    """A folder of snapshots, to be written to. `keep` is how many of them stay."""

    def __init__(self, folder: Path, *, keep: int = 2) -> None:
        self._folder = folder
        self._keep = keep

    @contextmanager
    def build(self) -> Iterator["SnapshotBuild"]:
        """See Publisher."""
        with writing(self._folder) as (snapshot_id, build):
            yield SnapshotBuild(self._folder, snapshot_id, build, self._keep)


class SnapshotBuild:
    """One snapshot while it is written, in a folder that readers do not look at."""

    def __init__(self, store: Path, snapshot_id: str, folder: Path, keep: int) -> None:
        self._store = store
        self._snapshot_id = snapshot_id
        self._folder = folder
        self._keep = keep

    def reported(self) -> list[Portfolio]:
        """See Build."""
        try:
            current = folder_of(self._store, current_id(self._store))
        except StoreMissing:
            return []
        return archive.load(current)

    def publish(self, book: Book, progress: Progress) -> Snapshot:
        """See Build."""
        writer.write(self._folder, book, lambda stage, part: progress(stage, 0.94 * part))
        archive.save(self._folder / ARCHIVE, book.sources)
        snapshot = summary_of(book, self._snapshot_id)
        text = snapshot.model_dump_json(indent=1)
        (self._folder / SUMMARY).write_text(text, encoding="utf-8")
        progress("adding up", 0.94)
        overview.write(self._folder, book.as_of)
        progress("taking checksums", 0.96)
        checksums.write(self._folder)
        progress("publishing", 0.98)
        publish(self._store, self._snapshot_id, self._folder, keep=self._keep)
        return snapshot
