"""What an edge of the capital graph rests on, and what is known of a party beyond its name.

An importer hands both over as tables (D196): a witness is one document's word for an edge, a
particular one fact of a party. Confidence follows from the method, and is never typed (D197).
"""

from datetime import date
from typing import Annotated, Final, Literal, Protocol, Self

import pyarrow as pa
from pydantic import Field, model_validator

from .queries import Exact, Query
from .records import Page, Record

#: How a source came to say that two parties, or a loan and a party, are tied.
Method = Literal[
    "stated in the filing",
    "recorded deed",
    "same identifier",
    "registered",
    "user's tape",
    "resolved by name and address",
]
#: Confidence by method. A document that ties the two itself, or an identifier that both bear,
#: leaves no doubt. Nobody checks what is declared to a register, or typed into a tape. None: the
#: score of the match decides.
METHODS: Final[dict[Method, float | None]] = {
    "stated in the filing": 1.0,
    "recorded deed": 1.0,
    "same identifier": 1.0,
    "registered": 0.95,
    "user's tape": 0.90,
    "resolved by name and address": None,
}


def confidence(method: Method, match: float | None = None) -> float:
    """Confidence of an edge, 0 to 1: that of its method, times the score of the match where the
    parties had to be recognised. Raises ValueError where a method needs a score and has none.
    """
    sure = METHODS[method]
    if sure is None and match is None:
        raise ValueError(f"'{method}' needs the score of the match")
    return (1.0 if sure is None else sure) * (1.0 if match is None else match)


#: One row a witness of an edge. `edge` is a row of EDGES.
WITNESSES: Final = pa.schema(
    [
        pa.field("edge", pa.int32(), nullable=False),
        pa.field("method", pa.string(), nullable=False),  # of METHODS
        pa.field("match", pa.float64()),  # score of the match, 0 to 1
        pa.field("said", pa.string()),  # what the document says there, in its words
        pa.field("since", pa.date32()),  # when the tie held, as far as the document says
        pa.field("until", pa.date32()),
        pa.field("file", pa.string()),  # names only, never a path of this machine
        pa.field("record", pa.string()),
        pa.field("element", pa.string()),
    ]
)

#: What a particular is about; an exception is why a register names no parent.
About = Literal["name", "identifier", "address", "jurisdiction", "legal kind", "exception"]
#: Schemes of identifiers and what ids begin with, the strongest first: a party is called by the
#: first that it has. A company number is "GB 01234567": the register's country before it.
SCHEMES: Final[dict[str, str]] = {
    "LEI": "lei",
    "SEC CIK": "cik",
    "company number": "company",
    "HUD": "hud",
    "tax lot owner": "lot",
}
#: What a party is by law, whatever it is to a loan.
LEGAL_KINDS: Final = ("company", "person", "trust", "public body")

#: One row a fact of a party. `entity` is a row of ENTITIES.
PARTICULARS: Final = pa.schema(
    [
        pa.field("entity", pa.int32(), nullable=False),
        pa.field("about", pa.string(), nullable=False),  # of About
        pa.field("scheme", pa.string()),  # of an identifier
        pa.field("value", pa.string(), nullable=False),
        pa.field("since", pa.date32()),
        pa.field("until", pa.date32()),
        pa.field("file", pa.string()),
        pa.field("record", pa.string()),
        pa.field("element", pa.string()),
    ]
)


class EdgeQuery(Query):
    """One edge of the capital graph: what it leads from, and to, and its relation."""

    from_loan: Exact | None = None
    from_entity: Exact | None = None
    to_entity: Exact
    #: None: any relation.
    relation: Exact | None = None

    @model_validator(mode="after")
    def _one_start(self) -> Self:
        if (self.from_loan is None) == (self.from_entity is None):
            raise ValueError("give exactly one of 'from_loan' and 'from_entity'")
        return self


class Cited(Record):
    """Where something is said: its source, and the place in it as far as that is known."""

    source: str
    as_of: date
    provenance: str
    file: str | None = None
    record: str | None = None
    element: str | None = None
    #: When it held, as far as the document says.
    since: date | None = None
    until: date | None = None


class Witness(Cited):
    """One document's word for an edge."""

    relation: str
    method: str
    #: Score of the match, 0 to 1, where the parties had to be recognised.
    match: Annotated[float, Field(ge=0, le=1)] | None = None
    #: Of the edge that it stands for, 0 to 1.
    confidence: float
    #: Fraction owned, as this source states it.
    share: float | None = None
    #: In the document's words.
    said: str | None = None


class EdgeEvidence(Record):
    """All that says that an edge is there; empty where its source names no document."""

    source: str
    target: str
    #: The surest first; of equal ones by source, then place in it. Those of several sources may
    #: contradict each other: all are here.
    witnesses: tuple[Witness, ...] = ()


class Particular(Cited):
    """One fact of a party."""

    about: str
    scheme: str | None = None
    value: str


class PartyEvidence(Record):
    """One party as an identity."""

    entity_name: str
    #: Its strongest identifier, else one made of its name: the same after every import (D198).
    party_id: str
    #: By About in its order, then scheme by strength, value and source.
    particulars: tuple[Particular, ...] = ()


class Stated(Record):
    """What one source says of what another one says differently."""

    source: str
    as_of: date
    #: Each once, in order.
    values: tuple[str, ...]


class Disagreement(Record):
    """What two sources say so that both cannot be right (D255)."""

    #: A share of an edge, the parties that are one thing to a loan, or a fact of a party.
    about: Literal["share", "party", "identifier", "jurisdiction", "legal kind"]
    #: Number of the loan or name of the party that it is about; of a share, where the edge begins.
    subject: str
    #: Of a share: the party that the edge leads to.
    target: str | None = None
    #: Relation of an edge, scheme of an identifier.
    word: str | None = None
    #: All sources that say something of it, two or more.
    stated: tuple[Stated, ...]


class Evidence(Protocol):
    """What edges and parties rest on. Asked for one at a time, never on a walk."""

    def disagreements(self, query: Query) -> Page[Disagreement]:
        """What sources state differently (D255), by what it is about, then by subject."""
        ...

    def edge_evidence(self, query: EdgeQuery) -> EdgeEvidence:
        """Every witness of an edge. Raises NotFound for an end, or where no such edge is."""
        ...

    def party_evidence(self, entity_name: str) -> PartyEvidence:
        """Who a party is: ids, names, addresses, each with its source. By its preferred name,
        any other spelling, or an id. Raises NotFound.
        """
        ...
