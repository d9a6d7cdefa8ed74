"""The steps of connections, and what they do not cross, as tables. The drawing's twins."""

from components.frame import exports
from components.frame.ledger import Column, ledger
from components.frame.routes import ENTITY, LOAN
from components.graph import network
from components.graph.ends import ConnectionView
from components.graph.paths import LEFT, RIGHT
from components.kit import text
from components.kit.card import card
from components.kit.formatting import MISSING, count, fixed, score, share, words
from services.contract.connections import ConnectionResult, NotCrossed
from services.contract.evidence import EdgeQuery
from services.contract.records import Edge

#: A step: number of the connection, of the step in it, the edge, and the node it leads to.
Step = tuple[int, int, Edge, str]


def steps(result: ConnectionResult) -> list[Step]:
    """Every edge of every connection, in order."""
    return [
        (number, at, edge, reached)
        for number, path in enumerate(result.connections, 1)
        for at, (edge, reached) in enumerate(
            zip(path.edges, network.along(result.source, path), strict=True), 1
        )
    ]


def edges(view: ConnectionView, result: ConnectionResult) -> list[EdgeQuery]:
    """The edges to what both ends share, then those of the steps, as their evidence is asked for,
    each once.
    """
    ends = ((result.source, view.from_loan), (result.target, view.to_loan))
    shared = (
        network.asked(name, one.name, one.relation, loan=loan is not None)
        for one in result.shared
        for name, loan in ends
    )
    stepped = (
        network.asked(
            edge.source, edge.target, edge.relation, loan=edge.extra.get("from_kind") == "loan"
        )
        for _, _, edge, _ in steps(result)
    )
    return list({one.model_dump_json(): one for one in (*shared, *stepped)}.values())


def table(result: ConnectionResult, shown: str) -> exports.Export:
    """The steps as rows, each edge as stored with the node that it leads to."""
    products = [network.product(path) for path in result.connections]
    rows = [
        {
            "connection": number,
            "product": products[number - 1],
            "step": at,
            "from": edge.source,
            "from_kind": edge.extra.get("from_kind"),
            "to": edge.target,
            "to_kind": edge.extra.get("to_kind"),
            "relation": edge.relation,
            "confidence": edge.confidence,
            "share": edge.extra.get("share"),
            "reaches": reached,
        }
        for number, at, edge, reached in steps(result)
    ]
    kinds = {"connection": int, "product": float, "step": int, "from": str, "from_kind": str,
             "to": str, "to_kind": str, "relation": str, "confidence": float, "share": float,
             "reaches": str}  # fmt: skip
    return exports.of_rows("connections, steps", shown, rows, kinds)


def listed(result: ConnectionResult) -> None:
    """The drawing's twin: one row a step, with relation, direction, confidence and share."""
    products = [network.product(path) for path in result.connections]

    def relation(step: Step) -> str:
        _, _, edge, reached = step
        along = edge.target == reached
        said = words(edge.relation) if edge.relation else MISSING
        return f"{said} {RIGHT}" if along else f"{LEFT} {said}"

    def owned(step: Step) -> str:
        part = step[2].extra.get("share")
        return MISSING if part is None else share(part, 1)

    def sure(step: Step) -> str:
        return score(step[2].confidence)

    def product(step: Step) -> str:
        whole = products[step[0] - 1]
        return MISSING if whole is None else fixed(whole, 3)

    columns: tuple[Column[Step], ...] = (
        Column("to", "Reaches", lambda step: step[3]),
        Column("number", "Connection", lambda step: str(step[0]), figure=True, short=True),
        Column("step", "Step", lambda step: str(step[1]), figure=True),
        Column("relation", "Relation", relation, short=True),
        Column("confidence", "Confidence", sure, figure=True),
        Column("share", "Share owned", owned, figure=True),
        Column("product", "Product", product, figure=True,
               help="Of the confidences along the whole connection."),
    )  # fmt: skip
    with card(f"Steps from {result.source}", level=2):
        ledger(
            columns,
            steps(result),
            opens=lambda step: (LOAN if _is_loan(step[2], step[3]) else ENTITY, step[3]),
            caption="Steps of the connections, one row each",
        )


def _is_loan(edge: Edge, node: str) -> bool:
    return edge.extra.get("from_kind" if edge.source == node else "to_kind") == "loan"


def not_crossed(result: ConnectionResult) -> None:
    """What both ends reach and no connection goes through."""
    columns: tuple[Column[NotCrossed], ...] = (
        Column("name", "Node", lambda one: one.name),
        Column("kind", "Kind", lambda one: words(one.kind)),
        Column("edges", "Edges", lambda one: count(one.edges), figure=True, short=True),
        Column("why", "Why not", lambda one: "Hub" if one.hub
               else "Lender, servicer or tenant of both"),
    )  # fmt: skip
    with card("Reached from both ends, but no connection may go through them", level=2):
        if result.not_crossed_total > len(result.not_crossed):
            text.caption(f"The first {count(len(result.not_crossed))}"
                         f" of {count(result.not_crossed_total)}.")  # fmt: skip
        ledger(
            columns,
            result.not_crossed,
            opens=lambda one: (LOAN if one.kind == "loan" else ENTITY, one.name),
            caption="Nodes reached from both ends, one row each",
        )
