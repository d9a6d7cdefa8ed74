"""Every open table once: its columns with kind and description, its types and comments in Delta.

A column that is a fact of a loan takes both from the table of facts (services/contract/facts.py).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from services.contract.facts import FACT, FACTS, Fact
from services.contract.period import HISTORY as PERIOD_ROWS
from services.contract.portfolio import STORED
from services.contract.vocabulary import SIGNAL_TYPES

#: Kind of a column -> its unit in words. Kinds are those of facts, and four more.
UNITS: Final[Mapping[str, str]] = {
    "dollars": "US dollars, whole",
    "percent": "percent: 6.055 is 6.055 %",
    "fraction": "fraction: 0.92 is 92 %",
    "times": "ratio: 1.25 is 1.25x",
    "basis points": "basis points",
    "months": "months, whole",
    "exact months": "months, with days as a part of a month",
    "percentile": "percentile: 94 is worse than 94 % of the others",
    "area": "square feet, whole",
    "date": "date",
    "property type": "word",
    "state": "two letters; codes outside the United States occur",
    "severity": "word: low, moderate, elevated, severe or critical",
    "tier": "word",
    "code": "code of SEC Schedule AL",
    "series": "name of a reference rate",
    "text": "text",
    "flag": "true or false",
    "json": "text: a JSON object",
    "count": "count",
    "year": "year",
    "size": "as size_unit says",
    "words": "text: words with spaces between",
}
_OWN_TYPES: Final[Mapping[str, pa.DataType]] = {
    "count": pa.int32(),
    "year": pa.int16(),
    "size": pa.float64(),
}
#: Keys of a column's metadata: engines show the first as its comment.
COMMENT, UNIT = "comment", "creditatlas.unit"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `kind` says type and unit."""

    name: str
    kind: str
    description: str
    required: bool = False

    @property
    def unit(self) -> str:
        """In words."""
        return UNITS[self.kind]

    @property
    def field(self) -> pa.Field:
        """As Arrow has it, with comment and unit."""
        type_ = _OWN_TYPES.get(self.kind) or STORED.get(self.kind, pa.string())  # type: ignore[call-overload]
        said = {COMMENT: f"{self.description} [{self.unit}]", UNIT: self.unit}
        return pa.field(self.name, type_, nullable=not self.required, metadata=said)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """One table. Those `by_date` are partitioned by `as_of`, and keep every date."""

    name: str
    description: str
    columns: tuple[Column, ...]
    by_date: bool = False

    @property
    def arrow(self) -> pa.Schema:
        """Its columns, types and comments."""
        return pa.schema([one.field for one in self.columns])


def _described(fact: Fact) -> str:
    said = f"{fact.label}."
    if fact.zero:
        said += f" 0 is {fact.zero}."
    if fact.bound:
        more = "at least" if fact.bound == "≥" else "at most"
        said += f" Where debt_at_least is true it is {more} that."
    if fact.missing:
        said += f" Missing where {fact.missing}."
    if fact.codes:
        listed = "; ".join(f"{code} {words}" for code, words in fact.codes.items())
        said += f" Codes: {listed}."
    return said


def _fact(name: str, of: str | None = None, *, required: bool = False) -> Column:
    fact = FACT[of or name]
    return Column(name, fact.kind, _described(fact), required)


