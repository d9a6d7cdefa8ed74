"""Open tables beside the snapshots of a shelf (services/tables): where, and of which snapshot."""

from contextlib import closing
from pathlib import Path

from services.contract.book import Progress
from services.store.reader import Reader
from services.store.snapshot import folder_of
from services.tables.writing import ERRORS, Place, Written
from services.tables.writing import write as write_tables

from .objects import Objects, answering


def write(objects: Objects, store: Path, snapshot_id: str, progress: Progress) -> Written:
    """Writes the tables of a snapshot of the store.

    Raises ShelfUnavailable, ShelfMoved, StoreDamaged.
    """
    with closing(Reader(folder_of(store, snapshot_id))) as reader, answering(objects.url, *ERRORS):
        place = Place(*objects.elsewhere())
        return write_tables(
            place, reader, snapshot_id, lambda part: progress("writing tables", part)
        )
