"""The composition root: from settings to the workspace that the dashboard reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from services.contract.errors import SettingsInvalid
from services.contract.source import Analytics, CreditSource
from services.settings import Settings
from services.store.leases import Store


@dataclass(frozen=True, slots=True)
class Reading:
    """One snapshot, held open for one run of a page."""

    source: CreditSource
    analytics: Analytics
    snapshot_id: str


class Workspace:
    """Where the dashboard reads from. `label` is what the source chip says."""

    def __init__(self, store: Store, label: str) -> None:
        self._store = store
        self.label = label

    @contextmanager
    def lease(self) -> Iterator[Reading]:
        """The current snapshot until the block ends. Raises StoreMissing, StoreDamaged."""
        with self._store.lease() as source:
            yield Reading(source, source, source.snapshot().snapshot_id)

    def close(self) -> None:
        """Releases the files."""
        self._store.close()


def open_workspace(settings: Settings) -> Workspace:
    """The workspace that the settings name. Raises SettingsInvalid."""
    if settings.source == "api":
        raise SettingsInvalid(
            "CREDIT_ATLAS_SOURCE is 'api', which this version cannot read yet; "
            "set it to 'store' or leave it out"
        )
    store = Store(settings.store, hub_edges=settings.hub_edges, budget_edges=settings.budget_edges)
    return Workspace(store, "Embedded store")
