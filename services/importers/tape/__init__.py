"""Loan tapes of users: CSV and XLSX, any columns, found out or said by a profile."""

from services.importers.tape.names import MANY, known
from services.importers.tape.plan import SURE, Column, Plan, saved
from services.importers.tape.profile import (
    BOOK,
    LEFT_OUT,
    Choice,
    Profile,
    check_book,
    choice,
    load,
    parse,
    written,
)
from services.importers.tape.sheet import Shape
from services.importers.tape.source import Tape, tape
from services.importers.tape.units import readings as answers_of

__all__ = [
    "BOOK", "LEFT_OUT", "MANY", "SURE", "Choice", "Column", "Plan", "Profile", "Shape", "Tape",
    "answers_of", "check_book", "choice", "known", "load", "parse", "saved", "tape", "written",
]  # fmt: skip
