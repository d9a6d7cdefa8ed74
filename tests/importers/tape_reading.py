"""Tapes as tests read them: as of one day, by a profile typed beside the test."""

from datetime import date

from services.importers.tape import Profile, tape

DAY = date(2026, 3, 31)


def read(path, **said):
    """The portfolio of a tape."""
    return tape(path, Profile(**said), as_of=DAY).portfolio()