_SNAPSHOT: Final = Column(
    "snapshot_id", "text", "Snapshot that the row is of; the same in all tables but by date.", True
)
_NUMBER: Final = Column("loan_number", "text", "Number of the record, as its source has it.", True)
_WHOLE: Final = Column(
    "whole_loan",
    "text",
    "Number of the record that stands for the loan; its own where the loan has one record.",
    True,
)
_DATE: Final = Column("as_of", "date", "As-of date of the period; the table's partition.", True)
_PERIOD: Final = (
    _DATE,
    Column("source_key", "text", "Key of the source; one period of it counts for each date.", True),
    Column("source", "text", "Title of the source.", True),
    Column("period", "text", "Name of the period: source, date, what was filed, what scored it."),
)
#: Of rows of periods, what facts call otherwise.
_OTHERWISE: Final = {
    "balance": "book_value",
    "city": "property_city",
    "state": "property_state",
    "lender": "lender_normalized",
}
#: And what no fact is.
_OF_PERIODS: Final = {
    "whole_loan": _WHOLE,
    "sums_notes": _fact("sums_notes", required=True),
    "vintage": Column("vintage", "year", "Year in which the loan was originated."),
    "income_months": Column("income_months", "months", "Length of the filed income period."),
    "rules": Column("rules", "words", "Ids of the rules that fired, in order."),
    "sponsor": Column("sponsor", "text", "Sponsor; of several, the one with the largest book."),
    "tenant": Column("tenant", "text", "Tenant with the most area."),
    "tenant_expires": Column("tenant_expires", "date", "When its lease ends."),
    "worst": Column(
        "worst_severity", "severity", "Worst of the four signals, if any; contagion is left out."
    ),
    **{
        kind: Column(
            kind,
            "severity",
            f"Severity of the signal of {kind.replace('_', ' ')}, if any.",
        )
        for kind in SIGNAL_TYPES
    },
}

