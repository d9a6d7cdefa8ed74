"""Publishes with tables, and kills itself as kill -9 does: at a table, at one of four places of its
way. Started by test_killed.py, in a process of its own.

    python -m tests.tables.killed STORE SHELF TABLE WHERE
"""

import os
import signal
import sys
from pathlib import Path

from services.shelf.objects import Objects
from services.shelf.open_tables import write
from services.shelf.publishing import publish
from services.shelf.shelf import Environment, Shelf
from services.tables import writing
from tests.shelf.small import silent

#: Before its rows, after some were handed over, when it is committed, or after the last table.
PLACES = ("before", "within", "after", "before the move")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    store, url, name, place = sys.argv[1:]
    commit, rows = writing._commit, writing._Batches.__iter__

    def fatal(where, table, *given):
        if table.name == name and place == "before":
            die()
        if table.name == name and place == "within":
            writing._Batches.__iter__ = some
        answer = commit(where, table, *given)
        if table.name == name and place == "after":
            die()
        return answer

    def some(batches):
        for batch in rows(batches):
            yield batch
            die()
        die()

    writing._commit = fatal
    shelf = Shelf(Objects.at(url))

    def beside(snapshot_id: str) -> None:
        write(shelf.objects, Path(store), snapshot_id, silent)
        if place == "before the move":
            die()

    publish(Environment(shelf, "production"), Path(store), beside=beside, progress=silent)


if __name__ == "__main__":
    main()
