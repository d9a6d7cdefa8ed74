"""Beside a SQLite file: the newest head of its audit, in a file of its own.

What stands in one file alone vanishes with it unnoticed: a write-ahead log that is lost or damaged
takes acknowledged writes away, and leaves a file that is sound, as it was before them.
"""

import fcntl
import logging
import os
from pathlib import Path
from typing import Final

from .seals import Head

log = logging.getLogger("credit_atlas")

_LONGEST: Final = 200


def place(desk: Path) -> Path:
    """Where the head of a desk is kept."""
    return desk.with_name(f"{desk.name}-head")


def read(desk: Path) -> Head | None:
    """The newest head that was kept; None where none was. Raises ValueError where it is damaged."""
    try:
        text = place(desk).read_bytes()[:_LONGEST].decode("ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise ValueError(str(error)) from None
    return _parsed(text)


def keep(desk: Path, head: Head) -> None:
    """Keeps a head that is newer than the one kept; on disk when the call returns."""
    try:
        file = os.open(place(desk), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            before = os.read(file, _LONGEST).decode("ascii", "replace")
            if before and _known(before) >= head.entries:
                return
            # As long as before, so that it is written in place and needs no room on a full disk.
            os.pwrite(file, f"{head.entries:020} {head.hash}\n".encode(), 0)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:  # what it speaks for is on disk
        log.warning("'%s' could not be written (%s)", place(desk), error.strerror)


def _known(text: str) -> int:
    try:
        return _parsed(text).entries
    except ValueError:
        return 0


def _parsed(text: str) -> Head:
    entries, _, hashed = text.partition(" ")
    found = Head(int(entries), hashed.rstrip("\n"))
    if text != f"{found.entries:020} {found.hash}\n":
        raise ValueError(text)
    return found
