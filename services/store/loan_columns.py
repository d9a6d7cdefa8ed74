"""The columns of the `loans` table: one for each fact (services/contract/facts.py), and two ids."""

from collections.abc import Container, Iterable
from typing import Final

from services.contract.facts import FACTS, Fact, Kind

#: Where every fact of a loan is found: the loan, its lender, its source.
FROM: Final = "FROM loans l LEFT JOIN lenders d USING (lender_id) JOIN sources s USING (source_id)"
#: Facts that lie in another table than `loans`, and where.
_ELSEWHERE: Final = {
    "lender_normalized": "d.lender",
    "as_of": "s.as_of",
    "source": "s.title",
    "provenance": "s.provenance",
}
#: Types of the columns; what is not here is text. The `_word` types are ENUMs of the words that
#: occur in a snapshot, which its writer makes.
_TYPES: Final[dict[Kind, str]] = {
    "dollars": "BIGINT",
    "percent": "DOUBLE",
    "fraction": "DOUBLE",
    "times": "DOUBLE",
    "basis points": "DOUBLE",
    "months": "INTEGER",
    "exact months": "DOUBLE",
    "area": "BIGINT",
    "date": "DATE",
    "property type": "property_type_word",
    "state": "state_word",
    "severity": "severity_word",
    "tier": "tier_word",
    "flag": "BOOLEAN",
}


def create_loans() -> str:
    """The statement that creates the `loans` table of a snapshot.

    Rows lie in order of loan_id, which is the order of loan numbers. In place of its lender's
    name a loan has the name's id in `lenders`.
    """
    columns = ["loan_id INTEGER NOT NULL"]
    for fact in FACTS:
        if fact.name == "lender_normalized":
            columns.append("lender_id INTEGER")
        elif fact.name not in _ELSEWHERE:
            required = " NOT NULL" if fact.name == "loan_number" else ""
            columns.append(f"{fact.name} {_TYPES.get(fact.kind, 'VARCHAR')}{required}")
    columns.append("source_id SMALLINT NOT NULL")
    return f"CREATE TABLE loans ({', '.join(columns)})"


def column_of(fact: Fact) -> str:
    """The column of `loans` that is None where the fact is not known."""
    return "lender_id" if fact.name == "lender_normalized" else fact.name


def read(facts: Iterable[Fact], columns: Container[str] | None = None) -> str:
    """The facts as columns of a statement over FROM, each by its name, enumerated words as text.

    `columns` are those that `loans` has, by default all of them: a fact that is younger than the
    snapshot has none there, and is null.
    """
    return ", ".join(_read(fact, columns) for fact in facts)


def _read(fact: Fact, columns: Container[str] | None) -> str:
    type_ = _TYPES.get(fact.kind, "VARCHAR")
    plain = "VARCHAR" if type_.endswith("_word") else type_
    if fact.name in _ELSEWHERE:
        return f"{_ELSEWHERE[fact.name]} AS {fact.name}"
    if columns is not None and fact.name not in columns:
        return f"NULL::{plain} AS {fact.name}"
    return f"l.{fact.name}{f'::{plain}' if plain != type_ else ''} AS {fact.name}"
