"""How many loans what happened to, between two dates."""

from datetime import date

from .records import Record


class ChangeCount(Record):
    """How many loans an event of one kind happened to."""

    kind: str
    loans: int
    #: US dollars; what they were where nothing is owed any more.
    dollars: int


class Happened(Record):
    """How many loans what happened to, from one date to a later one."""

    #: The dates that were compared.
    since: date
    until: date
    #: By kind in order of importance, those that occur; by direction of their events: a loan may
    #: be in both.
    counts: tuple[ChangeCount, ...]
    worse: ChangeCount
    better: ChangeCount
