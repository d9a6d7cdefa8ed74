"""The composition root: from settings to the workspace that the dashboard reads."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, Protocol

from services.client.source import ApiSource, connect
from services.contract.errors import SettingsInvalid, StoreMissing
from services.contract.lease import Lease
from services.contract.requests import (
    Request,
    as_curl,
    as_python,
    loan_request,
    ownership_request,
    request_for,
)
from services.mirror import Filled, fill, requests_needed
from services.settings import Settings
from services.store.leases import Store

__all__ = [
    "ApiWorkspace",
    "Kind",
    "Reading",
    "Request",
    "StoreWorkspace",
    "Workspace",
    "as_curl",
    "as_python",
    "configured",
    "loan_request",
    "open_workspace",
    "ownership_request",
    "request_for",
    "requests_needed",
]

Kind = Literal["store", "api"]
#: How long an answer of the API may be shown again before it is asked for anew, seconds.
FRESH_SECONDS: Final = 300


#: The name that components still use.
Reading = Lease


class Workspace(Protocol):
    """Where the dashboard reads from."""

    kind: Kind
    #: What the source chip says.
    label: str
    sandbox: bool

    def lease(self) -> AbstractContextManager[Lease]:
        """What there is to read until the block ends. Raises StoreMissing, StoreDamaged."""
        ...

    def close(self) -> None:
        """Releases files and connections."""
        ...


class StoreWorkspace:
    """The embedded store answers everything."""

    kind: Kind = "store"
    label = "Embedded store"
    sandbox = False

    def __init__(self, store: Store) -> None:
        self._store = store

    @contextmanager
    def lease(self) -> Iterator[Lease]:
        """The current snapshot until the block ends. Raises StoreMissing, StoreDamaged."""
        with self._store.lease() as source:
            yield Lease(source, source, source.snapshot().snapshot_id, self.label)

    def close(self) -> None:
        """Releases the files."""
        self._store.close()


class ApiWorkspace:
    """The API answers the six reads; its mirror, once filled, answers the aggregates."""

    kind: Kind = "api"

    def __init__(
        self, api: ApiSource, mirror: Store, *, sandbox: bool, clock: Callable[[], float]
    ) -> None:
        self.api = api
        self.mirror = mirror
        self.sandbox = sandbox
        self.label = f"API {api.base_url.split('//', 1)[-1]}"
        self._clock = clock

    @contextmanager
    def lease(self) -> Iterator[Lease]:
        """The API, and the mirror's current snapshot where there is one."""
        fresh = f"api-{int(self._clock() // FRESH_SECONDS)}"
        with ExitStack() as held:
            try:
                mirrored = held.enter_context(self.mirror.lease())
            except StoreMissing:
                yield Lease(self.api, None, fresh, self.label)
            else:
                fresh = f"{fresh}-{mirrored.snapshot().snapshot_id}"
                yield Lease(self.api, mirrored, fresh, self.label)

    def fill_mirror(
        self, *, chains: bool = False, progress: Callable[[str, float], None]
    ) -> Filled:
        """Copies the API's loans and signals into the mirror; see services.mirror.fill."""
        return fill(
            self.api,
            self.mirror.folder,
            title=self.label,
            today=datetime.fromtimestamp(self._clock(), UTC).date(),
            quota=lambda: self.api.budget,
            chains=chains,
            progress=progress,
        )

    def close(self) -> None:
        """Closes the connections and the mirror's files."""
        self.api.close()
        self.mirror.close()


def configured(settings: Settings) -> tuple[Kind, ...]:
    """The kinds of source that the settings make usable, the preferred one first."""
    api = bool(settings.api_url and settings.api_key)
    if settings.source == "api":
        return ("api", "store") if api else ("api",)
    return ("store", "api") if api else ("store",)


def mirror_folder(settings: Settings) -> Path:
    """Where the mirror of the configured API lies: one folder an address and environment."""
    name = f"{settings.api_url} {settings.api_environment}"
    return settings.store / f"mirror-{sha256(name.encode()).hexdigest()[:12]}"


def open_api(settings: Settings) -> ApiSource:
    """A client of the configured API. Raises SettingsInvalid."""
    if not settings.api_url or not settings.api_key:
        missing = "CREDIT_ATLAS_API_KEY" if settings.api_url else "CREDIT_ATLAS_API_URL"
        raise SettingsInvalid(
            f"CREDIT_ATLAS_SOURCE is 'api' but {missing} is not set; set it in the environment or"
            " in .streamlit/secrets.toml"
        )
    return connect(
        settings.api_url,
        settings.api_key,
        timeout_seconds=settings.api_timeout_seconds,
        retry_after_cap_seconds=settings.api_retry_after_cap_seconds,
        max_bytes=settings.api_max_bytes,
        trust_env=settings.api_trust_env,
        allow_plain_http=settings.api_plain_http,
    )


def open_workspace(settings: Settings, kind: Kind | None = None) -> Workspace:
    """The workspace of `kind`, by default the one that the settings prefer.

    Raises SettingsInvalid.
    """
    if (kind or settings.source) == "api":
        return open_api_workspace(settings)
    return StoreWorkspace(_snapshots(settings, settings.store))


def open_api_workspace(settings: Settings) -> ApiWorkspace:
    """The configured API with its mirror. Raises SettingsInvalid."""
    return ApiWorkspace(
        open_api(settings),
        _snapshots(settings, mirror_folder(settings)),
        sandbox=settings.api_environment == "sandbox",
        clock=time.time,
    )


def _snapshots(settings: Settings, folder: Path) -> Store:
    return Store(folder, hub_edges=settings.hub_edges, budget_edges=settings.budget_edges)
