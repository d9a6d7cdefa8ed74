"""The Tenants page: which leases of which loans, and how they are looked at."""

from typing import ClassVar, Final, Literal

from components.frame import address, filters
from components.frame.routes import TENANTS
from components.kit.formatting import window
from components.loans import filters as loan_filters
from services.contract.rounding import number_of
from services.contract.tenants import TenantFilter

LOOKS: Final = {"tenants": "Tenants", "leases": "Leases"}
_LOOKS: Final = ("page", "per_page", "order", "look")
#: In sight; the others can be added.
_SHOWN: Final = (
    filters.TENANT, filters.LEASES_WITHIN,
    filters.STATES_OF_LOANS, filters.PROPERTY_TYPES_OF_LOANS, filters.WORST_SEVERITY,
)  # fmt: skip
_ENDS: Final = (
    filters.of_day("expires_after", "Lease expires after", "after", "Lease expires"),
    filters.of_day("expires_before", "Lease expires before", "before", "Lease expires"),
)


class TenantView(TenantFilter):
    """The leases asked for, by tenant or one by one."""

    look: Literal["tenants", "leases"] = "tenants"

    slicing: ClassVar[frozenset[str]] = TenantFilter.slicing | {"look"}

    def filter(self) -> TenantFilter:
        """What is asked for, however it is looked at."""
        return self.part(TenantFilter)


def tenant_view() -> TenantView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(TenantView, TENANTS, _check)
    if asked is None:
        return None
    chosen = loan_filters.bar(asked, shown=_SHOWN, further=_ENDS, counted=False)
    return address.settled(asked, chosen, _LOOKS)


def _check(view: TenantView) -> None:
    filters.check(_ENDS, view)
    loan_filters.check(view)


def sentence(view: TenantView) -> str:
    """What is listed, in words: Leases of office loans in Texas, expiring until 31 Dec 2027."""
    loans = loan_filters.sentence(view.of_loans().without("tenant", "leases_within"))
    parts = [f"{LOOKS[view.look]} of {loans[0].lower()}{loans[1:]}"]
    if view.tenant:
        parts.append(f"named {view.tenant}" if view.tenant[0] == '"' else f"named “{view.tenant}”")
    if view.leases_within:
        parts.append(f"expiring within {number_of(view.leases_within, 'month')} of the as-of date")
    if when := window(view.expires_after, view.expires_before):
        parts.append(f"expiring {when}")
    return ", ".join(parts)
