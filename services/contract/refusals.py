"""How a licence tier is refused, in the same words by every door of the service."""

from .access import LICENCE_TIERS, LicenceTier
from .endpoints import named
from .errors import Forbidden


def require_tier(tier: LicenceTier, tiers: tuple[LicenceTier, ...]) -> None:
    """Raises Forbidden where a key's tier is none of those that open what is asked."""
    if tier not in tiers:
        names = named(tiers)
        raise Forbidden(
            f"The licence tier {LICENCE_TIERS[tier]} of this key does not cover this endpoint; "
            f"{' and '.join(names)} do",
            tiers=names,
        )


def require_party_tier(
    tier: LicenceTier, tiers: tuple[LicenceTier, ...], parameter: str = "sponsors"
) -> None:
    """Raises Forbidden where `parameter` names parties and the key's tier opens none (D141)."""
    if tier not in tiers:
        names = named(tiers)
        raise Forbidden(
            f"The licence tier {LICENCE_TIERS[tier]} of this key does not cover parties; leave "
            f"'{parameter}' out, or use a key of {' or '.join(names)}",
            tiers=names,
        )
