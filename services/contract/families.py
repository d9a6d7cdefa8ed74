"""Families of loans: all loans under one sponsor or owner, over links of 0.70 or better (D58)."""

from datetime import date
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal, Protocol

from pydantic import AfterValidator, Field

from .aggregates import Slice
from .loan_filter import LoanFilter
from .queries import order_among
from .records import Page, Record

if TYPE_CHECKING:
    import pyarrow as pa

#: What families can be ordered by; with "-" before it the largest or worst first.
FAMILY_ORDERS: Final = (
    *("entity_name", "loans", "book_value", "worst", "stressed", "lenders", "dollars_short"),
)  # fmt: skip
#: Relations from a loan to who is right above it: a tape that names no borrower names the sponsor.
OF_LOANS: Final = ("borrower", "sponsor")
#: Its ladder: at least so many siblings critical, at least so many severe or worse -> the rank in
#: SEVERITIES that they come to, the worst first.
SIBLING_RANKS: Final = ((2, 2, 3), (1, 1, 2), (0, 2, 2), (0, 1, 1))
#: Days between the as-of dates of two loans beyond which one tells nothing of the other (D213).
SIBLING_DAYS: Final = 366


class FamilyFilter(LoanFilter):
    """Which loans are counted, family by family, and in which order the families stand."""

    #: Of the party at the head of the family: a sponsor and its owners head the same loans.
    kind: Literal["sponsor", "owner", "either"] = "sponsor"
    #: The largest book value first without it; ties by the larger book value, then by name.
    order: (
        Annotated[str, Field(max_length=60), AfterValidator(order_among(FAMILY_ORDERS))] | None
    ) = None

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | {"kind"}

    def of_loans(self) -> LoanFilter:
        """The conditions on loans alone."""
        return self.part(LoanFilter, sliced=False)


class Family(Record):
    """The loans of one family that match a filter; a loan counts under each of its owners."""

    entity_name: str
    kind: str
    loans: int
    #: US dollars.
    book_value: int
    #: Worst signal of these loans; None without any.
    worst: str | None
    #: Loans whose worst signal is severe or critical.
    stressed: int
    #: Different lenders of any layer of these loans, or by name.
    lenders: int
    #: US dollars short at refinance, over the loans that are short.
    dollars_short: int


class FamilyLink(Record):
    """One link of the way from a loan up to the head of its family."""

    #: Loan number or party.
    below: str
    above: str
    confidence: float


class FamilyLoan(Record):
    """A loan of a family."""

    loan_number: str
    property_type: str | None
    property_city: str | None
    property_state: str | None
    lender_normalized: str | None
    book_value: int | None
    #: How it stands or ended (disposition.py).
    disposition: str | None
    #: The anticipated repayment date where there is one, else maturity.
    effective_maturity: date | None
    #: Why nobody refinances it (contract/maturities.py); None where somebody must.
    exemption: str | None
    dollars_short: int | None
    worst: str | None
    #: How severe contagion from its siblings is, a lead beside the worst signal (D279); None
    #: where no sibling is severe.
    contagion: str | None
    #: From the loan up: of the ways over links of 0.70 or better that of the fewest links, then of
    #: the highest product of confidences, then of the smallest names.
    way: tuple[FamilyLink, ...]


class FamilyDossier(Record):
    """One family whole."""

    family: Family
    #: Loans by their worst signal.
    severe: int
    critical: int
    #: Different lenders of any layer or by name, those of most of its loans first, then by name;
    #: None for loans without one. A loan of two lenders counts for both.
    by_lender: tuple[Slice, ...]
    #: Worst signal first, then dollars short, then book value, then by loan_number; 500 at most.
    loans: tuple[FamilyLoan, ...]


class Families(Protocol):
    """All loans under one sponsor or owner (D58): who has most, and one family whole."""

    def families(self, query: FamilyFilter) -> Page[Family]:
        """Page of the families with loans that match, in the order that the query asks for."""
        ...

    def family_table(self, query: FamilyFilter) -> "pa.Table":
        """Every family with loans that match, all pages: the columns of FAMILY_EXPORT."""
        ...

    def family(self, entity_name: str) -> FamilyDossier:
        """The family of one sponsor or owner, by its exact name; without loans for a party that
        heads none. Raises NotFound.
        """
        ...
