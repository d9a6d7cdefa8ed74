"""The licence tier that pages are seen as, for demonstrations, and what it opens (D82)."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from services.contract.endpoints import ENTITIES, LICENCE_TIERS, Endpoint, LicenceTier, licence_of
from services.contract.errors import Forbidden

#: Session key of the tier.
SEEN_AS: Final = "seen_as"


def tier() -> LicenceTier:
    """The licence tier that pages are seen as: the widest, unless another one is looked at."""
    found: LicenceTier = st.session_state.get(SEEN_AS, "complete")
    return found


def see_as(tier: LicenceTier) -> None:
    """Shows all pages as a licence tier opens them, to this browser tab only."""
    st.session_state[SEEN_AS] = tier


def opens(endpoint: Endpoint[Any, Any]) -> bool:
    """Whether the tier covers what an endpoint answers."""
    return tier() in endpoint.tiers


def check(read: Callable[..., Any], question: tuple[Any, ...]) -> None:
    """Raises Forbidden for a read that the tier does not open."""
    # A ranking of sponsors names parties, whatever it ranks.
    licence = ENTITIES if "sponsor" in question else licence_of(read)
    if licence and not opens(licence):
        raise Forbidden(
            f"The licence tier {LICENCE_TIERS[tier()]}, which pages are seen as, does not cover "
            "this",
            tiers=licence.tier_names,
        )
