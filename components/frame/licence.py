"""The licence tier that pages are seen as, for demonstrations, and what it opens (D82)."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import streamlit as st

from services.contract.access import (
    LICENCE_TIERS,
    MATCHES,
    PARTY_COLUMNS,
    PARTY_CONDITIONS,
    TIERS,
    LicenceTier,
    licences_of,
)
from services.contract.aggregates import Match
from services.contract.endpoints import ENTITIES, Endpoint
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
    """Raises Forbidden for a question that the tier does not open."""
    asked = licences_of(read, question)
    if wanting := [one for one in asked if tier() not in TIERS[one]]:
        raise Forbidden(
            f"The licence tier {LICENCE_TIERS[tier()]}, which pages are seen as, does not cover "
            "this",
            tiers=tuple(
                name for one, name in LICENCE_TIERS.items() if all(one in TIERS[of] for of in asked)
            ),
            read=wanting[0],
        )


def columns(names: Iterable[str]) -> tuple[str, ...]:
    """Those of these columns that the tier opens: of parties only where it opens parties."""
    return tuple(name for name in names if name not in PARTY_COLUMNS or opens(ENTITIES))


def conditions(names: Iterable[str]) -> tuple[str, ...]:
    """Those of these conditions on loans that the tier opens."""
    return tuple(name for name in names if name not in PARTY_CONDITIONS or opens(ENTITIES))


def shows(match: Match) -> bool:
    """Whether the tier covers what some letters may mean."""
    return tier() in TIERS[MATCHES[match.kind]]
