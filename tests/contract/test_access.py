"""One map says who may what: every read has its licence, and parties have theirs (D141)."""

from inspect import isfunction

import pytest

from services.contract.access import LICENCES, MATCHES, licences_of
from services.contract.aggregates import Match
from services.contract.check_sheet import CheckSheets
from services.contract.citations import Citations
from services.contract.distributions import Distributions
from services.contract.evidence import Evidence
from services.contract.families import Families
from services.contract.history import (
    ChangeQuery,
    Histories,
    HistoryQuery,
    SeenQuery,
)
from services.contract.loan_dates import LoanDates
from services.contract.loan_filter import LoanFilter
from services.contract.parties import Parties
from services.contract.properties import Properties, PropertyFilter
from services.contract.queries import EntityQuery
from services.contract.repayments import MaturityOutcomes
from services.contract.resolution import Matches
from services.contract.scenario import MovedFilter, Scenario
from services.contract.signal_filter import SignalFilter
from services.contract.source import (
    Analytics,
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
from services.contract.tenants import Tenants

PROTOCOLS = [
    CreditSource, Inventory, Portfolio, Screens, Scenarios, Distributions, Maps, Properties,
    Figures, Dossiers, Citations, Connections, Evidence, Matches, Parties, Families, Histories,
    LoanDates, Tenants, CheckSheets, MaturityOutcomes, Suggestions,
]  # fmt: skip


def test_every_read_of_the_contract_is_in_the_map():
    reads = {
        read
        for protocol in PROTOCOLS
        for name, read in vars(protocol).items()
        if isfunction(read) and not name.startswith("_")
    }
    assert reads == set(LICENCES)
    assert set(PROTOCOLS) - {CreditSource} == {
        one for one in Analytics.__mro__ if one.__module__.startswith("services.")
    } - {Analytics}
    assert set(MATCHES) == set(Match.model_fields["kind"].annotation.__args__)


@pytest.mark.parametrize(
    ("read", "question", "licences"),
    [
        (CreditSource.entities, (EntityQuery(name="sponsor"),), ("entities",)),
        (Dossiers.signals_of, ("CA-1",), ("signals",)),
        (Dossiers.figures, (), ("loan",)),
        # A word is a word, wherever it is asked for.
        (Suggestions.matches, ("sponsor", 5), ()),
        (Suggestions.near_loans, ("sponsor", 2), ()),
        (Screens.loans_found, (LoanFilter(find="sponsor"), ("book_value",)), ("loans",)),
        (Screens.loans_found, (LoanFilter(city="sponsor"), ()), ("loans",)),
        (Distributions.standings, (LoanFilter(), "sponsor", ("ltv",)), ("loans",)),
        # What names parties, in each of its ways.
        (Screens.loan_ranking, (LoanFilter(), "state", 5), ("loans",)),
        (Screens.loan_ranking, (LoanFilter(), "sponsor", 5), ("loans", "entities")),
        (Screens.loans_found, (LoanFilter(), ("ltv", "borrower")), ("loans", "entities")),
        (Screens.loan_columns, (LoanFilter(), ("sponsor_share",)), ("loans", "entities")),
        (Screens.loans_found, (LoanFilter(sponsor="X LP"), ()), ("loans", "entities")),
        (Screens.loan_totals, (LoanFilter(party="X"),), ("loans", "entities")),
        (Screens.loan_totals, (LoanFilter(family="X LP"),), ("loans", "entities")),
        (Screens.loans_found, (LoanFilter(order="sponsor"), ()), ("loans", "entities")),
        (Screens.loans_found, (LoanFilter(order="-borrower"), ()), ("loans", "entities")),
        (Screens.loans_found, (LoanFilter(order="-dscr"), ()), ("loans",)),
        (Screens.signals_found, (SignalFilter(sponsor="X LP"), ()), ("signals", "entities")),
        (Screens.signals_found, (SignalFilter(order="sponsor"), ()), ("signals", "entities")),
        (Screens.signals_found, (SignalFilter(), ("sponsor",)), ("signals", "entities")),
        (Maps.signal_states, (SignalFilter(sponsor="X LP"),), ("signals", "entities")),
        (Properties.property_totals, (PropertyFilter(party="X"),), ("loans", "entities")),
        (Scenarios.moved_loans, (MovedFilter(sponsor="X"), Scenario()), ("loans", "entities")),
        (Histories.history, ("CA-1", HistoryQuery()), ("loan",)),
        (Histories.history, ("CA-1", HistoryQuery(sponsors=True)), ("loan", "entities")),
        (Histories.changes, (ChangeQuery(sponsors=True),), ("signals", "entities")),
        (Histories.changes, (ChangeQuery(),), ("signals",)),
        (Histories.changes, (ChangeQuery(sponsors=False),), ("signals",)),
        (Histories.change_batches, (ChangeQuery(sponsors=True),), ("signals", "entities")),
        (Histories.change_batches, (ChangeQuery(),), ("signals",)),
        (Histories.events_since, (SeenQuery(seen=(), sponsors=True),), ("signals", "entities")),
        (Histories.events_since, (SeenQuery(seen=()),), ("signals",)),
        (Dossiers.loans_of, ("X LP", LoanFilter(sponsor="X LP")), ("entities",)),
    ],
)
def test_a_question_goes_by_the_licence_of_its_read_and_of_parties_where_it_names_them(
    read, question, licences
):
    assert licences_of(read, question) == licences
