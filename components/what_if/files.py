"""The moves of a scenario, and the loans that move, as files."""

from typing import Final

from components.frame import exports, session
from components.loans.filters import sentence
from components.what_if.wording import said
from services.contract.columns import COLUMN
from services.contract.facts import Fact
from services.contract.loan_filter import LoanFilter
from services.contract.scenario import MovedFilter, Scenario

#: What the columns hold that are not those of loans.
_FACTS: Final = {
    fact.name: fact
    for fact in (
        Fact("before", "severity", "Worst signal now"),
        Fact("after", "severity", "Worst signal in the scenario"),
        Fact("severity_before", "severity", "Worst signal now"),
        Fact("severity_after", "severity", "Worst signal in the scenario"),
        Fact("short_before", "dollars", "Dollars short now"),
        Fact("short_after", "dollars", "Dollars short in the scenario"),
        Fact("dollars_short_before", "dollars", "Dollars short now"),
        Fact("dollars_short_after", "dollars", "Dollars short in the scenario"),
    )
}


def moves(query: LoanFilter, scenario: Scenario) -> exports.Export:
    """Every move by loans and dollars, who stays included."""
    import pyarrow as pa

    found = session.analytics().what_if(query, scenario)
    table = pa.Table.from_pylist([one.model_dump() for one in found.moves])
    facts = {**_FACTS, "book_value": COLUMN["book_value"]}
    shown = f"{sentence(query)}. {said(scenario)}"
    return exports.of_table("moves in a scenario", shown, exports.origin(), table, facts)


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
        _FACTS,
    )
