"""One family of loans whole (D58): its lenders, its loans, and the way from each up to its head."""

from typing import Final

import numpy as np

from services.contract.aggregates import Slice
from services.contract.families import Family, FamilyDossier, FamilyLoan
from services.contract.vocabulary import SEVERE_OR_WORSE

from . import columns, notes
from .database import Ids, among
from .entities import entity_id
from .families import Places
from .reader import Reader
from .ways import Ways

#: Loans that a dossier lists.
MOST_LOANS: Final = 500
_IDS: Final = "SELECT loan_id FROM family_loans WHERE entity_id = $id ORDER BY loan_id"
_LENT: Final = "SELECT lender_id, loan_id FROM family_lenders WHERE entity_id = $id"
_NAMES: Final = f"SELECT lender_id, lender FROM lenders WHERE {among('lender_id')}"
_LOANS: Final = f"""
SELECT l.loan_id AS id, l.loan_number, l.property_type::VARCHAR AS property_type, l.property_city,
       l.property_state::VARCHAR AS property_state, d.lender AS lender_normalized, l.book_value,
       l.disposition, l.effective_maturity, l.exemption, l.dollars_short,
       s.worst_severity::VARCHAR AS worst, s.contagion::VARCHAR AS contagion
FROM loans l JOIN screened s USING (loan_id) LEFT JOIN lenders d USING (lender_id)
WHERE {among("l.loan_id")}
ORDER BY s.worst_severity DESC NULLS LAST, l.dollars_short DESC NULLS LAST,
         l.book_value DESC NULLS LAST, l.loan_id
LIMIT {MOST_LOANS}
"""


def family(reader: Reader, entity_name: str) -> FamilyDossier:
    """The family of one sponsor or owner. Raises NotFound."""
    return reader.remembered(("family", entity_name), lambda: _dossier(reader, entity_name))


def family_ids(reader: Reader, number: int) -> Ids:
    """The loans under one sponsor or owner, by entity_id, ascending."""
    return reader.ids(_IDS, {"id": number})


def _dossier(reader: Reader, entity_name: str) -> FamilyDossier:
    number = entity_id(reader, entity_name)
    head = reader.graph.loan_count + number
    ids = family_ids(reader, number)
    by_lender = _by_lender(reader, number, ids)
    worst = columns.words(reader, "worst_severity")
    codes = worst.code[ids]
    of_word = np.bincount(codes[codes >= 0], minlength=len(worst.words)).tolist()
    graded = dict(zip(worst.words, of_word, strict=True))
    code = codes.max(initial=-1)
    found = Family(
        entity_name=entity_name,
        kind=reader.kind(head),
        loans=notes.loans(reader, ids),
        book_value=int(_dollars(reader, "book_value", ids).sum()),
        worst=worst.words[code] if code >= 0 else None,
        stressed=sum(graded.get(word, 0) for word in SEVERE_OR_WORSE),
        lenders=sum(one.word is not None for one in by_lender),
        dollars_short=int(_dollars(reader, "dollars_short", ids).sum()),
    )
    rows = reader.records(_LOANS, [ids.tolist()])
    ways = Ways(reader.graph, head)
    loans = [(ways.up(row.pop("id")), row) for row in rows]
    return FamilyDossier(
        family=found,
        severe=graded.get("severe", 0),
        critical=graded.get("critical", 0),
        by_lender=by_lender,
        loans=tuple(FamilyLoan.model_construct(**row, way=way) for way, row in loans),
    )


def _by_lender(reader: Reader, number: int, ids: Ids) -> tuple[Slice, ...]:
    """The family's loans by lender; those without one at last."""
    found = reader.arrow(_LENT, {"id": number})
    lender, loan = found["lender_id"].to_numpy(), found["loan_id"].to_numpy()
    listed, place = np.unique(lender, return_inverse=True)
    loans = notes.count(reader, loan, place, len(listed))
    worth = np.zeros(len(listed), np.int64)
    np.add.at(worth, place, _dollars(reader, "book_value", loan))
    names = dict(reader.rows(_NAMES, [listed.tolist()]))
    slices = [
        Slice(word=names[one], loans=int(loans[at]), book_value=int(worth[at]))
        for at, one in enumerate(listed.tolist())
    ]
    if len(bare := np.setdiff1d(ids, loan)):
        worthy = int(_dollars(reader, "book_value", bare).sum())
        slices.append(Slice(word=None, loans=notes.loans(reader, bare), book_value=worthy))
    return tuple(sorted(slices, key=lambda one: (-one.loans, one.word is None, one.word or "")))


def _dollars(reader: Reader, name: str, ids: Ids) -> Places:
    known: Places = notes.dollars(reader, name)[ids].astype(np.int64)
    return known
