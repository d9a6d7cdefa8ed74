"""Where a capital graph can start: what the page shows before anything is chosen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, Literal

from components.frame import licence, links, loan_names, session, states
from components.frame.routes import CAPITAL_GRAPH
from components.graph import drawing, network, rings
from components.graph.board import sizes
from components.graph.drawing import Picture
from components.graph.filters import from_node
from components.graph.network import LOAN
from components.kit import severity, text, theme
from components.kit.card import abreast, card
from components.kit.formatting import count, loan_count, money, words
from services.contract import endpoints
from services.contract.endpoints import ENTITIES, LOANS
from services.contract.families import Families, Family, FamilyFilter
from services.contract.loan_filter import WITH_SIGNAL
from services.contract.parties import Parties, Party, PartyFilter
from services.contract.queries import PathQuery
from services.contract.rounding import number_of
from services.contract.source import CreditSource, Screens

_THREE: Final = 3
#: Pixels.
HEIGHT: Final = 260
#: Kinds of parties to start from in a book that names nobody above its borrowers.
_KINDS: Final = ("originator", "servicer", "lender")
Parameter = Literal["loan_number", "entity_name"]


@dataclass(frozen=True, slots=True)
class Start:
    """A root, and what makes it worth a look."""

    why: str
    parameter: Parameter
    name: str
    facts: str


def panel() -> None:
    """Three roots side by side, each with the graph around it."""
    with states.panel(endpoints.PATHS):
        if not known():
            return
        found = [(start, _picture(start)) for start in islice(starts(), _THREE)]
        names = loan_names.of(start.name for start, _ in found if start.parameter == "loan_number")
        abreast([partial(_drawn, start, picture, names) for start, picture in found])


def known() -> bool:
    """Whether roots are known that are worth a look: only a snapshot has loans by urgency, and a
    tier of the graph alone opens neither loans nor parties. Raises Forbidden where the tier opens
    no graph.
    """
    licence.check(CreditSource.paths, ())
    return session.mirrored() and licence.opens(LOANS) and licence.opens(ENTITIES)


def starts() -> Iterator[Start]:
    """The worst loan, the family with most distressed loans, the largest family; of a book without
    families the largest parties by their kind.
    """
    query = WITH_SIGNAL.model_copy(update={"per_page": 1})
    for loan in session.ask(Screens.loans_found, query, ("worst_severity", "dollars_short")).items:
        short = loan.values["dollars_short"]
        facts = [severity.label(loan.values["worst_severity"]), short and f"{money(short)} short"]
        yield Start("Worst loan", "loan_number", loan.loan_number, ", ".join(filter(None, facts)))
    found = families()
    yield from (_family(f"{word.capitalize()} family", one) for word, one in found)
    for kind in () if found else _KINDS:
        for party in session.ask(Parties.parties, PartyFilter(kind=kind, per_page=1)).items:
            if party.loans > 1:
                yield _party(kind, party)


def families() -> list[tuple[str, Family]]:
    """The "most distressed" family, by loans that are distressed by themselves, and the "largest"
    but for that; those that there are.
    """
    by_distress, by_size = (
        session.ask(Families.families, FamilyFilter(order=order, per_page=2)).items
        for order in ("-stressed", None)
    )
    found = [("most distressed", one) for one in by_distress[:1] if one.stressed]
    others = [("largest", one) for one in by_size if ("most distressed", one) not in found]
    return [*found, *others[:1]]


def _family(why: str, one: Family) -> Start:
    lenders = number_of(one.lenders, "lender")
    distressed = f", {count(one.stressed)} distressed" if one.stressed else ""
    facts = f"{loan_count(one.loans)}{distressed}, {money(one.book_value)}, {lenders}"
    return Start(why, "entity_name", one.entity_name, facts)


def _party(kind: str, one: Party) -> Start:
    facts = f"{loan_count(one.loans)}, {money(one.book_value)}, worst {severity.label(one.worst)}"
    return Start(f"Largest {kind}", "entity_name", one.entity_name, facts)


def _picture(start: Start) -> Picture:
    """The first paths from the root, as the page itself begins with."""
    query = PathQuery.model_validate({start.parameter: start.name})
    _, page = session.ask(CreditSource.paths, query)
    graph = network.network(start.name, page.items, {})
    loan = start.parameter == "loan_number"
    ends = ([start.name], []) if loan else ([], [start.name])
    kind_of = network.kinds(graph, *ends)
    slots = rings.arrange(start.name, network.parents(graph))
    of = f"{count(len(page.items))} of {count(page.total)}" if page.pages > 1 else "all"
    return Picture(
        graph=graph,
        points={node: slots.point(node) for node in slots.slots},
        kind_of=kind_of,
        title=start.name,
        note="",
        alt=f"Graph around {start.name}: {of} paths. A node starts a graph of its own.",
        key=f"start {start.parameter} {start.name}",
        root=start.name,
        sizes=sizes(sorted(node for node in graph if kind_of[node] == LOAN)),
        height=HEIGHT,
        dark=theme.dark(),
        bare=True,
    )


def _drawn(start: Start, picture: Picture, names: Mapping[str, str]) -> None:
    with card(f"{start.why}: {loan_names.beside(start.name, names)}", level=2, tall=True):
        text.caption(words(start.facts))
        draw(picture, f"graph-{start.why}")
        links.link(CAPITAL_GRAPH, "Start from it", "hub", {start.parameter: start.name})


def draw(picture: Picture, key: str) -> None:
    """A drawing in which a click on a node opens the graph around it."""

    def begin(node: str) -> None:
        links.open_page(CAPITAL_GRAPH, from_node(node, loan=picture.kind_of[node] == LOAN))

    drawing.draw(picture, begin, key=key)
