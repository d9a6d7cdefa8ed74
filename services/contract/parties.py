"""Parties in order: what stands behind each of them, how bad it is, and of which kind each is."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Protocol

from pydantic import AfterValidator, Field

from .aggregates import ByWorst
from .exposure import Role
from .queries import EntityQuery, Lower, order_among
from .records import Page, Record

if TYPE_CHECKING:
    import pyarrow as pa

#: What parties can be ordered by; with "-" before it the largest or worst first.
PARTY_ORDERS: Final = (
    *("entity_name", "confidence", "loans", "book_value", "worst", "stressed", "dollars_short"),
)  # fmt: skip


class PartyFilter(EntityQuery):
    """Which parties, and in which order."""

    #: The kind of party as its source calls it: sponsor, lender, tenant.
    kind: Lower | None = None
    #: Without it the best match of a name first, then the largest book value; ties by the larger
    #: book value, then by name.
    order: (
        Annotated[str, Field(max_length=60), AfterValidator(order_among(PARTY_ORDERS))] | None
    ) = None

    slicing: ClassVar[frozenset[str]] = EntityQuery.slicing | {"order"}


class PartyRow(Record):
    """A party, and figures over its loans."""

    entity_name: str
    kind: str
    confidence: float
    confidence_tier: str
    #: Likeness of the name to the one asked for, 0 to 1; None where none was.
    match_score: float | None
    #: None: its own loans (D32). Of a party without any, the role in which it has most (D201).
    role: Role | None
    #: Different loans.
    loans: int
    #: US dollars; a record that is the sum of others is in no amount.
    book_value: int
    #: Worst signal of these loans; None without any.
    worst: str | None
    #: Loans whose worst signal is severe or critical.
    stressed: int
    #: US dollars short at refinance, over the loans that are short.
    dollars_short: int

    @property
    def has_own(self) -> bool:
        """Whether these loans are its own."""
        return self.loans > 0 and self.role is None


class Party(PartyRow):
    """A party of a page of them."""

    #: The party that most surely owns it, ties by name; None where none is named.
    above: str | None
    by_worst: ByWorst


class Parties(Protocol):
    """Every party with the loans it stands behind, lends to, or else services or rents in."""

    def parties(self, query: PartyFilter) -> Page[Party]:
        """Page of the parties that match, in the order that the query asks for; of a search by
        name at most the 200 best (D37).
        """
        ...

    def party(self, entity_name: str) -> Party:
        """One party, by its exact name. Raises NotFound."""
        ...

    def party_kinds(self, query: PartyFilter) -> dict[str, int]:
        """Parties of each kind that match, whatever kind is asked for; by kind in order of the
        alphabet.
        """
        ...

    def party_table(self, query: PartyFilter) -> "pa.Table":
        """Every party that matches, all pages: the columns of PARTY_EXPORT."""
        ...


#: Columns of `Parties.party_table`.
PARTY_EXPORT: Final = tuple(PartyRow.model_fields)
