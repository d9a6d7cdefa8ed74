"""Who asks, and every read that a tool makes: behind the same permissions as an endpoint."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from services.contract.access import (
    LICENCES,
    PARTY_COLUMNS,
    PARTY_CONDITIONS,
    LicenceTier,
    licences_of,
    tiers_of,
)
from services.contract.errors import NotOffered
from services.contract.lease import Leasable, Lease
from services.contract.queries import Question
from services.contract.refusals import require_party_tier, require_tier
from services.contract.source import CreditSource

Q = ParamSpec("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and of what source."""

    tier: LicenceTier
    source: Leasable
    #: Whether the caller is the user of this machine, who is told whatever is wrong with the store.
    local: bool
    #: Remembers for the log what was asked for, and an internal error in full.
    noted: Callable[[str], None]
    failed: Callable[[Exception], None]
    request_id: str | None = None
    #: Where reads run; the event loop's own threads when None.
    executor: Executor | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """Reads on one lease for one licence tier. All that a tool reads, it reads by `ask`."""

    lease: Lease
    tier: LicenceTier

    def ask(self, read: Callable[Concatenate[Any, Q], A], *question: Q.args, **_: Q.kwargs) -> A:
        """What a read of the contract answers.

        Raises Forbidden where the tier does not open it, NotOffered where the source has no such
        read, and what the read raises.
        """
        self._require(read, question)
        answer: Callable[..., A] = self._found(read)
        return answer(*question)

    def answers(self, read: Callable[..., Any]) -> bool:
        """Whether the source has a read."""
        return any(hasattr(one, read.__name__) for one in self._sources(read))

    def _require(self, read: Callable[..., Any], question: tuple[Any, ...]) -> None:
        licence = LICENCES[read]
        if licence is None:
            return
        require_tier(self.tier, tiers_of((licence,)))
        require_party_tier(self.tier, tiers_of(licences_of(read, question)), _party(question))

    def _found(self, read: Callable[..., Any]) -> Callable[..., Any]:
        for source in self._sources(read):
            found: Callable[..., Any] | None = getattr(source, read.__name__, None)
            if found is not None:
                return found
        raise NotOffered(
            "This source answers the six endpoints alone; what was asked needs a store, or the "
            "API's mirror, which the dashboard's Sources page fills"
        )

    def _sources(self, read: Callable[..., Any]) -> tuple[object, ...]:
        """Who may know, in order. The six endpoints are the source's own."""
        lease = self.lease
        if hasattr(CreditSource, read.__name__):
            return (lease.source,)
        sources = (lease.lines, lease.analytics, lease.figures, lease.source)
        return tuple(one for one in sources if one is not None)


def _party(question: tuple[Any, ...]) -> str:
    """The parameter of a question that names parties, to be named in a refusal."""
    for part in question:
        if isinstance(part, Question):
            asked = part.filters()
            for name in sorted(PARTY_CONDITIONS & asked.keys()):
                if asked[name] is not False:
                    return name
            if str(getattr(part, "order", "")).removeprefix("-") in PARTY_COLUMNS:
                return "order"
        elif isinstance(part, str) and part in PARTY_COLUMNS:
            return "by"
        elif isinstance(part, tuple) and PARTY_COLUMNS & set(part):
            return "columns"
    return "sponsors"
