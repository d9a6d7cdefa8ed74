"""How two nodes of the capital graph are connected, and what leads on from one of them (D72, D73).

What is asked, and what is answered; `Connections` of source.py are the reads.
"""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from .queries import Exact, Query, WholeNumber, YesNo
from .records import GraphPath, Record

#: Edges that a connection has at most, as the walk of spec 4.5 has.
MOST_EDGES = 6


class ConnectionQuery(Query):
    """How are two nodes connected? Each end is a loan or a party, and the two differ."""

    from_loan: Exact | None = None
    from_entity: Exact | None = None
    to_loan: Exact | None = None
    to_entity: Exact | None = None
    #: So many connections at most, the best ones; an answer has one page.
    per_page: Annotated[WholeNumber, Field(ge=1, le=25)] = 10

    slicing: ClassVar[frozenset[str]] = frozenset({"page", "per_page"})

    @model_validator(mode="after")
    def _two_ends(self) -> Self:
        for end in ("from", "to"):
            if (getattr(self, f"{end}_loan") is None) == (getattr(self, f"{end}_entity") is None):
                raise ValueError(f"give exactly one of '{end}_loan' and '{end}_entity'")
        if (self.from_loan, self.from_entity) == (self.to_loan, self.to_entity):
            raise ValueError("give two different ends")
        return self


class BranchQuery(Query):
    """The edges at one node; of one relation and one direction where these are given."""

    loan_number: Exact | None = None
    entity_name: Exact | None = None
    relation: Exact | None = None
    #: Whether they leave the node as they are stored; None for both directions.
    outward: YesNo | None = None

    @model_validator(mode="after")
    def _one_node(self) -> Self:
        if (self.loan_number is None) == (self.entity_name is None):
            raise ValueError("give exactly one of 'loan_number' and 'entity_name'")
        return self


class Branch(Record):
    """The edges at a node that have one relation and one direction."""

    relation: str
    #: Whether they leave the node as they are stored.
    outward: bool
    edges: int


class NotCrossed(Record):
    """A node that was reached from both ends, and that no connection goes through."""

    name: str
    #: "loan", or the kind of the party (D50).
    kind: str
    edges: int
    #: Whether too many edges meet in it; else it is a lender, originator, servicer or tenant.
    hub: bool


class Shared(Record):
    """A party that an edge of one relation leads to from both ends."""

    relation: str
    name: str
    kind: str


class ConnectionResult(Record):
    """How two nodes are connected."""

    source: str
    target: str
    #: The best ones: fewest edges, then product of confidences, then names (D72).
    connections: tuple[GraphPath, ...]
    #: Whether there are further ones.
    more: bool
    #: Connections of so many edges are all known; the longest that are looked for have 6.
    reach: int
    #: Edges that a further level would read, where that is more than is read for one answer.
    next_level_edges: int | None
    #: The first of them: most edges first, then by name.
    not_crossed: tuple[NotCrossed, ...]
    not_crossed_total: int
    #: Nodes at which the search from either end ended because of the rules of the walk (D12).
    ended: int
    #: What both ends lead to at once, by relation, then name (D202): said first, and no connection
    #: where a servicer, a lender or a tenant is shared.
    shared: tuple[Shared, ...] = ()
    #: Number of the loan of which both ends are notes (D151).
    whole_loan: str | None = None
