"""Tenants: who rents how much of the loans' properties, and when the leases end."""

from datetime import date
from typing import TYPE_CHECKING, Annotated, Final, Protocol

from pydantic import AfterValidator, Field

from .aggregates import ByWorst
from .loan_filter import LoanFilter
from .queries import Day, order_among
from .records import Page, Record

if TYPE_CHECKING:  # pages import this module; only exports need pyarrow
    import pyarrow as pa

#: What tenants and their leases are ordered by; with "-" before it the largest or worst first.
TENANT_ORDERS: Final = ("tenant", "square_feet", "expires", "share", "book_value", "worst")


class TenantFilter(LoanFilter):
    """Which leases, of which loans, in which order.

    `tenant` and `leases_within` ask of the lease itself, as the two days do (both left out, D8).
    Nulls come last, either way; ties by tenant, then loan_number, then as filed.
    """

    order: (
        Annotated[str, Field(max_length=60), AfterValidator(order_among(TENANT_ORDERS))] | None
    ) = None
    expires_after: Day | None = None
    expires_before: Day | None = None

    def of_loans(self) -> LoanFilter:
        """Its conditions on loans."""
        return self.part(LoanFilter).without("order").at(1)


class TenantRow(Record):
    """A tenant, its leases that match, and figures over their loans.

    Spellings that differ in case, accents and punctuation are one tenant, by the most frequent.
    """

    tenant: str
    leases: int
    #: Over the leases that state it; None where none does.
    square_feet: int | None
    #: Part of the area of all leases that match, 0 to 1; None without an area.
    share: float | None
    #: The first end of a lease on or after the as-of date; None without one.
    expires: date | None
    #: Leases that ended before it, as filed: extended, held over, or moved out since.
    expired: int
    #: Different loans.
    loans: int
    #: US dollars of these loans' records that match, each loan whole.
    book_value: int
    #: Worst signal of the records that have the leases; None without any.
    worst: str | None


class Tenant(TenantRow):
    """A tenant of a page of them."""

    by_worst: ByWorst


class Tenancy(Record):
    """A lease of one of the largest tenants. A loan of several records has it once, of the first
    that matches.
    """

    tenant: str | None
    loan_number: str
    property_name: str | None
    square_feet: int | None
    #: Part of the loan's rentable area; None where either is not known.
    share: float | None
    expires: date | None
    property_type: str | None
    city: str | None
    state: str | None
    #: US dollars of the loan's records that match.
    book_value: int
    worst: str | None


class YearOfLeases(Record):
    """Leases that end in one calendar year, from the as-of date on."""

    #: None for those that ended before it, in whatever year.
    year: int | None
    leases: int
    square_feet: int


class TenantTotals(Record):
    """All leases of a result."""

    #: Different tenants that are named.
    tenants: int
    leases: int
    loans: int
    #: US dollars of these loans, each once.
    book_value: int
    square_feet: int
    #: Leases that state no end.
    undated: int
    #: In order, what ended before first; those without a lease left out.
    years: tuple[YearOfLeases, ...]


#: Columns of the two tables.
TENANT_EXPORT: Final = tuple(TenantRow.model_fields)
TENANCY_EXPORT: Final = tuple(Tenancy.model_fields)


class Tenants(Protocol):
    """Leases as sources name them: filings state the three largest tenants of each property. A loan
    that owes nothing, or is defeased in full, has none.
    """

    def tenants(self, query: TenantFilter) -> Page[Tenant]:
        """Page of the tenants of the leases that match, without an order the largest first."""
        ...

    def tenancies(self, query: TenantFilter) -> Page[Tenancy]:
        """Page of the leases that match, without an order the first to end first."""
        ...

    def tenant_totals(self, query: TenantFilter) -> TenantTotals:
        """How much is let by the leases that match, and until when."""
        ...

    def tenant_table(self, query: TenantFilter) -> "pa.Table":
        """Every tenant of `tenants`: TENANT_EXPORT."""
        ...

    def tenancy_table(self, query: TenantFilter) -> "pa.Table":
        """Every lease of `tenancies`: TENANCY_EXPORT."""
        ...
