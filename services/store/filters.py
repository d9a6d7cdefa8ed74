"""What each filter of a query means, and the ids that a set of filters resolves to.

Loans are compared as columns (columns.py). Where a filter becomes SQL, it is one of these constant
fragments, and its values are bound. A filter set is resolved once: the length of its vector is the
exact total, any page is a slice of it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any, Final

import numpy as np
import pyarrow as pa

from services.contract.errors import InvalidRequest
from services.contract.loan_filter import CONDITIONS, Condition, LoanFilter
from services.contract.queries import LoanQuery
from services.contract.schedule_al import FULL_DEFEASANCE
from services.contract.scope import Scope, own_sources
from services.names.normalise import folded, key, words

from . import columns, due, leased
from .columns import Flags
from .database import Ids
from .reader import Reader

#: Signs within a name that a reader may leave out.
_DROPPED: Final = ".,'\N{RIGHT SINGLE QUOTATION MARK}"

#: D9: the normalized key of any debt layer, or every word in the name of one of them.
_LENDERS: Final = """
SELECT lender_id FROM lenders WHERE key = $key
UNION
SELECT lender_id FROM lenders WHERE len($words) > 0 AND list_has_all(words, $words::VARCHAR[])
ORDER BY 1
"""
_LENT: Final = "SELECT DISTINCT loan_id FROM layer_ids WHERE list_contains($lenders, lender_id)"
_LENT_BY_ONE: Final = "SELECT loan_id FROM layer_ids WHERE lender_id = $lenders[1]"
#: Field of LoanFilter -> the column of `loans` and the word in it that make it true.
_FLAGS: Final = {
    "special_servicing": ("special_servicing", "true"),
    "defeased": ("defeasance", FULL_DEFEASANCE),
}
#: Field of LoanFilter -> column of names, and the id of a name in it.
_NAMED: Final = {
    "sponsor": ("sponsor", "SELECT entity_id FROM entities WHERE entity_name = $name"),
    "lender_of_loan": ("lender_normalized", "SELECT lender_id FROM lenders WHERE lender = $name"),
}
_NOBODY: Final = -2
#: Loan and rule, for every rule that fired.
_FIRED: Final = (
    "SELECT DISTINCT g.loan_id, c.rule FROM components c JOIN signals g USING (signal_id)"
)
#: Names of parties without accents, capitals and signs, by entity_id.
_PARTIES: Final = """
SELECT translate(strip_accents(lower(replace(entity_name, '&', 'and'))), $dropped, '')
FROM entities ORDER BY entity_id
"""
#: What a reader may type a part of, without capitals, by loan_id.
_FINDABLE: Final = {
    "loan_number": "SELECT lower(loan_number) FROM loans ORDER BY loan_id",
    "property_name": "SELECT lower(property_name) FROM loans ORDER BY loan_id",
}
_FAMILY: Final = (
    "SELECT loan_id FROM family_loans"
    " WHERE entity_id = (SELECT entity_id FROM entities WHERE entity_name = $name)"
)
_NOTES: Final = "SELECT loan_id FROM loans WHERE whole_loan = $number"
_OF_SOURCES: Final = (
    "SELECT loan_id FROM loans JOIN sources USING (source_id) WHERE key IN (SELECT unnest($keys))"
)
_NUMBERED: Final = "SELECT loan_id FROM loans WHERE loan_number IN (SELECT unnest($numbers))"


def loan_ids(reader: Reader, query: LoanQuery | LoanFilter) -> Ids:
    """Ids of the loans that match, ascending: the order of loan_number (D3)."""
    filters = query.filters()
    return reader.remembered(
        ("loans", *sorted(filters.items())), lambda: _loan_ids(reader, filters)
    )


def _loan_ids(reader: Reader, filters: dict[str, Any]) -> Ids:
    found = np.ones(reader.snapshot.loans, bool)
    for name, value in filters.items():
        if name not in _OF_LETTERS and name not in leased.ASKED:
            found &= _matching(reader, name, value)
    if of_lease := {name: filters[name] for name in leased.ASKED if name in filters}:
        found &= _only(reader, leased.loan_ids(reader, **of_lease))
    ids = np.flatnonzero(found).astype(np.int32)
    # Letters are compared last, in the names of the loans that are left.
    for name, meets in _OF_LETTERS.items():
        if name in filters and len(ids):
            ids = ids[meets(reader, filters[name], ids)]
    return ids


def _matching(reader: Reader, name: str, value: Any) -> Flags:  # noqa: ANN401 - of any filter
    """Which loans meet one condition, by loan_id. Null meets none."""
    if condition := CONDITIONS.get(name):
        return _compared(reader, condition, value)
    if name == "matures_within":
        return due.within(reader, value)
    if name in {"due_after", "due_before"}:
        found, day = due.days(reader), columns.days_since_1970(value)
        return found > day if name == "due_after" else found < day
    if name in _FLAGS:
        known = flags(reader, name)
        return known if value else ~known
    if name in _NAMED:
        return _named(reader, name, value)
    return _only(reader, _IDS[name](reader, value))


def _lent(reader: Reader, lender: str) -> Ids:
    lenders = lender_ids(reader, lender)
    sql = _LENT_BY_ONE if len(lenders) == 1 else _LENT
    return reader.ids(sql, {"lenders": lenders}) if lenders else np.empty(0, np.int32)


def fired(reader: Reader) -> tuple[Ids, Ids, tuple[str, ...]]:
    """Loan and rule of every rule that fired on a loan, and the rules."""

    def make() -> tuple[Ids, Ids, tuple[str, ...]]:
        found = reader.arrow(_FIRED)
        rules = found["rule"].combine_chunks().dictionary_encode()
        return (
            found["loan_id"].to_numpy(),
            rules.indices.to_numpy().astype(np.int32),
            tuple(rules.dictionary.to_pylist()),
        )

    return reader.column("rules that fired", make)


def _fired_on(reader: Reader, wanted: Sequence[str]) -> Ids:
    """Loans on which any of the rules fired."""
    loan, code, rules = fired(reader)
    among = np.array([rule in wanted for rule in rules], bool)
    found: Ids = loan[among[code]]
    return found


def flags(reader: Reader, name: str) -> Flags:
    """Loans that are known to be in special servicing, or to be "defeased" in full, by loan_id."""
    column, word = _FLAGS[name]

    def make() -> Flags:
        sql = f"SELECT loan_id FROM loans WHERE {column}::VARCHAR = $word"
        return _only(reader, reader.ids(sql, {"word": word}))

    return reader.column(("flags", name), make)


def _compared(reader: Reader, condition: Condition, value: Any) -> Flags:  # noqa: ANN401 - see above
    if condition.test == "among":
        column = columns.words(reader, condition.column)
        wanted = set(value if isinstance(value, tuple) else (value,))
        chosen = [not wanted.isdisjoint(condition.words(word)) for word in column.words]
        # The last place stands for null.
        matching: Flags = np.array([*chosen, False])[column.code]
        return matching
    known = columns.figures(reader, condition.column)
    if isinstance(value, date):
        value = columns.days_since_1970(value)
    else:
        # 0.65 x 100 is 65.00000000000001: what a reader types is compared as it is shown.
        known = np.round(known * condition.scale, 9) if condition.scale != 1 else known
    compare = {
        "at least": np.greater_equal,
        "at most": np.less_equal,
        "after": np.greater,
        "before": np.less,
    }[condition.test]
    found: Flags = compare(known, value)
    return found


def each_word(reader: Reader, ids: Ids, name: str) -> tuple[Ids, Ids, tuple[str, ...]]:
    """A loan and the place of its word among those that a condition asks for; -1 for null. A loan
    with a list of words is there once for each of them, and not at all without one.
    """
    condition = CONDITIONS[name]
    column = columns.words(reader, condition.column)
    code = column.code[ids]
    if not condition.between:
        return ids, code, column.words
    lists = [condition.words(word) for word in column.words]
    words = tuple(sorted(set(chain.from_iterable(lists))))
    # The last place stands for null.
    holds = np.array([[word in listed for word in words] for listed in [*lists, ()]], bool)
    loan, place = np.nonzero(holds[code])
    return ids[loan], place.astype(np.int32), words


def _only(reader: Reader, ids: Ids) -> Flags:
    found = np.zeros(reader.snapshot.loans, bool)
    found[ids] = True
    return found


def _named(reader: Reader, name: str, wanted: str) -> Flags:
    """Loans whose sponsor or own lender bears exactly this name."""
    column, sql = _NAMED[name]
    numbers = reader.rows(sql, {"name": wanted})
    same: Flags = columns.name_ids(reader, column) == (numbers[0][0] if numbers else _NOBODY)
    return same


def _findable(reader: Reader, text: str, ids: Ids) -> Flags:
    """Which of these loans have the text in their number or in the name of their property."""
    found = np.zeros(len(ids), bool)
    for name in _FINDABLE:
        found |= columns.holding(findable(reader, name).take(ids), text.lower())
    return found


def findable(reader: Reader, name: str) -> pa.Array:
    """The numbers of loans, or the names of their properties, without capitals, by loan_id."""
    return reader.column(
        ("findable", name), lambda: reader.arrow(_FINDABLE[name]).column(0).combine_chunks()
    )


def _parties(reader: Reader, text: str, ids: Ids) -> Flags:
    """Which of these loans have a borrower, sponsor or owner with every word in its name."""
    sql = {"dropped": _DROPPED}
    names = reader.column(
        "names of parties", lambda: reader.arrow(_PARTIES, sql).column(0).combine_chunks()
    )
    parties = [columns.name_ids(reader, who)[ids] for who in ("borrower", "sponsor", "owner")]
    # The last place stands for a loan without one.
    asked = np.zeros(reader.snapshot.entities + 1, bool)
    asked[np.concatenate(parties)] = True
    left = np.flatnonzero(asked[:-1])
    for word in folded(text):
        left = left[columns.holding(names.take(left), word)]
    bearing = np.zeros(reader.snapshot.entities + 1, bool)
    bearing[left] = True
    found: Flags = np.logical_or.reduce([bearing[one] for one in parties])
    return found


#: Fields of LoanFilter that are compared letter by letter.
_OF_LETTERS: Final[Mapping[str, Callable[[Reader, str, Ids], Flags]]] = {
    "find": _findable,
    "party": _parties,
}


def scope_ids(reader: Reader, scope: Scope) -> Ids:
    """Ids of the loans of a scope, looked up once a snapshot; numbers that it lacks are left out.

    Raises InvalidRequest for a set whose numbers nobody looked up: never everything.
    """
    return reader.remembered(("scope", scope), lambda: np.sort(_within(reader, scope)))


def _within(reader: Reader, scope: Scope) -> Ids:
    if scope.kind == "book":
        return reader.ids(_OF_SOURCES, {"keys": list(own_sources(reader.snapshot))})
    if scope.numbers is None:
        raise InvalidRequest(
            f"'{scope}' can be looked up on a page alone; give the loan numbers as 'numbers'",
            parameter="scope",
        )
    return reader.ids(_NUMBERED, {"numbers": list(scope.numbers)})


#: The other fields of LoanFilter -> the ids of the loans that meet them.
_IDS: Final[Mapping[str, Callable[[Reader, Any], Ids]]] = {
    "lender": _lent,
    "rule": _fired_on,
    "family": lambda reader, name: reader.ids(_FAMILY, {"name": name}),
    "whole_loan": lambda reader, number: reader.ids(_NOTES, {"number": number}),
    "numbers": lambda reader, numbers: reader.ids(_NUMBERED, {"numbers": list(numbers)}),
    "scope": scope_ids,
}


def lender_ids(reader: Reader, lender: str) -> list[int]:
    """Ids of the lenders that a `lender` filter means (D9)."""
    params = {"key": key(lender), "words": sorted(words(lender))}
    return [row[0] for row in reader.rows(_LENDERS, params)]
