"""One call's lease: what answers it, all pages of a list, and where its rows come from."""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from services.contract.errors import MirrorMissing, RateLimited
from services.contract.lease import Lease
from services.contract.paging import pages
from services.contract.queries import Query
from services.contract.records import Page
from services.contract.source import Analytics, CreditSource
from services.sources import Kind, Upstream

Q = TypeVar("Q", bound=Query)
T = TypeVar("T")
#: Records a request: the most that the specification allows (8.5).
_PER_REQUEST: Final = 100
#: Records that a store gives at once.
PER_READ: Final = 20_000
#: A minute's limit is waited out; a longer one is the caller's to wait for.
_LONGEST_WAIT_SECONDS: Final = 90


@dataclass(frozen=True, slots=True)
class Reading:
    """What one call reads: one snapshot, or an API with the mirror that it has."""

    lease: Lease
    kind: Kind
    upstream: Upstream | None
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    @property
    def source(self) -> CreditSource:
        """The six reads."""
        return self.lease.source

    @property
    def mirrored(self) -> bool:
        """Whether figures over all records can be asked for."""
        return self.lease.analytics is not None

    @property
    def figures(self) -> Analytics:
        """What the six reads cannot answer. Raises MirrorMissing (D33)."""
        if self.lease.analytics is None:
            raise MirrorMissing.of_figures()
        return self.lease.analytics

    @property
    def said(self) -> dict[str, str]:
        """Where rows of the snapshot come from. Raises MirrorMissing."""
        snapshot = self.figures.snapshot()
        return {
            "as_of": snapshot.dated,
            "source": "; ".join(source.title for source in snapshot.sources),
            "provenance": ", ".join(sorted({source.provenance for source in snapshot.sources})),
            "snapshot": snapshot.snapshot_id,
        }

    @property
    def said_live(self) -> dict[str, str]:
        """Where answers of the six reads come from."""
        if self.upstream is None:
            return self.said
        return {
            "as_of": f"asked on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            "source": self.upstream.label,
            "provenance": "as the API gives it",
        }

    def every(self, read: Callable[[Q], Page[T]], query: Q) -> list[T]:
        """All records of a list. Over an API, page by page within its quota; a warning says where
        the list changed meanwhile, so that a record may be missing or twice.

        Raises RateLimited before it spends requests of which too few are left today, and where a
        limit lasts longer than a minute and a half.
        """
        if self.upstream is None:
            # As wide as memory likes: the bound is the wire's.
            wide = query.model_copy(update={"page": 1, "per_page": PER_READ})
            return [one for page in pages(read, wide) for one in page.items]
        found: list[T] = []
        most = type(query).model_fields["per_page"].metadata
        top = min((bound.le for bound in most if hasattr(bound, "le")), default=_PER_REQUEST)
        narrow = query.model_copy(update={"page": 1, "per_page": min(top, _PER_REQUEST)})
        totals = []
        for page in pages(lambda one: self.patient(lambda: read(one)), narrow):
            found += page.items
            totals.append(page.total)
            self._affordable(page)
        if len(set(totals)) > 1 or len(found) != totals[-1]:
            warnings.warn(
                f"The list changed while it was read: {totals[0]:,} records at first, "
                f"{totals[-1]:,} at last, {len(found):,} read; ask again",
                stacklevel=2,
            )
        return found

    def patient(self, ask: Callable[[], T]) -> T:
        """One answer; a minute's limit of an API is waited out, a minute and a half in all.

        Raises RateLimited.
        """
        # By the clock: the client waits and asks again by itself before it gives up.
        until = self.clock() + _LONGEST_WAIT_SECONDS
        while True:
            try:
                return ask()
            except RateLimited as limit:
                if self.upstream is None or self.clock() + limit.retry_after > until:
                    raise
                self.sleep(limit.retry_after)

    def _affordable(self, page: Page[Any]) -> None:
        left = self.upstream.budget.daily_remaining if self.upstream else None
        needed = page.pages - page.page
        if left is not None and needed > left:
            raise RateLimited(
                f"The other pages take {needed:,} requests, and the key has {left:,} left today; "
                "narrow the filters, or fill the mirror",
                retry_after=3600,
            )
