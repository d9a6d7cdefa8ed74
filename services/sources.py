"""The composition root: from settings to the workspace that the dashboard reads."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, Protocol

from services.client.budget import Budget
from services.client.calls import Call
from services.client.seen import Seen
from services.client.source import ApiSource, connect
from services.contract.audit import Audit
from services.contract.citations import Said
from services.contract.desk import Desk
from services.contract.errors import (
    MirrorMissing,
    NotFound,
    NotOffered,
    SettingsInvalid,
    StoreMissing,
)
from services.contract.history import HistoryQuery, LoanHistory
from services.contract.lease import Lease, Lines
from services.contract.loan_figures import LenderTerms, LoanFigures
from services.contract.records import LoanDetail
from services.contract.sizing import Sized, SizingInputs
from services.contract.snapshot_info import Snapshot
from services.contract.track_record import ShownRun
from services.desk.opening import opened
from services.mirror import Filled, fill, requests_needed
from services.settings import Settings
from services.signals.assumptions import Assumptions
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import accounted
from services.track_record.in_force import shown

Kind = Literal["store", "api"]
#: How long an answer of the API may be shown again before it is asked for again, seconds.
FRESH_SECONDS: Final = 300


class Upstream:
    """The API behind a workspace: its quota, what it answered, and its mirror to be filled."""

    def __init__(
        self,
        api: ApiSource,
        mirror: Path,
        *,
        assumptions: Callable[[], Assumptions] = Assumptions.packaged,
        clock: Callable[[], float],
    ) -> None:
        self._api = api
        self._mirror = mirror
        self._assumptions = assumptions
        self._clock = clock
        #: How the API is called on screen and in its mirror.
        self.label = f"API {api.base_url.split('//', 1)[-1]}"

    @property
    def base_url(self) -> str:
        """The service's address."""
        return self._api.base_url

    @property
    def budget(self) -> Budget:
        """What the last answers said about the key's limits."""
        return self._api.budget

    @property
    def seen(self) -> Seen:
        """What the answers held beyond the specification, and lacked (D19)."""
        return self._api.seen

    def calls(self) -> Mapping[str, Call]:
        """The newest exchange by target, path and query."""
        return self._api.calls()

    def requests_needed(self) -> tuple[int, int]:
        """Requests that filling the mirror takes, without ownership chains and with them."""
        return requests_needed(self._api)

    def fill_mirror(
        self, *, chains: bool = False, progress: Callable[[str, float], None]
    ) -> Filled:
        """Copies the API's loans and signals into the mirror; see services.mirror.fill."""
        accounted(self._mirror)  # before a request is spent
        return fill(
            self._api,
            SnapshotPublisher(self._mirror, keep=1),
            self._mirror / "partial",
            title=self.label,
            today=datetime.fromtimestamp(self._clock(), UTC).date(),
            quota=lambda: self._api.budget,
            assumptions=self._assumptions(),
            chains=chains,
            progress=progress,
        )


class Workspace(Protocol):
    """Where the dashboard reads from."""

    kind: Kind
    #: What the source chip says.
    label: str
    sandbox: bool

    @property
    def upstream(self) -> Upstream | None:
        """The API that it reads, where it reads one."""
        ...

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
    upstream = None

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


class Filed:
    """Reads the facts of a loan again from the file that it was imported from (D247)."""

    def facts(self, importer: str, file: Path, loan: LoanDetail) -> Mapping[str, Said]:
        """See FiledRecords. Of filings of Exhibit 102; other importers do not say."""
        if importer != "sec-absee":
            return {}
        from services.importers.sec_absee import citing

        return citing.facts(file, loan)


