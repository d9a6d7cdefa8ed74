"""The moves of a scenario, and the loans that move, as files."""

from components.frame import exports, session
from components.loans.filters import sentence
from components.what_if.wording import said
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import FACTS, MovedFilter, Scenario


def moves(query: LoanFilter, scenario: Scenario) -> exports.Export:
    """Every move by loans and dollars, who stays included."""
    found = session.analytics().what_if(query, scenario)
    rows = [one.model_dump() for one in found.moves]
    facts = {**FACTS, "book_value": COLUMN["book_value"]}
    shown = f"{sentence(query)}. {said(scenario)}"
    return exports.of_rows("moves in a scenario", shown, rows, facts=facts)


def loans(query: MovedFilter, scenario: Scenario) -> exports.Export:
    """The loans that move, all pages, in the order of the page."""
    snapshot = session.analytics()
    shown = f"{sentence(query.loans())}. {said(scenario)}"
    if query.move:
        shown = f"{shown}. From {query.move[0]} to {query.move[1]}"
    return exports.of_batches(
        "loans that move in a scenario",
        shown,
        exports.origin(),
        snapshot.moved_loans(query, scenario).total,
        snapshot.moved_batches(query, scenario),
        FACTS,
    )
