"""How two loans or parties are connected: in words, drawn, and as files."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from components.evidence import panel as evidence
from components.frame import api_call, links, loan_names, session, shell
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOAN
from components.graph import drawing, files, network, steps
from components.graph.board import sizes
from components.graph.drawing import Picture
from components.graph.ends import ConnectionView
from components.graph.filters import from_node
from components.kit import text, theme
from components.kit.formatting import count, words
from services.contract.connections import MOST_EDGES, ConnectionResult
from services.contract.errors import NotFound
from services.contract.frame_call import frame_of
from services.contract.rounding import number_of
from services.contract.source import Connections

_CHOSEN: Final = "connection_chosen"
#: Parties of one relation that a sentence names.
_SAID: Final = 3
#: From one node of a connection to the next, and from one connection to the next, in places.
_STEP, _APART = 4.0, 1.8
#: Pixels of a drawing of one connection.
_LOWEST, _LOWEST_BARE = 230, 130
_RULES: Final = (
    "A connection goes through no node in which very many edges meet, and on from no lender,"
    " originator, servicer or tenant: sharing one does not relate two borrowers. Fewest edges"
    " come first, then the highest product of confidences."
)


def found(view: ConnectionView) -> ConnectionResult | None:
    """The answer; None after saying why there is none."""
    try:
        return session.ask(Connections.connections, view.query())
    except NotFound as error:
        text.notice("warning", f"{error}.", "search_off")
    return None


def answer(view: ConnectionView, result: ConnectionResult) -> None:
    """How many connections there are, what was not crossed, the drawing and the steps."""
    title = ends_in_words(view, result)
    shell.tab(title)
    text.sentence(in_words(result), help_text=_RULES)
    if session.workspace().upstream:
        text.caption("Of the edges in the mirror: an API cannot be asked this.")
    if result.ended and not result.connections:
        nodes = number_of(result.ended, "node")
        text.caption(f"The search from either end ended at {nodes} by these rules.")
    if result.connections:
        _drawn(view, result)
        steps.listed(result)
    evidence.of_edges(steps.edges(view, result), f"connections of {title}")
    if result.not_crossed:
        steps.not_crossed(result)
    api_call.frames(frame_of("connections", view.query()))


def ends_in_words(view: ConnectionView, result: ConnectionResult) -> str:
    """Both ends, loans by their property: Hill Plaza (CA-000012) and Elm Partners."""
    known = loan_names.of(one for one in (view.from_loan, view.to_loan) if one is not None)
    return " and ".join(loan_names.beside(one, known) for one in (result.source, result.target))


def in_words(result: ConnectionResult) -> str:
    """Both serviced by A. 3 connections of at most 6 edges; or none, and how many nodes both ends
    reach.
    """
    return " ".join(filter(None, (shared_in_words(result), _connections(result))))


#: Relation of what both ends lead to -> how it is said of both; any other relation is named.
_BOTH: Final = {
    "servicer": "serviced by",
    "capital_source": "owed to",
    "originator": "originated by",
    "tenant": "let to",
    "property_manager": "managed by",
    "assisted_by": "assisted by",
    "trustee": "under the trustee",
    "borrower": "borrowed by",
    "guarantor": "guaranteed by",
    "owned_by": "owned by",
}


def shared_in_words(result: ConnectionResult) -> str:
    """Both serviced by A; both let to B and C. Empty where they share nobody at once."""
    said = [] if result.whole_loan is None else [f"both are notes of loan {result.whole_loan}"]
    by_relation: dict[str, list[str]] = {}
    for one in result.shared:
        by_relation.setdefault(one.relation, []).append(one.name)
    for relation, names in by_relation.items():
        listed = names[:_SAID]
        if len(names) > _SAID:
            listed.append(f"{count(len(names) - _SAID)} more")
        both = _BOTH.get(relation, f"tied ({words(relation)}) to")
        said.append(f"both {both} {' and '.join(listed)}")
    whole = "; ".join(said)
    return f"{whole[:1].upper()}{whole[1:]}." if whole else ""


def briefly(result: ConnectionResult) -> str:
    """Both serviced by A. Connected through B, C and D: the best connection; or none within so many
    edges.
    """
    if not result.connections:
        through = f"Not connected within {number_of(result.reach, 'edge')}."
    elif between := network.along(result.source, result.connections[0])[:-1]:
        *first, last = between
        listed = f"{', '.join(first)} and {last}" if first else last
        through = f"Connected through {listed}."
    else:
        through = "Connected by one edge."
    return " ".join(filter(None, (shared_in_words(result), through)))


def _connections(result: ConnectionResult) -> str:
    number = len(result.connections)
    if not number:
        first = f"None within {number_of(result.reach, 'edge')}"
    elif result.more:
        best = f"{count(number)} best connections" if number > 1 else "best connection"
        first = f"The {best}; there are more"
    else:
        first = f"{number_of(number, 'connection')} within {number_of(result.reach, 'edge')}"
    parts = [first]
    total = result.not_crossed_total
    if total:
        nodes = number_of(total, "node")
        parts.append(f"both reach {nodes} that no connection may go through, listed below")
    if result.reach < MOST_EDGES:
        wide = result.next_level_edges
        why = f"the next level has {number_of(wide, 'edge')}" if wide else "there are too many ways"
        parts.append(f"longer ones were not looked for: {why}")
    return f"{'; '.join(parts)}."


def board(result: ConnectionResult) -> network.Graph:
    """All connections as one graph."""
    return network.network(result.source, result.connections, {})


def points(result: ConnectionResult) -> dict[str, tuple[float, float]]:
    """Where the nodes stand: one connection below the other, from left to right."""
    length = max(len(path.edges) for path in result.connections)
    # As wide as the page is beside so many connections below each other.
    wide = max(length * _STEP, 2 * _APART * len(result.connections))
    places = {result.source: (0.0, 0.0), result.target: (wide, 0.0)}
    taken: set[tuple[float, float]] = set(places.values())
    rows = [0]
    for path in result.connections:
        inner = network.along(result.source, path)[:-1]
        fresh = [node for node in inner if node not in places]
        row = rows[-1]
        for at, node in enumerate(inner, 1):
            if node in fresh:
                x = at * wide / len(path.edges)
                below = row
                while (x, below * _APART) in taken:
                    below += 1
                places[node] = (x, below * _APART)
                taken.add(places[node])
        if fresh:
            rows.append(row + 1)
    middle = (len(rows) - 2) * _APART / 2
    for end in (result.source, result.target):
        places[end] = (places[end][0], max(middle, 0.0))
    return places


def picture(view: ConnectionView, result: ConnectionResult, *, bare: bool = False) -> Picture:
    """All connections as a drawing, from the end on the left to that on the right."""
    title = f"Connections of {ends_in_words(view, result)}"
    graph = board(result)
    kinds = [[], []] if view.from_loan is None else [[result.source], []]
    kinds[view.to_loan is None].append(result.target)
    kind_of = network.kinds(graph, kinds[0], kinds[1])
    loans = sorted(node for node in graph if kind_of[node] == network.LOAN)
    places = points(result)
    twin = "" if bare else " The table of steps below says the same."
    return Picture(
        graph=graph,
        points=places,
        kind_of=kind_of,
        title=title,
        note=f"{in_words(result)} {files.note(live=False)}",
        alt=f"{title}: {in_words(result)}{twin}",
        key=f"connection {view.params()}",
        root=result.source,
        chosen="" if bare else st.session_state.get(_CHOSEN, ""),
        sizes=sizes(loans),
        height=_height(places, _LOWEST_BARE if bare else _LOWEST),
        dark=theme.dark(),
        bare=bare,
    )


def _drawn(view: ConnectionView, result: ConnectionResult) -> None:
    found = picture(view, result)
    with st.container(border=True):
        text.heading(found.title, level=2)
        drawing.draw(found, _choose, key="connection-drawing")
        _opened(found.kind_of)
        rows = sum(len(path.edges) for path in result.connections)
        shown = f"{found.title}: {in_words(result)}"
        make = partial(steps.table, result, shown)
        files.buttons(found.graph, found.kind_of, shown, live=False, rows=(make, rows))


def _height(places: Mapping[str, tuple[float, float]], least: int) -> int:
    """Pixels: a few connections need no high stage."""
    low = max(y for _, y in places.values())
    return min(drawing.HEIGHT, round(least + 60 * low))


def _choose(node: str) -> None:
    st.session_state[_CHOSEN] = node


def _opened(kind_of: Mapping[str, str]) -> None:
    """Where the node that was clicked leads."""
    node: str = st.session_state.get(_CHOSEN, "")
    if node not in kind_of:
        return
    loan = kind_of[node] == network.LOAN
    name = from_node(node, loan=loan)
    with st.container(horizontal=True, vertical_alignment="center"):
        text.caption(f"Chosen: {node}", width="content")
        links.link(LOAN if loan else ENTITY, "Open it", "open_in_new", name)
        links.link(CAPITAL_GRAPH, "Its capital graph", "hub", name)
