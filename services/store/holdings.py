"""How much of a party's loans a scope holds, and how those are that it does not (D234)."""

import numpy as np

from services.contract.scope import Holding, Scope

from . import columns, notes
from .database import Ids
from .entities import entity_id
from .family import family_ids
from .filters import scope_ids
from .reader import Reader
from .roles import roles


def holding(reader: Reader, entity_name: str, scope: Scope, *, family: bool) -> Holding:
    """Of a party's own loans, or of those of its family. Raises NotFound."""
    number = entity_id(reader, entity_name)
    ids = family_ids(reader, number) if family else roles(reader, number).own
    ours = _with_notes(reader, scope_ids(reader, scope))
    held, others = ids[ours[ids]], ids[~ours[ids]]
    worst = columns.words(reader, "worst_severity")
    word = np.array([*worst.words, ""])[worst.code[others]]
    book = notes.dollars(reader, "book_value")[held]
    critical = others[word == "critical"]
    severe = np.setdiff1d(others[word == "severe"], _siblings(reader, critical))
    return Holding(
        loans=notes.loans(reader, ids),
        held=notes.loans(reader, held),
        held_book_value=int(book.astype(np.int64).sum()),
        others_critical=notes.loans(reader, critical),
        others_severe=notes.loans(reader, severe),
    )


def _with_notes(reader: Reader, ids: Ids) -> columns.Flags:
    """These records and every other note of their loans, by loan_id: who holds a note of a loan
    holds the loan.
    """
    found = np.zeros(reader.snapshot.loans, bool)
    found[ids] = True
    found[_siblings(reader, ids)] = True
    return found


def _siblings(reader: Reader, ids: Ids) -> Ids:
    """All records of the loans of which these are notes."""
    whole = columns.words(reader, "whole_loan").code
    of = whole[ids]
    return np.flatnonzero((whole >= 0) & np.isin(whole, of[of >= 0])).astype(np.int32)