LOANS: Final = OpenTable(
    "loans",
    "One row a record of a loan, with every fact. A loan may have several records: sum no amount"
    " of records where sums_notes is true, count loans by whole_loan (see notes).",
    (
        _SNAPSHOT,
        *(_fact(fact.name, required=fact.name == "loan_number") for fact in FACTS),
        Column(
            "worst_severity",
            "severity",
            "Worst of the record's signals, if any; contagion (CT-1) is left out.",
        ),
        Column("contagion", "severity", "What CT-1 makes of its distressed siblings, if any."),
    ),
)
NOTES: Final = OpenTable(
    "notes",
    "Every record with the loan it is of, so that loans and dollars count once: loans are"
    " count(DISTINCT whole_loan), dollars the sum where not sums_notes.",
    (
        _SNAPSHOT,
        _NUMBER,
        _WHOLE,
        _fact("sums_notes", required=True),
        _fact("book_value"),
    ),
)
PROPERTIES: Final = OpenTable(
    "properties",
    "One row a property of a record.",
    (
        _SNAPSHOT,
        _NUMBER,
        _fact("property_name"),
        _fact("address"),
        Column("city", "text", "City."),
        Column("state", "state", "State."),
        Column("zip", "text", "ZIP code."),
        Column("county", "text", "County."),
        Column("property_type", "property type", "Type of this property."),
        Column("value", "dollars", "Its appraised value."),
        Column("noi", "dollars", "Its NOI, a year."),
        Column("occupancy", "fraction", "Its occupancy."),
        Column("year_built", "year", "Year in which it was built."),
        Column("size", "size", "Its size."),
        Column("size_unit", "text", "What its size counts: square feet or units."),
        Column("further", "json", "Every other value that the source's rules name."),
    ),
)
PARTIES: Final = OpenTable(
    "parties",
    "One row a resolved party: sponsors, owners, borrowers, lenders, servicers, ...",
    (
        _SNAPSHOT,
        Column("name", "text", "Name; unique.", True),
        Column("kind", "text", "What it is: borrower, sponsor, owner, lender, fund, ...", True),
        Column("confidence", "fraction", "Confidence of the resolution.", True),
        Column("confidence_tier", "tier", "The same as a word.", True),
        Column("loans", "count", "Loans that it stands behind or lends to.", True),
    ),
)
EDGES: Final = OpenTable(
    "edges",
    "The capital graph: one row a relation, in the direction in which it is stored.",
    (
        _SNAPSHOT,
        Column("from_name", "text", "Number of a record, or name of a party.", True),
        Column("from_kind", "text", "loan, or the party's kind.", True),
        Column("to_name", "text", "Name of a party.", True),
        Column("to_kind", "text", "The party's kind.", True),
        Column("relation", "text", "What relates the two.", True),
        Column("confidence", "fraction", "Confidence of the relation.", True),
        Column("share", "fraction", "Fraction owned, if any and known."),
    ),
)
LAYERS: Final = OpenTable(
    "layers",
    "The capital stack: one row a layer of a record.",
    (
        _SNAPSHOT,
        _NUMBER,
        Column("rank", "count", "1 is paid first.", True),
        Column("position", "text", "senior, junior note, mezzanine or preferred.", True),
        Column("layer", "text", "Kind of capital: bank, insurance, private credit, ...", True),
        Column("lender", "text", "Lender of the layer."),
        Column("servicer", "text", "Its servicer."),
        Column("amount", "dollars", "Its amount."),
        Column("interest_rate", "percent", "Its coupon."),
    ),
)
LEASES: Final = OpenTable(
    "leases",
    "One row a lease of a tenant, as far as sources name them.",
    (
        _SNAPSHOT,
        _NUMBER,
        Column("tenant", "text", "Name of the tenant."),
        Column("square_feet", "area", "Area that it leases."),
        Column("expires", "date", "When the lease ends."),
    ),
)
SIGNALS: Final = OpenTable(
    "signals",
    "One row a signal: at most one of each type for a record.",
    (
        _SNAPSHOT,
        _NUMBER,
        Column("signal_type", "text", f"{', '.join(SIGNAL_TYPES)}.", True),
        Column("severity", "severity", "How severe it is."),
        Column("property_state", "state", "State of the record's most valuable property."),
        Column("description", "text", "What it said when it was found."),
        Column("rules", "words", "Ids of the rules that fired, in order."),
    ),
)
HISTORY: Final = OpenTable(
    "history",
    "One row a record and month: of each source and date the filing that counts, scored at the"
    " rates of that date. Loans and dollars count as in notes.",
    (
        *_PERIOD,
        Column("rules_version", "text", "Rules, limits and spreads that scored it."),
        Column("file", "text", "Name of the source's file."),
        *(
            _OF_PERIODS.get(name)
            or _fact(name, _OTHERWISE.get(name), required=name == "loan_number")
            for name in PERIOD_ROWS.names
        ),
    ),
    by_date=True,
)
EVENTS: Final = OpenTable(
    "events",
    "What happened to a record from one period of its source to the next, one row an event; as_of"
    " is the date of the later period, since that of the earlier.",
    (
        *_PERIOD,
        Column("since", "date", "As-of date of the period before.", True),
        _NUMBER,
        Column("kind", "text", "Kind of the event.", True),
        Column("direction", "text", "For the lender: worse, better or other.", True),
        Column("signal_type", "text", "Of signals: the type."),
        Column("before", "text", "What it was: a code, date or figure in the unit of its column."),
        Column("after", "text", "What it is."),
        Column("dollars", "dollars", "Balance; what it was where nothing is owed any more."),
        Column("sentence", "text", "All of it in a sentence."),
    ),
    by_date=True,
)
#: In the order in which they are written.
TABLES: Final = (
    LOANS, NOTES, PROPERTIES, PARTIES, EDGES, LAYERS, LEASES, SIGNALS, HISTORY, EVENTS,
)  # fmt: skip


def page() -> str:
    """All tables and columns, as COLUMNS.md has them."""
    lines = [
        "# Open tables, column by column",
        "",
        "Made by `python -m services.tables.schema > services/tables/COLUMNS.md`.",
        "The tables' own schemas say the same as comments.",
    ]
    for table in TABLES:
        parted = " Partitioned by `as_of`." if table.by_date else ""
        lines += ["", f"## {table.name}", "", table.description + parted, ""]
        lines += ["| column | type | null | unit | |", "|---|---|---|---|---|"]
        for column in table.columns:
            field = column.field
            null = "yes" if field.nullable else "no"
            text = column.description.replace("|", "\\|")
            lines.append(f"| `{column.name}` | {field.type} | {null} | {column.unit} | {text} |")
    return "\n".join(lines) + "\n"


def as_json(schema: pa.Schema) -> str:
    """Names, types and comments of a schema, to be compared."""
    said = [
        [one.name, str(one.type), one.nullable, sorted((one.metadata or {}).items())]
        for one in schema
    ]
    return json.dumps(said, default=bytes.decode)


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 - the page
