"""Loans that no longer owe: what they earned, paid and were worth is no figure of today."""

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from services.contract.disposition import ENDINGS
from services.contract.facts import FACT

#: Facts that no figure is made of, and those that say that a loan has ended.
_KEPT: Final = ("text", "json")
_SAYING: Final = frozenset({"disposition", "defeasance"})


def without_ended(loans: pa.Table) -> pa.Table:
    """The loans with nothing known of those that have ended but that they owe nothing."""
    stated, owed = loans["disposition"], loans["book_value"]
    by_word = pc.is_in(stated, value_set=pa.array(sorted(ENDINGS)))
    by_balance = pc.and_(pc.is_null(stated), pc.fill_null(pc.equal(owed, 0), False))
    ended = pc.or_(by_word, by_balance)
    if not pc.any(ended).as_py():
        return loans
    for at, field in enumerate(loans.schema):
        if FACT[field.name].kind in _KEPT or field.name in _SAYING:
            continue
        none = pa.scalar(0 if field.name == "book_value" else None, field.type)
        loans = loans.set_column(at, field, pc.if_else(ended, none, loans[field.name]))
    return loans
