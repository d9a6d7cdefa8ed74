"""What the Capital graph page is asked for: root, depth, filters; its address and its widgets."""

from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Final, Literal, Self

import streamlit as st
from pydantic import BeforeValidator, model_validator

from components.frame import address, field_bar, fields
from components.frame.fields import Letters
from components.frame.routes import CAPITAL_GRAPH
from components.frame.switch import switch
from components.kit import text
from components.kit.formatting import count, words
from services.contract.errors import InvalidRequest
from services.contract.queries import Lower, PathQuery, Score, Word, YesNo
from services.contract.rounding import number_of

#: Paths in a page of the list, and in a request (spec 8.5).
PER_PAGE: Final = 25
Layout = Literal["rings", "layers"]
LAYOUTS: Final[dict[str, str]] = {"rings": "Rings", "layers": "Layers"}
DEPTHS: Final = tuple(range(1, 7))


def _split(value: object) -> object:
    if not isinstance(value, str):
        return value
    parts = sorted({part.strip() for part in value.split(",")} - {""})
    if not parts:
        raise ValueError("must name relations, with commas between them")
    return tuple(parts)


class GraphView(PathQuery):
    """A path query, and which of its edges are shown. `relation` is written with commas."""

    relation: Annotated[tuple[Lower, ...] | None, BeforeValidator(_split)] = None
    confidence_min: Score | None = None
    #: How nodes stand.
    layout: Layout = "rings"
    #: Letters of a name: which of the paths are listed.
    find: Word | None = None
    #: Whether it is shown what the edges of the chosen node rest on.
    evidence: YesNo = False

    slicing: ClassVar[frozenset[str]] = frozenset(
        {"page", "per_page", "depth", "layout", "evidence"}
    )

    @model_validator(mode="after")
    def _one_root(self) -> Self:
        # None at all is how the page begins.
        if self.loan_number is not None and self.entity_name is not None:
            raise ValueError("give exactly one of 'loan_number' and 'entity_name'")
        return self

    @property
    def root(self) -> str | None:
        """The node that the walk starts from."""
        return self.entity_name if self.loan_number is None else self.loan_number

    @property
    def filtered(self) -> bool:
        """Whether less is shown than was loaded."""
        return self.relation is not None or self.confidence_min is not None

    def query(self, page: int = 1) -> PathQuery:
        """The specification's part, at a page."""
        return self.part(PathQuery).at(page)

    def params(self) -> dict[str, str]:
        """The view as URL parameters, defaults left out."""
        written = super().params()
        some = {} if self.relation is None else {"relation": ",".join(self.relation)}
        return written | some

    def start(self) -> dict[str, str]:
        """URL parameters of the same walk without filters."""
        return self.query().params()


def from_node(node: str, *, loan: bool) -> dict[str, str]:
    """The parameter of an address, or of a question, that names a node."""
    return {"loan_number" if loan else "entity_name": node}


def asked() -> GraphView | None:
    """What the address asks for; None after showing what is wrong with it."""
    return address.asked(GraphView, CAPITAL_GRAPH, _offered)


def _offered(view: GraphView) -> None:
    if view.per_page != PER_PAGE:
        raise InvalidRequest(
            f"Parameter 'per_page' is '{view.per_page}' but this page lists {PER_PAGE} paths"
            " at a time",
            parameter="per_page",
        )


def depth() -> int:
    """The depth chosen: drawn before anything is read."""
    chosen: int | None = st.segmented_control(
        "Depth, in edges",
        DEPTHS,
        format_func=count,
        required=True,
        help="How many edges away from the root the walk goes.",
        **address.widget("depth", address.first_page),
    )
    return chosen or DEPTHS[0]


def layout() -> None:
    """How nodes stand: drawn beside the drawing, settled with the filters before it."""
    layered = "a layer each for lenders, loans, borrowers and owners"
    said = f"Rings by distance from the root, or {layered}."
    switch("layout", "Layout", LAYOUTS, help_text=said)


def find() -> None:
    """Letters of a name that the listed paths go through."""
    field = Letters(label="Find in the paths", empty="A name, or a part of one")
    field_bar.draw({"find": field}, key="find paths", label="Paths", on_fill=address.first_page)


def narrowed(view: GraphView, relations: Iterable[str], loaded: int) -> GraphView:
    """The view with the filters chosen, of the relations that were loaded; settles the address."""
    # The address seeds None or a tuple; the widget knows lists only.
    wanted = st.session_state["relation"] = list(st.session_state.get("relation") or ())
    said = f"Applied to the {number_of(loaded, 'path')} loaded."
    left, right = st.columns([3, 1], gap="small")
    with left:
        chosen_relations = _relations(sorted({*relations, *wanted}), said)
    with right:
        confidence = _confidence(said)
    # Drawn below, but their state is in the address that is settled here.
    st.session_state["find"] = " ".join((st.session_state.get("find") or "").split())
    further = {
        "relation": chosen_relations,
        "confidence_min": confidence,
        "page": st.session_state["page"],
        "layout": st.session_state["layout"],
        "evidence": st.session_state["evidence"],
        "find": st.session_state["find"] or None,
    }
    shown = view.model_copy(update=further)
    address.settle(shown)
    return shown


def relations_in_words(relations: Iterable[str]) -> str:
    """Relation borrower or owned by."""
    return "relation " + " or ".join(one.replace("_", " ") for one in relations)


def _relations(offered: Sequence[str], said: str) -> tuple[str, ...] | None:
    chosen = st.pills(
        "Relations",
        list(offered),
        selection_mode="multi",
        format_func=lambda word: text.label(words(word)),
        help=text.label(f"None chosen: all are shown. {said}"),
        **address.widget("relation", address.first_page),
    )
    return tuple(sorted(chosen)) or None


def _confidence(said: str) -> float | None:
    field = fields.confidence(
        "Confidence from", f"Of each edge; one without a confidence is left out. {said}"
    )
    typed = field_bar.draw(
        {"confidence_min": field}, key="filters of edges", label="Edges", on_fill=address.first_page
    )
    confidence: float | None = typed["confidence_min"]
    return confidence
