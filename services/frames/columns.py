"""What the columns of frames hold: type, unit, label, and the order of words that have one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from services.contract.changes_wording import FACTS as CHANGE_FACTS
from services.contract.columns import COLUMN
from services.contract.facts import FACT, Fact, Kind
from services.contract.history import SIDES
from services.contract.properties import POSITION_KINDS
from services.contract.records import Loan
from services.contract.scenario import FACTS as SCENARIO_FACTS
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES, TIERS, UNGRADED

#: Type of a column -> dtype in pandas: whole Int64, figure Float64, flag boolean, date
#: datetime64[s], words category, text as Arrow has it.
Type = Literal["whole", "figure", "flag", "date", "words", "text"]

_TYPES: Final[Mapping[Kind, Type]] = {
    "dollars": "whole",
    "months": "whole",
    "area": "whole",
    "percent": "figure",
    "fraction": "figure",
    "times": "figure",
    "basis points": "figure",
    "exact months": "figure",
    "percentile": "figure",
    "date": "date",
    "flag": "flag",
    "property type": "words",
    "state": "words",
    "severity": "words",
    "tier": "words",
    "code": "words",
    "series": "words",
}
_UNITS: Final[Mapping[Kind, str]] = {
    "dollars": "US dollars",
    "percent": "percent",
    "fraction": "fraction of 1",
    "times": "times",
    "basis points": "basis points",
    "months": "months",
    "exact months": "months",
    "percentile": "percentile, 100 is the worst",
    "area": "square feet",
}
_RANKED: Final[Mapping[Kind, tuple[str, ...]]] = {"severity": SEVERITIES, "tier": TIERS}
#: Facts of text that are of few words, all of them ours.
_FEW_WORDS: Final = frozenset({
    "exemption", "whole_loan_basis", "refi_convention", "binding_constraint", "disposition",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a frame."""

    name: str
    type: Type
    label: str
    #: Empty where it counts nothing.
    unit: str = ""
    #: Words in their order, the first the least; empty where they have none.
    ranked: tuple[str, ...] = ()


def of_fact(fact: Fact) -> Column:
    """The column that holds a fact of loans."""
    few = fact.name in _FEW_WORDS or (fact.origin == "import" and fact.kind == "text")
    kind = "words" if few else _TYPES.get(fact.kind, "text")
    unit, ranked = _UNITS.get(fact.kind, ""), _RANKED.get(fact.kind, ())
    return Column(fact.name, kind, fact.label, unit, ranked)


#: Every column that a frame of loans may have: facts, and what only a snapshot knows.
OF_LOANS: Final = {name: of_fact(fact) for name, fact in {**FACT, **COLUMN}.items()}


def _confidence(label: str = "Confidence") -> Column:
    return Column("confidence", "figure", label, _UNITS["fraction"])


def _tier() -> Column:
    return Column("confidence_tier", "words", "Confidence tier", ranked=TIERS)


def _scenario(name: str) -> Column:
    """Of a scenario, where loans without a signal have words of their own."""
    found = of_fact(SCENARIO_FACTS[name])
    return replace(found, ranked=(*UNGRADED, *found.ranked)) if found.ranked else found


def _count(name: str, label: str, unit: str = "loans") -> Column:
    return Column(name, "whole", label, unit)


