"""Tenants and leases, a row each, and all of them as a file."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from components.frame import address, columns, exports, paging, session, states
from components.frame.ledger import Column, ledger
from components.frame.routes import LOAN, TENANTS, Route
from components.kit.formatting import MISSING, count, day, distance, fraction, money, place, words
from components.tenants.view import LOOKS, TenantView, sentence
from services.contract.facts import FACT
from services.contract.records import Page
from services.contract.tenants import Tenancy, Tenant

R = TypeVar("R", Tenant, Tenancy)

_TENANT: Final = "Spellings that differ in case, accents and punctuation are one tenant."
_AREA: Final = "Square feet"


def tenants(found: Page[Tenant], view: TenantView) -> None:
    """A page of tenants; each leads to its leases."""
    today = session.today()

    def next_end(one: Tenant) -> str:
        return day(one.expires) if one.expires or not one.expired else "expired"

    def beside(one: Tenant) -> str:
        over = f"{count(one.expired)} expired" if one.expired and one.expires else ""
        ahead = distance(one.expires, today) if one.expires else ""
        return " · ".join(filter(None, (ahead, over)))

    listed: tuple[Column[Tenant], ...] = (
        Column("tenant", "Tenant", lambda one: one.tenant, order=True, help=_TENANT),
        Column("leases", "Leases", lambda one: count(one.leases), figure=True),
        Column("square_feet", _AREA, lambda one: count(one.square_feet), figure=True, order=True,
               bar=lambda one: one.square_feet),
        Column("share", "Of the area listed", lambda one: fraction(one.share), figure=True),
        Column("expires", "Next expiry", next_end, order=True, short=True, under=beside,
               help="The first lease to expire from the as-of date on."),
        columns.loans(),
        Column("book_value", FACT["book_value"].label, lambda one: money(one.book_value),
               figure=True, order=True, stack=lambda one: one.by_worst,
               help="Of these loans, each whole, by their worst signal."),
        columns.worst(order=True),
    )  # fmt: skip

    def its_leases(one: Tenant) -> tuple[Route, dict[str, str]]:
        return TENANTS, view.but(tenant=f'"{one.tenant}"', look="leases", order=None)

    _drawn(listed, found, its_leases, view, "-square_feet")


def leases(found: Page[Tenancy], view: TenantView) -> None:
    """A page of leases; each opens its loan."""
    today = session.today()
    listed: tuple[Column[Tenancy], ...] = (
        Column("loan_number", "Loan", lambda one: one.loan_number),
        Column("tenant", "Tenant", lambda one: one.tenant or MISSING, order=True),
        Column("square_feet", _AREA, lambda one: count(one.square_feet), figure=True, order=True),
        Column("share", "Of the loan's area", lambda one: fraction(one.share), figure=True,
               order=True, bar=lambda one: one.share,
               help="Part of the rentable area of all its properties."),
        Column("expires", "Expires", lambda one: day(one.expires), order=True, short=True,
               under=lambda one: "" if one.expires is None else distance(one.expires, today),
               tint=lambda one: "bad" if one.expires and one.expires < today else None,
               help="As filed. A day before the as-of date is red: the lease was extended, is held "
               "over, or has ended."),
        Column("property_type", "Type", lambda one: words(one.property_type)),
        Column("city", "City", lambda one: place(one.city, one.state)),
        columns.book_value(order=True),
        columns.worst(order=True),
    )  # fmt: skip
    _drawn(listed, found, lambda one: (LOAN, one.loan_number), view, "expires")


def _drawn(
    listed: Sequence[Column[R]],
    found: Page[R],
    opens: Callable[[R], tuple[Route, str | dict[str, str]]],
    view: TenantView,
    own: str,
) -> None:
    if states.has_rows(found, TENANTS, view):
        ledger(
            listed,
            found.items,
            opens=opens,
            caption=LOOKS[view.look],
            order=view.order or own,
            on_order=address.put_in_order,
            own_order=own,
        )
        paging.bar(found)


def export(view: TenantView) -> exports.Export:
    """Every tenant or lease that matches, as the page lists them."""
    snapshot, query = session.analytics(), view.filter()
    of_tenants = view.look == "tenants"
    table = snapshot.tenant_table(query) if of_tenants else snapshot.tenancy_table(query)
    facts = {"book_value": FACT["book_value"]}
    return exports.of_table(view.look, sentence(view), exports.origin(), table, facts)