class Unmirrored:
    """Figures of an API's loans while it has no mirror: by the tables that would go with one."""

    def __init__(self, assumptions: Callable[[], Assumptions], clock: Callable[[], float]) -> None:
        self._assumptions = assumptions
        self._clock = clock

    def figures(self, loan: LoanDetail) -> LoanFigures:
        """See Figures. As of the date that the service states of the loan, else of today."""
        as_of = loan.as_of or self._today()
        return RulesRescorer().figures(loan, as_of, (), self._assumptions().texts())

    def sized(self, inputs: SizingInputs) -> Sized:
        """See Figures."""
        return RulesRescorer().sized(inputs)

    def terms(self, property_type: str) -> LenderTerms:
        """See Figures."""
        return RulesRescorer().terms(property_type, self._assumptions().texts(), self._today())

    def _today(self) -> date:
        return datetime.fromtimestamp(self._clock(), UTC).date()


class ApiLines:
    """One loan over time: as the API's service keeps it, else as the mirror does (D189)."""

    def __init__(self, api: ApiSource, mirrored: Lines | None) -> None:
        self._api = api
        self._mirrored = mirrored

    def history(self, loan_number: str, query: HistoryQuery) -> LoanHistory:
        """See Lines."""
        try:
            return self._api.history(loan_number, query)
        except NotOffered as error:
            if self._mirrored is None:
                raise MirrorMissing(
                    f"{error.message}; fill the mirror on the Sources page, which keeps a date at "
                    "each fill"
                ) from None
        except NotFound:
            if self._mirrored is None:
                raise
        return self._mirrored.history(loan_number, query)


class ApiWorkspace:
    """The API answers the six reads; its mirror, once filled, answers the aggregates."""

    kind: Kind = "api"

    def __init__(
        self,
        api: ApiSource,
        mirror: Store,
        *,
        sandbox: bool,
        assumptions: Callable[[], Assumptions] = Assumptions.packaged,
        clock: Callable[[], float],
    ) -> None:
        self._api = api
        self._mirror = mirror
        self._unmirrored = Unmirrored(assumptions, clock)
        self._clock = clock
        self.sandbox = sandbox
        self.upstream = Upstream(api, mirror.folder, assumptions=assumptions, clock=clock)
        self.label = self.upstream.label

    @contextmanager
    def lease(self) -> Iterator[Lease]:
        """The API, and the mirror's current snapshot where there is one."""
        fresh = f"api-{int(self._clock() // FRESH_SECONDS)}"
        with ExitStack() as held:
            try:
                mirrored = held.enter_context(self._mirror.lease())
            except StoreMissing:
                lines = ApiLines(self._api, None)
                yield Lease(self._api, None, fresh, self.label, self._unmirrored, lines)
            else:
                fresh = f"{fresh}-{mirrored.snapshot().snapshot_id}"
                lines = ApiLines(self._api, mirrored)
                yield Lease(self._api, mirrored, fresh, self.label, lines=lines)

    def close(self) -> None:
        """Closes the connections and the mirror's files."""
        self._api.close()
        self._mirror.close()


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
            f"To read the API, {missing} must be set, in the environment or in"
            " .streamlit/secrets.toml; it is not"
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


def open_desk(settings: Settings) -> Desk:
    """Where users write: the database or file of the settings, else beside the snapshots.

    Raises SettingsInvalid.
    """
    return opened(settings)


def open_audit(settings: Settings) -> Audit:
    """Where it is recorded who wrote, took away or changed what: with what users write.

    Raises SettingsInvalid.
    """
    return opened(settings)


def latest_run(settings: Settings, snapshot: Snapshot | None) -> ShownRun:
    """What became of graded loans, beside the rules of the snapshot. Raises StoreDamaged."""
    return shown(settings.store, snapshot)


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
        assumptions=cache(
            lambda: Assumptions.of(
                rates=settings.rates, limits=settings.limits, spreads=settings.spreads
            )
        ),
        clock=time.time,
    )


def _snapshots(settings: Settings, folder: Path) -> Store:
    return Store(
        folder,
        hub_edges=settings.hub_edges,
        budget_edges=settings.budget_edges,
        rescorer=RulesRescorer(),
        records=Filed(),
    )
