"""Who may what, in one map: which licence tiers open what is read, and what each role may do.

A licence tier is the API key's (spec 8.4), and of pages the one that they are seen as (D82). A
role is that of a user of the dashboard (D81).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from .check_sheet import CheckSheets
from .citations import Citations
from .distributions import Distributions
from .evidence import Evidence
from .families import Families
from .history import Histories
from .loan_dates import LoanDates
from .parties import Parties
from .properties import Properties
from .queries import Question
from .repayments import MaturityOutcomes
from .resolution import Matches
from .source import (
    Connections,
    CreditSource,
    Dossiers,
    Figures,
    Inventory,
    Maps,
    Portfolio,
    Scenarios,
    Screens,
    Suggestions,
)
from .tenants import Tenants

# Licence tiers

#: A licence tier, as keys and settings have it.
LicenceTier = Literal["base", "resolution", "capital_graph", "complete"]
#: The six methods of CreditSource, one for each endpoint.
Read = Literal["loans", "loan", "entities", "ownership", "paths", "signals"]

#: The licence tiers with their names as people write them, the widest last.
LICENCE_TIERS: Final[dict[LicenceTier, str]] = {
    "base": "Base",
    "resolution": "Resolution",
    "capital_graph": "Capital Graph",
    "complete": "Complete",
}
#: Which tiers open each endpoint (spec 8.4, D48).
TIERS: Final[Mapping[Read, tuple[LicenceTier, ...]]] = {
    "loans": ("base", "complete"),
    "loan": ("base", "complete"),
    "entities": ("resolution", "complete"),
    "ownership": ("resolution", "complete"),
    "paths": ("capital_graph", "complete"),
    "signals": ("base", "complete"),
}
#: By which endpoint's licence each read goes: figures over all loans and signals by that of their
#: lists, those of parties by that of their look-up. None: says only what is loaded, or what letters
#: may have meant, each match by MATCHES.
_OPENED_BY: Final[Mapping[Read | None, tuple[Callable[..., Any], ...]]] = {
    "loans": (
        CreditSource.loans,
        Portfolio.totals,
        Portfolio.maturity_wall,
        Portfolio.worst_severities,
        Screens.loans_found,
        Screens.loan_totals,
        Screens.loan_counts,
        Screens.loan_ranking,
        Screens.loan_pivot,
        Screens.loan_classes,
        Screens.loan_batches,
        Screens.loan_columns,
        Suggestions.loan_names,
        Scenarios.what_if,
        Scenarios.moved_loans,
        Scenarios.moved_batches,
        Distributions.loan_scatter,
        Distributions.loans_within,
        Distributions.loan_distribution,
        Distributions.severe_shares,
        Distributions.standings,
        Properties.property_totals,
        Properties.property_points,
        Properties.property_middle,
        Properties.property_cells,
        Properties.properties_found,
        Properties.property_batches,
        Properties.property_columns,
        Histories.trends,
        LoanDates.date_totals,
        LoanDates.date_counts,
        LoanDates.dates_found,
        LoanDates.date_batches,
        Tenants.tenants,
        Tenants.tenancies,
        Tenants.tenant_totals,
        Tenants.tenant_table,
        Tenants.tenancy_table,
        CheckSheets.checked_filings,
        CheckSheets.check_sheet,
        MaturityOutcomes.repayments,
    ),
    "loan": (
        CreditSource.loan,
        Dossiers.figures,
        Dossiers.sized,
        Histories.history,
        Citations.citations,
    ),
    "entities": (
        CreditSource.entities,
        Dossiers.entity,
        Dossiers.exposure,
        Dossiers.holding,
        Dossiers.loans_of,
        Dossiers.signals_of_entity,
        Evidence.edge_evidence,
        Evidence.party_evidence,
        Evidence.disagreements,
        Matches.matches_of,
        Parties.parties,
        Parties.party,
        Parties.party_kinds,
        Parties.party_table,
        Families.families,
        Families.family_table,
        Families.family,
        Histories.family_history,
    ),
    "ownership": (CreditSource.ownership,),
    "paths": (
        CreditSource.paths,
        Connections.edges_among,
        Connections.connections,
        Connections.branches,
        Connections.edges_at,
    ),
    "signals": (
        CreditSource.signals,
        Screens.signals_found,
        Screens.signal_totals,
        Screens.signal_counts,
        Screens.signal_batches,
        Screens.signal_columns,
        Maps.signal_states,
        Maps.signal_matrix,
        Dossiers.signals_of,
        Dossiers.loans_watched,
        Histories.changes,
        Histories.newest_changes,
        Histories.change_batches,
        Histories.events_since,
        Histories.heat_over_time,
    ),
    None: (
        Inventory.snapshot,
        Inventory.rule_coverage,
        Inventory.rules,
        Figures.terms,
        Inventory.fill_rates,
        Inventory.unranked_words,
        Inventory.rejects,
        Histories.periods,
        Suggestions.matches,
        Suggestions.near_loans,
        Suggestions.near_entities,
    ),
}
LICENCES: Final[Mapping[Callable[..., Any], Read | None]] = {
    read: licence for licence, reads in _OPENED_BY.items() for read in reads
}
#: By which endpoint's licence a reader is shown what some letters may mean, by its kind.
MATCHES: Final[Mapping[str, Read]] = {
    "loan": "loans",
    "property": "loans",
    "lender": "loans",
    "city": "loans",
    "party": "entities",
}
#: Columns and conditions of loans and signals that name parties, or are theirs.
PARTY_COLUMNS: Final = frozenset({"borrower", "sponsor", "owner", "sponsor_share"})
PARTY_CONDITIONS: Final = frozenset({"party", "sponsor", "family", "sponsors"})
#: Reads one of whose arguments, counted from 0, names columns or what is grouped by.
_NAMES: Final[Mapping[Callable[..., Any], int]] = {
    Screens.loans_found: 1,
    Screens.loan_counts: 1,
    Screens.loan_ranking: 1,
    Screens.loan_pivot: 1,
    Screens.loan_classes: 1,
    Screens.loan_batches: 1,
    Screens.loan_columns: 1,
    Screens.signals_found: 1,
    Screens.signal_counts: 1,
    Screens.signal_batches: 1,
    Screens.signal_columns: 1,
    Dossiers.loans_watched: 1,
}


def licences_of(read: Callable[..., Any], question: tuple[Any, ...]) -> tuple[Read, ...]:
    """The endpoints whose licences together open a question to a read: that of the read, and that
    of parties where the question names them as a condition, an order, a column or a group.

    Raises KeyError for what is no read of the contract.
    """
    licence = LICENCES[read]
    found: tuple[Read, ...] = () if licence is None else (licence,)
    return (*found, "entities") if licence != "entities" and _of_parties(read, question) else found


def _of_parties(read: Callable[..., Any], question: tuple[Any, ...]) -> bool:
    at = _NAMES.get(read)
    named = question[at] if at is not None and at < len(question) else ()
    if PARTY_COLUMNS & set((named,) if isinstance(named, str) else named):
        return True
    return any(isinstance(part, Question) and names_parties(part) for part in question)


def names_parties(query: Question) -> bool:
    """Whether a question to lists of loans, signals or properties goes by parties."""
    order = str(getattr(query, "order", None)).removeprefix("-")
    asked = {name for name, value in query.filters().items() if value is not False}
    return bool(PARTY_CONDITIONS & asked) or order in PARTY_COLUMNS


def tiers_of(licences: Iterable[Read]) -> tuple[LicenceTier, ...]:
    """The licence tiers that open all of these."""
    asked = tuple(licences)
    return tuple(tier for tier in LICENCE_TIERS if all(tier in TIERS[one] for one in asked))


# Roles

UserRole = Literal["reader", "analyst", "admin"]
#: What a role may do beside reading every page.
Action = Literal["watch", "export", "note", "share", "match", "case", "tape", "fill", "audit"]

#: The roles, the one that may most last.
ROLES: Final[tuple[UserRole, ...]] = ("reader", "analyst", "admin")
#: What each action is, after "may".
ACTIONS: Final[dict[Action, str]] = {
    "watch": "keep a watchlist and saved searches",
    "export": "take files and reports away",
    "note": "write notes",
    "share": "share lists and searches with everybody",
    "match": "say which parties are one",
    "case": "open, change and close cases",
    "tape": "read loan tapes of their own, and load them",
    "fill": "fill the mirror of an API",
    "audit": "read the audit",
}
#: What each role may do beside reading.
MAY: Final[Mapping[UserRole, frozenset[Action]]] = {
    "reader": frozenset({"watch"}),
    "analyst": frozenset({"watch", "export", "note", "share", "match", "case", "tape"}),
    "admin": frozenset(ACTIONS),
}
