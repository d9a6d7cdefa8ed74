"""Two ends that are worth asking about: what the Connection page shows until two are chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from components.frame import licence, links, session, states
from components.frame.routes import CONNECTION
from components.graph import connection, starts
from components.graph.ends import ConnectionView
from components.kit import text
from components.kit.card import abreast, card
from services.contract import endpoints
from services.contract.families import Families, Family
from services.contract.loan_filter import LoanFilter
from services.contract.source import Connections, Screens

_THREE: Final = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A question, and what its ends are."""

    ends: str
    view: ConnectionView


def panel(view: ConnectionView) -> None:
    """Until one end is chosen: three questions with their answers."""
    states.nothing("Choose two ends, each a loan or a party.")
    if view.name("from") or view.name("to"):
        return
    with states.panel(endpoints.PATHS):
        if not starts.known():
            return
        abreast([partial(_answered, one) for one in islice(examples(), _THREE)])


def examples() -> Iterator[Example]:
    """Two loans of the family with most distressed loans, two of the largest one, a loan and its
    sponsor; of a book without families its worst and its largest loans.
    """
    for word, family in starts.families():
        yield from _loans(f"Two loans of the {word} family", _of_family(family))
    worst, by_size = _first("-worst_severity"), _first("-book_value")
    for number, sponsor in list(worst.items())[:1]:
        if sponsor:
            ends = {"from_loan": number, "to_entity": sponsor}
            yield Example("The worst loan and its sponsor", ConnectionView.model_validate(ends))
    yield from _loans("The two worst loans", list(worst))
    yield from _loans("The two largest loans", list(by_size))
    yield from _loans("The worst loan and the largest", [*list(worst)[:1], *list(by_size)[:1]])


def _of_family(family: Family) -> list[str]:
    """The two loans that are worst by themselves."""
    found = session.ask(Families.family, family.entity_name).loans
    return [one.loan_number for one in found[:2]]


def _first(order: str) -> dict[str, str | None]:
    """Number and sponsor of the first two loans."""
    query = LoanFilter(order=order, per_page=2)
    found = session.ask(Screens.loans_found, query, licence.columns(("sponsor",))).items
    return {one.loan_number: one.values.get("sponsor") for one in found}


def _loans(ends: str, numbers: Sequence[str]) -> Iterator[Example]:
    """Nothing where they are not two."""
    if len(set(numbers)) > 1:
        view = ConnectionView(from_loan=numbers[0], to_loan=numbers[1])
        yield Example(ends, view)


def _answered(one: Example) -> None:
    view = one.view
    result = session.ask(Connections.connections, view.query())
    with card(one.ends, level=2, tall=True):
        text.sentence(connection.ends_in_words(view, result))
        text.caption(connection.briefly(result))
        if result.connections:
            drawn = connection.picture(view, result, bare=True)
            starts.draw(drawn, f"connection-{one.ends}")
        links.link(CONNECTION, "Open it", "arrow_forward", view.params())