_SHARE: Final = Column("share", "figure", "Share owned", _UNITS["fraction"])
_SIGNAL: Final = (
    Column("signal_type", "words", "Signal"),
    Column("severity", "words", "Severity", ranked=SEVERITIES),
    Column("rules", "text", "Rules that fired, with their severities"),
    Column("description", "text", "Because"),
)
#: Of signals: what they say of themselves, and every column of their loans.
OF_SIGNALS: Final = {**OF_LOANS, **{one.name: one for one in _SIGNAL}}
OF_ENTITIES: Final = (
    Column("entity_name", "text", "Name"),
    Column("kind", "words", "Kind"),
    Column("match_score", "figure", "Match", _UNITS["fraction"]),
    _confidence("Resolution confidence"),
    _tier(),
    _count("related_loan_count", "Related loans"),
)
OF_PARTIES: Final = (
    Column("entity_name", "text", "Name"),
    Column("kind", "words", "Kind"),
    _confidence("Resolution confidence"),
    _tier(),
    Column("match_score", "figure", "Match", _UNITS["fraction"]),
    Column("role", "words", "Role that the loans are counted in, where none is its own"),
    _count("loans", "Loans"),
    OF_LOANS["book_value"],
    Column("worst", "words", "Worst signal", ranked=SEVERITIES),
    _count("stressed", "Severe or critical"),
    OF_LOANS["dollars_short"],
)
OF_FAMILIES: Final = (
    Column("entity_name", "text", "Sponsor or owner"),
    Column("kind", "words", "Kind"),
    _count("loans", "Loans"),
    OF_LOANS["book_value"],
    Column("worst", "words", "Worst signal", ranked=SEVERITIES),
    _count("stressed", "Severe or critical"),
    _count("lenders", "Lenders", "lenders"),
    OF_LOANS["dollars_short"],
)
OF_TENANTS: Final = (
    Column("tenant", "text", "Tenant"),
    _count("leases", "Leases", "leases"),
    Column("square_feet", "whole", "Area of its leases", _UNITS["area"]),
    Column("share", "figure", "Of the area listed", _UNITS["fraction"]),
    Column("expires", "date", "Next expiry"),
    _count("expired", "Leases that have expired", "leases"),
    _count("loans", "Loans"),
    OF_LOANS["book_value"],
    Column("worst", "words", "Worst signal", ranked=SEVERITIES),
)
OF_LEASES: Final = (
    Column("tenant", "text", "Tenant"),
    OF_LOANS["loan_number"],
    OF_LOANS["property_name"],
    Column("square_feet", "whole", "Area", _UNITS["area"]),
    Column("share", "figure", "Of the loan's rentable area", _UNITS["fraction"]),
    Column("expires", "date", "Expires"),
    OF_LOANS["property_type"],
    Column("city", "text", "City"),
    Column("state", "words", "State"),
    OF_LOANS["book_value"],
    Column("worst", "words", "Worst signal of the loan", ranked=SEVERITIES),
)
OF_PROPERTIES: Final = (
    OF_LOANS["loan_number"],
    OF_LOANS["property_name"],
    OF_LOANS["address"],
    Column("city", "text", "City"),
    Column("state", "words", "State"),
    Column("zip", "text", "ZIP code"),
    OF_LOANS["property_type"],
    OF_LOANS["value"],
    Column("dollars", "whole", "Its part of the loan's book value", _UNITS["dollars"]),
    Column("worst", "words", "Worst signal of the loan", ranked=SEVERITIES),
    Column("maturity_year", "whole", "Year of the loan's maturity"),
    # The surest comes first there, and the least here.
    Column("position", "words", "How the position is known", ranked=POSITION_KINDS[::-1]),
    Column("longitude", "figure", "Longitude", "degrees"),
    Column("latitude", "figure", "Latitude", "degrees"),
)
OF_PARTY_LOANS: Final = (
    OF_LOANS["loan_number"],
    Column("role", "words", "What the party is to the loan"),
    Column("level", "whole", "Links from the borrower up, of an owner"),
    Column("amount", "whole", "Dollars of its own in this role", _UNITS["dollars"]),
    Column("through", "text", "Funds between it and the loan"),
    *(OF_LOANS[name] for name in Loan.model_fields if name not in {"loan_number", "extra"}),
)
OF_CHAIN: Final = (
    Column("loan_number", "text", "Loan"),
    Column("level", "whole", "Level, 0 is the borrower"),
    Column("entity_name", "text", "Party"),
    Column("role", "words", "Role"),
    Column("of", "text", "Of the party, or of the loan"),
    _confidence("Confidence of the link to it"),
    _SHARE,
)
OF_PATHS: Final = (
    _count("path", "Path, the shortest first", ""),
    _count("step", "Edge of the path", ""),
    Column("from", "text", "From"),
    Column("from_kind", "words", "Kind it goes from"),
    Column("to", "text", "To"),
    Column("to_kind", "words", "Kind it goes to"),
    Column("relation", "words", "Relation"),
    _confidence(),
    _tier(),
    _SHARE,
)
OF_MOVES: Final = (
    _scenario("before"),
    _scenario("after"),
    _count("loans", "Loans"),
    OF_LOANS["book_value"],
    _scenario("short_before"),
    _scenario("short_after"),
)
OF_MOVED: Final = {**OF_LOANS, **{name: _scenario(name) for name in SCENARIO_FACTS}}
#: One loan through its periods: what a filing said, and what its rules found.
OF_HISTORY: Final = (
    OF_LOANS["loan_number"],
    OF_LOANS["as_of"],
    Column("file", "text", "File of the source"),
    Column("rules_version", "words", "Version of the rules"),
    Column("balance", "whole", "Balance", _UNITS["dollars"]),
    OF_LOANS["interest_rate"],
    OF_LOANS["rate_type"],
    OF_LOANS["maturity_date"],
    OF_LOANS["effective_maturity"],
    OF_LOANS["payment_status"],
    OF_LOANS["special_servicing"],
    OF_LOANS["workout"],
    OF_LOANS["modification"],
    OF_LOANS["modified_on"],
    OF_LOANS["defeasance"],
    OF_LOANS["disposition"],
    OF_LOANS["realized_loss"],
    OF_LOANS["dscr"],
    OF_LOANS["income_basis"],
    OF_LOANS["noi"],
    OF_LOANS["ncf"],
    OF_LOANS["occupancy"],
    OF_LOANS["ltv"],
    OF_LOANS["value"],
    OF_LOANS["debt_yield"],
    OF_LOANS["dollars_short"],
    OF_LOANS["sponsor"],
    Column("tenant", "text", "Tenant with the most area"),
    Column("tenant_expires", "date", "End of its lease"),
    Column("worst", "words", "Worst signal", ranked=SEVERITIES),
    *(
        Column(name, "words", name.replace("_", " ").capitalize(), ranked=SEVERITIES)
        for name in SIGNAL_TYPES
    ),
    Column("rules", "text", "Rules that fired"),
    Column("events", "text", "What happened since the period before"),
)
#: What changed between two dates.
OF_CHANGES: Final = (
    OF_LOANS["loan_number"],
    OF_LOANS["property_name"],
    OF_LOANS["property_type"],
    OF_LOANS["property_city"],
    OF_LOANS["property_state"],
    OF_LOANS["lender_normalized"],
    Column("deal", "words", "Deal"),
    of_fact(CHANGE_FACTS["dollars"]),
    replace(of_fact(CHANGE_FACTS["severity_before"]), ranked=SIDES),
    replace(of_fact(CHANGE_FACTS["severity_after"]), ranked=SIDES),
    Column("kinds", "text", CHANGE_FACTS["kinds"].label),
    Column("events", "text", CHANGE_FACTS["events"].label),
)
