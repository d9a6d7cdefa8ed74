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
    """Until both ends are chosen: three questions with their answers, of the end that is."""
    begun = view.name("from") or view.name("to")
    ends = "the other end," if begun else "two ends, each"
    states.nothing(f"Choose {ends} a loan or a party.")
    with states.panel(endpoints.PATHS):
        if not starts.known():
            return
        found = _of_end(view) if begun else examples()
        abreast([partial(_answered, one) for one in islice(found, _THREE)])


def _of_end(view: ConnectionView) -> Iterator[Example]:
    """The end that is chosen with its sponsor and a loan of that, the worst loan, the largest, and
    families.
    """
    other = "to" if view.name("from") else "from"
    loan = view.loan("from") or view.loan("to")
    sponsor = _first(numbers=(loan,)).get(loan) if loan else view.party("from") or view.party("to")
    own = _first("-worst_severity", sponsor=sponsor) if sponsor else {}
    (worst, *_), (largest, *_) = _first("-worst_severity"), _first("-book_value")
    ends = [("its sponsor", "entity", sponsor),
            ("another loan of its sponsor" if loan else "its worst loan", "loan",
             next((number for number in own if number != loan), None)),
            ("the worst loan", "loan", worst), ("the largest loan", "loan", largest)]  # fmt: skip
    ends += [(f"the {word} family", "entity", one.entity_name) for word, one in starts.families()]
    asked = {None, view.name("from"), view.name("to")}
    for said, kind, name in ends:
        if name not in asked:
            params = view.params() | {f"{other}_{kind}": name}
            yield Example(f"With {said}", ConnectionView.model_validate(params))
        asked.add(name)


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


def _first(order: str | None = None, **filters: object) -> dict[str, str | None]:
    """Number and sponsor of the first two loans."""
    query = LoanFilter.model_validate({"order": order, "per_page": 2, **filters})
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
